// wide.h -- vectors of 32 numbers, where OpenCL's end at 16: clang's, each builtin done on their two halves.
//
// For OpenCL's compilers only; native.h has its own. Included where VECTOR makes the names that end in 32: some
// compilers have macros for the word before the number.

#define WHOLE_WIDE PASTE(SCALAR_WHOLE, 32)
#define WIDE PASTE(SCALAR, 32)
#define OVERLOAD static inline __attribute__((always_inline, overloadable))

typedef SCALAR       WIDE __attribute__((ext_vector_type(32)));
typedef SCALAR_WHOLE WHOLE_WIDE __attribute__((ext_vector_type(32)));

OVERLOAD WIDE       VECTOR(PASTE(as_, SCALAR))(WHOLE_WIDE n) { return __builtin_astype(n, WIDE); }
OVERLOAD WHOLE_WIDE VECTOR(PASTE(as_, SCALAR_WHOLE))(WIDE x) { return __builtin_astype(x, WHOLE_WIDE); }
OVERLOAD WIDE       VECTOR(PASTE(convert_, SCALAR))(WHOLE_WIDE n) { return __builtin_convertvector(n, WIDE); }
OVERLOAD WHOLE_WIDE VECTOR(PASTE(convert_, SCALAR_WHOLE))(WIDE x) { return __builtin_convertvector(x, WHOLE_WIDE); }
OVERLOAD WIDE       sqrt(WIDE a) { return (WIDE)(sqrt(a.lo), sqrt(a.hi)); }
OVERLOAD WIDE       fabs(WIDE a) { return (WIDE)(fabs(a.lo), fabs(a.hi)); }
OVERLOAD WIDE       fma(WIDE a, WIDE b, WIDE c) { return (WIDE)(fma(a.lo, b.lo, c.lo), fma(a.hi, b.hi, c.hi)); }

#define WIDE_LOAD(space)                                               \
    OVERLOAD WIDE VECTOR(vload)(size_t i, const space SCALAR *from)    \
    {                                                                  \
        return (WIDE)(vload16(2 * i, from), vload16(2 * i + 1, from)); \
    }
#define WIDE_STORE(space, wide, scalar)                               \
    OVERLOAD void VECTOR(vstore)(wide x, size_t i, space scalar * to) \
    {                                                                 \
        vstore16(x.lo, 2 * i, to);                                    \
        vstore16(x.hi, 2 * i + 1, to);                                \
    }
WIDE_LOAD(global)
WIDE_LOAD(private)
WIDE_STORE(global, WIDE, SCALAR)
WIDE_STORE(private, WIDE, SCALAR)
WIDE_STORE(private, WHOLE_WIDE, SCALAR_WHOLE)
