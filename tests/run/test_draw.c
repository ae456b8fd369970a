// test_draw -- what a device takes of the blocks that are left: by its rate, and by what the others can still take.
#include "run/work.h"

#include "support/test.h"

// Work with takers at group 0, of these rates; 0: not known yet.
static Work shared_by(size_t count, const double *rates)
{
    Work work = {.taker_count = count};
    for (size_t i = 0; i < count; ++i)
        work.takers[i].rate = rates[i];
    return work;
}

static uint64_t share(const Work *work, size_t taker, uint64_t left)
{
    return work_share(work, &work->takers[taker], left);
}

TEST(test_half_by_the_rates)
{
    const Work work = shared_by(3, (double[]){100.0, 300.0, 600.0});
    assert_int_equal(share(&work, 0, 1000), 50);
    assert_int_equal(share(&work, 1, 1000), 150);
    assert_int_equal(share(&work, 2, 1000), 300);
    assert_int_equal(share(&work, 2, 2), 1);
    assert_int_equal(share(&work, 2, 1), 1);
}

TEST(test_alike_until_all_are_known)
{
    const Work work = shared_by(2, (double[]){100.0, 0.0});
    assert_int_equal(share(&work, 0, 1000), 250);
    assert_int_equal(share(&work, 1, 1000), 250);
}

TEST(test_the_slow_leave_the_last)
{
    const Work work = shared_by(2, (double[]){10.0, 100.0});
    assert_int_equal(share(&work, 0, 9), 0);  // the other computes ten while it computes one
    assert_int_equal(share(&work, 0, 10), 1);
    assert_int_equal(share(&work, 1, 1), 1);
}

TEST(test_who_has_left_does_not_count)
{
    Work work = shared_by(3, (double[]){100.0, 300.0, 600.0});
    work.takers[1].group = 1;
    work.takers[2].lost = true;
    assert_int_equal(share(&work, 0, 1000), 500);
}

TEST(test_one_alone_takes_all)
{
    Work work = shared_by(2, (double[]){100.0, 300.0});
    work.takers[0].lost = true;
    assert_int_equal(share(&work, 1, 1000), 1000);
}
