// library -- inside of the library: what the handles of pendula.h hold.
#pragma once

#include "base/numerals.h"
#include "base/thread.h"
#include "engine/engine.h"
#include "pendula.h"
#include "run/run.h"
#include "store/layout.h"
#include "store/store.h"
#include "store/store_read.h"

// The cards, shared by all plans of a sweep.
typedef struct Shelf {
    int     users;
    Catalog catalog;
} Shelf;

// Points that the caller gave, which are not in the sweep's text.
typedef struct GivenPoints {
    int       users;
    PointFile file;
} GivenPoints;

// A planned sweep. Results in memory use it after the sweep was changed or freed.
typedef struct Planned {
    int             users;
    Shelf          *shelf;
    struct Planned *like;    // a plan that differs in the values of given points alone, which has the spec; NULL: none
    GivenPoints    *points;  // NULL: none
    Spec            spec;
    Plan            plan;
    Layout          layout;
} Planned;

// Programs of the last run in memory, for the next one.
typedef struct Warm {
    char      which[256];  // the device as it was asked for
    Precision precision;
    uint64_t  memory;
    int       lanes;
    Device   *device;   // NULL: the reference
    Planned  *planned;  // which the engines borrow
    Engine   *engines;  // [engine_count]
    size_t    engine_count;
} Warm;

// A text in place of a file that the sweep names.
typedef struct GivenFile {
    char *path, *text;
} GivenFile;

struct PendulaSweep {
    Shelf                *shelf;
    char                 *path;       // stands for the sweep file's in messages
    char                 *text;       // NULL: the file's
    char                **overrides;  // [override_count] KEY=VALUE
    size_t                override_count;
    GivenFile            *files;  // [file_count]
    size_t                file_count;
    GivenPoints          *points;   // NULL: none
    Planned              *planned;  // NULL: not planned since the last change
    Planned              *like;     // with given points of which nothing but the values changed since; NULL: none
    Warm                  warm;
    volatile sig_atomic_t stop;     // 1: the run is to end
    volatile sig_atomic_t running;  // a run looks at it
};

struct PendulaResult {
    Planned  *planned;  // of a run in memory; NULL: of a file, or of an analysis
    Results  *results;  // [group_count] of a run in memory
    StoreFile file;     // in memory its numbers are held
    bool      complete;
    bool      reference;  // in memory: computed by the reference
};

// A run, or a check of kernels, in its thread. It uses nothing of the caller's handles, which may be changed or freed
// while a compiler holds it up.
typedef struct Course {
    bool (*work)(struct Course *course, Error *err);
    void (*release)(struct Course *course);  // before the members below are; NULL: nothing else is
    PendulaRunOptions            options;
    Arena                        arena;    // has copies of the caller's texts
    Planned                     *planned;  // in use until the end; or NULL
    PendulaResult               *result;   // in memory; NULL: into a file
    Warm                         warm;     // in memory: the sweep's while it runs
    RunRequest                   request;  // into a file
    RunSummary                   summary;
    volatile sig_atomic_t        stop;       // 1: it is to end
    const volatile sig_atomic_t *cancelled;  // not NULL: the caller's, which ends it too
    double                       begin;
    Thread                       thread;  // its mutex guards the members below
    PendulaProgress              progress;
    uint64_t                     blocks_done;  // of the plan, from the first on: their points are in the result
    Text                         said;         // lines for the caller, each with its newline
    bool                         ended, fine;
    bool                         abandoned;  // the caller has left: the thread releases all
    bool                         here;       // it works in the caller's thread
    double                       reported;   // when the caller was told last; in the caller's thread
    Error                        err;
} Course;

// Makes an error for the caller, unless `error` is NULL. Always false.
bool library_fail(PendulaError **error, const Error *err);

// The same from a kind and a text.
bool library_refuse(PendulaError **error, ErrorKind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// The place of a word of the caller's among some; `absent` where it is NULL. Errors: ERROR_USAGE (none of them).
//   key  names it in the message
bool library_find_word(const char *word, const char *key, const char *const *words, unsigned count, unsigned absent,
                       unsigned *place, PendulaError **error);

// Refuses a list of the caller's that is NULL, or in which a text is NULL. Errors: ERROR_USAGE.
//   key  names it in the message
bool library_check_texts(const char *const *texts, size_t count, const char *key, PendulaError **error);

// A zeroed struct; NULL with the error made where memory runs out.
void *library_new(size_t bytes, PendulaError **error);

// Plans the sweep unless it is unchanged since the last plan.
bool library_plan(PendulaSweep *sweep, PendulaError **error);

// Adds a user of a plan, and returns the plan; removes one, the last of which frees it.
Planned *library_hold_planned(Planned *planned);
void     library_drop_planned(Planned *planned);
// Whether two plans differ in the values of given points at most: their kernels are the same.
bool library_are_alike(const Planned *a, const Planned *b);
void library_drop_shelf(Shelf *shelf);

// Opens a result file. NULL on failure. Errors: those of verify_open().
PendulaResult *library_open(const char *path, Error *err);

// Adds the lines of a text, each once, as messages of a group of results in memory. The text is changed.
bool library_add_messages(StoreFile *file, const StoreGroup *group, char *text, Error *err);

// The group with a label, or the only group where the label is NULL. NULL: there is none.
const StoreGroup *library_group(const PendulaResult *result, const char *label);

// A result in memory, in which no point is computed. NULL on failure. Errors: ERROR_INTERNAL.
PendulaResult *library_make_result(Planned *planned, Error *err);

// Whether a run has all that it needs of the last one: nothing in it can then take long but launches, after each of
// which it reports, unless a kernel of the user's own never ends.
bool library_is_ready(const Course *course);

// Computes the points of a run into its result. Errors: those of device_open(), engine_compose(), engine_build(),
// engine_solve() and engine_run().
bool library_compute(Course *course, Error *err);

// Copies the points of blocks that are done. Called with the run's mutex held.
//   copy  of library_make_result(), for the same plan
void library_copy_done(const Course *course, PendulaResult *copy);

// Gives the points that were not computed NaN for numbers.
void library_blank(PendulaResult *result);

// Does a course's work, and reports to the caller: in a thread of its own, unless `here` is set. False: it was
// cancelled and is held up. Then its mutex is held, and the caller takes what is done before library_leave().
//   course     with its work, release and options; fine and err are written
//   cancelled  not NULL: the course ends soon after it becomes non-zero
bool library_follow(Course *course, const volatile sig_atomic_t *cancelled);

// Leaves a course that is held up to its thread, which frees it.
void library_leave(Course *course);
void library_free_course(Course *course);

// Tells the caller of a course in the caller's thread how far it is, where it is time. Called after each launch.
void library_report(Course *course);

// Keeps a line for the caller of a course. The signature is that of a RunRequest's `say`.
void library_keep_line(const char *line, void *course);

// Leaves a thread behind that has not ended. The process ends after it.
void library_abandon(pthread_t thread);

// Releases the programs of a run.
void library_cool(Warm *warm);

// Copies a caller's struct of options, which begins with its size, over the defaults, as much as the size says.
//   given    NULL: the defaults
//   options  [size] written: zeros, but for the size, and the caller's
// Errors: ERROR_USAGE (a size of none).
bool library_take_options(const void *given, void *options, size_t size, PendulaError **error);

// Refuses points that are not in the sweep's text, from which a file is replayed. Errors: ERROR_USAGE.
bool library_has_text(const Planned *planned, Error *err);

// How a file is begun by a PendulaMode; PENDULA_RESUME is refused where there is nothing to resume. Errors:
// ERROR_USAGE.
bool library_take_mode(int mode, bool resumes, StoreMode *store, Error *err);
