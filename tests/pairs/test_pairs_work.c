// test_pairs_work -- runs of `pendula pairs` on a device: a problem on which work is counted.
#include "support/pairs_case.h"
#include "support/program_case.h"

AROUND_ALL(make_place, remove_place)

// Updates, evaluations and condition numbers come from a run of either method.
TEST(work_is_counted_on_a_problem)
{
    EXPECT(0, "", "pairs", "generalized_alpha", "theta2", "--values", "1,0.3", "-s", "end=5", "--format", "csv", "-o",
           "work.csv", "-d", "cpu");
    char *table = test_file(path_of("work.csv").text, NULL), *rest = table;
    strsep(&rest, "\n");
    for (size_t i = 0; i < 2; ++i) {
        const Row    row = read_row(strsep(&rest, "\n"));
        const double updates_from = pairs_number(&row, UPDATES_FROM), updates_to = pairs_number(&row, UPDATES_FROM + 1);
        // At least one update in each of 100 steps; its Jacobian by differences takes more evaluations than that.
        assert_true(updates_from >= 100.0 && updates_to >= 100.0);
        assert_true(pairs_number(&row, EVALUATIONS_FROM) > updates_from);
        assert_true(fabs(pairs_number(&row, COST_RATIO) * pairs_number(&row, EVALUATIONS_FROM) /
                             pairs_number(&row, EVALUATIONS_FROM + 1) -
                         1.0) < 1e-12);
        assert_true(pairs_number(&row, CONDITION_FROM) >= 1.0);
    }
    for (int i = 0; i < 2; ++i) {
        Command command = i ? PENDULA("pairs", "theta1", "theta2", "--problem", "nope")
                            : PENDULA("pairs", "theta1", "theta2", "-s", "stpe=1");
        assert_code(&command, 2);
        assert_contains(command.error, i ? "nope" : "stpe");
    }
}
