// digits -- scales by an exact power of ten, rounds once, and leaves the numbers that this cannot decide to printf.
#include "base/digits.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { DIGITS = 17, EXACT = 27 };  // 10^27 is the last power of ten that 64 bits of a mantissa hold exactly

#if LDBL_MANT_DIG >= 64
static const long double powers[EXACT + 1] = {1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,
                                              1e10L, 1e11L, 1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L,
                                              1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};

static long double scaled(double size, int exponent)
{
    const int power = DIGITS - 1 - exponent;
    return power >= 0 ? (long double)size * powers[power] : (long double)size / powers[-power];
}

// Finds the 17 digits of a positive number as an integer, and the exponent of the first. The scaled number is below
// 10^17 < 2^57, so that its one rounding moves it by at most 2^-8: a fraction farther than 2^-7 from a half is on its
// true side.
static bool find_digits(double size, uint64_t *digits, int *exponent)
{
    int binary;
    frexp(size, &binary);
    int decimal = (int)floor((binary - 1) * 0.30102999566398120);
    if (decimal < DIGITS - 1 - EXACT + 1 || decimal > DIGITS - 1 + EXACT - 1)
        return false;
    long double value = scaled(size, decimal);
    if (value >= 1e17L)
        value = scaled(size, ++decimal);
    const uint64_t    whole = (uint64_t)value;
    const long double part = value - (long double)whole;
    *digits = whole + (part > 0.5L);
    *exponent = decimal;
    return fabsl(part - 0.5L) > 0x1p-7L && *digits >= 10000000000000000 && *digits < 100000000000000000;
}
#else
static bool find_digits(double size, uint64_t *digits, int *exponent)
{
    (void)size, (void)digits, (void)exponent;
    return false;
}
#endif

void digits_add(Text *text, double number)
{
    uint64_t digits = 0;
    int      exponent = 0;
    if (number == 0.0 || !isfinite(number) || !find_digits(fabs(number), &digits, &exponent)) {
        if (number == 0.0 && !signbit(number))
            text_add_bytes(text, "0", 1);
        else
            text_add(text, "%.17g", number);
        return;
    }
    char   written[DIGITS], shown[40];
    size_t length = 0, count = DIGITS;
    for (size_t i = DIGITS; i-- > 0; digits /= 10)
        written[i] = (char)('0' + digits % 10);
    while (count > 1 && written[count - 1] == '0')
        --count;
    if (signbit(number))
        shown[length++] = '-';
    const bool fixed = exponent >= -4 && exponent < DIGITS;
    // The digits in front of the point, which "%g" leaves out where nothing follows.
    const size_t front = !fixed ? 1 : exponent >= 0 ? (size_t)exponent + 1 : 0;
    if (front == 0) {
        memcpy(shown + length, "0.000", 5);
        length += (size_t)(1 - exponent);
    }
    for (size_t i = 0; i < front || i < count; ++i) {
        if (i == front && front > 0)
            shown[length++] = '.';
        shown[length++] = i < count ? written[i] : '0';
    }
    if (!fixed) {
        const int size = exponent < 0 ? -exponent : exponent;
        shown[length++] = 'e';
        shown[length++] = exponent < 0 ? '-' : '+';
        shown[length++] = (char)('0' + size / 10);
        shown[length++] = (char)('0' + size % 10);
    }
    text_add_bytes(text, shown, length);
}
