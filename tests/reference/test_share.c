// test_share -- the solver's share of the error: how many substeps of an adaptive method are walked and looked at.
#include "reference/share.h"

#include "support/plan_from.h"
#include "support/test.h"

// Robertson's reaction in one step of more than 1,200 substeps.
static const char *const reaction = "problem: robertson\n"
                                    "methods: [{tr_bdf2_adaptive: {rtol: 1.0e-8, atol: 1.0e-10}}]\n"
                                    "end: 40\n"
                                    "steps: 1\n"
                                    "substeps: {budget: 100000}\n"
                                    "metrics: [status]\n";

// Eight updates for each step that is asked for, three solves in a substep: the walk ends before substep 8 most/3. The
// first 32 substeps are looked at, and every 32nd of the others.
TEST(adaptive_walks_end)
{
    PLAN(made, reaction);
    const uint64_t most[] = {64, 512};
    for (size_t i = 0; i < 2; ++i) {
        SolverShare share;
        assert_fine(share_measure(&made.plan, &made.plan.groups[0], most[i], NULL, &share, &err));
        const uint64_t substeps = 8 * most[i] / 3;
        assert_int_equal(share.points, 1);
        assert_in_range(share.steps, 33, 32 + substeps / 32);
        assert_true(share.share >= 0.0);
    }
}
