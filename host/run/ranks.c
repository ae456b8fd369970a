// ranks -- the only file that knows MPI: one window of counters on rank 0, drawn from by fetch-and-add.
#include "run/ranks.h"

#ifdef PENDULA_MPI
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static MPI_Win   window = MPI_WIN_NULL;
static uint64_t *counters;
static bool      joined;

// Environment variables that the launchers of OpenMPI and SLURM give their processes. A program that was started by
// neither is not asked to find others.
static bool was_launched(void)
{
    return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMIX_RANK") || getenv("PMI_RANK");
}

static void keep_share(const Ranks *ranks, MPI_Comm local)
{
    cpu_set_t  own, share;
    cpu_set_t *all SCOPED(scoped_free) = calloc((size_t)ranks->local_count, sizeof *all);
    char       threads[16];
    int        place = 0, sharers = 0, seen = 0;
    if (!all || sched_getaffinity(0, sizeof own, &own) != 0)
        return;
    MPI_Allgather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, local);
    for (int i = 0; i < ranks->local_count; ++i)
        if (CPU_EQUAL(&all[i], &own)) {
            place += i < ranks->local_index;
            ++sharers;
        }
    const int count = CPU_COUNT(&own);
    CPU_ZERO(&share);
    for (size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu)
        if (CPU_ISSET(cpu, &own)) {
            if (seen * sharers / count == place || (sharers > count && seen == place % count))
                CPU_SET(cpu, &share);
            ++seen;
        }
    if (CPU_COUNT(&share) > 0 && sched_setaffinity(0, sizeof share, &share) == 0) {
        snprintf(threads, sizeof threads, "%d", CPU_COUNT(&share));
        setenv("POCL_MAX_PTHREAD_COUNT", threads, 0);
    }
}

bool ranks_start(Ranks *ranks, Error *err)
{
    int      given;
    MPI_Comm local;
    *ranks = (Ranks){.count = 1, .local_count = 1};
    if (!was_launched())
        return true;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given) != MPI_SUCCESS)
        return fail(err, ERROR_INTERNAL, "MPI cannot be started");
    joined = true;
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks->index);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks->count);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, ranks->index, MPI_INFO_NULL, &local);
    MPI_Comm_rank(local, &ranks->local_index);
    MPI_Comm_size(local, &ranks->local_count);
    if (ranks->local_count > 1)
        keep_share(ranks, local);
    MPI_Comm_free(&local);
    return true;
}

void ranks_end(void)
{
    if (!joined)
        return;
    if (window != MPI_WIN_NULL) {
        MPI_Win_unlock_all(window);
        MPI_Win_free(&window);
    }
    MPI_Finalize();
    joined = false;
}

bool ranks_agree(const Ranks *ranks, bool fine, Error *err)
{
    int lowest = fine ? ranks->count : ranks->index, kind = fine ? ERROR_NONE : (int)err->kind;
    if (ranks->count == 1)
        return fine;
    MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (lowest == ranks->count)
        return true;
    MPI_Bcast(&kind, 1, MPI_INT, lowest, MPI_COMM_WORLD);
    if (lowest != ranks->index)
        *err = (Error){.kind = (ErrorKind)kind};
    return false;
}

void ranks_unite(const Ranks *ranks, unsigned char *bytes, uint64_t count)
{
    const uint64_t most = 1 << 30;
    for (uint64_t first = 0; ranks->count > 1 && first < count; first += most)
        MPI_Allreduce(MPI_IN_PLACE, bytes + first, (int)(count - first < most ? count - first : most),
                      MPI_UNSIGNED_CHAR, MPI_MAX, MPI_COMM_WORLD);
}

void ranks_add_up(const Ranks *ranks, uint64_t *sums, int count)
{
    if (ranks->count > 1)
        MPI_Allreduce(MPI_IN_PLACE, sums, count, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
}

bool ranks_make_counters(const Ranks *ranks, int count, Error *err)
{
    const MPI_Aint bytes = ranks->index == 0 ? (MPI_Aint)((size_t)count * sizeof *counters) : 0;
    if (ranks->count == 1)
        return true;
    if (MPI_Win_allocate(bytes, sizeof *counters, MPI_INFO_NULL, MPI_COMM_WORLD, &counters, &window) != MPI_SUCCESS)
        return fail(err, ERROR_INTERNAL, "MPI has no window for %d counters", count);
    if (ranks->index == 0)
        memset(counters, 0, (size_t)bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
    return true;
}

uint64_t ranks_count_up(int counter, uint64_t amount)
{
    uint64_t before = 0;
    MPI_Fetch_and_op(&amount, &before, MPI_UINT64_T, 0, counter, MPI_SUM, window);
    MPI_Win_flush(0, window);
    return before;
}

void ranks_poll(void)
{
    int waits;
    if (joined)
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &waits, MPI_STATUS_IGNORE);
}

#else

// A process alone makes little of its arguments.
#pragma GCC diagnostic ignored "-Wunused-parameter"

bool ranks_start(Ranks *ranks, Error *err)
{
    *ranks = (Ranks){.count = 1, .local_count = 1};
    return true;
}

void ranks_end(void)
{
}

bool ranks_agree(const Ranks *ranks, bool fine, Error *err)
{
    return fine;
}

void ranks_unite(const Ranks *ranks, unsigned char *bytes, uint64_t count)
{
}

void ranks_add_up(const Ranks *ranks, uint64_t *sums, int count)
{
}

bool ranks_make_counters(const Ranks *ranks, int count, Error *err)
{
    return true;
}

uint64_t ranks_count_up(int counter, uint64_t amount)
{
    return 0;
}

void ranks_poll(void)
{
}
#endif
