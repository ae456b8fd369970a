// library -- inside of the library: what the handles of pendula.h hold.
#pragma once

#include "engine/engine.h"
#include "pendula.h"
#include "store/layout.h"
#include "store/store_read.h"

// The cards, shared by all plans of a sweep.
typedef struct Shelf {
    int     users;
    Catalog catalog;
} Shelf;

// A sweep as it was planned once: results in memory refer to it after the sweep has changed or gone.
typedef struct Planned {
    int    users;
    Shelf *shelf;
    Spec   spec;
    Plan   plan;
    Layout layout;
} Planned;

// Programs of the last run in memory, for the next.
typedef struct Warm {
    char     which[256];  // the device as it was asked for
    uint64_t memory;
    int      lanes;
    Device  *device;   // NULL: the reference
    Planned *planned;  // which the engines borrow
    Engine  *engines;  // [engine_count]
    size_t   engine_count;
} Warm;

// Text that stands for a file of the sweep's.
typedef struct GivenFile {
    char *path, *text;
} GivenFile;

struct PendulaSweep {
    Shelf                *shelf;
    char                 *path;       // stands for the sweep file's in messages
    char                 *text;       // NULL: it is the file of that path
    char                **overrides;  // [override_count] KEY=VALUE
    size_t                override_count;
    GivenFile            *files;  // [file_count]
    size_t                file_count;
    PointFile            *points;   // given by the caller; NULL: none
    Planned              *planned;  // NULL: not since the last change
    Warm                  warm;
    volatile sig_atomic_t stop;     // 1: the run is to end
    volatile sig_atomic_t running;  // a run looks at it
};

// Of one group of a result in memory, an array that the plan knows.
typedef struct Values {
    void       *owned;  // or NULL
    const void *data;
} Values;

struct PendulaResult {
    Planned  *planned;  // of a result in memory; NULL: of a file
    Results  *results;  // [group_count]
    Values  **values;   // [group_count] -> [dataset_count of the section]
    StoreFile file;
    bool      complete;
};

// Makes an error of the caller's, unless `error` is NULL. Always false.
bool library_fail(PendulaError **error, const Error *err);

// The same from a kind and a text.
bool library_refuse(PendulaError **error, ErrorKind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// A zeroed struct; NULL with the error made where memory runs out.
void *library_new(size_t bytes, PendulaError **error);

// Plans the sweep where it was not since its last change.
bool library_plan(PendulaSweep *sweep, PendulaError **error);

void library_drop_planned(Planned *planned);
void library_drop_shelf(Shelf *shelf);

// Lists the arrays of a result in memory that its plan knows. Errors: ERROR_INTERNAL.
bool library_list_values(PendulaResult *result, Error *err);

// Releases what the last run left.
void library_cool(Warm *warm);

// Copies a caller's struct of options over the defaults, as much as its size says; false where that is no size of one.
bool library_take_options(const PendulaRunOptions *given, PendulaRunOptions *options);
