// test_compile -- every kernel file compiles without a warning at every precision and lane count.
//
// Each of the ten builds pairs every method with a problem, another one each time: all files are in each build, and
// after as many builds as there are problems every method has met every problem. All metrics that apply and all
// trajectory fields are on. One run takes a build in double and one in single precision, at the lane counts whose turn
// it is (support/turn.h); all ten take five minutes.
#include "compose/compose.h"
#include "device/device.h"

#include "support/plan_from.h"
#include "support/turn.h"

static const int         lane_counts[] = {1, 2, 4, 8, 16};
static const char *const precisions[] = {"double", "single"};
enum { LANE_COUNTS = 5, PRECISIONS = 2, MOST_PAIRS = 64 };

// A build that succeeds does not give its log back; so warnings are made errors, in front of the composed text. Not
// asked for: a problem need not use the time and not every method uses every helper; masks combine with & and | on
// purpose; and in single precision every literal that a float cannot hold would count as a loss. What matters there is
// that nothing becomes a double.
static const char strict[] = "#pragma clang diagnostic error \"-Wall\"\n"
                             "#pragma clang diagnostic error \"-Wextra\"\n"
                             "#pragma clang diagnostic error \"-Wconversion\"\n"
                             "#pragma clang diagnostic error \"-Wdouble-promotion\"\n"
                             "#pragma clang diagnostic ignored \"-Wunused-parameter\"\n"
                             "#pragma clang diagnostic ignored \"-Wunused-function\"\n"
                             "#pragma clang diagnostic ignored \"-Wbitwise-instead-of-logical\"\n"
                             "#pragma clang diagnostic ignored \"-Wimplicit-float-conversion\"\n";

typedef struct Pair {
    const Card *problem, *method;
} Pair;

typedef struct Bench {
    Catalog catalog;
    Device *device;
    bool   *met;  // [card_count][card_count]: problem and method were built together
} Bench;

static size_t count_cards(const Catalog *catalog, CardKind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < catalog->card_count; ++i)
        count += catalog->cards[i].kind == kind;
    return count;
}

static const Card *card_number(const Catalog *catalog, CardKind kind, size_t number)
{
    for (size_t i = 0; i < catalog->card_count; ++i)
        if (catalog->cards[i].kind == kind && number-- == 0)
            return &catalog->cards[i];
    fail_msg("no such card");
    return NULL;
}

static bool serves(const Card *problem, const Card *method)
{
    for (size_t i = 0; i < method->need_count; ++i)
        if (!card_provides(problem, method->needs[i]))
            return false;
    return method->first_order || !problem->first_order;
}

static size_t make_pairs(const Catalog *catalog, size_t turn, Pair pairs[MOST_PAIRS])
{
    const size_t problems = count_cards(catalog, CARD_PROBLEM), methods = count_cards(catalog, CARD_METHOD);
    const size_t count = problems > methods ? problems : methods;
    assert_true(problems > 0 && methods > 0 && count <= MOST_PAIRS);
    for (size_t i = 0; i < count; ++i) {
        size_t problem = i + turn;
        pairs[i].method = card_number(catalog, CARD_METHOD, i % methods);
        do
            pairs[i].problem = card_number(catalog, CARD_PROBLEM, problem++ % problems);
        while (!serves(pairs[i].problem, pairs[i].method));
    }
    return count;
}

static void build_pair(const Bench *bench, const Pair *pair, const char *precision, int lanes)
{
    const bool newton = pair->method->unknown != UNKNOWN_NONE;
    const bool energy = card_provides(pair->problem, "energy");
    char       sweep[512];
    snprintf(
        sweep, sizeof sweep,
        "problem: %s\nmethods: [%s]\nstep: 0.01\nend: 1\nprecision: %s\ntrajectory: {every: 10, fields: [x%s%s%s]}\n",
        pair->problem->name, pair->method->name, precision, pair->problem->first_order ? "" : ", v",
        energy ? ", energy" : "", newton ? ", condition, updates" : "");
    PLAN(made, sweep);

    Text     composed SCOPED(text_free) = {0}, source SCOPED(text_free) = {0};
    Program *program = NULL;
    assert_fine(compose(&made.plan, &made.plan.groups[0], &composed, &err));
    text_add(&source, "%s%s", strict, composed.text);
    if (!device_build(bench->device, &made.plan, &made.plan.groups[0], source.text, lanes, &program, &err))
        fail_msg("%s with %s, %s, %d lanes: %s\nagain: PENDULA_TURN=%.8s ctest --test-dir build -R '^compile$'",
                 pair->problem->name, pair->method->name, precision, lanes, err.message, turn_word());
    assert_int_equal(program_lanes(program), lanes);
    program_free(program);
}

TEST(test_every_file_at_every_precision_and_lane_count)
{
    Bench *bench = *state;
    size_t turn = 0;
    for (size_t p = 0; p < PRECISIONS; ++p) {
        for (size_t l = 0; l < LANE_COUNTS; ++l, ++turn) {
            if (!turn_takes((l + 2 * p) % LANE_COUNTS, LANE_COUNTS))
                continue;
            Pair         pairs[MOST_PAIRS];
            const size_t count = make_pairs(&bench->catalog, turn, pairs);
            for (size_t i = 0; i < count; ++i) {
                build_pair(bench, &pairs[i], precisions[p], lane_counts[l]);
                const size_t problem = (size_t)(pairs[i].problem - bench->catalog.cards);
                bench->met[problem * bench->catalog.card_count + (size_t)(pairs[i].method - bench->catalog.cards)] =
                    true;
            }
        }
    }
    // With more problems or methods than builds, some have not met: that is no failure.
    const size_t problems = count_cards(&bench->catalog, CARD_PROBLEM),
                 methods = count_cards(&bench->catalog, CARD_METHOD);
    size_t met = 0;
    for (size_t i = 0; i < bench->catalog.card_count * bench->catalog.card_count; ++i)
        met += bench->met[i];
    if (strcmp(turn_word(), "all") == 0 && turn >= problems && methods >= problems)
        assert_int_equal(met, problems * methods);
}

// The pragmas in front do what they are for: a warning fails the build.
TEST(test_a_warning_fails)
{
    const Bench *bench = *state;
    Program     *program = NULL;
    char         source[2048];
    PLAN(made, "problem: pendulum\nmethods: [rk4]\nstep: 0.1\nend: 1\n");
    snprintf(source, sizeof source, "%skernel void sweep(global double *x) { int wide = 1.5; x[0] = wide; }\n", strict);
    assert_refused(device_build(bench->device, &made.plan, &made.plan.groups[0], source, 1, &program, &err),
                   ERROR_KERNEL, "implicit conversion");
    assert_null(program);
}

static int open_bench(void **state)
{
    static Bench bench;
    if (!catalog_read(&bench.catalog, &err) || !device_open("cpu", PRECISION_DOUBLE, &bench.device, &err)) {
        print_error("%s\n", err.message);
        return -1;
    }
    bench.met = calloc(bench.catalog.card_count * bench.catalog.card_count, sizeof *bench.met);
    *state = &bench;
    return bench.met ? 0 : -1;
}

static int close_bench(void **state)
{
    Bench *bench = *state;
    free(bench->met);
    device_close(bench->device);
    catalog_free(&bench->catalog);
    return 0;
}

AROUND_ALL(open_bench, close_bench)
