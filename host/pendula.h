// pendula -- the library: parameter sweeps of small mechanical systems on OpenCL devices, from C and C++.
//
//   PendulaError  *error = NULL;
//   PendulaSweep  *sweep = pendula_sweep_from_text(yaml, NULL, &error);
//   PendulaResult *result = pendula_sweep_run(sweep, NULL, &error);
//   size_t         n = pendula_result_size(result, "rk4", "x_final");
//   bool           fine = pendula_result_read(result, "rk4", "x_final", values, n, &error);
//   pendula_result_free(result);
//   pendula_sweep_free(sweep);
//   pendula_error_free(error);
//
// Handles are opaque. A handle may be used by one thread at a time, and several threads may have one each; only
// pendula_sweep_cancel() may be called while another thread uses the sweep. Nothing is printed, no signal is handled,
// the process never ends. All state is in the handles, but for threads that a compiler holds up (pendula_sweep_run()).
// Free functions take NULL.
//
// Errors: a function that can fail takes a PendulaError ** as its last argument, which may be NULL. On failure it sets
// *error to an error of the caller's (pendula_error_free()) and returns NULL or false; on success it leaves *error
// alone. A point that fails is data, a status in the result, and never an error.
//
// Numbers in texts have a decimal point, whatever the language of the program (setlocale()); while the library calls
// the program's functions, the thread has that of C.
//
// Texts and arrays that a function returns belong to the handle that they were asked of, and stay until it is freed or,
// of a sweep, changed.
//
// Binary interface: the names here keep their meaning for one major version of the library (its soname). A struct of
// options or descriptions begins with its size, by which the library knows older and newer ones; new members come at
// the end, and 0 means the default. What breaks it: another order or type of members, another meaning of a value, a
// name that goes.
#ifndef PENDULA_H
#define PENDULA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined __GNUC__
#define PENDULA_API __attribute__((visibility("default")))
#else
#define PENDULA_API
#endif

// The library's version, such as "0.2.0".
PENDULA_API const char *pendula_version(void);

// -- Errors

typedef struct PendulaError PendulaError;

// Kinds of errors: the exit codes of the program of the same version.
typedef enum PendulaCode {
    PENDULA_INTERNAL = 1,  // a broken invariant, or memory ran out
    PENDULA_USAGE = 2,     // a call: a key, a value, a size
    PENDULA_IO = 3,        // a file cannot be read, written, created or given its space; it exists
    PENDULA_INPUT = 4,     // a sweep, kernel file or result file is wrong or damaged
    PENDULA_LOCKED = 5,    // another process writes the result file
    PENDULA_DEVICE = 8,    // no such device, or it failed
    PENDULA_KERNEL = 9,    // a kernel does not compile: the text has the compiler's messages
    PENDULA_STOPPED = 75   // cancelled
} PendulaCode;

PENDULA_API const char *pendula_error_text(const PendulaError *error);  // "sweep:3:8: unknown problem ..."
PENDULA_API int         pendula_error_code(const PendulaError *error);  // a PendulaCode; of NULL 0
// The place that the text begins with: a name, and a line and a column from 1 on; NULL and 0 where it has none.
PENDULA_API const char *pendula_error_file(const PendulaError *error);
PENDULA_API int         pendula_error_line(const PendulaError *error);
PENDULA_API int         pendula_error_column(const PendulaError *error);
PENDULA_API void        pendula_error_free(PendulaError *error);

// -- Sweeps

typedef struct PendulaSweep  PendulaSweep;
typedef struct PendulaResult PendulaResult;

// A sweep by the text of a sweep file (docs/sweep-files.md), which is checked, with all its names and ranges.
//   name  stands for the file's path in messages, and its folder is the one in which the sweep's files are looked for;
//         NULL: "sweep", in the current folder
PENDULA_API PendulaSweep *pendula_sweep_from_text(const char *yaml, const char *name, PendulaError **error);
PENDULA_API PendulaSweep *pendula_sweep_from_file(const char *path, PendulaError **error);
// An empty sweep, to be filled by the calls below. It is checked when it is planned or run.
PENDULA_API PendulaSweep *pendula_sweep_new(PendulaError **error);

// Sets a key, as `pendula run -s KEY=VALUE` does: "parameters.eps" to "{log: [1e-5, 1e-1, 9]}". In the messages of
// errors the key stands for the place.
PENDULA_API bool pendula_sweep_set(PendulaSweep *sweep, const char *key, const char *value, PendulaError **error);
// Sets a key to a number (of a count of 1) or to the list of the values of an axis.
PENDULA_API bool pendula_sweep_set_numbers(PendulaSweep *sweep, const char *key, const double *values, size_t count,
                                           PendulaError **error);
// Gives the text of a file that the sweep names by this path, such as "./mine.cl": it is not looked for on a disk. A
// kernel file is code, which runs on the device with the rights of the process.
PENDULA_API bool pendula_sweep_set_file(PendulaSweep *sweep, const char *path, const char *text, PendulaError **error);
// Gives the points, in place of a file under the key `points`: columns by the names of parameters and settings.
//   names   [columns]
//   values  [points][columns], copied
// 0 points remove the points that were given before. Where only values change, the next run uses the same compiled
// programs.
PENDULA_API bool pendula_sweep_set_points(PendulaSweep *sweep, const char *const *names, size_t columns,
                                          const double *values, size_t points, PendulaError **error);

// Checks the sweep, with all its names and ranges, unless it is unchanged since the last check.
PENDULA_API bool pendula_sweep_plan(PendulaSweep *sweep, PendulaError **error);
// Of a sweep that is planned: its groups, one for each method, and their points together; bytes of its results; every
// setting as YAML, with the defaults. 0 and NULL of a sweep that is not planned.
PENDULA_API size_t      pendula_sweep_groups(const PendulaSweep *sweep);
PENDULA_API const char *pendula_sweep_label(const PendulaSweep *sweep, size_t group);
PENDULA_API uint64_t    pendula_sweep_points(const PendulaSweep *sweep);
PENDULA_API uint64_t    pendula_sweep_bytes(const PendulaSweep *sweep);
PENDULA_API const char *pendula_sweep_settings(const PendulaSweep *sweep);
// Lines for the user, such as a value that was moved to the nearest one of an axis; NULL behind the last.
PENDULA_API const char *pendula_sweep_warning(const PendulaSweep *sweep, size_t index);

PENDULA_API void pendula_sweep_free(PendulaSweep *sweep);

// -- Runs

typedef struct PendulaProgress {
    size_t   size;
    uint64_t points_total, points_done, points_failed;
    uint64_t steps_done;
} PendulaProgress;

// How a file is begun.
typedef enum PendulaMode {
    PENDULA_NEW = 0,  // the file must not exist
    PENDULA_RESUME,   // go on with an existing one; damaged blocks are computed again
    PENDULA_REPLACE   // an existing file is replaced when the run is complete
} PendulaMode;

typedef struct PendulaRunOptions {
    size_t      size;
    const char *device;   // "gpu", "cpu", "native", a name or part of one, "reference"; NULL: PENDULA_DEVICE, else the
                          // first GPU, else a CPU. Several, with commas between them, share a run into a file
    int         lanes;    // points of a work item, a power of two up to 32; 0: the device's own. Changes no result
    uint64_t    memory;   // bytes that are taken of a device's memory; 0: all it has
    double      seconds;  // the run is cancelled after this time; 0: never
    const char *file;     // a result file is written; NULL: results stay in memory
    int         mode;     // of the file, a PendulaMode
    // Both are called in the thread that runs the sweep, and may be NULL.
    bool (*progress)(const PendulaProgress *progress, void *user);  // twenty times a second; false cancels the run
    void (*say)(const char *line, void *user);                      // a warning, or a line for a log
    void    *user;
    uint64_t shard, shards;  // into a file of its own only the shard-th of so many parts, from 0; 0 shards: the sweep
} PendulaRunOptions;

// The defaults.
PENDULA_API PendulaRunOptions pendula_run_options(void);

// Runs a sweep. Results are the same bits in memory and in a file, on every device.
//   options  NULL: the defaults
// A cancelled run ends within two seconds with PENDULA_STOPPED. In memory there is a result beside the error: points
// that were not computed have status 0, and NaN for numbers. A file keeps the blocks that are done, and PENDULA_RESUME
// goes on. A compiler cannot be interrupted: it ends in a thread of its own, the file stays locked until then, and a
// process that ends waits for it.
PENDULA_API PendulaResult *pendula_sweep_run(PendulaSweep *sweep, const PendulaRunOptions *options,
                                             PendulaError **error);
// Cancels the run that another thread began; does nothing where no run is under way.
PENDULA_API void pendula_sweep_cancel(PendulaSweep *sweep);

// -- Results

typedef enum PendulaType { PENDULA_I8, PENDULA_I32, PENDULA_I64, PENDULA_F32, PENDULA_F64 } PendulaType;

enum { PENDULA_RANK = 32 };

// An array of a group: a metric, a trajectory's field, the values of an axis. Point by point, the last dimension
// fastest.
typedef struct PendulaArray {
    size_t      size;
    const char *name, *unit, *about;  // unit and about may be ""
    int         type;                 // a PendulaType
    bool        axis;                 // the values of a dimension of that name
    bool        computed;             // by the run; others are of the plan
    size_t      rank;                 // 0: one number
    uint64_t    shape[PENDULA_RANK];  // [rank]
    const char *dims[PENDULA_RANK];   // [rank] names of the dimensions
    uint64_t    count;                // of numbers
    const void *data;                 // [count] of that type, of a result in memory; NULL: of a file
    double      fill;                 // an integer that was not computed has this value; NaN: there is none
} PendulaArray;

// Opens a result file, whose blocks are verified.
PENDULA_API PendulaResult *pendula_result_open(const char *path, PendulaError **error);

PENDULA_API size_t      pendula_result_groups(const PendulaResult *result);
PENDULA_API const char *pendula_result_label(const PendulaResult *result, size_t group);
// Whether every point was computed.
PENDULA_API bool pendula_result_complete(const PendulaResult *result);

// The arrays of a group, by their place or by their name; false where there is none.
//   array  its size is set by the caller
PENDULA_API bool pendula_result_array(const PendulaResult *result, const char *label, size_t index,
                                      PendulaArray *array);
PENDULA_API bool pendula_result_find(const PendulaResult *result, const char *label, const char *name,
                                     PendulaArray *array);

// How many numbers an array has; 0 where there is none.
PENDULA_API size_t pendula_result_size(const PendulaResult *result, const char *label, const char *name);
// Reads an array as doubles; an integer that was not computed is NaN.
//   values  [n]; n is the array's size
PENDULA_API bool pendula_result_read(const PendulaResult *result, const char *label, const char *name, double *values,
                                     size_t n, PendulaError **error);
// The texts of a name that a group of a result in memory has, in their order: "method" of a run; of an analysis
// "message", a line for the user, and the names of places along a dimension, such as "factor". NULL behind the last.
PENDULA_API const char *pendula_result_text(const PendulaResult *result, const char *label, const char *name,
                                            size_t index);
// Writes a result in memory into a file: the bytes that the run into a file makes. Points that were not computed are
// missing there, and PENDULA_RESUME computes them.
//   path  as the file of a run
//   mode  PENDULA_NEW or PENDULA_REPLACE
PENDULA_API bool pendula_result_save(const PendulaResult *result, const char *path, int mode, PendulaError **error);
PENDULA_API void pendula_result_free(PendulaResult *result);

// Puts the files of shards together: the bytes that one run makes. Points of shards that are not there are missing.
//   paths  [count]
//   mode   PENDULA_NEW or PENDULA_REPLACE
PENDULA_API bool pendula_merge(const char *path, const char *const *paths, size_t count, int mode,
                               PendulaError **error);

// The name of a status: "ok", "newton_failed", ...; NULL behind the last.
PENDULA_API const char *pendula_status_name(int status);

// -- Analyses
//
// The commands of the program as functions of arrays. An analysis gives a result in memory, whose arrays are found and
// read like the arrays of a run.

// Words are the ones of `pendula sensitivity --help`; NULL and 0 are its defaults.
typedef struct PendulaSensitivityOptions {
    size_t size;
    const char
        *index;  // "sobol", "morris", "local", "swing", "given", "chaos", "delta", "shapley", "dgsm"; NULL: the points'
    const char        *estimator;      // of the first order: "saltelli", "jansen", "janon"; NULL: with the least spread
    const char        *failed;         // a point without a number: "drop", "worst", "refuse", "classify"
    const char *const *distributions;  // [factors] of points in arrays, "{uniform: [0, 1]}"; NULL: not known
    const char        *output;         // of a result the only one; NULL: all
    uint64_t           replicates;     // of the intervals' resampling
    uint64_t           seed;           // of it; 0: 1
} PendulaSensitivityOptions;
PENDULA_API PendulaSensitivityOptions pendula_sensitivity_options(void);

// Which factors outputs depend on, and how far. The points say which index: rows of Saltelli's design, in the orders of
// SALib, OpenTURNS and R, have those of Sobol'; trajectories of Morris elementary effects over the ranges of x; other
// points, the first order by ranks, and PAWN. An expansion (chaos) serves independent ones.
//   x, factors  [points][factor_count], [factor_count] names
//   y, outputs  [points][output_count], [output_count] names; a y that is not finite is a point that failed
// The result has a group for each output, with arrays [factor], or [factor][with] of pairs:
//   sobol   S1 ST S2            1    parts of the output's variance (Saltelli et al. 2010; Jansen 1999)
//   morris  mu mu_star sigma    y    means and spread of effects (Morris 1991; Campolongo et al. 2007)
//   given   S1 pawn pawn_dummy  1    (Gamboa et al. 2022; Pianosi and Wagener 2018)
//   chaos   S1 ST S2 shapley    1    (Sudret 2008; Owen 2014), with Q2, the share that the expansion explains
//   delta   delta               1    (Borgonovo 2007; Plischke et al. 2013)
//   shapley shapley             1    (Broto et al. 2020; of trajectories Goda 2021)
//   dgsm    nu ST_bound         1    of outputs y with derivatives y_d_FACTOR (Sobol' and Kucherenko 2010)
// NAME_conf is half of the 95 % interval; mean, deviation, failed and dropped are numbers of the output. Arrays are NaN
// where there are no indices, and a message says why. Errors: PENDULA_USAGE (points that serve no index, or another
// one; names, words), PENDULA_INPUT (failed points that are refused; too few points for an expansion).
PENDULA_API PendulaResult *pendula_sensitivity(const double *x, const char *const *factors, size_t factor_count,
                                               const double *y, const char *const *outputs, size_t output_count,
                                               size_t points, const PendulaSensitivityOptions *options,
                                               PendulaError **error);
// The same of a group of a result, by the design of its sweep, which may also be local (derivative, error, elasticity)
// or one at a time (least, most, swing). Of a grid of designs, arrays have its dimensions before `factor`.
PENDULA_API PendulaResult *pendula_result_sensitivity(const PendulaResult *result, const char *label,
                                                      const PendulaSensitivityOptions *options, PendulaError **error);

// Outputs at other places, by the polynomial expansion (chaos) of the points, as `pendula predict` does.
//   x, factors, y, outputs, options  as of pendula_sensitivity(); index, estimator and replicates are not used
//   at     [count][factor_count]; of a group of a result [count][columns], the factors of its design by their names
//   names  [columns]
// The result has a group for each output, with arrays [point] value and error, the standard error of one prediction,
// both in the output's unit; and Q2. They are NaN where the expansion explains less than 0.9 of the variance, and at
// places outside of a factor's distribution, or without one outside of the points; a message says why. Errors: those of
// pendula_sensitivity().
PENDULA_API PendulaResult *pendula_predict(const double *x, const char *const *factors, size_t factor_count,
                                           const double *y, const char *const *outputs, size_t output_count,
                                           size_t points, const double *at, size_t count,
                                           const PendulaSensitivityOptions *options, PendulaError **error);
PENDULA_API PendulaResult *pendula_result_predict(const PendulaResult *result, const char *label,
                                                  const char *const *names, size_t columns, const double *at,
                                                  size_t count, const PendulaSensitivityOptions *options,
                                                  PendulaError **error);

// Which points no other one dominates: as good in all objectives and better in one. Less is better; equal points are on
// the front together, and a point without a finite number is not.
//   objectives  [points][count], count from 1 to 4
//   front       [points] written
PENDULA_API bool pendula_pareto(const double *objectives, size_t count, size_t points, bool *front,
                                PendulaError **error);

// Radius, damping and period of methods, by theory and by their kernels (Chung and Hulbert 1993).
//   methods   [method_count] names, or paths of kernel files
//   settings  [setting_count] "rho_inf=0.6", "METHOD.NAME=VALUE"; of several values, "0.3,0.6", each has a group
//   omega_h   [omega_count] omega times the step, above 0
//   zeta      [zeta_count] physical damping, at least 0
//   device    as of a run; NULL: theory alone
// The result has a group for each method and its settings, "newmark, beta = 0.25, gamma = 0.5", with arrays of unit 1:
// [zeta][omega_h] radius, damping_ratio, period_error and radius_kernel; [zeta] critical and critical_kernel, the
// largest stable omega_h, infinite where every step is stable. A number that does not exist is NaN. Errors:
// PENDULA_USAGE, PENDULA_DEVICE.
PENDULA_API PendulaResult *pendula_spectrum(const char *const *methods, size_t method_count,
                                            const char *const *settings, size_t setting_count, const double *omega_h,
                                            size_t omega_count, const double *zeta, size_t zeta_count,
                                            const char *device, PendulaError **error);

// As the options of `pendula pairs`; NULL and 0 are its defaults.
typedef struct PendulaPairsOptions {
    size_t             size;
    const char        *criterion;            // "low_frequency", ..., "measured"
    double             omega_h, to_omega_h;  // where a criterion takes it
    double             band[2];              // in place of it
    double             range[2];             // of the second method's parameter; both 0: all it can have
    const char *const *settings;             // [setting_count] as of a spectrum
    size_t             setting_count;
    const char        *device;  // as of a run, for `measured` and for the counts of updates; NULL: nothing is run
    const char        *metric;  // of `measured`
} PendulaPairsOptions;
PENDULA_API PendulaPairsOptions pendula_pairs_options(void);

// For values of one method's parameter the values of another's that damp alike.
//   from, to  methods
//   values    [count] of the parameter of `from`; 0: 21 in its range
// The result has a group, "pairs", with arrays [pair] of unit 1: the two parameters by their names, residual, low,
// high, and the methods' other measures there (docs/pairs.md); roots [pair][root] has further equivalents. A pair that
// does not exist is NaN, and the text "reason" of that place says why. Errors: PENDULA_USAGE, PENDULA_DEVICE, those of
// a run.
PENDULA_API PendulaResult *pendula_pairs(const char *from, const char *to, const double *values, size_t count,
                                         const PendulaPairsOptions *options, PendulaError **error);

typedef struct PendulaConformOptions {
    size_t             size;
    const char *const *devices;  // [device_count] to compare, as of a run; 0: all there are
    size_t             device_count;
    uint64_t           sample;                                      // points of a group that are looked at; 0: all
    bool (*progress)(const PendulaProgress *progress, void *user);  // as of a run; false cancels
    void *user;
} PendulaConformOptions;
PENDULA_API PendulaConformOptions pendula_conform_options(void);

// Shows that the kernels compute what the methods' papers say of the sweep's points, as `pendula conform` does.
// The result has a group for each method: its report as messages, and the numbers passed (1: it conforms), points and
// same_bits, substeps (with the beginnings of points) and substeps_certified, metrics and metrics_certified. It is
// cancelled as a run is, and then has no result. A group that does not conform is a result, not an error. Errors: those
// of a run; PENDULA_USAGE (points that were given as an array).
PENDULA_API PendulaResult *pendula_sweep_conform(PendulaSweep *sweep, const PendulaConformOptions *options,
                                                 PendulaError **error);
// The same for the sweep that a result is of; that of a file may name no files.
PENDULA_API PendulaResult *pendula_result_conform(const PendulaResult *result, const PendulaConformOptions *options,
                                                  PendulaError **error);

// -- Lists

// Names of the problems, methods and metrics, sorted (but first the metrics that every point has), their titles and
// units; NULL behind the last.
typedef enum PendulaKind { PENDULA_PROBLEM, PENDULA_METHOD, PENDULA_METRIC } PendulaKind;
typedef struct PendulaCatalog PendulaCatalog;
PENDULA_API PendulaCatalog   *pendula_catalog_new(PendulaError **error);
PENDULA_API const char       *pendula_catalog_name(const PendulaCatalog *catalog, PendulaKind kind, size_t index);
PENDULA_API const char       *pendula_catalog_title(const PendulaCatalog *catalog, PendulaKind kind, size_t index);
PENDULA_API const char       *pendula_catalog_unit(const PendulaCatalog *catalog, PendulaKind kind, size_t index);
PENDULA_API void              pendula_catalog_free(PendulaCatalog *catalog);

// A parameter of a problem or a method, or an option of a metric's entries.
typedef struct PendulaParameter {
    size_t             size;
    const char        *name, *unit, *about;  // unit may be ""
    const char *const *choices;              // [choice_count] words; NULL of a number
    size_t             choice_count;
    // The default: of a word its place, NaN where a value is required or follows from the equations. The range.
    double initial, least, most;
} PendulaParameter;
// The which-th of them, false behind the last.
//   parameter  its size is set by the caller
PENDULA_API bool pendula_catalog_parameter(const PendulaCatalog *catalog, PendulaKind kind, size_t index, size_t which,
                                           PendulaParameter *parameter);

// The devices of this machine, in the order of `pendula list devices`.
typedef struct PendulaDevices PendulaDevices;
typedef struct PendulaDevice {
    size_t      size;
    const char *name, *platform, *driver, *version;
    bool        gpu, fp64;
    unsigned    compute_units;
    uint64_t    memory;  // bytes
} PendulaDevice;
PENDULA_API PendulaDevices *pendula_devices_new(PendulaError **error);
PENDULA_API size_t          pendula_devices_count(const PendulaDevices *devices);
PENDULA_API bool            pendula_devices_get(const PendulaDevices *devices, size_t index, PendulaDevice *device);
PENDULA_API void            pendula_devices_free(PendulaDevices *devices);

#ifdef __cplusplus
}
#endif
#endif
