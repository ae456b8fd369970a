// pieces -- files of the processes that share a run's blocks: FILE.h5.rank-0, FILE.h5.rank-1, ...
//
// Each is a result file of the whole structure with room for the results of its process. They are merged into FILE.h5
// at the end and removed. Any number of processes can continue the pieces of a killed run.
#pragma once

#include "store/store.h"

typedef struct Pieces {
    const char  *output;  // borrowed; FILE.h5
    const char **paths;   // [count] in no order; owned by the arena
    size_t       count;
    Arena        arena;
} Pieces;

// Lists the pieces of a result file.
//   with_output  the file itself is one, where it is there: its blocks are not computed again
//   pieces       written; release with pieces_free()
// Errors: ERROR_IO, ERROR_INTERNAL.
bool pieces_list(const char *output, bool with_output, Pieces *pieces, Error *err);
void pieces_free(Pieces *pieces);

// The name of a process's piece. NULL with err filled on failure.
char *pieces_name(const char *output, int index, Arena *arena, Error *err);

// Finds which blocks are whole in some of the pieces: every `step`-th from `first` on.
//   plan   the plan of all pieces
//   whole  [plan->block_count] set to 1 where a block is
// Errors: those of older_open(); ERROR_INPUT (of another sweep).
bool pieces_find(const Pieces *pieces, size_t first, size_t step, const Plan *plan, unsigned char *whole, Error *err);

// Puts the pieces together into the result file, takes their logs over into its log, and removes them; nothing where
// there are none.
// Errors: those of merge_files(); ERROR_INCOMPLETE (blocks are missing: nothing is removed).
bool pieces_merge(const char *output, bool with_output, const Spec *sweep, void (*say)(const char *line, void *user),
                  void *user, Error *err);

// Removes pieces that no process writes.
//   log  takes their logs over; NULL: these are removed too
// Errors: ERROR_LOCKED, ERROR_IO.
bool pieces_remove(const Pieces *pieces, const char *log, Error *err);
