// spec -- sweep file as written: its grammar is checked, its meaning is not yet known.
#pragma once

#include "base/yaml.h"

// A file that a caller gives as a text, in place of one on a disk.
typedef struct SpecFile {
    const char *path, *text;
} SpecFile;

// Samples of a table that are given in place of those of the sweep: the rows of a Curve.
typedef struct SpecTable {
    const char   *name;
    const double *samples;  // [count][columns]
    size_t        count, columns;
} SpecTable;

// The parsed sweep file with -s overrides applied. Values keep the place (file:line:column, or the -s key) where they
// stand, so that every later check can name it. Made by spec_read(), which owns all of it; release with spec_free().
typedef struct Spec {
    const char      *path;       // of the sweep file, as given
    const char      *text;       // the file's text
    const char      *overrides;  // the -s arguments as given, one per line; "" without any
    YamlNode        *root;       // the mapping, overrides merged in
    bool             foreign;    // the text is that of a result file: no file is opened that `trusted` does not name
    const YamlNode  *trusted;    // root of a sweep file of the user's; borrowed; may be NULL
    const SpecFile  *files;      // [file_count] borrowed: looked for before files on a disk
    size_t           file_count;
    const SpecTable *tables;  // [table_count] samples that a result file keeps
    size_t           table_count;
    bool             tables_spare;   // they serve where a file that the sweep names is gone
    const struct PointFile *points;  // given in place of a file of points; borrowed by plan_make(); may be NULL
    Arena                   arena;
} Spec;

// An override that begins so names a parameter alone, NAME={..}: KEY is parameters.NAME, and messages name the option.
#define SPEC_DISTRIBUTION "--distribution "

// Reads and parses a sweep file.
//   path       borrowed; "dir/name.yaml"; "-" is standard input
//   overrides  [override_count] "KEY=VALUE" with KEY dotted ("parameters.eps", "methods.LABEL.theta") and VALUE a YAML
//   flow value
// Errors: ERROR_IO (missing, a directory, unreadable), ERROR_INPUT (not a sweep file: binary, empty, over 1 MiB,
// aliases, tags, duplicate keys, second document, depth over 32), ERROR_USAGE (in an override; the message names the
// key), ERROR_INTERNAL.
bool spec_read(const char *path, const char *const *overrides, size_t override_count, Spec *spec, Error *err);

// Splits the KEY of `-s KEY=VALUE` at its dots.
//   words  [YAML_DEEPEST] written, in the arena
//   count  written; 0: it is not a key: a part is empty, or there are too many
// Errors: ERROR_INTERNAL (memory).
bool spec_split(const char *key, Arena *arena, char **words, size_t *count, Error *err);

// The same for a sweep that the program itself writes.
//   name       stands for the path in messages
//   text       borrowed for the call
//   overrides  [override_count] as in spec_read()
// Errors: ERROR_INPUT, ERROR_USAGE (in an override), ERROR_INTERNAL.
bool spec_read_text(const char *name, const char *text, const char *const *overrides, size_t override_count, Spec *spec,
                    Error *err);
void spec_free(Spec *spec);

// The key of data to compare with, and the name of the table in which a plan and a result file keep them.
extern const char spec_data[];  // "compare"

// Finds the mappings that list tables by their names: of the sweep, and of its problem of formulas. NULL where there is
// none, and where something else stands. Returns how many tables there are.
size_t spec_list_tables(const Spec *spec, const YamlNode *nodes[2]);
