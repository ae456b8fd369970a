// version -- facts of the build, from the macros of its compiler and the files that CMake writes.
#include "cli/version.h"

#include "h5/h5.h"

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

// build/embed/version_facts.c
extern const char version_commit[], version_day[], version_opencl[], version_mpi[];

const char *version_date(void)
{
    return version_day;
}

void version_print(Text *text)
{
    unsigned major = 0, minor = 0, release = 0;
    text_add(text, "pendula %s\n", PENDULA_VERSION);
    text_add(text, "commit          %s\n", version_commit);
    text_add(text, "compiler        %s\n", COMPILER);
    H5get_libversion(&major, &minor, &release);
    text_add(text, "HDF5            %u.%u.%u\n", major, minor, release);
    text_add(text, "OpenCL headers  %s\n", version_opencl);
    text_add(text, "MPI             %s\n", version_mpi);
}
