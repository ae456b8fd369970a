# check_configure -- the sources configure where optional packages are installed in part, and leave out what needs them.
#
# Made up: a compiler wrapper of MPI without its headers, .pc files of PETSc and MPI that name folders and libraries which
# are not there, one header of SUNDIALS and empty libraries, a header of cmocka that includes what is not there. Without them, what this machine has is used.
import os

from checking import check, compilers, execute, finish, folder, need_compiler, need_program, ROOT

PC = """Name: {name}
Description: installed in part
Version: 9.9
Cflags: -I{folder}/include
Libs: -L{folder}/lib -l{name}
"""


def write(path, text, mode=0o644):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)


def make_parts():
    for wrapper in ("mpicc", "mpicxx"):
        write(folder / "bin" / wrapper, "#!/bin/sh\ncase $1 in -show*|--show*|-compile*) echo gcc -I/nowhere/mpi/include"
              " -L/nowhere/mpi/lib -lmpi;; *) exit 1;; esac\n", 0o755)
    write(folder / "bin/mpiexec", "#!/bin/sh\nexit 1\n", 0o755)
    for name in ("PETSc", "mpi-c", "ompi-c", "mpich"):
        write(folder / "pc" / f"{name}.pc", PC.format(name=name, folder=f"/nowhere/{name}"))
    write(folder / "cmocka" / "cmocka.pc", PC.format(name="cmocka", folder=folder / "cmocka"))
    write(folder / "cmocka/include/cmocka.h", "#include <nowhere/cmocka.h>\n")
    write(folder / "prefix/include/sundials/sundials_context.h", "")
    for library in ("arkode", "cvode", "nvecserial", "sunmatrixdense", "sunlinsoldense"):
        write(folder / "prefix/lib" / f"libsundials_{library}.so", "")


def configure(name, said, not_said=(), pkg_config_path=None):
    words, variables = ["cmake", "-S", ROOT, "-B", folder / name], {}
    if pkg_config_path:
        words.append(f"-DCMAKE_PREFIX_PATH={folder}/prefix")
        variables.update(PATH=f"{folder}/bin:{os.environ['PATH']}", PKG_CONFIG_PATH=pkg_config_path)
    done = execute(words, **variables)
    wrong = [f"not said: {line}" for line in said if line not in done.text]
    wrong += [f"said: {line}" for line in not_said if line in done.text]
    check(done.code == 0 and not wrong, f"{name}: exit {done.code} {'; '.join(wrong)}", done.text)


def has_header(header):
    text = "#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <setjmp.h>\n#include <" + header + ">\n"
    return execute([compilers()[-1], "-fsyntax-only", "-xc", "-"], text=text).code == 0


need_program("cmake")
need_compiler()
petsc, sundials = [f"Tests: what {name} compares with is not installed, or in part; it is left out"
                   for name in ("oracle_petsc", "oracle_sundials")]
cmocka = "Tests: cmocka (Debian: libcmocka-dev) is not installed, or in part; the C tests are left out"
whole = [line for header, line in (("cmocka.h", cmocka), ("cvode/cvode.h", sundials)) if has_header(header)]
make_parts()
configure("as_it_is", [], whole)
configure("parts_of_oracles", [petsc, sundials], [], f"{folder}/pc")
configure("part_of_cmocka", [cmocka], [], f"{folder}/cmocka")
finish()
