// functions.h -- sine, cosine, exponential, logarithm and arc tangent: the same bits at every lane count.
//
// Each function is argument reduction, one polynomial and a reconstruction, in + - * /, fma, comparisons and
// integer operations only: all of them correctly rounded or exact on every device. There is no branch but
// on what all lanes have in common, and the code behind it leaves the other lanes as they are. The last bits of a NaN,
// its sign and payload, are the device's.
//
// The polynomials are minimax in the relative error of the function: Remez exchange in 60-digit arithmetic,
// the coefficients rounded to the precision one after another from the lowest, the rest fitted anew after
// each rounding. They are summed in pairs where that shortens the chain that a time step waits for. Constants
// named _1, _2, _3 are one number's digits, cut into pieces of one precision each.

#define TAN_PI_8 0.41421356237309504880
#define INLINED static inline __attribute__((always_inline))
#define ROLLED _Pragma("nounroll")
#ifndef scalar_fma
#define scalar_fma fma
#endif
#ifdef TANGENTS
#define BESIDE_DERIVATIVES 1
#else
#define BESIDE_DERIVATIVES 0
#endif

#if SINGLE
#define SIGN_BIT 31
#define MANTISSA_BITS 23
#define EXPONENT_BIAS 127
#define MANTISSA_MASK 0x7fffff
#define SMALLEST_NORMAL 0x1p-126
#define ROUNDER 0x1.8p23  // x + ROUNDER ends in the integer nearest to x, for |x| < 2^22
#define TWO_OVER_PI 0x1.45f306p-1
#define ONE_OVER_PI 0x1.45f306p-2
#define HALF_PI_1 0x1.921fb6p+0
#define HALF_PI_2 -0x1.777a5cp-25
#define HALF_PI_3 -0x1.ee59dap-50
#define ONE_OVER_LN2 0x1.715476p+0
#define LN2_1 0x1.62e430p-1
#define LN2_2 -0x1.05c610p-29
#define COMMON_ANGLE 0x1p17
#define FAR_BITS 15
#define EXP_LOWEST -105.0
#define EXP_HIGHEST 90.0
#define SMALL_SIDE 0x1p-60
#define LARGE_SIDE 0x1p120
#define SUBNORMAL_BITS 24
#else
#define SIGN_BIT 63
#define MANTISSA_BITS 52
#define EXPONENT_BIAS 1023
#define MANTISSA_MASK 0xfffffffffffffL
#define SMALLEST_NORMAL 0x1p-1022
#define ROUNDER 0x1.8p52  // x + ROUNDER ends in the integer nearest to x, for |x| < 2^51
#define TWO_OVER_PI 0x1.45f306dc9c883p-1
#define ONE_OVER_PI 0x1.45f306dc9c883p-2
#define HALF_PI_1 0x1.921fb54442d18p+0
#define HALF_PI_2 0x1.1a62633145c07p-54
#define HALF_PI_3 -0x1.f1976b7ed8fbcp-110
#define ONE_OVER_LN2 0x1.71547652b82fep+0
#define LN2_1 0x1.62e42fefa39efp-1
#define LN2_2 0x1.abc9e3b39803fp-56
#define COMMON_ANGLE 0x1p30
#define FAR_BITS 28
#define EXP_LOWEST -746.0
#define EXP_HIGHEST 710.0
#define SMALL_SIDE 0x1p-500
#define LARGE_SIDE 0x1p1000
#define SUBNORMAL_BITS 54
#endif

// 1/pi as a fraction in base 2^DIGIT_BITS, after two zeros. Two digits hold a mantissa, and a whole holds the
// product of two digits with room for the carries.
#define FRACTION_DIGITS 7
#if SINGLE
#define DIGIT_BITS 12
#define DIGIT_COUNT 11
#define OVER_DIGIT_BITS(n) (((n)*683) >> 13)  // n / DIGIT_BITS for 0 <= n <= 129
constant int INVERSE_PI_DIGITS[DIGIT_COUNT + FRACTION_DIGITS] = {
    0x000, 0x000, 0x517, 0xcc1, 0xb72, 0x722, 0x0a9, 0x4fe, 0x13a,
    0xbe8, 0xfa9, 0xa6e, 0xe06, 0xdb1, 0x4ac, 0xc9e, 0x21c, 0x820,
};
#else
#define DIGIT_BITS 28
#define DIGIT_COUNT 37
#define OVER_DIGIT_BITS(n) (((n)*2341) >> 16)  // n / DIGIT_BITS for 0 <= n <= 1028
constant long INVERSE_PI_DIGITS[DIGIT_COUNT + FRACTION_DIGITS] = {
    0x0000000, 0x0000000, 0x517cc1b, 0x727220a, 0x94fe13a, 0xbe8fa9a, 0x6ee06db, 0x14acc9e, 0x21c820f,
    0xf28b1d5, 0xef5de2b, 0x0db9237, 0x1d2126e, 0x9700324, 0x977504e, 0x8c90e7f, 0x0ef58e5, 0x894d39f,
    0x74411af, 0xa975da2, 0x4274ce3, 0x8135a2f, 0xbf209cc, 0x8eb1cc1, 0xa99cfa4, 0xe422fc5, 0xdefc941,
    0xd8ffc4b, 0xffef02c, 0xc07f797, 0x88c5ad0, 0x5368fb6, 0x9b3f679, 0x3e584db, 0xa7a31fb, 0x34f2ff5,
    0x16ba93d, 0xd63f5f2, 0xf8bd9e8, 0x39cfbc5, 0x2949753, 0x5fdafd8, 0x8fc6ae8, 0x42b0198,
};
#endif
#define DIGIT_MASK (((SCALAR_WHOLE)1 << DIGIT_BITS) - 1)

// The digits of a/(pi/2) modulo 4, y[0] before the point, for a > COMMON_ANGLE: a's integer mantissa times the window
// of 1/pi's digits that its exponent selects (Payne and Hanek). Digits left of the window only add multiples of 4;
// digits right of it weigh less than 2^-59 (single) or 2^-142 (double), and no number of these precisions comes so near
// to a multiple of pi/2 that this is felt.
INLINED void quarter_turns(SCALAR a, SCALAR_WHOLE y[FRACTION_DIGITS + 1])
{
    const SCALAR_WHOLE bits = PASTE(as_, SCALAR_WHOLE)(a);
    const SCALAR_WHOLE shift = (bits >> MANTISSA_BITS) - (EXPONENT_BIAS + MANTISSA_BITS) + 2 * DIGIT_BITS + 1;
    const SCALAR_WHOLE first = OVER_DIGIT_BITS(shift), left = shift - DIGIT_BITS * first;
    const SCALAR_WHOLE mantissa = (bits & MANTISSA_MASK) | (MANTISSA_MASK + 1);
    const SCALAR_WHOLE low = mantissa & DIGIT_MASK, high = mantissa >> DIGIT_BITS;
    SCALAR_WHOLE       carry = 0, lower = 0;
    ROLLED
    for (int k = FRACTION_DIGITS; k >= 0; --k) {
        const SCALAR_WHOLE here = INVERSE_PI_DIGITS[first - 1 + k], next = INVERSE_PI_DIGITS[first + k];
        const SCALAR_WHOLE digit = ((here << left) | (next >> (DIGIT_BITS - left))) & DIGIT_MASK;
        const SCALAR_WHOLE sum = low * digit + high * lower + carry;
        y[k] = sum & DIGIT_MASK;
        carry = sum >> DIGIT_BITS;
        lower = digit;
    }
}

// a = n pi/2 + *r for any finite a > COMMON_ANGLE; an infinite or NaN a gives a NaN *r. n (modulo 4, in its last two
// bits) is the nearest, or with `even` the nearest even one, so that |*r| <= pi/2.
INLINED SCALAR_WHOLE reduce_lane(SCALAR a, bool even, SCALAR *r)
{
    SCALAR_WHOLE y[FRACTION_DIGITS + 1];
    quarter_turns(a, y);
    // Where n is the one above, the fraction is taken as minus its complement.
    const SCALAR_WHOLE above = even ? y[0] & 1 : y[1] >> (DIGIT_BITS - 1);
    SCALAR             high = 0.0, low = 0.0, scale = 1.0;
    ROLLED
    for (int k = 1; k <= FRACTION_DIGITS; ++k) {
        scale = scale * (SCALAR)(1.0 / ((SCALAR_WHOLE)1 << DIGIT_BITS));
        const SCALAR term = (SCALAR)(y[k] ^ (-above & DIGIT_MASK)) * scale;
        const SCALAR sum = high + term;
        low = low + (term - (sum - high));
        high = sum;
    }
    const SCALAR product = high * HALF_PI_1;
    const SCALAR rest = scalar_fma(high, HALF_PI_2, low * HALF_PI_1);
    const SCALAR size = product + (scalar_fma(high, HALF_PI_1, -product) + rest);
    *r = a <= REAL_MAX ? (above != 0 ? -size : size) : (SCALAR)NAN;
    return y[0] + above;
}

// The same in each lane whose a is above COMMON_ANGLE; the others mean nothing. Lane by lane, because a call, or
// vectors, would take all registers away from the code around it, which then fetches its constants anew in every step.
#if LANES == 1
static __attribute__((noinline)) whole reduce_huge(real a, bool even, real *r) { return reduce_lane(a, even, r); }
#else
INLINED whole reduce_huge(real a, bool even, real *r)
{
    SCALAR angles[LANES], rests[LANES], turns[LANES];
    spread(a, angles);
    ROLLED
    for (int lane = 0; lane < LANES; ++lane)
        if (!(angles[lane] <= COMMON_ANGLE))
            turns[lane] = PASTE(as_, SCALAR)(reduce_lane(angles[lane], even, &rests[lane]));
    *r = collect(rests);
    return as_whole(collect(turns));
}
#endif

// The coefficients of sin r = r + r u (SIN_0 + SIN_1 u + ...), u = r^2, on |r| <= pi/2, and of cos r = 1 + u (COS_0 +
// COS_1 u + ...) on |r| <= pi/4.
#if SINGLE
#define SIN_0 -0x1.555556p-3
#define SIN_1 0x1.111136p-7
#define SIN_2 -0x1.a023ccp-13
#define SIN_3 0x1.72cddcp-19
#define SIN_4 -0x1.b624a2p-26
#define COS_0 -0.5
#define COS_1 0x1.55554ap-5
#define COS_2 -0x1.6c0c0ep-10
#define COS_3 0x1.99db8ap-16
#else
#define SIN_0 -0x1.5555555555555p-3
#define SIN_1 0x1.11111111110c8p-7
#define SIN_2 -0x1.a01a01a014d6fp-13
#define SIN_3 0x1.71de3a52a0b15p-19
#define SIN_4 -0x1.ae6454d4744e4p-26
#define SIN_5 0x1.6123cd073c1c8p-33
#define SIN_6 -0x1.ae438470a0c7ep-41
#define SIN_7 0x1.8832a860a89e8p-49
#define COS_0 -0.5
#define COS_1 0x1.555555555554bp-5
#define COS_2 -0x1.6c16c16c15015p-10
#define COS_3 0x1.a01a019c8f258p-16
#define COS_4 -0x1.27e4f7f191a93p-22
#define COS_5 0x1.1ee9dbcf5d411p-29
#define COS_6 -0x1.8fa684c895137p-37
#endif

// sin r for |r| <= pi/2. One polynomial over half a turn costs no more than two over quarters of which each lane needs
// one: there is nothing to choose. Its first term is added last, so that the rounding of the others counts little.
INLINED real sine_of(real r)
{
    const real u = r * r, u2 = u * u;
#if SINGLE
    const real rest = real_fma(u2, real_fma(u, SIN_4, SIN_3), real_fma(u, SIN_2, SIN_1));
#else
    const real high = real_fma(u2, SIN_7, real_fma(u, SIN_6, SIN_5));
    const real rest = real_fma(u2, real_fma(u2, high, real_fma(u, SIN_4, SIN_3)), real_fma(u, SIN_2, SIN_1));
#endif
    return real_fma(r, real_fma(u, SIN_0, u2 * rest), r);
}

// cos r for |r| <= pi/4.
INLINED real cosine_of(real r)
{
    const real u = r * r, u2 = u * u;
#if SINGLE
    const real high = real_fma(u, COS_3, COS_2);
#else
    const real high = real_fma(u2, real_fma(u2, COS_6, real_fma(u, COS_5, COS_4)), real_fma(u, COS_3, COS_2));
#endif
    return real_fma(u, real_fma(u2, high, real_fma(u, COS_1, COS_0)), 1.0);
}

// x with its sign flipped where bit 1 of n is set and where like is negative.
INLINED real signed_as(real x, whole n, real like)
{
    return as_real(as_whole(x) ^ (((n << (SIGN_BIT - 1)) ^ as_whole(like)) & ((SCALAR_WHOLE)1 << SIGN_BIT)));
}

// Sine and cosine of n pi/2 + r, the sine's sign changed where x is negative.
INLINED void turned_sincos(whole n, real r, real x, real *s, real *c)
{
    const real sin_r = sine_of(r), cos_r = cosine_of(r);
    const mask odd = (n & 1) != 0;
    *s = signed_as(choose(odd, cos_r, sin_r), n, x);
    *c = signed_as(choose(odd, sin_r, cos_r), n + 1, ZERO);
}

// x + ANGLE_ROUNDER ends in the integer n nearest to x, for |x| < 2^FAR_BITS. Behind the bits of ROUNDER then stands n
// + 2^FAR_BITS, which takes FAR_BITS + 1 bits, so that one OR over all lanes shows that no angle is huge.
#define ANGLE_ROUNDER (ROUNDER + (SCALAR)((SCALAR_WHOLE)1 << FAR_BITS))

// Whether any |x| is above COMMON_ANGLE or NaN, with q = x / pi + ANGLE_ROUNDER or x / (pi/2) + ANGLE_ROUNDER: true
// where one is, and with lanes also where one comes near it.
#if LANES > 4
INLINED bool any_far(real q, real x)
{
    return any_bit(as_whole(q) ^ as_whole((real)(ROUNDER)), -((SCALAR_WHOLE)2 << FAR_BITS));
}
#else
INLINED bool any_far(real q, real x) { return any_above(real_abs(x), COMMON_ANGLE); }
#endif

// x - n part with n = q - ANGLE_ROUNDER, part = quarters pi/2. The first difference is exact, so that near a multiple
// of the part the others keep their full relative precision. Where x is -0, so is the result: each constant that 0 is
// multiplied with is negative, which for a negative digit takes -n in place of n.
INLINED real rest_of_turns(real x, real q, SCALAR quarters)
{
    const real n = q - ANGLE_ROUNDER, less = ANGLE_ROUNDER - q;
    const real first = real_fma(n, -quarters * HALF_PI_1, x);
    const real second =
        real_fma(HALF_PI_2 > 0.0 ? n : less, quarters * (HALF_PI_2 > 0.0 ? -HALF_PI_2 : HALF_PI_2), first);
    return real_fma(less, quarters * HALF_PI_3, second);
}

// Both at once, within 1.6 ulp for every finite x; NaN for infinities. The common part comes first and whole, and
// depends on no branch: a compiler then finds it again where the same angle is asked for twice.
INLINED void real_sincos(real x, real *s, real *c)
{
    // x = n pi/2 + common with |common| <= pi/4 and a little.
    const real q = real_fma(x, TWO_OVER_PI, ANGLE_ROUNDER), common = rest_of_turns(x, q, 1.0);
    turned_sincos(as_whole(q), common, ZERO, s, c);
    if (UNLIKELY(any_far(q, x))) {
        const real  a = real_abs(x);
        const mask  rare = !(a <= COMMON_ANGLE);
        real        huge, sin_huge, cos_huge;
        const whole quarters = reduce_huge(a, false, &huge);
        turned_sincos(quarters, huge, x, &sin_huge, &cos_huge);
        *s = choose(rare, sin_huge, *s);
        *c = choose(rare, cos_huge, *c);
    }
}

// cos x: within 1.6 ulp for every finite x; exactly 1 at 0; NaN for infinities.
INLINED real real_cos(real x)
{
    real s, c;
    real_sincos(x, &s, &c);
    return c;
}

// x = n pi + *r with |*r| <= pi/2 and a little, as in real_sincos(); returned is n, of which only the last bit counts.
INLINED whole reduce_half_turns(real x, real *r)
{
    const real q = real_fma(x, ONE_OVER_PI, ANGLE_ROUNDER);
    whole      halves = as_whole(q);
    *r = rest_of_turns(x, q, 2.0);
    if (UNLIKELY(any_far(q, x))) {
        const real a = real_abs(x);
        const mask rare = !(a <= COMMON_ANGLE);
        real       huge;
        halves = choose_whole(rare, reduce_huge(a, true, &huge) >> 1, halves);
        *r = choose(rare, signed_as(huge, 0, x), *r);
    }
    return halves;
}

// sin x in the fewest registers.
INLINED real sine_alone(real x)
{
    real        r;
    const whole halves = reduce_half_turns(x, &r);
    return as_real(as_whole(sine_of(r)) ^ (halves << SIGN_BIT));
}

// The same bits. The common part is whole before the branch, so that a compiler finds the sine again where derivatives
// ask for that of the same angle.
INLINED real sine_shared(real x)
{
    const real q = real_fma(x, ONE_OVER_PI, ANGLE_ROUNDER), r = rest_of_turns(x, q, 2.0);
    real       s = as_real(as_whole(sine_of(r)) ^ (as_whole(q) << SIGN_BIT));
    if (UNLIKELY(any_far(q, x))) {
        const real  a = real_abs(x);
        real        huge;
        const whole turns = reduce_huge(a, true, &huge) >> 1;
        s = choose(a <= COMMON_ANGLE, s, signed_as(sine_of(huge), turns << 1, x));
    }
    return s;
}

// sin x: within 1.6 ulp for every finite x; -0 for -0; NaN for infinities. Its last bit may differ from that of
// real_sincos().
INLINED real real_sin(real x) { return BESIDE_DERIVATIVES ? sine_shared(x) : sine_alone(x); }

// The slope of real_sin() at x, cos x: within 1.7 ulp for every finite x; NaN for infinities. It takes half of the
// operations of real_cos(), whose last bits are others: |x| = m pi - d with m = 1/2, 3/2, ..., and cos x = sin d or
// -sin d, where real_cos() needs a polynomial for each lane's quarter of a turn.
INLINED real real_sin_slope(real x)
{
    const real a = real_abs(x), q = real_fma(a, ONE_OVER_PI, ZERO - 0.5) + ROUNDER, m = (q - ROUNDER) + 0.5;
    const real d = real_fma(m, 2.0 * HALF_PI_3, real_fma(m, 2.0 * HALF_PI_2, real_fma(m, 2.0 * HALF_PI_1, -a)));
    real       slope = signed_as(sine_of(d), as_whole(q) << 1, ZERO);
    if (UNLIKELY(any_above(a, COMMON_ANGLE))) {
        real        huge, sine, cosine;
        const whole quarters = reduce_huge(a, false, &huge);
        turned_sincos(quarters, huge, x, &sine, &cosine);
        slope = choose(a <= COMMON_ANGLE, slope, cosine);
    }
    return slope;
}

// sin^2 x: within 5.1 ulp where it is a normal number, by the 1.6 of the sine. The sine's sign is left out.
INLINED real real_sin_squared(real x)
{
    real r;
    reduce_half_turns(x, &r);
    const real s = sine_of(r);
    return s * s;
}

INLINED real power_of_two(whole n) { return as_real((n + EXPONENT_BIAS) << MANTISSA_BITS); }

// e^x: within 1.2 ulp, subnormal results included; infinity above the range, 0 below it, NaN for NaN.
INLINED real real_exp(real x)
{
    // x = k ln 2 + r with |r| <= (ln 2) / 2; beyond the bounds the result is 0 or infinite whatever x is.
    const real t = choose(x > EXP_HIGHEST, EXP_HIGHEST, choose(x < EXP_LOWEST, EXP_LOWEST, x));
    const real q = real_fma(t, ONE_OVER_LN2, ROUNDER);
    const real n = q - ROUNDER;
    const real r = real_fma(n, -LN2_2, real_fma(n, -LN2_1, t));
    const real u = r * r;
#if SINGLE
    real p = real_fma(r, 0x1.6cc902p-10, 0x1.123a62p-7);
    p = real_fma(p, r, 0x1.555538p-5);
    p = real_fma(p, r, 0x1.55548ep-3);
    p = real_fma(p, r, 0.5);
#else
    real p = real_fma(r, 0x1.ac20caf2fa64dp-26, 0x1.28a0762edd774p-22);
    p = real_fma(p, u, real_fma(r, 0x1.71dffe1f3be39p-19, 0x1.a019aa30ed881p-16));
    p = real_fma(p, u, real_fma(r, 0x1.a01a00cc32040p-13, 0x1.6c16c17d19f50p-10));
    p = real_fma(p, u, real_fma(r, 0x1.11111111385bap-7, 0x1.55555555530d8p-5));
    p = real_fma(p, u, real_fma(r, 0x1.55555555554bcp-3, 0.5));
#endif
    // Two factors, each a normal number, so that a subnormal result is rounded once.
    const whole k = as_whole(q) - as_whole(ROUNDER), lesser = k >> 1;
    return (1.0 + real_fma(p, u, r)) * power_of_two(lesser) * power_of_two(k - lesser);
}

// ln x: within 1.2 ulp, subnormal x included; -infinity at 0, NaN below, infinity at infinity.
INLINED real real_log(real x)
{
    const mask  small = x < SMALLEST_NORMAL;
    const whole bits = as_whole(choose(small, x * power_of_two(SUBNORMAL_BITS), x));
    // x = 2^k (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2).
    const whole k = (bits - as_whole((real)(SQRT_HALF))) >> MANTISSA_BITS;
    const real  f = as_real(bits - (k << MANTISSA_BITS)) - 1.0;
    const real  n = to_real(k - choose_whole(small, SUBNORMAL_BITS, 0));
    // With s = f / (2 + f): ln(1 + f) = 2 artanh s = f - s (f - s^2 Q(s^2)), whose second term is small
    // beside f.
    const real s = f / (2.0 + f);
    const real u = s * s;
#if SINGLE
    real p = real_fma(u, 0x1.31e03cp-2, 0x1.995ed8p-2);
    p = real_fma(p, u, 0x1.55557ap-1);
#else
    const real u2 = u * u;
    real       p = real_fma(u2, 0x1.2f0246faaa3e0p-3, real_fma(u, 0x1.39a20ca5f8a94p-3, 0x1.74663b99ecd2bp-3));
    p = real_fma(p, u2, real_fma(u, 0x1.c71c521a42ab9p-3, 0x1.24924941db1e8p-2));
    p = real_fma(p, u2, real_fma(u, 0x1.999999997ff65p-2, 0x1.5555555555592p-1));
#endif
    const real rest = s * real_fma(-p, u, f);
    const real y = real_fma(n, LN2_1, f - real_fma(n, -LN2_2, rest));
    const real limit = choose(x == 0.0, -REAL_INFINITY, choose(x == REAL_INFINITY, x, NOT_A_NUMBER));
    return choose((x > 0.0) & (x < REAL_INFINITY), y, limit);
}

// The angle of the point (x, y) in [-pi, pi]: within 1.6 ulp; signed zeros, infinities and NaN as in C99.
INLINED real real_atan2(real y, real x)
{
    const real ax = real_abs(x), ay = real_abs(y);
    const mask steep = ay > ax;
    real       a = choose(steep, ax, ay), b = choose(steep, ay, ax);
    if (UNLIKELY(any_lane(!((b >= SMALL_SIDE) & (b < LARGE_SIDE))))) {
        // So that a + b does not overflow and the remainder of a quotient does not underflow.
        const real scale = choose(b < SMALL_SIDE, 1.0 / SMALL_SIDE, choose(b < LARGE_SIDE, 1.0, 0.25));
        const mask endless = b == REAL_INFINITY;
        a = choose(endless, choose(a == REAL_INFINITY, 1.0, 0.0 * a), a * scale);
        b = choose(endless | (b == 0.0), 1.0, b * scale);
    }
    // a/b in [0, 1] is tan of k pi/4 + artan t with |t| <= tan(pi/8) and k = 0 or 1; then the octants.
    const mask wide = a > TAN_PI_8 * b;
    const real over = choose(wide, a - b, a), under = choose(wide, a + b, b);
    const real per_under = 1.0 / under, t = over * per_under;
    // Rounding errors of the difference, the sum and the quotient.
    const real lost_over = choose(wide, a - (over + b), 0.0), lost_under = choose(wide, a - (under - b), 0.0);
    const real tail = (real_fma(-t, under, over) + real_fma(-t, lost_under, lost_over)) * per_under;
    const real u = t * t;
#if SINGLE
    real p = real_fma(u, -0x1.f2e5a6p-5, 0x1.b22456p-4);
    p = real_fma(p, u, -0x1.23b9a2p-3);
    p = real_fma(p, u, 0x1.9991e2p-3);
    p = real_fma(p, u, -0x1.55554ap-2);
#else
    const real u2 = u * u;
    real       p = real_fma(u2, -0x1.256aaccf1e003p-6, real_fma(u, 0x1.37d5adeb34962p-5, -0x1.9cd2b4fba5a8ep-5));
    p = real_fma(p, u2, real_fma(u, 0x1.df0f46e2864ddp-5, -0x1.10ebb7d0a6521p-4));
    p = real_fma(p, u2, real_fma(u, 0x1.3b11190ee4cb0p-4, -0x1.745cf8db92916p-4));
    p = real_fma(p, u2, real_fma(u, 0x1.c71c70e6081dap-4, -0x1.24924922ad50ep-3));
    p = real_fma(p, u2, real_fma(u, 0x1.9999999995869p-3, -0x1.555555555553dp-2));
#endif
    const real angle = t + real_fma(t * u, p, tail);
    const mask back = as_whole(x) < 0;
    real       k = choose(wide, 1.0, 0.0);
    k = choose(steep, 2.0 - k, k);
    k = choose(back, 4.0 - k, k);
    const real turned = real_fma(k, 0.5 * HALF_PI_2, choose(steep ^ back, -angle, angle));
    return signed_as(real_fma(k, 0.5 * HALF_PI_1, turned), 0, y);
}
