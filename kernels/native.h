// native.h -- OpenCL C in the words of a C compiler, for `-d native`: the text of a program stands behind this one.
//
// Build options: LANES, SINGLE. More than one lane need vector types with OpenCL's meaning, which clang has for C, and
// gcc has not. There are no headers of the C library: a problem's file may use their names.
#define kernel static
#define global
#define constant const
#define reqd_work_group_size(x, y, z)

typedef _Bool bool;
typedef unsigned char uchar;
typedef unsigned int  uint;
typedef unsigned long ulong;
typedef __SIZE_TYPE__ size_t;

#define true 1
#define false 0
#define DBL_MAX __DBL_MAX__
#define DBL_EPSILON __DBL_EPSILON__
#define FLT_MAX __FLT_MAX__
#define FLT_EPSILON __FLT_EPSILON__
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")

#define INLINE static inline __attribute__((always_inline))

// The bits of one type as another; the value of one as another, towards zero.
#define CONVERSION(to, from)                \
    INLINE to as_##to(from x)               \
    {                                       \
        to y;                               \
        __builtin_memcpy(&y, &x, sizeof y); \
        return y;                           \
    }                                       \
    INLINE to convert_##to(from x) { return (to)x; }
#define VECTOR_CONVERSION(to, from)             \
    INLINE to as_##to(from x) { return (to)x; } \
    INLINE to convert_##to(from x) { return __builtin_convertvector(x, to); }
// Vectors of n numbers, and how they are read from and written to arrays.
#define VECTORS(real, whole, n)                                 \
    typedef real  real##n __attribute__((ext_vector_type(n)));  \
    typedef whole whole##n __attribute__((ext_vector_type(n))); \
    VECTOR_CONVERSION(real##n, whole##n)                        \
    VECTOR_CONVERSION(whole##n, real##n)                        \
    INLINE real##n vload##n(size_t i, const real *from)         \
    {                                                           \
        real##n x;                                              \
        __builtin_memcpy(&x, from + n * i, sizeof x);           \
        return x;                                               \
    }
#define vstore2 vstore
#define vstore4 vstore
#define vstore8 vstore
#define vstore16 vstore
#define vstore32 vstore
#define vstore(x, i, to)                                            \
    do {                                                            \
        const __typeof__(x) stored = (x);                           \
        __builtin_memcpy((to) + (i)*LANES, &stored, sizeof stored); \
    } while (0)

#if SINGLE
CONVERSION(float, int)
CONVERSION(int, float)
#else
CONVERSION(double, long)
CONVERSION(long, double)
#endif

#if SINGLE && LANES > 1
VECTORS(float, int, 2)
VECTORS(float, int, 4)
VECTORS(float, int, 8)
VECTORS(float, int, 16)
VECTORS(float, int, 32)
#elif LANES > 1
VECTORS(double, long, 2)
VECTORS(double, long, 4)
VECTORS(double, long, 8)
VECTORS(double, long, 16)
VECTORS(double, long, 32)
#endif

#if SINGLE
#define FUNCTION(name) __builtin_##name##f
#else
#define FUNCTION(name) __builtin_##name
#endif
#define scalar_fma FUNCTION(fma)
#if LANES == 1
#define fma FUNCTION(fma)
#define sqrt FUNCTION(sqrt)
#define fabs FUNCTION(fabs)
#else
#define PASTE_TYPE_(a, b) a##b
#define PASTE_TYPE(a, b) PASTE_TYPE_(a, b)
#if SINGLE
#define REALS(n) PASTE_TYPE(float, n)
typedef PASTE_TYPE(int, LANES) native_whole;
#define BELOW_SIGN 0x7fffffff
#else
#define REALS(n) PASTE_TYPE(double, n)
typedef PASTE_TYPE(long, LANES) native_whole;
#define BELOW_SIGN 0x7fffffffffffffff
#endif
typedef REALS(LANES) native_real;
INLINE native_real fabs(native_real a) { return (native_real)((native_whole)a & BELOW_SIGN); }

// fma_N and sqrt_N, of vectors of N numbers.
#define OF_VECTORS(n, set_fma, set_sqrt) OF_VECTORS_(n, set_fma, set_sqrt)
#define OF_VECTORS_(n, set_fma, set_sqrt)                       \
    INLINE REALS(n) fma_##n(REALS(n) a, REALS(n) b, REALS(n) c) \
    {                                                           \
        set_fma;                                                \
        return a;                                               \
    }                                                           \
    INLINE REALS(n) sqrt_##n(REALS(n) a)                        \
    {                                                           \
        set_sqrt;                                               \
        return a;                                               \
    }
#define OF_HALVES(n, half)                                                                    \
    OF_VECTORS(n, (a.lo = fma_##half(a.lo, b.lo, c.lo), a.hi = fma_##half(a.hi, b.hi, c.hi)), \
               (a.lo = sqrt_##half(a.lo), a.hi = sqrt_##half(a.hi)))
#define OF_LOOPS(n)                                                                   \
    OF_VECTORS(n, for (int i = 0; i < n; ++i) a[i] = FUNCTION(fma)(a[i], b[i], c[i]), \
               for (int i = 0; i < n; ++i) a[i] = FUNCTION(sqrt)(a[i]))

// Beside other operations the compiler does not find again that a loop over lanes is one instruction, and takes lanes
// one by one. Where it has that instruction as a function of its own, for a vector of the processor, the lanes are cut
// into such; 4 among its arguments: rounded as the processor does.
#if defined(__AVX512F__) && __has_builtin(__builtin_ia32_vfmaddpd512_mask) && __has_builtin(__builtin_ia32_sqrtpd512)
#define VECTOR_BYTES 64
#elif defined(__FMA__) && __has_builtin(__builtin_ia32_vfmaddpd256) && __has_builtin(__builtin_ia32_sqrtpd256)
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 0
#endif
#if SINGLE && VECTOR_BYTES == 64 && LANES >= 16
OF_VECTORS(16, a = __builtin_ia32_vfmaddps512_mask(a, b, c, (unsigned short)-1, 4), a = __builtin_ia32_sqrtps512(a, 4))
#elif SINGLE && VECTOR_BYTES && LANES >= 8
OF_VECTORS(8, a = __builtin_ia32_vfmaddps256(a, b, c), a = __builtin_ia32_sqrtps256(a))
#if LANES >= 16
OF_HALVES(16, 8)
#endif
#elif !SINGLE && VECTOR_BYTES == 64 && LANES >= 8
OF_VECTORS(8, a = __builtin_ia32_vfmaddpd512_mask(a, b, c, (unsigned char)-1, 4), a = __builtin_ia32_sqrtpd512(a, 4))
#if LANES >= 16
OF_HALVES(16, 8)
#endif
#elif !SINGLE && VECTOR_BYTES && LANES >= 4
OF_VECTORS(4, a = __builtin_ia32_vfmaddpd256(a, b, c), a = __builtin_ia32_sqrtpd256(a))
#if LANES >= 8
OF_HALVES(8, 4)
#endif
#if LANES >= 16
OF_HALVES(16, 8)
#endif
#elif LANES == 32
OF_LOOPS(16)
#else
OF_LOOPS(LANES)
#endif
#if LANES == 32
OF_HALVES(32, 16)
#endif
#define fma PASTE_TYPE(fma_, LANES)
#define sqrt PASTE_TYPE(sqrt_, LANES)
#endif

static _Thread_local size_t native_item;
static inline size_t        get_global_id(uint dimension) { return (void)dimension, native_item; }
static inline uint atomic_add(global uint *sum, uint n) { return __atomic_fetch_add(sum, n, __ATOMIC_RELAXED); }

// The host finds two symbols beside a kernel: which of its arguments are memory, and a function that runs work items
// one after the other. ARGUMENTS is a list as in shared.h; values[i] is where argument i is.
#define LAUNCH(name, ARGUMENTS)                                                                 \
    const char name##_memory[] = {ARGUMENTS(LAUNCH_MEMORY, LAUNCH_MEMORY)};                     \
    void       name##_launch(void *const *native_value, size_t native_begin, size_t native_end) \
    {                                                                                           \
        ARGUMENTS(LAUNCH_VALUE, LAUNCH_VALUE)                                                   \
        for (native_item = native_begin; native_item < native_end; ++native_item)               \
            name(ARGUMENTS(LAUNCH_FIRST, LAUNCH_NEXT));                                         \
    }
#define LAUNCH_MEMORY(NAME, type, name) __builtin_classify_type((type)0) == 5,
#define LAUNCH_VALUE(NAME, type, name) const type name = *(type const *)*native_value++;
#define LAUNCH_FIRST(NAME, type, name) name
#define LAUNCH_NEXT(NAME, type, name) , name
