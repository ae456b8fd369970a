// certify_worker -- inside of certify: a thread's part of a walk, and the judgement of each column.
#pragma once

#include "analysis/conform/certificate/derived.h"
#include "analysis/conform/walk/certified.h"
#include "analysis/conform/walk/certify_status.h"
#include "analysis/conform/walk/past.h"
#include "engine/engine.h"
#include "reference/point.h"

#include <pthread.h>

typedef struct Certifier {
    const Plan *plan;
    Group       group;   // the plan's, but built for walks
    Engine      engine;  // of kernels
    Exact       exact;
    Measures   *measures;
    Equations   equations;  // of the method, where its card has some
    Arena       arena;      // theirs
    int         threads;
    Narrow      narrow;                 // made where the first substep needs it
    bool        reference;              // it is the reference that walks
    bool        records[RECORD_COUNT];  // asked for
    size_t      room;                   // of points
    Past       *pasts;                  // [room] of a two-step method, else NULL
    double     *past_states;            // theirs
    bool       *spoiled;                // [room] points of whose step under way a substep is not certified

    CertifiedSee *see;  // NULL: nobody looks on
    void         *user;

    // Of the batch that walks, which the threads share:
    Batch                        batch;    // of the certifier's group
    const Walk                  *walk;     // of the kernels
    Results                     *written;  // by the reference that walks
    const volatile sig_atomic_t *stop;
    bool                         measured;      // results are judged
    double                      *shares;        // of the result
    struct CertifyWorker        *idle;          // every one that was made, while no launch is visited
    pthread_mutex_t              mutex;         // guards that list
    pthread_mutex_t              narrow_mutex;  // guards `narrow`
    // Looks at an item of a thread's.
    bool (*visit)(struct CertifyWorker *worker, size_t item, Error *err);
} Certifier;

// The reference's own attempt at a substep, from the kernel's state. It saves time: where it ends as the kernel's did,
// by as many updates, no intervals are needed to say how many there may be. The problems of a user's own files are not
// in the reference: their counts are by intervals alone.
typedef struct CertifyReference {
    bool        knows;  // problem and method; else nothing below is filled
    PointRun    run;
    NewtonRules rules;
    Stepping    stepping;  // borrows the two
} CertifyReference;

// A thread's working memory, launch after launch.
typedef struct CertifyWorker {
    struct CertifyWorker *next;  // in the list of idle workers
    Certifier            *certifier;
    const Walk           *walk;  // the walk it looks at
    Arena                 arena;
    CertifyReference      reference;
    double               *parameters;  // of the method
    double               *own;         // [kept and scratch vectors][dofs] room
    double               *numbers;     // of a point's breaks; NULL: the sweep has none
    ExactPoint            point;
    void                 *narrow_params;
    const SolveMatrix    *matrices;  // that certificates work in
    Derived              *tangents;  // likewise; NULL: the group has no derivatives
    MeasuresRoom         *room;
    Certified             result;
    uint64_t              ended;
    Error                 error;  // a failure that no column could report
} CertifyWorker;

//   worker  written in any case; release with certify_worker_free()
// Errors: ERROR_INTERNAL.
bool certify_worker_make(Certifier *certifier, CertifyWorker **worker, Error *err);
void certify_worker_free(CertifyWorker *worker);

// Judges the outcome of a column's point, and shows it to the point's metrics.
// Errors: those of measures_see().
bool certify_worker_visit(CertifyWorker *worker, size_t column, Error *err);
