// objectives -- finds metrics and counters, and makes costs of them.
#include "analysis/objectives.h"

#include "base/suggest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 64 };

// How often a method asks for the acceleration beside its residuals. A method of the alpha family keeps the one it has
// solved for; the others ask for that at the old point first.
static const struct {
    const char *method;
    double      at_start, each;
} calls[] = {
    {"generalized_alpha", 1, 0},
    {"hht_alpha", 1, 0},
    {"wbz_alpha", 1, 0},
    {"newmark", 1, 0},
    {"theta2", 0, 1},
    {"theta1", 0, 1},
    {"backward_euler", 0, 1},
    {"trapezoidal", 0, 1},
    {"bdf2", 0, 1},
    {"implicit_midpoint", 0, 0},
    {"variational_implicit", 0, 0},
    {"bathe", 0, 1},
    {"tr_bdf2", 0, 1},
    {"incremental_potential", 0, 0},
    {"incremental_newmark", 1, 1},
    {"sofa_euler", 0, 0},
    {"sofa_newmark", 3, 0},
    {"central_difference", 0, 1},
    {"velocity_verlet", 1, 1},
    {"chung_lee", 1, 1},
    {"explicit_euler", 0, 1},
    {"symplectic_euler", 0, 1},
    {"variational_explicit", 0, 1},
    {"rk2", 0, 2},
    {"rk4", 0, 4},
    {"yoshida4", 0, 6},
    {"dopri5", 0, 6},
    {"dopri5_adaptive", 1, 6},
};

bool objectives_calls(const char *method, double *at_start, double *each)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i)
        if (strcmp(calls[i].method, method) == 0) {
            *at_start = calls[i].at_start;
            *each = calls[i].each;
            return true;
        }
    return false;
}

bool objectives_counts_newton(const char *name)
{
    static const char *const counters[] = {"updates",       "updates_per_step_max", "jacobians", "residual_evaluations",
                                           "failed_solves", "stagnated_solves"};
    for (size_t i = 0; i < sizeof counters / sizeof *counters; ++i)
        if (strcmp(counters[i], name) == 0)
            return true;
    return false;
}

static bool read_define(const char *source, const char *name, double *number)
{
    const char *at = strstr(source, name);
    *number = at ? strtod(at + strlen(name), NULL) : 0.0;
    return at != NULL;
}

bool objectives_kind(const StoreFile *file, const StoreGroup *group, MethodKind *kind, Error *err)
{
    char  *source = NULL;
    double implicit, adaptive;
    if (!store_read_text(file, group, "source", &source, err))
        return false;
    const bool ok = source && read_define(source, "\n#define IMPLICIT ", &implicit) &&
                    read_define(source, "\n#define ADAPTIVE ", &adaptive) &&
                    read_define(source, "\n#define JACOBIAN_EVALUATIONS ", &kind->jacobian_evaluations);
    free(source);
    if (!ok)
        return fail(err, ERROR_INPUT, "%s: the source of group '%s' does not tell its kind of method", file->path,
                    group->label);
    kind->implicit = implicit != 0.0;
    kind->adaptive = adaptive != 0.0;
    return true;
}

static const StoreVariable *find_metric(const Points *points, const char *name)
{
    const StoreVariable *variable = store_read_variable(points->group, name);
    return variable && variable != points->status && points_is_metric(points, variable) ? variable : NULL;
}

static bool lack_metric(const Points *points, const char *name, const char *whose, Error *err)
{
    const StoreGroup *group = points->group;
    const char       *names[MOST_NAMES] = {0}, *near = NULL;
    size_t            count = 0;
    Text              list = {0};
    for (const StoreVariable *variable = points->status + 1; variable < group->variables + group->variable_count;
         ++variable)
        if (points_is_metric(points, variable) && count < MOST_NAMES) {
            text_add(&list, "%s%s", count ? ", " : "", variable->name);
            names[count++] = variable->name;
        }
    near = suggest(name, names, count);
    fail(err, ERROR_USAGE, "%s: group '%s' has no '%.100s'%s with one number per point; %s%s%s it has %.2000s",
         points->file->path, group->label, name, whose, near ? "did you mean '" : "", near ? near : "",
         near ? "'?" : "", count ? list.text : "none but its status");
    text_free(&list);
    return false;
}

// The index of a metric among the variables to be scanned.
static bool want(Reading *reading, const Points *points, const char *name, const char *whose, size_t *index, Error *err)
{
    const StoreVariable *variable = find_metric(points, name);
    if (!variable)
        return lack_metric(points, name, whose, err);
    *index = 0;
    while (*index < reading->variable_count && reading->variables[*index] != variable)
        ++*index;
    if (*index == reading->variable_count)
        reading->variables[reading->variable_count++] = variable;
    return true;
}

static bool want_evaluations(Reading *reading, size_t which, const Points *points, const char *method, Error *err)
{
    static const char for_what[] = ", which evaluations are counted from,";
    MethodKind        kind;
    double            at_start, each;
    if (!objectives_kind(points->file, points->group, &kind, err))
        return false;
    if (!objectives_calls(method, &at_start, &each))
        return fail(err, ERROR_USAGE,
                    "%s: group '%s': how often '%.60s' asks for the acceleration is not known; compare by another cost",
                    points->file->path, points->group->label, method);
    size_t *counters = reading->how[which].counters;
    reading->how[which].at_start = at_start;
    reading->how[which].each = each;
    reading->how[which].jacobian_evaluations = kind.jacobian_evaluations;
    reading->how[which].kind = kind.implicit ? READ_IMPLICIT : kind.adaptive ? READ_ADAPTIVE : READ_EXPLICIT;
    if (kind.implicit)
        return want(reading, points, "residual_evaluations", for_what, &counters[0], err) &&
               (each == 0.0 || (want(reading, points, "updates", for_what, &counters[1], err) &&
                                want(reading, points, "jacobians", for_what, &counters[2], err)));
    return !kind.adaptive || (want(reading, points, "substeps", for_what, &counters[0], err) &&
                              want(reading, points, "failed_solves", for_what, &counters[1], err));
}

bool objectives_find(const Points *points, const char *method, const char *const *names, size_t count, Reading *reading,
                     Error *err)
{
    *reading = (Reading){.variables = {points->status}, .variable_count = 1, .count = count};
    for (size_t i = 0; i < count; ++i) {
        const char *name = names[i];
        reading->how[i].magnitude = strncmp(name, "abs:", 4) == 0;
        name += reading->how[i].magnitude ? 4 : 0;
        reading->how[i].kind = READ_METRIC;
        if (strcmp(name, "steps") == 0)
            reading->how[i].kind = READ_STEPS;
        else if (strcmp(name, "evaluations") == 0 && !find_metric(points, name)) {
            if (!want_evaluations(reading, i, points, method, err))
                return false;
        } else if (!want(reading, points, name, "", &reading->how[i].counters[0], err))
            return false;
    }
    return true;
}

void objectives_read(const Reading *reading, const Points *points, uint64_t point, double *const *numbers, size_t at,
                     double *values)
{
    for (size_t i = 0; i < reading->count; ++i) {
        const size_t *counters = reading->how[i].counters;
        const double  at_start = reading->how[i].at_start, each = reading->how[i].each;
        double        counted[3];
        for (size_t k = 0; k < 3; ++k)
            counted[k] = numbers[counters[k]][at];
        switch (reading->how[i].kind) {
        case READ_METRIC: values[i] = counted[0]; break;
        case READ_STEPS: values[i] = points_steps(points, point); break;
        case READ_EXPLICIT: values[i] = at_start + each * points_steps(points, point); break;
        case READ_ADAPTIVE: {
            const double steps = points_steps(points, point), uncut = counted[0] > 0.0 ? steps - 1.0 : steps;
            values[i] = at_start + each * (counted[0] + counted[1] + uncut);
            break;
        }
        case READ_IMPLICIT: {
            const double solves = counted[0] - counted[1] - reading->how[i].jacobian_evaluations * counted[2];
            values[i] = at_start + counted[0] + (each != 0.0 ? each * solves : 0.0);
            break;
        }
        }
        values[i] = reading->how[i].magnitude ? fabs(values[i]) : values[i] + 0.0;
    }
}
