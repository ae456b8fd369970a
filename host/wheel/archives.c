// archives -- names that the archives of HDF5 and LAPACK, which were built for programs, miss inside of a shared
// library.
//
// HDF5's archive reaches the streams of the C library by addresses that a library can have for variables of its own
// only. LAPACK's takes two functions from a Fortran runtime that cannot be put into a library.
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

struct _IO_FILE *stdin, *stdout, *stderr;

static struct _IO_FILE *find(const char *name)
{
    struct _IO_FILE **stream = dlsym(RTLD_DEFAULT, name);
    return stream ? *stream : NULL;
}

__attribute__((constructor)) static void set_streams(void)
{
    stdin = find("stdin");
    stdout = find("stdout");
    stderr = find("stderr");
}

// LAPACK's own prints that an argument is wrong, and ends the process. The caller sees it by `info`.
void xerbla_(const char *routine, const int *info, size_t length);
void xerbla_(const char *routine, const int *info, size_t length)
{
    (void)routine, (void)info, (void)length;
}

// Fortran's operator //. The result is filled with blanks, or cut off.
void concatenate(size_t room, char *to, size_t length1, const char *text1, size_t length2,
                 const char *text2) __asm__("_gfortran_concat_string");
void concatenate(size_t room, char *to, size_t length1, const char *text1, size_t length2, const char *text2)
{
    const size_t first = length1 < room ? length1 : room;
    const size_t second = length2 < room - first ? length2 : room - first;
    memcpy(to, text1, first);
    memcpy(to + first, text2, second);
    memset(to + first + second, ' ', room - first - second);
}
