// digits -- scales by an exact power of ten, rounds once, and leaves the numbers that this cannot decide to printf.
#include "base/digits.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 17, EXACT = 27 };  // 10^27 is the last power of ten that 64 bits of a mantissa hold exactly

#if LDBL_MANT_DIG >= 64
static const long double powers[EXACT + 1] = {1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,
                                              1e10L, 1e11L, 1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L,
                                              1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};

// Finds size * 10^power with so many roundings.
static long double scaled(double size, int power, int *roundings)
{
    long double value = size;
    for (*roundings = 1; power > EXACT; power -= EXACT, ++*roundings)
        value *= powers[EXACT];
    for (; power < -EXACT; power += EXACT, ++*roundings)
        value /= powers[EXACT];
    return power >= 0 ? value * powers[power] : value / powers[-power];
}

// Finds the 17 digits of a positive number as an integer, and the exponent of the first. The scaled number is below
// 10^17 < 2^57, so that each of its roundings moves it by less than 2^-7: a fraction that is farther from a half than
// all of them together is on its true side. Smaller powers are exact, and one rounding moves it by 2^-8 at most.
static bool find_digits(double size, uint64_t *digits, int *exponent)
{
    int binary, roundings;
    frexp(size, &binary);
    int         decimal = (int)floor((binary - 1) * 0.30102999566398120);
    long double value = scaled(size, DIGITS - 1 - decimal, &roundings);
    if (value >= 1e17L)
        value = scaled(size, DIGITS - 1 - ++decimal, &roundings);
    const int64_t     whole = (int64_t)value;
    const long double part = value - (long double)whole;
    *digits = (uint64_t)whole + (part > 0.5L);
    *exponent = decimal;
    return fabsl(part - 0.5L) > roundings * 0x1p-7L && *digits >= 10000000000000000 && *digits < 100000000000000000;
}
#else
static bool find_digits(double size, uint64_t *digits, int *exponent)
{
    (void)size, (void)digits, (void)exponent;
    return false;
}
#endif

// Writes the digits of a number below 10^count, zeros in front of it, two at a time.
static void write_digits(uint32_t number, size_t count, char *written)
{
    static const char pairs[] = "0001020304050607080910111213141516171819202122232425262728293031323334353637383940"
                                "4142434445464748495051525354555657585960616263646566676869707172737475767778798081"
                                "828384858687888990919293949596979899";
    for (; count > 1; count -= 2, number /= 100)
        memcpy(written + count - 2, &pairs[2 * (number % 100)], 2);
    if (count > 0)
        written[0] = (char)('0' + number);
}

static void add_whole(Text *text, uint64_t whole, bool negative)
{
    char shown[24], *const end = shown + sizeof shown, *at = end;
    do
        *--at = (char)('0' + whole % 10);
    while (whole /= 10);
    if (negative)
        *--at = '-';
    text_add_bytes(text, at, (size_t)(end - at));
}

void digits_add(Text *text, double number)
{
    const double size = fabs(number);
    uint64_t     digits = 0;
    int          exponent = 0;
    if (size < 1e17 && size == (double)(int64_t)size) {
        add_whole(text, (uint64_t)size, signbit(number));
        return;
    }
    if (!isfinite(number) || !find_digits(size, &digits, &exponent)) {
        text_add(text, "%.17g", number);
        return;
    }
    char   written[DIGITS], shown[40];
    size_t length = 0, count = DIGITS;
    write_digits((uint32_t)(digits / 100000000), 9, written);
    write_digits((uint32_t)(digits % 100000000), 8, written + 9);
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
    memcpy(shown + length, written, front);
    length += front;
    if (count > front) {
        if (front > 0)
            shown[length++] = '.';
        memcpy(shown + length, written + front, count - front);
        length += count - front;
    }
    if (!fixed) {
        const unsigned power = (unsigned)abs(exponent);
        shown[length++] = 'e';
        shown[length++] = exponent < 0 ? '-' : '+';
        if (power >= 100)
            shown[length++] = (char)('0' + power / 100);
        write_digits(power % 100, 2, shown + length);
        length += 2;
    }
    text_add_bytes(text, shown, length);
}
