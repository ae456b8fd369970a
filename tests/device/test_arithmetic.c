// test_arithmetic -- devices whose arithmetic differs are named, and examined only once.
#include "support/command.h"
#include "support/fake.h"

static const char sweep[] = "problem: harmonic_oscillator\n"
                            "methods: [explicit_euler]\n"
                            "metrics: [status]\n"
                            "step: 0.1\n"
                            "steps: 4\n";

static const char contracting[] = "does not keep, in double precision: contraction off in c + a * b and ";

static Command run(const char *output)
{
    return PENDULA("run", "sweep.yaml", "-o", output, "--force", "--progress", "none");
}

// Children see a device whose compiler reads other text, and have a cache of their own: the shim is not part of its
// keys.
static void see_device(const char *cache, const char *replaced)
{
    assert_int_equal(setenv("PENDULA_CACHE_DIR", path_of(cache).text, 1), 0);
    fake_set("SOURCE", replaced);
}

static char *log_of(const char *output)
{
    char name[64];
    snprintf(name, sizeof name, "%s.log", output);
    return test_file(path_of(name).text, NULL);
}

// A device that keeps everything is not spoken of.
TEST(test_kept)
{
    Command command = run("kept.h5");
    assert_code(&command, 0);
    char *log = log_of("kept.h5");
    assert_null(strstr(command.error, "does not keep"));
    assert_contains(log, "\"arithmetic\": \"kept\"");
}

// One expression of each kind, and what a device makes of it that keeps everything but that.
#define BROKEN(one_and_a_bit)                          \
    "STORE(fma(-a, b, c)|STORE(c - a * b|"             \
    "STORE(c / a|STORE(c * (ONE / a)|"                 \
    "STORE(sqrt(a)|STORE(sqrt(a) * " one_and_a_bit "|" \
    "STORE(c + c|STORE(c * 0|"                         \
    "STORE(c < a|STORE(!(c >= a)"
#define SAID                                                            \
    "fma in fma(-a, b, c), division in c / a, square root in sqrt(a), " \
    "denormals in c + c, comparison with NaN in c < a ? b : a;"

// Each thing that a device may break is seen, in either precision, and nothing else.
TEST(test_each)
{
    static const struct {
        const char *precision, *replaced, *said;
    } cases[] = {
        {"precision=double", BROKEN("0x1.0000000000001p0"), "does not keep, in double precision: " SAID},
        {"precision=single", BROKEN("0x1.000002p0"), "does not keep, in single precision: " SAID},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        see_device(cases[i].precision, cases[i].replaced);
        Command command =
            ENDED(0, "run", "sweep.yaml", "-o", "each.h5", "--force", "--progress", "none", "-s", cases[i].precision);
        assert_contains(command.error, cases[i].said);
    }
    fake_clear();
}

static size_t count_lines(const char *path, const char *begin)
{
    char  *text = test_file(path, NULL);
    size_t count = 0;
    for (const char *found = text; (found = strstr(found, begin)); ++found)
        ++count;
    return count;
}

// A device that contracts is named where results are made, and in their log. The verdict is remembered: a second run
// does not examine the device, and says the same.
TEST(test_remembered)
{
    const Path calls = path_of("calls");
    see_device("contracting", "FP_CONTRACT OFF|FP_CONTRACT ON");
    size_t first = 0;
    fake_set("LOG", calls.text);
    for (size_t i = 0; i < 2; ++i) {
        Command     command = run("remembered.h5");
        char *const said = log_of("remembered.h5");
        assert_code(&command, 0);
        assert_contains(command.error, contracting);
        assert_contains(said, contracting);
        assert_int_equal(count_lines(calls.text, "launch arithmetic"), 1);
        // A run's first launch has no work. Where another process examined the device, one more compiled the kernel.
        const size_t launches = count_lines(calls.text, "launch sweep");
        if (i == 0)
            assert_in_range(first = launches, 2, 3);
        else
            assert_int_equal(launches, first + 2);
    }
    fake_clear();
}

// A device that contracts is named where devices are compared.
TEST(test_conform)
{
    see_device("contracting", "FP_CONTRACT OFF|FP_CONTRACT ON");
    setenv("PENDULA_CC", "gcc", 1);
    Command command = PENDULA("conform", "sweep.yaml", "-d", "cpu", "--json", "conform.json");
    char   *json = test_file(path_of("conform.json").text, NULL);
    assert_contains(command.out, contracting);
    assert_contains(json, contracting);
    setenv("PENDULA_CC", "none", 1);
    fake_clear();
}

static int make(void **state)
{
    const int made = make_place(state);
    place_write("sweep.yaml", sweep);
    return made;
}

AROUND_ALL(make, remove_place)
