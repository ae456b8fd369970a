// ranks -- the processes of one run: started by mpirun or srun they draw blocks from common counters.
//
// A program that was built without MPI, or was not started by such a launcher, is the only rank, and all of this is
// trivial. Calls marked "together" are made by every rank, in the same order. All are made by the main thread.
#pragma once

#include "base/error.h"

#include <stdint.h>

typedef struct Ranks {
    int index, count;              // of all
    int local_index, local_count;  // on this machine
} Ranks;

// Joins the other ranks. Ranks of a machine whose processors are not divided among them divide them: each keeps its
// part of the processors permitted, and CPU devices use as many threads.
// Errors: ERROR_INTERNAL.
bool ranks_start(Ranks *ranks, Error *err);
void ranks_end(void);

// Together: whether all ranks fared well. Where some did not, the lowest of these keeps its error; the others get an
// error of its kind without a message.
bool ranks_agree(const Ranks *ranks, bool fine, Error *err);

// Together: bytes[count] become the largest of all ranks', sums[count] their sums.
void ranks_unite(const Ranks *ranks, unsigned char *bytes, uint64_t count);
void ranks_add_up(const Ranks *ranks, uint64_t *sums, int count);

// Together: makes so many counters, all 0, which live until ranks_end(). Errors: ERROR_INTERNAL.
bool ranks_make_counters(const Ranks *ranks, int count, Error *err);

// Adds to a counter and returns its value before.
uint64_t ranks_count_up(int counter, uint64_t amount);

// To be called often: lets the messages of other ranks through where the network does not serve itself.
void ranks_poll(void);
