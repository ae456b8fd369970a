// subject -- draws, sets and prints of a problem under test.
#include "support/subject.h"

#include "support/built_in.h"

double subject_uniform(uint64_t *seed, double low, double high)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * ((double)(*seed >> 11) + 0.5) * 0x1p-53;
}

bool subject_is(const Subject *subject, const char *name)
{
    return strcmp(subject->problem->name, name) == 0;
}

double *subject_value(Subject *subject, const char *name)
{
    for (size_t i = 0; i < subject->card->parameter_count; ++i)
        if (strcmp(subject->card->parameters[i].name, name) == 0)
            return &subject->values[i];
    return NULL;
}

static void load(Subject *subject)
{
    subject->problem->load(subject->params, subject->values);
}

void subject_set(Subject *subject, const char *name, double value)
{
    double *place = subject_value(subject, name);
    assert_non_null(place);
    *place = value;
    load(subject);
}

// Half to twice the default, or -1 to 1 about 0, within the range.
static double draw_value(uint64_t *seed, const CardParameter *parameter)
{
    if (parameter->choice_count)
        return floor(subject_uniform(seed, 0.0, (double)parameter->choice_count));
    const double half = 0.5 * parameter->initial, twice = 2.0 * parameter->initial;
    const double low = half == 0.0 ? -1.0 : fmin(half, twice), high = half == 0.0 ? 1.0 : fmax(half, twice);
    return subject_uniform(seed, fmax(low, parameter->least), fmin(high, parameter->most));
}

static void draw_state(Subject *subject)
{
    uint64_t *seed = &subject->seed;
    subject->t = subject_uniform(seed, 0.0, 10.0);
    subject->reach = 1.0;
    for (size_t i = 0; i < subject->problem->dofs; ++i) {
        subject->x[i] = subject_uniform(seed, -1.2, 1.2);
        subject->v[i] = subject_uniform(seed, -1.2, 1.2);
    }
    if (subject_is(subject, "elastic_pendulum_polar"))
        subject->x[0] = subject_uniform(seed, 0.6, 1.4);
    if (subject_is(subject, "elastic_pendulum_cartesian")) {
        const double r = subject_uniform(seed, 0.6, 1.4), angle = subject_uniform(seed, -3.0, 3.0);
        subject->x[0] = r * cos(angle);
        subject->x[1] = r * sin(angle);
    }
    if (subject_is(subject, "barrier_particle"))
        subject->reach = subject->x[0] = *subject_value(subject, "d_hat") * subject_uniform(seed, 0.05, 1.5);
    if (subject_is(subject, "friction_block"))
        subject->v[0] = *subject_value(subject, "v_smooth") * subject_uniform(seed, -2.0, 2.0);
}

// The first trial has the defaults.
void subject_draw(Subject *subject, int trial)
{
    const Card *card = subject->card;
    assert_true(card->parameter_count <= MOST_PARAMETERS);
    assert_true(subject->problem->params_bytes <= sizeof subject->params);
    for (size_t i = 0; i < card->parameter_count; ++i) {
        const CardParameter *parameter = &card->parameters[i];
        subject->values[i] = trial == 0 ? parameter->initial : draw_value(&subject->seed, parameter);
        if (card->dofs_parameter && strcmp(card->dofs_parameter, parameter->name) == 0)
            subject->values[i] = (double)subject->problem->dofs;
    }
    load(subject);
    draw_state(subject);
}

Subject subject_of(const ReferenceProblem *problem)
{
    Subject subject = {.problem = problem,
                       .card = catalog_find(built_in(), CARD_PROBLEM, problem->name),
                       .seed = 1000u + problem->dofs};
    assert_non_null(subject.card);
    return subject;
}

Subject subject_named(const char *name)
{
    for (size_t i = 0; i < reference_problem_count; ++i)
        if (strcmp(reference_problems[i]->name, name) == 0)
            return subject_of(reference_problems[i]);
    fail_msg("the reference has no problem '%s'", name);
    return (Subject){0};
}

void subject_close(const Subject *subject, const char *what, size_t i, double value, double expected, double bound)
{
    if (fabs(value - expected) <= bound)
        return;
    print_error("%s, %zu dofs: %s, row %zu, is %.17g, not %.17g +- %g, at\n", subject->problem->name,
                subject->problem->dofs, what, i, value, expected, bound);
    for (size_t k = 0; k < subject->card->parameter_count; ++k)
        print_error("  %s = %.17g\n", subject->card->parameters[k].name, subject->values[k]);
    for (size_t k = 0; k < subject->problem->dofs; ++k)
        print_error("  x[%zu] = %.17g, v[%zu] = %.17g\n", k, subject->x[k], k, subject->v[k]);
    print_error("  t = %.17g\n", subject->t);
    fail();
}

double subject_acceleration(const Subject *subject, size_t row)
{
    double a[REFERENCE_DOFS];
    subject->problem->acceleration(subject->t, subject->x, subject->v, subject->params, a);
    return a[row];
}

double subject_energy(const Subject *subject, UNUSED size_t row)
{
    return subject->problem->energy(subject->x, subject->v, subject->params);
}

double subject_potential(const Subject *subject, UNUSED size_t row)
{
    return subject->problem->potential(subject->x, subject->params);
}

double subject_dissipation(const Subject *subject, UNUSED size_t row)
{
    return subject->problem->dissipation(subject->x, subject->v, subject->params);
}

void subject_drive(const Subject *subject, double *force)
{
    memset(force, 0, subject->problem->dofs * sizeof *force);
    if (subject->problem->drive)
        subject->problem->drive(subject->t, subject->params, force);
}
