// test_arguments -- the library's functions with whatever a caller may hand over: nothing, wrong sizes, structs of any
// length, handles of anything; with the sanitizers no byte is read or written that is not the library's or was given.
//
// Each call either does its work and leaves the error alone, or fails and gives an error with a code and a text.
#include "pendula.h"

#include "support/test.h"

#include <dirent.h>
#include <unistd.h>

enum { CALLS = 4000, HANDLES = 4 };

typedef struct Trial {
    uint64_t        random;
    char            folder[64];
    PendulaSweep   *sweeps[HANDLES];
    PendulaResult  *results[HANDLES];
    PendulaCatalog *catalog;
    size_t          failed, done, runs, saved, analysed;
} Trial;

static size_t pick(Trial *trial, size_t count)
{
    trial->random = trial->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (size_t)(trial->random >> 33) % count;
}

#define ANY(trial, list) (list)[pick(trial, sizeof(list) / sizeof *(list))]

static const char *const keys[] = {
    "problem", "methods",  "step", "end",        "metrics", "parameters.x0", "parameters.omega",
    "points",  "substeps", "",     "parameters", "title",   "a=b",           NULL};
static const char *const values[] = {"pendulum",
                                     "[rk4]",
                                     "[rk4, theta2]",
                                     "0.1",
                                     "0.05",
                                     "0.2",
                                     "[0.5, 1.0]",
                                     "-1",
                                     ".nan",
                                     "[x_final, status]",
                                     "{log: [0.1, 1, 3]}",
                                     "{",
                                     "[]",
                                     "",
                                     "null",
                                     "\xff\xfe",
                                     "a\nb: c",
                                     NULL};
static const char *const names[] = {"x0", "omega", "omga", "", "step", "\x80", "status", NULL};
static const double      numbers[] = {0, 1, -1, 0.5, 0.1, 1e308, -1e308, 1e-320};
static const char *const texts[] = {
    "problem: pendulum\nmethods: [rk4]\nstep: 0.1\nend: 0.5\nmetrics: [x_final]\n",
    "problem: pendulum\nparameters: {x0: {linear: [0, 1, 5000]}}\nmethods: [rk4]\nstep: 0.1\nend: 0.2\n",
    "problem: pendulum\nmethods: [rk4, theta2]\nstep: 0.1\nend: 0.5\nmetrics: [x_final, updates]\n",
    "problem: lorenz\nparameters: {rho: [1, 20, 28]}\nmethods: [rk4]\nstep: 0.01\nend: 0.1\nmetrics: [x_max]\n"
    "trajectory: {samples: 3, fields: [x]}\n",
    "problem: pendulm\nmethods: [rk4]\nstep: 1\nend: 2\n",
    "\t",
    "",
    "[",
    NULL};
static const char *const labels[] = {"rk4", "theta2", "", "no such", NULL};
static const char *const arrays[] = {"x_final", "status", "x0", "x", "time", "", "no such", NULL};

// A call that fails gives an error, where it is wanted; one that is done gives none.
static bool judge(Trial *trial, bool done, PendulaError **wanted, PendulaError *error)
{
    trial->done += done;
    trial->failed += !done;
    if (done || !wanted)
        assert_null(error);
    else {
        assert_true(error && pendula_error_code(error) > 0 && *pendula_error_text(error));
        assert_true(pendula_error_line(error) >= 0 && pendula_error_column(error) >= 0);
        assert_true(!pendula_error_file(error) || pendula_error_line(error) > 0);
    }
    pendula_error_free(error);
    return done;
}

#define CALL(trial, name, ...)                                             \
    do {                                                                   \
        PendulaError *why = NULL, **wanted = pick(trial, 4) ? &why : NULL; \
        const bool    done = name(__VA_ARGS__, wanted);                    \
        judge(trial, done, wanted, why);                                   \
    } while (0)

static PendulaSweep **some_sweep(Trial *trial)
{
    return &trial->sweeps[pick(trial, HANDLES)];
}

static PendulaResult **some_result(Trial *trial)
{
    return &trial->results[pick(trial, HANDLES)];
}

// A result takes the place of another one; that of a call that fails takes none.
static bool take_result(Trial *trial, PendulaResult *made, PendulaError *error)
{
    PendulaResult **result = some_result(trial);
    if (judge(trial, made != NULL, &error, error)) {
        pendula_result_free(*result);
        *result = made;
    }
    return made != NULL;
}

static void make_sweep(Trial *trial)
{
    PendulaSweep **sweep = some_sweep(trial);
    PendulaError  *error = NULL;
    pendula_sweep_free(*sweep);
    switch (pick(trial, 3)) {
    case 0: *sweep = pendula_sweep_new(&error); break;
    case 1: *sweep = pendula_sweep_from_file(ANY(trial, texts), &error); break;
    default: *sweep = pendula_sweep_from_text(ANY(trial, texts), ANY(trial, names), &error); break;
    }
    judge(trial, *sweep != NULL, &error, error);
}

static void change_sweep(Trial *trial)
{
    PendulaSweep *sweep = *some_sweep(trial);
    const char   *columns[3];
    double        table[12];
    for (size_t i = 0; i < 3; ++i)
        columns[i] = ANY(trial, names);
    for (size_t i = 0; i < 12; ++i)
        table[i] = ANY(trial, numbers);
    const double *given = pick(trial, 8) ? table : NULL;
    switch (pick(trial, 4)) {
    case 0: CALL(trial, pendula_sweep_set, sweep, ANY(trial, keys), ANY(trial, values)); break;
    case 1: CALL(trial, pendula_sweep_set_numbers, sweep, ANY(trial, keys), given, pick(trial, 13)); break;
    case 2: CALL(trial, pendula_sweep_set_file, sweep, ANY(trial, names), ANY(trial, texts)); break;
    default:
        CALL(trial, pendula_sweep_set_points, sweep, pick(trial, 8) ? columns : NULL, pick(trial, 4), given,
             pick(trial, 5));
        break;
    }
}

static void look_at_sweep(Trial *trial)
{
    PendulaSweep *sweep = *some_sweep(trial);
    CALL(trial, pendula_sweep_plan, sweep);
    for (size_t g = 0; g <= pendula_sweep_groups(sweep); ++g)
        assert_true((g < pendula_sweep_groups(sweep)) == (pendula_sweep_label(sweep, g) != NULL));
    assert_true((pendula_sweep_points(sweep) > 0) == (pendula_sweep_settings(sweep) != NULL));
    assert_true(pendula_sweep_bytes(sweep) >= pendula_sweep_points(sweep));
    for (size_t i = 0; pendula_sweep_warning(sweep, i); ++i)
        assert_true(*pendula_sweep_warning(sweep, i));
    pendula_sweep_cancel(sweep);
}

// A struct as a caller of another header has it: exactly so many bytes, the members that fit.
static void *of_size(const void *whole, size_t whole_size, size_t size)
{
    const size_t   room = size < sizeof size ? sizeof size : size;
    unsigned char *made = malloc(room);
    assert_non_null(made);
    memset(made, 0xA5, room);
    memcpy(made, whole, whole_size < room ? whole_size : room);
    memcpy(made, &size, sizeof size);
    return made;
}

static void run_sweep_somehow(Trial *trial)
{
    static const char *const devices[] = {"reference", "reference", "reference", "reference", "no such"};
    static const double      seconds[] = {0, 0, 60, -1, (double)NAN, (double)INFINITY};
    static const size_t      sizes[] = {0, 1, 8, 16, 20, 40, sizeof(PendulaRunOptions), sizeof(PendulaRunOptions) + 40};
    PendulaSweep            *sweep = *some_sweep(trial);
    PendulaError            *error = NULL;
    char                     path[96], device[400];
    PendulaRunOptions        options = pendula_run_options();
    snprintf(path, sizeof path, "%s/%zu.h5", trial->folder, pick(trial, 4));
    memset(device, 'x', sizeof device);
    device[sizeof device - 1] = '\0';
    options.device = pick(trial, 20) ? ANY(trial, devices) : device;
    options.lanes = pick(trial, 4) ? 0 : (int)pick(trial, 40) - 4;
    options.memory = pick(trial, 2) ? 0 : trial->random;
    options.seconds = ANY(trial, seconds);
    options.file = pick(trial, 4) ? NULL : path;
    options.mode = pick(trial, 4) ? PENDULA_REPLACE : (int)pick(trial, 6) - 1;
    options.shards = pick(trial, 4) ? 0 : pick(trial, 4);
    options.shard = pick(trial, 4);
    const size_t       size = pick(trial, 3) ? sizeof options : ANY(trial, sizes);
    PendulaRunOptions *given = of_size(&options, sizeof options, size);
    PendulaResult     *made = pendula_sweep_run(sweep, given, &error);
    trial->runs += take_result(trial, made, error);
    free(given);
}

static void save_result(Trial *trial)
{
    char        path[96], parts[3][96];
    const char *paths[3];
    snprintf(path, sizeof path, "%s/%zu.h5", trial->folder, pick(trial, 6));
    const size_t saved = trial->done;
    CALL(trial, pendula_result_save, *some_result(trial), pick(trial, 8) ? path : NULL,
         pick(trial, 2) ? PENDULA_REPLACE : (int)pick(trial, 5) - 1);
    trial->saved += trial->done - saved;
    for (size_t i = 0; i < 3; ++i) {
        snprintf(parts[i], sizeof parts[i], "%s/%zu.h5", trial->folder, pick(trial, 6));
        paths[i] = pick(trial, 8) ? parts[i] : NULL;
    }
    CALL(trial, pendula_merge, path, pick(trial, 8) ? paths : NULL, pick(trial, 4), (int)pick(trial, 5) - 1);
}

static void open_result(Trial *trial)
{
    PendulaResult **result = some_result(trial);
    PendulaError   *error = NULL;
    char            path[96];
    snprintf(path, sizeof path, "%s/%zu.h5", trial->folder, pick(trial, 8));
    pendula_result_free(*result);
    *result = pendula_result_open(path, &error);
    judge(trial, *result != NULL, &error, error);
}

static void read_array(Trial *trial, const PendulaResult *result, const char *label, const char *name)
{
    const size_t count = pendula_result_size(result, label, name), asked = pick(trial, 3) ? count : pick(trial, 20);
    double      *room = malloc(asked * sizeof *room + 1);  // no byte more may be written
    assert_non_null(room);
    CALL(trial, pendula_result_read, result, label, name, pick(trial, 8) ? room : NULL, asked);
    free(room);
}

static void look_at_result(Trial *trial)
{
    const PendulaResult *result = *some_result(trial);
    const PendulaArray   blank = {0};
    const char          *label = ANY(trial, labels), *name = ANY(trial, arrays);
    const size_t         size = pick(trial, 2) ? sizeof blank : pick(trial, sizeof blank + 64);
    PendulaArray        *array = of_size(&blank, sizeof blank, size);
    for (size_t i = 0; i < 20; ++i)
        if (pendula_result_array(result, label, i, array) && size >= offsetof(PendulaArray, unit))
            read_array(trial, result, label, array->name);
    assert_true(
        pendula_result_find(result, label, name, array) ==
        (size > sizeof size && pendula_result_find(result, label, name, &(PendulaArray){.size = sizeof blank})));
    read_array(trial, result, label, name);
    pendula_result_label(result, pick(trial, 3));
    pendula_result_complete(result);
    free(array);
}

static void look_at_lists(Trial *trial)
{
    const PendulaParameter blank = {0};
    const size_t           size = pick(trial, sizeof blank + 32), index = pick(trial, 200);
    const PendulaKind      kind = (PendulaKind)pick(trial, 5);
    PendulaParameter      *parameter = of_size(&blank, sizeof blank, size);
    const PendulaCatalog  *given = pick(trial, 8) ? trial->catalog : NULL;
    assert_true(!pendula_catalog_name(given, kind, index) == !pendula_catalog_title(given, kind, index));
    assert_true(!pendula_catalog_name(given, kind, index) == !pendula_catalog_unit(given, kind, index));
    pendula_catalog_parameter(given, kind, index, pick(trial, 12), parameter);
    pendula_catalog_parameter(given, kind, index, 0, NULL);
    pendula_status_name((int)pick(trial, 20) - 5);
    free(parameter);
}

// As many bytes as a caller of another header has, whose members are whole.
static size_t some_size(Trial *trial, size_t whole)
{
    return pick(trial, 3) ? whole : 8 * pick(trial, whole / 8 + 4);
}

static void find_indices(Trial *trial)
{
    static const char *const words[] = {"sobol",    "morris", "given", "chaos",  "delta", "shapley",
                                        "saltelli", "drop",   "worst", "refuse", "",      NULL};
    static const char *const laws[] = {"{uniform: [0, 1]}", "{uniform: [1, 0]}", "{", "", NULL};
    enum { POINTS = 12, FACTORS = 2 };
    double        x[POINTS * FACTORS], y[POINTS];
    const char   *factors[] = {pick(trial, 4) ? "a" : ANY(trial, names), pick(trial, 4) ? "b" : ANY(trial, names)};
    const char   *output[] = {pick(trial, 4) ? "y" : ANY(trial, arrays)};
    const char   *distributions[] = {ANY(trial, laws), ANY(trial, laws)};
    PendulaError *error = NULL;
    PendulaSensitivityOptions options = pendula_sensitivity_options();
    for (size_t i = 0; i < POINTS * FACTORS; ++i)
        x[i] = ANY(trial, numbers);
    for (size_t i = 0; i < POINTS; ++i)
        y[i] = pick(trial, 6) ? (double)pick(trial, 100) : (double)NAN;
    options.index = pick(trial, 4) ? NULL : ANY(trial, words);
    options.estimator = pick(trial, 4) ? NULL : ANY(trial, words);
    options.failed = pick(trial, 4) ? NULL : ANY(trial, words);
    options.distributions = pick(trial, 4) ? NULL : distributions;
    options.output = pick(trial, 4) ? NULL : ANY(trial, arrays);
    options.replicates = pick(trial, 20);
    const size_t               size = some_size(trial, sizeof options);
    PendulaSensitivityOptions *given = of_size(&options, sizeof options, size);
    PendulaResult             *made;
    if (pick(trial, 3) == 0)
        made =
            pick(trial, 2)
                ? pendula_result_predict(*some_result(trial), ANY(trial, labels), pick(trial, 8) ? factors : NULL,
                                         pick(trial, 3), pick(trial, 8) ? x : NULL, pick(trial, POINTS), given, &error)
                : pendula_predict(pick(trial, 8) ? x : NULL, pick(trial, 8) ? factors : NULL, FACTORS, y, output, 1,
                                  POINTS, pick(trial, 8) ? x : NULL, pick(trial, POINTS), given, &error);
    else if (pick(trial, 2))
        made = pendula_result_sensitivity(*some_result(trial), ANY(trial, labels), given, &error);
    else
        made = pendula_sensitivity(pick(trial, 8) ? x : NULL, pick(trial, 8) ? factors : NULL,
                                   pick(trial, 8) ? FACTORS : pick(trial, FACTORS), pick(trial, 8) ? y : NULL, output,
                                   pick(trial, 8) > 0, pick(trial, 8) ? POINTS : pick(trial, POINTS),
                                   pick(trial, 8) ? given : NULL, &error);
    trial->analysed += take_result(trial, made, error);
    free(given);
}

static void look_at_methods(Trial *trial)
{
    static const char *const known[] = {"theta2", "rk4", "generalized_alpha", "no such", "", NULL};
    static const char *const set[] = {"theta=0.5", "rho_inf=0.6,0.9", "theta2.theta=2", "=", "", NULL};
    const char              *methods[] = {ANY(trial, known), ANY(trial, known)}, *settings[] = {ANY(trial, set)};
    const double             places[] = {ANY(trial, numbers), ANY(trial, numbers), 0.5, 0.7};
    bool                     front[3];
    PendulaError            *error = NULL;
    PendulaPairsOptions      options = pendula_pairs_options();
    options.criterion = pick(trial, 2) ? NULL : ANY(trial, arrays);
    options.omega_h = ANY(trial, numbers);
    options.range[0] = ANY(trial, numbers);
    options.settings = settings;
    options.setting_count = pick(trial, 8) == 0;
    PendulaPairsOptions *given = of_size(&options, sizeof options, some_size(trial, sizeof options));
    if (pick(trial, 3) == 0)
        CALL(trial, pendula_pareto, pick(trial, 8) ? places : NULL, pick(trial, 6), pick(trial, 2),
             pick(trial, 8) ? front : NULL);
    PendulaResult *made =
        pick(trial, 2)
            ? pendula_spectrum(methods, pick(trial, 3), settings, pick(trial, 8) == 0, places, pick(trial, 4), places,
                               pick(trial, 4), pick(trial, 8) ? NULL : "no such", &error)
            : pendula_pairs(methods[0], methods[1], places, 1 + pick(trial, 3), given, &error);
    trial->analysed += take_result(trial, made, error);
    free(given);
}

static void conform_somehow(Trial *trial)
{
    const char           *devices[] = {pick(trial, 2) ? "no such" : NULL};
    PendulaConformOptions options = {pick(trial, 8) ? sizeof options : 0, devices, 1, 1, NULL, NULL};
    PendulaError         *error = NULL;
    PendulaResult        *made = pick(trial, 2) ? pendula_sweep_conform(*some_sweep(trial), &options, &error)
                                                : pendula_result_conform(*some_result(trial), &options, &error);
    trial->analysed += take_result(trial, made, error);
}

static void empty_folder(const char *folder)
{
    DIR *files = opendir(folder);
    assert_non_null(files);
    for (const struct dirent *file; (file = readdir(files)) != NULL;) {
        char path[400];
        snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
        unlink(path);
    }
    closedir(files);
    rmdir(folder);
}

TEST(calls_of_any_arguments_are_done_or_refused)
{
    static void (*const calls[])(Trial *) = {make_sweep,        make_sweep,        change_sweep,    look_at_sweep,
                                             run_sweep_somehow, run_sweep_somehow, save_result,     save_result,
                                             open_result,       look_at_result,    look_at_result,  look_at_lists,
                                             run_sweep_somehow, find_indices,      look_at_methods, conform_somehow};
    Trial trial = {.random = 20261128, .folder = "/tmp/pendula_arguments_XXXXXX"};
    assert_non_null(mkdtemp(trial.folder));
    trial.catalog = pendula_catalog_new(NULL);
    assert_non_null(trial.catalog);
    for (size_t i = 0; i < CALLS; ++i)
        ANY(&trial, calls)(&trial);
    for (size_t i = 0; i < HANDLES; ++i) {
        pendula_sweep_free(trial.sweeps[i]);
        pendula_result_free(trial.results[i]);
    }
    pendula_catalog_free(trial.catalog);
    empty_folder(trial.folder);
    // Neither was everything refused, nor was nothing.
    print_message("%zu calls done, %zu refused, %zu runs, %zu saved, %zu analyses\n", trial.done, trial.failed,
                  trial.runs, trial.saved, trial.analysed);
    assert_true(trial.done > 100 && trial.failed > 100 && trial.runs > 20 && trial.saved > 5 && trial.analysed > 20);
}
