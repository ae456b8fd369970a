// test_fronts -- parts of `pendula pareto`: fronts, knees and samples.
#include "analysis/pareto/fronts.h"

#include "support/command.h"

static bool beats(const double *a, const double *b)
{
    bool better = false;
    for (size_t i = 0; i < FRONT_OBJECTIVES; ++i) {
        if (a[i] > b[i])
            return false;
        better = better || a[i] < b[i];
    }
    return better;
}

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33;
}

// Whole numbers, so that many are equal, in three problems; reduced in between and at once.
TEST(streams_reduce_to_the_same_front)
{
    enum { POINTS = 3000 };
    static FrontPoint all[POINTS];
    uint64_t          seed = 1;
    for (size_t objectives = 2; objectives <= FRONT_OBJECTIVES; ++objectives) {
        FrontList list SCOPED(fronts_free) = {0};
        size_t    expected = 0;
        for (size_t i = 0; i < POINTS; ++i) {
            all[i] = (FrontPoint){.point = i, .problem = (uint32_t)(next_random(&seed) % 3)};
            for (size_t k = 0; k < objectives; ++k)
                all[i].values[k] = (double)(next_random(&seed) % 40) - 10.0;
            if (list.count > 8 && i % 7 == 0)
                fronts_reduce(&list, objectives);
            assert_true(fronts_offer(&list, &all[i], objectives, &err));
        }
        fronts_reduce(&list, objectives);
        for (size_t i = 0; i < POINTS; ++i) {
            bool dominated = false, found = false;
            for (size_t k = 0; k < POINTS && !dominated; ++k)
                dominated = all[k].problem == all[i].problem && beats(all[k].values, all[i].values);
            for (size_t k = 0; k < list.count; ++k)
                found = found || list.items[k].point == i;
            assert_true(found != dominated);
            expected += !dominated;
        }
        assert_int_equal(list.count, expected);
    }
}

// Three million points at random: memory is held for a small multiple of the front, not for all that came before.
TEST(long_streams_hold_little)
{
    FrontList list SCOPED(fronts_free) = {0};
    uint64_t  seed = 7;
    double    least = INFINITY;
    size_t    room = 0;
    for (size_t i = 0; i < 3000000; ++i) {
        const double x = (double)next_random(&seed), y = (double)next_random(&seed);
        least = fmin(least, x);
        assert_true(fronts_offer(&list, &(FrontPoint){.values = {x, y}, .point = i}, 2, &err));
        room = list.room > room ? list.room : room;
    }
    fronts_reduce(&list, 2);
    assert_true(list.count < 200);
    assert_true(list.items[0].values[0] == least);
    assert_true(room <= 1 << 17);
}

TEST(knees_lie_below_the_chord)
{
    static const double bent[][2] = {{1, 1000}, {10, 500}, {20, 2}, {100, 1.5}, {1000, 1}},
                        bulging[][2] = {{1, 1000}, {10, 900}, {1000, 1}}, signs[][2] = {{-2, 4}, {0, 1}, {4, 0}};
    const struct {
        const double (*front)[2];
        size_t count;
        int    knee;
    } cases[] = {{bent, 5, 2}, {bulging, 3, -1}, {signs, 3, 1}, {bent, 2, -1}, {bent, 1, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        FrontList list SCOPED(fronts_free) = {0};
        for (size_t k = 0; k < cases[i].count; ++k)
            assert_true(fronts_add(
                &list, &(FrontPoint){.values = {cases[i].front[k][0], cases[i].front[k][1]}, .point = k}, &err));
        fronts_find_knees(&list);
        for (size_t k = 0; k < list.count; ++k)
            assert_int_equal(list.items[k].knee, (int)k == cases[i].knee);
    }
}

// Of ten thousand points a hundred are kept, some fifty of either half: four standard deviations are twenty.
TEST(samples_are_even)
{
    FrontList list SCOPED(fronts_free) = {0};
    size_t    early = 0;
    for (uint64_t i = 0; i < 10000; ++i)
        assert_true(fronts_sample(&list, 100, i + 1, &(FrontPoint){.point = i}, &err));
    assert_int_equal(list.count, 100);
    for (size_t i = 0; i < list.count; ++i)
        early += list.items[i].point < 5000;
    assert_true(early >= 30 && early <= 70);
}
