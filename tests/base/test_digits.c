// test_digits -- numbers with 17 digits are printf's, to the last character.
#include "base/digits.h"

#include "support/test.h"

static void compare(Text *text, double number)
{
    char expected[64];
    snprintf(expected, sizeof expected, "%.17g", number);
    text->length = 0;
    digits_add(text, number);
    assert_false(text->failed);
    assert_string_equal(text->text, expected);
}

static void compare_signs(Text *text, double number)
{
    compare(text, number);
    compare(text, -number);
}

// A generator of bits that is good enough to choose numbers (xorshift64*).
static uint64_t next(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545F4914F6CDD1D;
}

TEST(test_edges)
{
    Text text SCOPED(text_free) = {0};
    compare_signs(&text, 0.0);
    compare_signs(&text, (double)INFINITY);
    compare_signs(&text, 0x1p-1074);
    compare_signs(&text, 0x1.fffffffffffffp1023);
    for (double whole = 1.0; whole < 1e19; whole *= 9.0)
        for (int k = -2; k <= 2; ++k)
            compare_signs(&text, whole + k);
    compare(&text, (double)NAN);
    for (int k = -323; k <= 307; ++k) {
        const double power = pow(10.0, k);
        compare_signs(&text, power);
        compare_signs(&text, nextafter(power, 0.0));
        compare_signs(&text, nextafter(power, (double)INFINITY));
        compare_signs(&text, 9.9999999999999999 * power);
        compare_signs(&text, 0.5 * power);
    }
    for (int k = -1074; k <= 1000; ++k)  // ties of the seventeenth digit are among them
        for (int odd = 1; odd < 400; odd += 2)
            compare_signs(&text, ldexp(odd, k));
}

TEST(test_random)
{
    Text     text SCOPED(text_free) = {0};
    uint64_t bits = 20240607;
    for (int i = 0; i < 400000; ++i) {
        const double part = (double)(next(&bits) >> 11) * 0x1p-53;
        compare(&text, part);
        compare(&text, (double)(next(&bits) >> (next(&bits) % 64)));
        compare(&text, ldexp(part - 0.5, (int)(next(&bits) % 260) - 100));
        const uint64_t any = next(&bits);
        double         number;
        memcpy(&number, &any, sizeof number);
        if (!isnan(number))
            compare(&text, number);
    }
}
