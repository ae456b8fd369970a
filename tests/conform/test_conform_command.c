// test_conform_command -- options and reports of `pendula conform`; own problems there and on the reference.
#include "support/program_case.h"

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

static const char grid_sweep[] =
    "problem: harmonic_oscillator\nparameters: {omega: {linear: [1, 2, 20]}, zeta: [0, 0.1, 0.2]}\n"
    "methods: [rk4]\nstep: 0.1\nend: 1\n";

static const Surroundings no_compiler = {.variable = "PENDULA_CC", .value = "none"};

static int make_sweeps(void **state)
{
    make_place(state);
    place_write("own.cl", own_problem);
    place_write("own.yaml", own_sweep);
    place_write("steps.yaml", steps_sweep);
    place_write("grid.yaml", grid_sweep);
    return 0;
}

AROUND_ALL(make_sweeps, remove_place)

// A user's problem is certified like any other, and the reference compiles it; without a compiler it does not run
// there, and says so before a file is made.
TEST(a_problem_of_the_users)
{
    Command command = ENDED(0, "conform", "own.yaml", "-d", "native", "-d", "cpu", "--json", "own.json");
    assert_contains(command.out, "rk4: rk4 on own, double, 2 points, 20 steps, ");
    assert_contains(command.out, "  bits: the same on ");
    assert_contains(command.out, "  substeps: 22 of 22 certified on ");
    assert_contains(command.out, "  reference: 22 of 22 substeps and ");
    assert_contains(command.out, "  conforms\n");
    char *json = test_file(path_of("own.json").text, NULL);
    assert_contains(json, "\"steps\": 20, \"certified_steps\": 20, ");
    assert_contains(json, "\"bit_equal\": 1, ");
    assert_contains(json, "\"passed\": true");
    EXPECT(0, "2 points on reference", "run", "own.yaml", "-d", "reference", "-o", "reference.h5");
    expect_in(&no_compiler, 8, "for the reference: no C compiler on this machine; install one",
              WORDS("run", "own.yaml", "-d", "reference", "-o", "out.h5"));
    assert_int_equal(place_count("out"), 0);
}

// An axis named steps stands in for the metric of that name.
TEST(an_axis_of_steps)
{
    EXPECT(0, "rk4: rk4 on harmonic_oscillator, double, 2 points, 24 steps", "conform", "steps.yaml", "-d", "native");
}

// A sample is a part of each group, spread over it, and says so.
TEST(a_sample)
{
    EXPECT(0, "rk4: rk4 on harmonic_oscillator, double, 7 points of 60, ", "conform", "grid.yaml", "-d", "native",
           "--sample", "7");
    EXPECT(0, "double, 60 points, ", "conform", "grid.yaml", "-d", "native", "--sample", "100");
    EXPECT(2, "--sample takes a whole number from 1 to 1000000000, got '0'", "conform", "grid.yaml", "--sample", "0");
}

// A device with vectors: gcc has one lane only.
static const char *vectors(void)
{
    return strstr(PENDULA("list", "devices").out, "clang") ? "clang" : "0";
}

TEST(lane_counts)
{
    EXPECT(0, "(lanes 2, 4, 32)", "conform", "steps.yaml", "-d", vectors(), "--lanes", "2,4,32", "-s",
           "precision=single");
    static const char *const wrong[] = {"", "3", "1,1", "1,", "16,64", "1;2"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
        EXPECT(2, "--lanes takes 1, 2, 4, 8, 16 and 32, each once, with commas, got '", "conform", "steps.yaml",
               "--lanes", wrong[i]);
}

// There are no more lanes than a thread has room for: eight, of the matrices of 40 coordinates.
TEST(lanes_that_have_room)
{
    place_write("ring.yaml", "problem:\n  coordinates: {x: n}\n  define: {n: 40}\n"
                             "  acceleration: [\"x[fmod(i + n - 1, n)] - 2*x[i] + x[fmod(i + 1, n)]\"]\n"
                             "  start: [\"i\"]\nmethods: [newmark]\nstep: 0.1\nend: 0.1\n");
    EXPECT(0, "(lanes 1, 8)", "conform", "ring.yaml", "-d", vectors());
    EXPECT(2, "a thread has room for 8 lanes, not for 16", "conform", "ring.yaml", "-d", vectors(), "--lanes", "1,16");
}

// The report for test servers, and the picture.
TEST(other_reports)
{
    EXPECT(0, "conforms", "conform", "grid.yaml", "-d", "native", "--junit", "grid.xml", "--plot", "grid.png");
    char *xml = test_file(path_of("grid.xml").text, NULL);
    assert_contains(xml, "<testsuite name=\"grid.yaml\" tests=\"1\" failures=\"0\"");
    assert_contains(xml, "<testcase classname=\"conform.harmonic_oscillator\" name=\"rk4\"");
    char *script = test_file(path_of("grid.gp").text, NULL);
    assert_contains(script, "largest share of a bound");
    EXPECT(3, "exists", "conform", "grid.yaml", "-d", "native", "--junit", "grid.xml");
}

// Certificates are made with the help of a compiler, and nothing is claimed without.
TEST(nothing_without_a_compiler)
{
    expect_in(&no_compiler, 8, "conform certifies steps with the help of a C compiler",
              WORDS("conform", "steps.yaml", "-d", "cpu"));
}
