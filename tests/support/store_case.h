// store_case -- small plans, numbers to store, and views of files, for the tests of result files.
//
// The plan has three groups: a grid with a swept step and selected trajectories, a zip, and a group without axes.
#pragma once

#include "store/store.h"
#include "store/store_read.h"

#include "support/test.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// Files are made in a directory of their own, which is removed at the end.
typedef struct Bench {
    char   directory[64];
    char   path[128];
    Plan   plan;
    char  *wanted;  // the bytes of a file written in one go, from undisturbed() on
    size_t wanted_count;
} Bench;

extern const char *const sources[];
extern double            grid_eps[3], zip_rho[7];  // values of two axes

void   make_plan(Plan *plan);
double expected(const Group *group, size_t variable, uint64_t row, size_t element);
bool   compute(Store *store, const Group *group, uint64_t block, uint64_t count);

// Computes the blocks that are not done, `most` of them at most.
bool compute_rest(Store *store, const Plan *plan, uint64_t most);

Store *open_store(const Bench *bench, StoreMode mode);
void   write_whole(const Bench *bench, StoreMode mode);
void   expect_refusal(const Bench *bench, StoreMode mode, ErrorKind kind, const char *words);
void   write_bytes(const char *path, const char *bytes, size_t count);

// Opens the file for reading and reads all of it.
bool read_all(const Bench *bench);

bool is_there(const Bench *bench, const char *ending);
void expect_nothing_left(const Bench *bench);
void remove_files(const Bench *bench);

// Writes a file in one go, keeps its bytes and removes it; the file is expected to have these later.
void undisturbed(Bench *bench);
void expect_undisturbed(const Bench *bench);

void expect_bytes(const Bench *bench, const char *wanted, size_t wanted_count);

// Waits for a child; true if it ended by itself with status 0.
bool child_succeeded(pid_t child);

int set_up(void **state);
int tear_down(void **state);

// Starts a child that makes the file, brings `done` blocks to disk and reports it; then it goes on writing, or waits.
pid_t start_writer(const Bench *bench, uint64_t done, bool go_on);
