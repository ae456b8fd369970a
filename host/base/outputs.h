// outputs -- output files of a command: refused where they exist, written next to their place, renamed when whole.
//
// Every file that a command writes goes through here; a result file, which host/store writes in its own way, is checked
// here as well.
//
//   FOLDER/.pendula-XXXXXX/NAME   --  written, checked, synced  --  rename -->   FOLDER/NAME
//
// The folder in between belongs to this process alone, so nobody can put a link into it. Where anything fails it is
// removed, and FOLDER/NAME is as it was: the old file, or none. A file that is replaced hands on its permissions.
#pragma once

#include "base/text.h"

#include <signal.h>

enum { OUTPUTS_INPUTS = 320 };

// The rights of a command over the files at the paths that it was given.
typedef struct Outputs {
    bool        force;                   // may replace a file that exists
    const char *inputs[OUTPUTS_INPUTS];  // [input_count] files that the command reads or wrote already; borrowed
    size_t      input_count;
} Outputs;

// Adds a file that is never replaced, whatever else it is called: found by device and inode. At most OUTPUTS_INPUTS.
//   path  borrowed
void outputs_keep(Outputs *outputs, const char *path);

// Refuses a path that is one of the inputs. Errors: ERROR_IO.
bool outputs_check_inputs(const Outputs *outputs, const char *path, Error *err);

// Refuses a path that outputs_write() would refuse, before anything is computed. "-" is standard output.
// Errors: ERROR_IO (an input; exists and is not to be replaced; a folder, a device, a broken link; no such folder).
bool outputs_check(const Outputs *outputs, const char *path, Error *err);

// Writes a text to a file, or to standard output where path is "-".
// Errors: those of outputs_check(), ERROR_IO (no room), ERROR_INTERNAL (the text ran out of memory).
bool outputs_write(const Outputs *outputs, const char *path, const Text *text, Error *err);

// The folder in which files are made that another program writes.
typedef struct OutputsFolder {
    Text     path;    // ends with '/'
    sigset_t before;  // signals that were blocked before it
    bool     made;
    int      held;  // open descriptor with its lock, where it is made
} OutputsFolder;

// Makes the folder beside the file that will lie at path. SIGINT, SIGTERM and SIGHUP wait until outputs_close(), so
// that they leave nothing behind. Leftovers of killed processes there are removed.
//   folder  zeroed; close it also after a failure
// Errors: ERROR_IO, ERROR_INTERNAL.
bool outputs_open(const char *path, OutputsFolder *folder, Error *err);

// Writes a text to a file of the folder. Errors: ERROR_IO, ERROR_INTERNAL.
bool outputs_add(const OutputsFolder *folder, const char *path, const Text *text, Error *err);

// The same behind the present contents of the file. Errors: those of outputs_add().
bool outputs_append(const OutputsFolder *folder, const char *path, const Text *text, Error *err);

// Gives the file of the folder that has path's name its place at path.
// Errors: those of outputs_check(); ERROR_IO (there is no such file).
bool outputs_settle(const Outputs *outputs, const OutputsFolder *folder, const char *path, Error *err);

// Removes the folder and the files that are still in it.
void outputs_close(OutputsFolder *folder);

// Whether one of the signals that wait has come.
bool outputs_interrupted(void);
