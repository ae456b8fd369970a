// ball -- numbers with a bound on their rounding error: running error analysis in long double.
//
// A Ball stands for a number that a kernel has computed: `at` is its exact value but for long double's own rounding,
// and the kernel's lies within `off` of it. Every operation adds the errors of its operands and its own rounding
// (Higham 2002, section 3.3). An expression here need not be written as the kernel's is: each operation carries
// BALL_ROUNDINGS roundings, so that it stands for as many of the kernel's.
#pragma once

#include <math.h>
#include <stdbool.h>

enum { BALL_ROUNDINGS = 2 };

// fmaxl() and fminl() where compilers call a function for them: the one of two that is a number.
static inline long double larger_of(long double a, long double b)
{
    return b > a || a != a ? b : a;
}

static inline long double smaller_of(long double a, long double b)
{
    return b < a || a != a ? b : a;
}

typedef struct Ball {
    long double at, off;
} Ball;

// The roundoff of the kernel's precision: 2^-53 or 2^-24; 0: nothing is rounded.
typedef long double Roundoff;

// A number that the kernel has as it is: of its state, or a literal that it can hold.
static inline Ball ball(long double at)
{
    return (Ball){at, 0.0L};
}

// Half of the least number above 0: the rounding of a number that is too small for its digits.
static inline long double ball_least(Roundoff u)
{
    return u == 0.0L ? 0.0L : u < 0x1p-40L ? 0x1p-1075L : 0x1p-150L;
}

// A number that is so near the kernel's largest, or beyond, that it may have overflowed on its way: by a factor of
// 1024, for the factors that it met afterwards. Nothing is known of it.
static inline Ball ball_ranged(Roundoff u, Ball a)
{
    const long double most = u < 0x1p-40L ? 0x1p1014L : 0x1p118L;
    return fabsl(a.at) < most ? a : (Ball){a.at, INFINITY};
}

// A 0 that is not off is one in the kernel too. Nothing is known of 0 times a number of which nothing is known.
static inline Ball ball_rounded(Roundoff u, long double at, long double off)
{
    const bool        zero = at == 0.0L && off == 0.0L;
    const long double all = off + BALL_ROUNDINGS * (u * fabsl(at) + ball_least(u));
    return zero ? ball(0.0L) : (Ball){at, all == all ? all : INFINITY};
}

static inline Ball ball_add(Roundoff u, Ball a, Ball b)
{
    return ball_rounded(u, a.at + b.at, a.off + b.off);
}

static inline Ball ball_sub(Roundoff u, Ball a, Ball b)
{
    return ball_rounded(u, a.at - b.at, a.off + b.off);
}

static inline Ball ball_mul(Roundoff u, Ball a, Ball b)
{
    return ball_rounded(u, a.at * b.at, fabsl(a.at) * b.off + fabsl(b.at) * a.off + a.off * b.off);
}

// The bound of a quotient is infinite where the divisor may be 0.
static inline Ball ball_div(Roundoff u, Ball a, Ball b)
{
    const long double least = fabsl(b.at) - b.off, at = a.at / b.at;
    return ball_rounded(u, at, least > 0.0L ? (a.off + fabsl(at) * b.off) / least : INFINITY);
}

static inline Ball ball_sqrt(Roundoff u, Ball a)
{
    const long double root = sqrtl(a.at);
    return ball_rounded(u, root, a.off > 0.0L ? a.off / root : 0.0L);
}

// An elementary function of one number or two, as its entry in functions.def says.
//   function  a Function
Ball ball_call(Roundoff u, int function, Ball a, Ball b);
