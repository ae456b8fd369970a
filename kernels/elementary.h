// elementary.h -- further functions for kernel files: powers, hyperbolic and inverse functions, remainders.
//
// A composed text has this file only where one of its functions is named. The rules are those of functions.h: every
// operation is correctly rounded or exact on every device, and any_lane() is the only branch. Its angles and
// coefficients of sine and cosine serve the tangent; the other polynomials are minimax in the error of the function and
// made as there, in 60-digit arithmetic. A value that needs more digits than the precision has is carried as a pair,
// the second number the rounding error of the first one, and the pair's sum is rounded once, at the end. Each bound is
// in units in the last place, holds in both precisions, and is enforced by the tests.

#if SINGLE
#define NO_FRACTION 0x1p23  // no number from here on has digits behind the point
#define QUOTIENT_BITS 22
#define TWO_THIRDS_1 0x1.555556p-1
#define TWO_THIRDS_2 -0x1.555556p-26
#define EXPM1_LOWEST -20.0
#define COSH_HIGHEST 90.0
#define TANH_HIGHEST 12.0
#define MOST_POWER 0x1p40
#define SQUARE_SMALL 0x1p-60  // squares of numbers between these bounds keep their digits
#define SQUARE_LARGE 0x1p60
#define SQUARE_SCALE 0x1p100
#else
#define NO_FRACTION 0x1p52
#define QUOTIENT_BITS 51
#define TWO_THIRDS_1 0x1.5555555555555p-1
#define TWO_THIRDS_2 0x1.5555555555555p-55
#define EXPM1_LOWEST -44.0
#define COSH_HIGHEST 711.0
#define TANH_HIGHEST 24.0
#define MOST_POWER 0x1p70
#define SQUARE_SMALL 0x1p-500  // squares of numbers between these bounds keep their digits
#define SQUARE_LARGE 0x1p500
#define SQUARE_SCALE 0x1p600
#endif

// The largest whole number that is not above x: exact; x itself for zeros, infinities and NaN.
static real real_floor(real x)
{
    const real a = real_abs(x);
    const real nearest = signed_as((a + NO_FRACTION) - NO_FRACTION, 0, x);
    return choose(a < NO_FRACTION, choose(nearest > x, nearest - 1.0, nearest), x);
}

// -1 below 0, 1 above: exact; x itself for zeros and NaN.
static real real_sign(real x) { return choose(x > 0.0, 1.0, choose(x < 0.0, -1.0, x)); }

// x 2^n, rounded once. Both factors are normal numbers for -2044 <= n <= 2046, in single precision -252 <= n <= 254.
static real times_power_of_two(real x, whole n)
{
    const whole lesser = n >> 1;
    return x * power_of_two(lesser) * power_of_two(n - lesser);
}

// The n of 2^n <= a < 2^(n + 1), for any finite a > 0.
static whole exponent_of(real a)
{
    const mask  small = a < SMALLEST_NORMAL;
    const whole bits = as_whole(choose(small, a * power_of_two(SUBNORMAL_BITS), a));
    return (bits >> MANTISSA_BITS) - EXPONENT_BIAS - choose_whole(small, SUBNORMAL_BITS, 0);
}

// x - n y with n = x/y towards zero: exact, of x's sign; NaN for infinite x and for y = 0, x for infinite y.
static real real_fmod(real x, real y)
{
    const real b = real_abs(y);
    real       a = real_abs(x);
    const mask defined = (a <= REAL_MAX) & (b > 0.0);
    mask       left = defined & (a >= b) & (b <= REAL_MAX);
    while (any_lane(left)) {
        // A multiple of |y| is taken away, which leaves the remainder as it is: n times |y| 2^k, k so that n fits the
        // digits. The rounded quotient makes n right or one too large. So the difference is at most |y| 2^k and
        // a multiple of the last place of |y|: it is exact.
        const whole excess = exponent_of(choose(left, a, 1.0)) - exponent_of(choose(left, b, 1.0)) - QUOTIENT_BITS;
        const real  taken = times_power_of_two(b, choose_whole(excess > 0, excess, 0));
        const real  difference = real_fma(-real_floor(a / taken), taken, a);
        a = choose(left, choose(difference < 0.0, difference + taken, difference), a);
        left = left & (a >= b);
    }
    return choose(defined, signed_as(a, 0, x), NOT_A_NUMBER);
}

// sqrt(x^2 + y^2): within 1.3 ulp, overflowing only where the result does; infinite where x or y is, also beside NaN.
static real real_hypot(real x, real y)
{
    const real ax = real_abs(x), ay = real_abs(y);
    const mask steep = ay > ax;
    const real a = choose(steep, ay, ax), b = choose(steep, ax, ay);
    const real scale = choose(a < SQUARE_SMALL, SQUARE_SCALE, choose(a > SQUARE_LARGE, 1.0 / SQUARE_SCALE, 1.0));
    const real back = choose(a < SQUARE_SMALL, 1.0 / SQUARE_SCALE, choose(a > SQUARE_LARGE, SQUARE_SCALE, 1.0));
    const real p = a * scale, q = b * scale;
    const mask endless = (ax == REAL_INFINITY) | (ay == REAL_INFINITY);
    return choose(endless, REAL_INFINITY, real_sqrt(real_fma(p, p, q * q)) * back);
}

// The cube root: within 0.6 ulp; x itself for zeros, infinities and NaN.
static real real_cbrt(real x)
{
    const real  a = real_abs(x);
    const mask  ordinary = (a > 0.0) & (a <= REAL_MAX);
    const real  b = choose(ordinary, a, 1.0);
    const whole n = exponent_of(b);
    // a = 2^(3 third) m with 1 <= m < 8; the product is the quotient by 3 for -3072 <= n < 3072.
    const whole third = (((n + 3072) * 21846) >> 16) - 1024, over = n - 3 * third;
    const real  fraction = times_power_of_two(b, -n);
    const real  m = fraction * choose(over == 2, 4.0, choose(over == 1, 2.0, 1.0));
    // w is near m^(-1/3): a cubic on [1, 2), within 2^-11.9, then two terms of (1 - e)^(-1/3), within 2^-33.
    real w = real_fma(fraction, -0x1.99145e6ed01f4p-5, 0x1.4561999356d7ap-2);
    w = real_fma(fraction, real_fma(fraction, w, -0x1.9eb2d16d0cd57p-1), 0x1.8ab916498c84fp+0);
    w = w * choose(over == 2, 0x1.428a2f98d728bp-1, choose(over == 1, 0x1.965fea53d6e3dp-1, 1.0));
    const real e = real_fma(-m * w, w * w, 1.0);
    w = real_fma(w * e, real_fma(e, 2.0 / 9.0, 1.0 / 3.0), w);
    // Newton's correction of y = m w^2 by m - y^3; 1 / (3 y^2) is w^2 / 3.
    const real y = m * w * w, square = y * y;
    const real rest = real_fma(-square, y, m) - real_fma(y, y, -square) * y;
    const real root = real_fma(rest * (1.0 / 3.0), w * w, y);
    return choose(ordinary, signed_as(root * power_of_two(third), 0, x), x);
}

// e^x = 2^k (1 + r + even + odd) and e^-x = 2^-k (1 - r + even - odd), |r| <= (ln 2) / 2 and a little: even is
// cosh r - 1 and odd is sinh r - r, with the rounding error of r itself.
typedef struct ExponentialParts {
    whole k;
    real  r, even, odd;
} ExponentialParts;

// Of x = high + low, high within the bounds of real_exp(), low within a few of its last places.
static ExponentialParts exponential_parts(real high, real low)
{
    const real q = real_fma(high, ONE_OVER_LN2, ROUNDER), n = q - ROUNDER;
    // x = k ln 2 + r + tail. The first difference is exact; later rounding errors are kept.
    const real rest = real_fma(n, -LN2_1, high), second = n * LN2_2, difference = rest - second;
    const real lost = ((rest - difference) - second) + low;
    const real r = difference + lost, tail = (difference - r) + lost;
    const real u = r * r, u2 = u * u;
#if SINGLE
    const real even = real_fma(u, 0x1.6d4f0ep-10, 0x1.5554e6p-5);
    const real odd = real_fma(u, real_fma(u, 0x1.a2e31cp-13, 0x1.110fbep-7), 0x1.555556p-3);
#else
    real even = real_fma(u2, 0x1.1f8beddd0b4c7p-29, real_fma(u, 0x1.27e4cc0951359p-22, 0x1.a01a01ad80fffp-16));
    even = real_fma(u2, even, real_fma(u, 0x1.6c16c16c14ffap-10, 0x1.5555555555558p-5));
    real odd = real_fma(u2, real_fma(u, 0x1.82b0a9b60e1fap-33, 0x1.ae4cd4902547dp-26),
                        real_fma(u, 0x1.71de4081df796p-19, 0x1.a01a019ea0830p-13));
    odd = real_fma(u2, odd, real_fma(u, 0x1.1111111111387p-7, 0x1.5555555555555p-3));
#endif
    return (ExponentialParts){as_whole(q) - as_whole(ROUNDER), r, real_fma(0.5, u, real_fma(u2, even, r * tail)),
                              real_fma(r * u, odd, tail)};
}

// x between two bounds; NaN stays.
static real kept_between(real lowest, real x, real highest)
{
    return choose(x > highest, highest, choose(x < lowest, lowest, x));
}

static whole no_more_than(whole n, SCALAR_WHOLE most) { return choose_whole(n > most, most, n); }

// e^x - 1: within 1.1 ulp; infinity above the range, -1 far below; x itself for zeros and NaN.
static real real_expm1(real x)
{
    const ExponentialParts e = exponential_parts(kept_between(EXPM1_LOWEST, x, EXP_HIGHEST), ZERO);
    // 2^k ((1 - 2^-k) + r + even + odd), the first two as pairs.
    const real power = power_of_two(-no_more_than(e.k, 64));
    const real one = 1.0 - power, sum = one + e.r;
    const real rest = ((one - sum) + e.r) + ((1.0 - one) - power);
    return choose(x == 0.0, x, times_power_of_two(sum + (e.even + (e.odd + rest)), e.k));
}

// 2^(1 - k) times cosh a, or sinh a with sign = -1, as a pair: (1 + d) cosh r + (1 - d) sinh r with d = sign 2^-2k.
static void hyperbolic_pair(const ExponentialParts *e, real sign, real *high, real *low)
{
    const real d = sign * power_of_two(-2 * no_more_than(e->k, 60));
    const real p = 1.0 + d, q = 1.0 - d;
    const real lost = real_fma((1.0 - q) - d, e->r, (1.0 - p) + d);
    *high = real_fma(q, e->r, p);
    *low = real_fma(q, e->r, p - *high) + (real_fma(p, e->even, q * e->odd) + lost);
}

static real hyperbolic_size(real a, real sign)
{
    const ExponentialParts e = exponential_parts(choose(a > COSH_HIGHEST, COSH_HIGHEST, a), ZERO);
    real                   high, low;
    hyperbolic_pair(&e, sign, &high, &low);
    return times_power_of_two(high + low, e.k - 1);
}

// sinh x: within 0.9 ulp, overflowing only where the result does; x itself for zeros, infinities and NaN.
static real real_sinh(real x) { return signed_as(hyperbolic_size(real_abs(x), -ONE), 0, x); }

// cosh x: within 0.9 ulp, overflowing only where the result does; infinity for infinities, NaN for NaN.
static real real_cosh(real x) { return hyperbolic_size(real_abs(x), ONE); }

// (over + over_low) / (under + under_low), the second numbers smaller than the first.
static real quotient_of_pairs(real over, real over_low, real under, real under_low)
{
    const real a = over + over_low, a_low = (over - a) + over_low;
    const real b = under + under_low, b_low = (under - b) + under_low;
    const real per_b = 1.0 / b, q = a * per_b;
    return real_fma(real_fma(-q, b, a) + real_fma(-q, b_low, a_low), per_b, q);
}

// tanh x: within 0.9 ulp; 1 and -1 far out; x itself for zeros and NaN.
static real real_tanh(real x)
{
    const real             a = real_abs(x);
    const ExponentialParts e = exponential_parts(choose(a > TANH_HIGHEST, TANH_HIGHEST, a), ZERO);
    real                   over, over_low, under, under_low;
    hyperbolic_pair(&e, -ONE, &over, &over_low);
    hyperbolic_pair(&e, ONE, &under, &under_low);
    return signed_as(quotient_of_pairs(over, over_low, under, under_low), 0, x);
}

// ln of 2^n (1 + f) as a pair, f = high + low and sqrt(1/2) <= 1 + f < sqrt(2): within 2^-65 of it (double) or 2^-36
// (single). With s = f / (2 + f) and z = s^2 it is n ln 2 + 2 s + s z (2/3 + z P(z)), P the one polynomial; everything
// but P is a pair.
static void logarithm_pair(whole exponent, real high, real low, real *sum, real *rest)
{
    const real under = 2.0 + high, under_low = (high - (under - 2.0)) + low, per_under = 1.0 / under;
    const real s = high * per_under;
    const real s_low = (real_fma(-s, under, high) + real_fma(-s, under_low, low)) * per_under;
    const real z = s * s, z_low = real_fma(s, s, -z) + 2.0 * s * s_low;
#if SINGLE
    const real p = real_fma(z, real_fma(z, 0x1.dfa264p-3, 0x1.24527cp-2), 0x1.999a00p-2);
#else
    const real z2 = z * z;
    real       p = real_fma(z2, real_fma(z, 0x1.eac5d19cd440ep-4, 0x1.de3d6e6c106bdp-4),
                            real_fma(z, 0x1.11206f3a574eap-3, 0x1.3b1364c904182p-3));
    p = real_fma(z2, p, real_fma(z, 0x1.745d18295744dp-3, 0x1.c71c71c5968ecp-3));
    p = real_fma(z2, p, real_fma(z, 0x1.2492492492f51p-2, 0x1.9999999999996p-2));
#endif
    const real g = z * p, g_low = real_fma(z, p, -g) + z_low * p;
    const real c = TWO_THIRDS_1 + g, c_low = (TWO_THIRDS_1 - c) + g + (g_low + TWO_THIRDS_2);
    const real w = z * c, w_low = real_fma(z, c, -w) + real_fma(z, c_low, z_low * c);
    const real cube = s * w, cube_low = real_fma(s, w, -cube) + real_fma(s, w_low, s_low * w);
    const real n = to_real(exponent), turns = n * LN2_1, turns_low = real_fma(n, LN2_1, -turns) + n * LN2_2;
    // The terms are in the order of their sizes, so that two differences give the rounding error of a sum.
    const real first = turns + 2.0 * s, first_low = (turns - first) + 2.0 * s;
    const real second = first + cube, second_low = (first - second) + cube;
    const real lost = first_low + second_low + (turns_low + (2.0 * s_low + cube_low));
    *sum = second + lost;
    *rest = (second - *sum) + lost;
}

// a = 2^n (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2), for any finite a > 0.
static whole split_power(real a, real *f)
{
    const mask  small = a < SMALLEST_NORMAL;
    const whole bits = as_whole(choose(small, a * power_of_two(SUBNORMAL_BITS), a));
    const whole k = (bits - as_whole((real)(SQRT_HALF))) >> MANTISSA_BITS;
    *f = as_real(bits - (k << MANTISSA_BITS)) - 1.0;
    return k - choose_whole(small, SUBNORMAL_BITS, 0);
}

// ln (1 + x): within 0.6 ulp; -infinity at -1, NaN below; x itself for zeros, infinity and NaN.
static real real_log1p(real x)
{
    // 1 + x = a + lost, exactly.
    const real  a = 1.0 + x, moved = a - 1.0, lost = (1.0 - (a - moved)) + (x - moved);
    const mask  ordinary = (x > -1.0) & (x <= REAL_MAX);
    real        f, sum, rest;
    const whole n = split_power(choose(ordinary, a, 1.0), &f);
    const real  low = times_power_of_two(lost, -n), high = f + low;
    logarithm_pair(n, high, (f - high) + low, &sum, &rest);
    const real limit = choose(x == -1.0, -REAL_INFINITY, choose(x < -1.0, NOT_A_NUMBER, x));
    return choose(ordinary & (real_abs(x) >= 0.25 * EPSILON), sum, limit);
}

// x^y: within 0.9 ulp, subnormal results included. As in C99: 1 for y = 0 and for x = 1 whatever the other is, NaN for
// x < 0 where y is not whole, and its zeros and infinities.
static real real_pow(real x, real y)
{
    const real  a = real_abs(x);
    const mask  ordinary = (a > 0.0) & (a <= REAL_MAX);
    real        f, log_a, log_low;
    const whole n = split_power(choose(ordinary, a, 1.0), &f);
    logarithm_pair(n, f, ZERO, &log_a, &log_low);
    // A larger y has the result of MOST_POWER: 0, 1 or infinity.
    const real             t = kept_between(-MOST_POWER, y, MOST_POWER);
    const real             p = t * log_a, p_low = real_fma(t, log_a, -p) + t * log_low;
    const mask             inside = (p > EXP_LOWEST) & (p < EXP_HIGHEST);
    const ExponentialParts e = exponential_parts(kept_between(EXP_LOWEST, p, EXP_HIGHEST), choose(inside, p_low, 0.0));
    const real             one = 1.0 + e.r;
    const real             power = times_power_of_two(one + (((1.0 - one) + e.r) + (e.even + e.odd)), e.k);
    const real             limit = choose((a > 1.0) ^ (y < 0.0), REAL_INFINITY, ZERO);  // of zeros and infinities
    const real             size = choose(ordinary, power, limit);
    const mask             is_whole = real_floor(y) == y, odd = is_whole & (real_floor(0.5 * y) != 0.5 * y);
    const mask             defined = ((x >= 0.0) | is_whole | (x < -REAL_MAX)) & (x == x) & (y == y);
    const real             result = choose(defined, choose(odd, signed_as(size, 0, x), size), NOT_A_NUMBER);
    return choose((x == 1.0) | (y == 0.0), 1.0, result);
}

// tan x: within 0.9 ulp up to COMMON_ANGLE, within 1.9 beyond; x itself for zeros, NaN for infinities.
static real real_tan(real x)
{
    const real a = real_abs(x);
    const real q = real_fma(a, TWO_OVER_PI, ROUNDER), n = q - ROUNDER;
    // a = n pi/2 + r + tail. The first difference is exact; the rounding error of the second one is kept.
    const real first = real_fma(n, -HALF_PI_1, a), second = n * HALF_PI_2;
    const real third = real_fma(n, HALF_PI_2, -second) + n * HALF_PI_3;
    const real difference = first - second, moved = difference - first;
    const real lost = ((first - (difference - moved)) - (second + moved)) - third;
    real       r = difference + lost, tail = (difference - r) + lost;
    whole      quarters = as_whole(q);
    if (UNLIKELY(any_above(a, COMMON_ANGLE))) {
        const mask rare = !(a <= COMMON_ANGLE);
        real       huge;
        quarters = choose_whole(rare, reduce_huge(a, false, &huge), quarters);
        r = choose(rare, huge, r);
        tail = choose(rare, 0.0, tail);
    }
    // sin (r + tail) = r + sine and cos (r + tail) = one + cosine.
    const real u = r * r, u2 = u * u, halved = 0.5 * u, one = 1.0 - halved;
#if SINGLE
    const real odd = real_fma(u2, real_fma(u, SIN_4, SIN_3), real_fma(u, SIN_2, SIN_1));
    const real even = real_fma(u, real_fma(u, COS_3, COS_2), COS_1);
#else
    const real odd_high = real_fma(u2, SIN_7, real_fma(u, SIN_6, SIN_5));
    const real odd = real_fma(u2, real_fma(u2, odd_high, real_fma(u, SIN_4, SIN_3)), real_fma(u, SIN_2, SIN_1));
    const real even_high = real_fma(u2, real_fma(u2, COS_6, real_fma(u, COS_5, COS_4)), real_fma(u, COS_3, COS_2));
    const real even = real_fma(u, even_high, COS_1);
#endif
    const real sine = real_fma(r, real_fma(u, SIN_0, u2 * odd), real_fma(-halved, tail, tail));
    const real u_low = real_fma(r, r, -u);
    const real cosine = ((1.0 - one) - halved) + real_fma(u2, even, -real_fma(r, tail, 0.5 * u_low));
    const mask turned = (quarters & 1) != 0;
    const real size = quotient_of_pairs(choose(turned, -one, r), choose(turned, -cosine, sine), choose(turned, r, one),
                                        choose(turned, sine, cosine));
    return signed_as(size, 0, x);
}

// The angle whose tangent is x, in [-pi/2, pi/2]: within 1.6 ulp; x itself for zeros, NaN for NaN.
static real real_atan(real x) { return real_atan2(x, ONE); }

// 1 - x^2 is rounded once, and negative beyond [-1, 1], where its root and the angles are NaN.
static real other_leg(real x) { return real_sqrt(real_fma(-x, x, 1.0)); }

// The angle whose sine is x, in [-pi/2, pi/2]: within 2.2 ulp; x itself for zeros, NaN beyond [-1, 1].
static real real_asin(real x) { return real_atan2(x, other_leg(x)); }

// The angle whose cosine is x, in [0, pi]: within 2.2 ulp; NaN beyond [-1, 1].
static real real_acos(real x) { return real_atan2(other_leg(x), x); }

// As real.h puts its builtins out of reach.
#undef tan
#define tan use_real_tan
#undef pow
#define pow use_real_pow
#undef tanh
#define tanh use_real_tanh
#undef sinh
#define sinh use_real_sinh
#undef cosh
#define cosh use_real_cosh
#undef asin
#define asin use_real_asin
#undef acos
#define acos use_real_acos
#undef atan
#define atan use_real_atan
#undef hypot
#define hypot use_real_hypot
#undef cbrt
#define cbrt use_real_cbrt
#undef log1p
#define log1p use_real_log1p
#undef expm1
#define expm1 use_real_expm1
#undef floor
#define floor use_real_floor
#undef fmod
#define fmod use_real_fmod
#undef sign
#define sign use_real_sign
