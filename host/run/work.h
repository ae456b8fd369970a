// work -- the blocks that a run has still to compute: where they come from, who takes which, and the file they go into.
//
// The kind of a run's work is chosen before the run begins:
//   work_alone   the blocks of the plan, or of its shard; all, or the blocks that the file does not have (--resume)
//   work_retry   a file beside the old one: points that did not fail are copied, the others computed again (--retry)
//   shared_kind  blocks that no other process draws, into a piece of the file (shared.c)
// In each, points that older files have are copied (--reuse).
#pragma once

#include "run/monitor.h"
#include "store/pieces.h"
#include "store/reuse.h"

// One who takes work: a device, or the reference.
typedef struct Taker {
    bool     lost;        // takes no more
    double   rate;        // points a second of its last batch; 0: not known yet
    size_t   group;       // that it is at; it has left the groups before
    uint64_t block, end;  // blocks of a group that are its; it is through with the ones before `block`
} Taker;

typedef struct Work Work;

// Functions in which the kinds differ.
typedef struct WorkKind {
    // Finds the blocks that are there already.
    bool (*find)(Work *work, Error *err);
    // Gives the next blocks of a group to a taker; false where none are left.
    bool (*take)(Work *work, Taker *taker, size_t group, uint64_t most);
    // Tells other processes how far this one is; or NULL.
    void (*tell)(Work *work, uint64_t points, uint64_t steps);
    // Gives the file its place, where all fared well; or NULL.
    bool (*commit)(Work *work, bool fine, Error *err);
} WorkKind;

// The first part is set by the caller, the others zero; released with work_close().
struct Work {
    const WorkKind   *kind;
    const RunRequest *request;
    Monitor          *monitor;
    const Ranks      *ranks;
    Plan             *plan;
    pthread_mutex_t   mutex;  // guards takers, drawn and halted while there are threads

    const char   **sources;                   // [plan->group_count] composed kernels; borrowed
    const char    *path;                      // of the file that is written: the output, or one beside it
    StoreMode      mode;                      // by which it is opened
    Store         *store;                     // NULL until then
    bool           named;                     // it has its name
    bool           found, nothing, complete;  // find() fared well; nothing is to be retried; all blocks are there
    Reuse         *reuse;                     // NULL: no older files
    bool          *wanted;                    // [group_count] has points to compute
    bool         **needed;  // [group_count] -> [solution_tables()] of these the points compare with; NULL: with none
    uint64_t      *drawn;   // [group_count] blocks that were taken, in this pass
    unsigned       pass;    // 0, and one more each time after a device was lost
    bool           halted;  // a taker failed, and the others are to end
    Taker          takers[DEVICES_MOST];
    size_t         taker_count;
    Pieces         pieces;                       // left by earlier processes; of several ranks, like the rest
    unsigned char *elsewhere, *mine;             // [plan->block_count] whole in a piece; drawn by this rank
    uint64_t       others_points, others_steps;  // that other ranks computed, and that the progress counts
};

extern const WorkKind work_alone, work_retry;

// Together, of all ranks:
//   find    looks which blocks earlier processes computed, and makes the plan that of a rank
//   take    the fewer blocks are left, the fewer at a time
//   commit  the first rank puts the pieces of all together, where all fared well. The summary becomes that of all
// Errors: ERROR_IO (files are in the way), those of pieces_find() and pieces_merge(); of another rank without a
// message.
extern const WorkKind shared_kind;

// Together: finds the blocks that are there already, counts the rest, and notes which groups have points to compute,
// and which solutions these compare with. Of a new file, the problems of path and space that can be known are said.
//   fine  whether this rank fared well so far, else err has why
// Errors: those of store_check(), store_prepare(), reuse_open(), reuse_find() and of the kind; of another rank without
// a message.
bool work_find(Work *work, bool fine, Error *err);

// Makes the file, where none was found, and gives it its name; without one it leaves nothing behind.
//   fine  whether the file is to be kept, else err has why
// Errors: those of store_prepare() and store_publish().
bool work_open(Work *work, Error *err);
bool work_name(Work *work, bool fine, Error *err);

// Begins a group; false where it has no blocks for the taker.
bool work_begin(Work *work, Taker *taker, size_t group);

// The next consecutive blocks of a group that are to be computed, from taker->block on: how many, 0 where there are no
// more for this taker. They stay the next ones until work_done().
uint64_t work_next(Work *work, Taker *taker, size_t group, uint64_t most);

// Blocks that are computed or copied.
//   points, steps  computed in them
//   rate           points a second
void work_done(Work *work, Taker *taker, uint64_t blocks, uint64_t points, uint64_t steps, double rate);

// A taker asks for no more, in this pass.
//   halt  nobody is to go on
void work_leave(Work *work, Taker *taker, bool halt);

// Begins anew after a device was lost: computed blocks are done, and the blocks it left are taken by others.
// Errors: those of store_finish().
bool work_again(Work *work, Error *err);

// How many takers are not lost.
size_t work_takers(const Work *work);

// How many of the blocks left a taker gets: all where it is alone, else half of the number that it would compute of
// them by its rate, so that the last are few; none where the others are through with all before it is with one.
uint64_t work_share(const Work *work, const Taker *taker, uint64_t left);

// Together: gives the file its place, where all fared well.
//   fine  whether this rank did, else err has why
// Errors: those of retry_settle() and pieces_merge(); of another rank without a message.
bool work_commit(Work *work, bool fine, Error *err);

void work_close(Work *work);
