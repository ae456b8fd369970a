// test_conform_command -- `pendula conform` and `-d reference` where the reference lacks something, and on an axis of
// steps.
#include "support/program_case.h"
#include "support/shared_place.h"

static const char own_problem[] =
    "//: problem: own\n"
    "//: title: An oscillator\n"
    "//: equation: x'' + k x = 0\n"
    "//: dofs: 1\n"
    "//: parameters:\n"
    "//:   k: {default: 1.0, unit: \"1\", about: stiffness}\n"
    "static void initial_state(const Params *p, real x[DOF], real v[DOF]) { x[0] = p->k; v[0] = ZERO; }\n"
    "static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])\n"
    "{\n"
    "    a[0] = -p->k * x[0];\n"
    "}\n";
static const char own_sweep[] = "problem: ./own.cl\nparameters: {k: [1, 2]}\nmethods: [rk4]\nstep: 0.1\nend: 1\n";
static const char steps_sweep[] = "problem: harmonic_oscillator\nmethods: [rk4]\nsteps: [8, 16]\nend: 1\n";

static int make_sweeps(void **state)
{
    make_place(state);
    place_write(&place, "own.cl", own_problem);
    place_write(&place, "own.yaml", own_sweep);
    place_write(&place, "steps.yaml", steps_sweep);
    return 0;
}

// A user's problem is compared between lane counts and devices, here the same one twice, and nothing claims more.
static void a_problem_of_the_users(void **state)
{
    (void)state;
    Command command = PENDULA(&place, "conform", "own.yaml", "-d", "cpu", "-d", "cpu", "--json", "own.json");
    assert_code(&command, 0);
    assert_contains(command.out, "reference: not compared; the reference has no problem '");
    assert_contains(command.out, "own.cl': it has the built-in ones only\n");
    assert_contains(command.out, "lanes 1, 8, 16: same bits\n  beside ");
    assert_null(strstr(command.out, "nearest to its bound"));
    command_free(&command);
    size_t count;
    char  *json = place_bytes(&place, "own.json", &count);
    json[count] = '\0';
    assert_contains(json, "\"reference\": false");
    assert_contains(json, "\"device_differences\": 0");
    free(json);
    // It cannot run there, and says so before a file is made.
    EXPECT(&place, 8, "group 'rk4': the reference has no problem '", "run", "own.yaml", "-d", "reference", "-o",
           "out.h5");
    assert_int_equal(place_count(&place, "out"), 0);
}

// An axis named steps stands in for the metric of that name.
static void an_axis_of_steps(void **state)
{
    (void)state;
    EXPECT(&place, 0, "rk4: rk4 on harmonic_oscillator, double, 2 points", "conform", "steps.yaml");
    EXPECT(&place, 0, "\"reference\": true, \"left_out\": []", "conform", "steps.yaml", "--json", "-");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_problem_of_the_users), cmocka_unit_test(an_axis_of_steps)};
    return cmocka_run_group_tests(tests, make_sweeps, remove_place);
}
