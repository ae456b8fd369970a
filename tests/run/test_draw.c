// test_draw -- what a device draws of the blocks that are left: by its rate, and by what the others can still take.
#include "run/draw.h"

#include "support/test.h"

// Workers of a sweep at group 0, with rates; 0: not known yet.
static void employ(Sweep *sweep, Worker *workers, size_t count, const double *rates)
{
    *sweep = (Sweep){.workers = workers, .worker_count = count};
    for (size_t i = 0; i < count; ++i)
        workers[i] = (Worker){.sweep = sweep, .rate = rates[i]};
}

TEST(test_half_by_the_rates)
{
    Worker workers[3];
    Sweep  sweep;
    employ(&sweep, workers, 3, (double[]){100.0, 300.0, 600.0});
    assert_int_equal(draw_share(&workers[0], 1000), 50);
    assert_int_equal(draw_share(&workers[1], 1000), 150);
    assert_int_equal(draw_share(&workers[2], 1000), 300);
    assert_int_equal(draw_share(&workers[2], 2), 1);
    assert_int_equal(draw_share(&workers[2], 1), 1);
}

TEST(test_alike_until_all_are_known)
{
    Worker workers[2];
    Sweep  sweep;
    employ(&sweep, workers, 2, (double[]){100.0, 0.0});
    assert_int_equal(draw_share(&workers[0], 1000), 250);
    assert_int_equal(draw_share(&workers[1], 1000), 250);
}

TEST(test_the_slow_leave_the_last)
{
    Worker workers[2];
    Sweep  sweep;
    employ(&sweep, workers, 2, (double[]){10.0, 100.0});
    assert_int_equal(draw_share(&workers[0], 9), 0);  // the other computes ten while it computes one
    assert_int_equal(draw_share(&workers[0], 10), 1);
    assert_int_equal(draw_share(&workers[1], 1), 1);
}

TEST(test_who_has_left_does_not_count)
{
    Worker workers[3];
    Sweep  sweep;
    employ(&sweep, workers, 3, (double[]){100.0, 300.0, 600.0});
    workers[1].group = 1;
    workers[2].lost = true;
    assert_int_equal(draw_share(&workers[0], 1000), 500);
}
