// test_philox -- counter-based random numbers: known answers, numbers in (0, 1), whole numbers without bias.
#include "base/philox.h"

#include "support/test.h"

// From the file kat_vectors of Random123, the lines "philox4x32 10": counter, key, answer.
TEST(answers_are_those_of_random123)
{
    static const struct {
        uint32_t counter[4], key[2], answer[4];
    } known[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        const uint32_t *c = known[i].counter;
        const uint64_t  key = (uint64_t)known[i].key[1] << 32 | known[i].key[0];
        const uint64_t  low = (uint64_t)c[1] << 32 | c[0], high = (uint64_t)c[3] << 32 | c[2];
        const Philox    words = philox(key, low, high);
        for (size_t k = 0; k < 4; ++k)
            assert_int_equal(words.word[k], known[i].answer[k]);
        assert_true(philox_bits(key, low, high) == ((uint64_t)known[i].answer[1] << 32 | known[i].answer[0]));
    }
}

// The middles of 2^52 equal parts, in the order of the bits.
TEST(units_lie_inside_zero_and_one)
{
    assert_true(philox_unit(0) == 0x1p-53);
    assert_true(philox_unit(UINT64_C(0xfff)) == 0x1p-53);
    assert_true(philox_unit(UINT64_C(0x1000)) == 0x3p-53);
    assert_true(philox_unit(UINT64_C(1) << 63) == 0.5 + 0x1p-53);
    assert_true(philox_unit(UINT64_MAX) == 1.0 - 0x1p-53);
}

TEST(units_are_even)
{
    enum { CELLS = 64, COUNT = 1 << 18 };
    double cells[CELLS] = {0}, sum = 0.0, products = 0.0, last = 0.5;
    for (uint64_t i = 0; i < COUNT; ++i) {
        const double unit = philox_unit(philox_bits(7, i, 0));
        cells[(size_t)(unit * CELLS)] += 1.0;
        sum += unit;
        products += (unit - 0.5) * (last - 0.5);
        last = unit;
    }
    double chi_square = 0.0;
    for (size_t i = 0; i < CELLS; ++i)
        chi_square += (cells[i] - COUNT / CELLS) * (cells[i] - COUNT / CELLS) / (COUNT / CELLS);
    // Deviations: of chi-square sqrt(126), of the mean 1 / sqrt(12 n), of the covariance 1 / (12 sqrt(n)).
    assert_true(fabs(chi_square - (CELLS - 1)) < 4.0 * sqrt(2.0 * (CELLS - 1)));
    assert_true(fabs(sum / COUNT - 0.5) < 4.0 / sqrt(12.0 * COUNT));
    assert_true(fabs(products / COUNT) < 4.0 / (12.0 * sqrt(COUNT)));
}

// The smallest and the largest word that give a value differ by 2^32 / count, to within one.
TEST(whole_numbers_have_equal_shares)
{
    const uint64_t counts[] = {1, 2, 3, 5, 6, 7, 100, 257, 1000, 65537, UINT64_C(4294967291), UINT64_C(1) << 32};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        const uint64_t count = counts[i];
        assert_int_equal(philox_below(0, count), 0);
        assert_int_equal(philox_below(UINT32_MAX, count), count - 1);
        for (uint64_t at = 0; at < count; at += 1 + count / 97) {
            const uint64_t first = ((at << 32) + count - 1) / count, end = (((at + 1) << 32) + count - 1) / count;
            assert_int_equal(philox_below((uint32_t)first, count), at);
            assert_int_equal(philox_below((uint32_t)(end - 1), count), at);
        }
    }
}
