// output -- the file system's side of a result file: its lock, its space, its name.
#pragma once

#include "base/arena.h"
#include "base/outputs.h"
#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

// Fills err with "PATH: WHAT: REASON", of kind ERROR_IO: the text of errno, which becomes err->code. Always false.
bool output_fail(Error *err, const char *path, const char *what);

// Adds to an error of output_fail() how to go on where the disk is full or fails: "; make room, and THEN", or
// "; when the disk works again, THEN". Always false.
//   then  a clause, as in "the same command begins again"
bool output_advise(Error *err, const char *then);

// Takes the lock file, made if need be. The lock belongs to the process and ends with it, so the file that a killed
// process leaves behind locks nobody out.
//   path       borrowed; of the result file, for messages
//   lock_path  borrowed
//   needed     where the file system has no locks: whether that is an error, or nothing is made and `lock` is -1
//   lock       written: an open descriptor, released with output_unlock()
// Errors: ERROR_LOCKED (held by another process), ERROR_IO (err->code: errno, of which file_lacks_locks() knows).
bool output_lock(const char *path, const char *lock_path, bool needed, int *lock, Error *err);

// Releases the lock, where there is one, and removes its file.
void output_unlock(const char *lock_path, int lock);

// Removes the temporary file and the lock file that a killed process left; nothing where another one holds the lock.
void output_tidy(const char *path, const char *lock_path, const char *temporary);

// The name under which a result file is locked, made and written: where the path is a link, the file that it leads to.
// NULL with err filled on failure.
// Errors: ERROR_INTERNAL.
const char *output_name(const char *path, Arena *arena, Error *err);

// Refuses a new file where it, or a file that a result file has beside it, is one that is read.
//   retried  FILE.h5.retry is beside it too
// Errors: those of outputs_check_inputs(), ERROR_INTERNAL.
bool output_check_inputs(const char *path, bool retried, const Outputs *inputs, Error *err);

// Opens the file's log for adding a line, made if need be; nothing but a regular file, and no link.
// Errors: ERROR_IO.
bool output_open_log(const char *path, int *file, Error *err);

// Adds the lines of one log to another and removes the first; nothing where there is none.
void output_take_log(const char *from, const char *to);

// Whether there is a file at path.
// Errors: ERROR_IO (a directory or other thing that cannot be a result file, an unreadable path).
bool output_exists(const char *path, bool *exists, Error *err);

// Checks that a file of so many bytes can be made: that its folder is there and can be written, and has room as far as
// the file system and the process's limits show it. Errors: ERROR_IO.
bool output_room(const char *path, uint64_t bytes, Error *err);

// Opens a file for reading, or for reading and writing, and keeps HDF5 programs from opening it for writing as long as
// it is open. For writing it is opened by one process at a time, whichever of its names is used. Where the file system
// has no locks, it is opened without.
// Errors: ERROR_IO, ERROR_LOCKED (a program has it open for writing).
bool output_open(const char *path, bool writing, int *file, Error *err);

// Adds a line to the notes where the file system of a file that is there has no locks.
void output_note_locks(const char *path, Text *notes);

// Allocates all of the file's space and syncs it.
// Errors: ERROR_IO.
bool output_fill(int file, const char *temporary, const char *path, Error *err);

// Allocates the space of a run of bytes; nothing where there are none.
//   path  borrowed, for messages
// Errors: ERROR_IO.
bool output_fill_range(int file, const char *path, uint64_t offset, uint64_t bytes, Error *err);

// Brings the file to the disk. Errors: ERROR_IO.
bool output_sync(int file, const char *path, Error *err);

// Gives the file its final name.
// Errors: ERROR_IO.
bool output_settle(const char *temporary, const char *path, Error *err);

// Writes or reads a run of bytes at an offset, however many calls it takes.
// Errors: ERROR_IO; of reading also ERROR_INPUT (the file ends before).
bool output_write(int file, const char *path, const void *bytes, size_t count, uint64_t offset, Error *err);
bool output_read(int file, const char *path, void *bytes, size_t count, uint64_t offset, Error *err);
