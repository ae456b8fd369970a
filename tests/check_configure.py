# check_configure -- the sources configure where optional packages are installed in part, and leave out what needs them.
#
#   check_configure.py [ROOT]     ROOT: the repository (default: $PENDULA_SOURCE_DIR, else the folder above this file)
#
# Made up: a compiler wrapper of MPI without its headers, .pc files of PETSc and MPI that name folders and libraries which
# are not there, one header of SUNDIALS and empty libraries, a header of cmocka that includes what is not there. Without them, what this machine has is used.
#
# Exit status: 0 all as it should be, 1 something is not, 77 left out (no cmake, no compiler).
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

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


def make_parts(scratch):
    for wrapper in ("mpicc", "mpicxx"):
        write(scratch / "bin" / wrapper, "#!/bin/sh\ncase $1 in -show*|--show*|-compile*) echo gcc -I/nowhere/mpi/include"
              " -L/nowhere/mpi/lib -lmpi;; *) exit 1;; esac\n", 0o755)
    write(scratch / "bin/mpiexec", "#!/bin/sh\nexit 1\n", 0o755)
    for name in ("PETSc", "mpi-c", "ompi-c", "mpich"):
        write(scratch / "pc" / f"{name}.pc", PC.format(name=name, folder=f"/nowhere/{name}"))
    write(scratch / "cmocka" / "cmocka.pc", PC.format(name="cmocka", folder=scratch / "cmocka"))
    write(scratch / "cmocka/include/cmocka.h", "#include <nowhere/cmocka.h>\n")
    write(scratch / "prefix/include/sundials/sundials_context.h", "")
    for library in ("arkode", "cvode", "nvecserial", "sunmatrixdense", "sunlinsoldense"):
        write(scratch / "prefix/lib" / f"libsundials_{library}.so", "")


def configure(root, scratch, name, said, not_said=(), pkg_config_path=None):
    words, environment = ["cmake", "-S", root, "-B", scratch / name], dict(os.environ)
    if pkg_config_path:
        words.append(f"-DCMAKE_PREFIX_PATH={scratch}/prefix")
        environment.update(PATH=f"{scratch}/bin:{os.environ['PATH']}", PKG_CONFIG_PATH=pkg_config_path)
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment, cwd=scratch)
    wrong = [f"not said: {line}" for line in said if line not in done.stdout]
    wrong += [f"said: {line}" for line in not_said if line in done.stdout]
    ok = done.returncode == 0 and not wrong
    print(f"{'ok      ' if ok else 'FAILED  '}{name}: exit {done.returncode} {'; '.join(wrong)}")
    if not ok:
        print(done.stdout[-3000:])
    return ok


def has_header(header):
    text = "#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <setjmp.h>\n#include <" + header + ">\n"
    compiler = shutil.which("cc") or shutil.which("gcc")
    return subprocess.run([compiler, "-fsyntax-only", "-xc", "-"], input=text, text=True, capture_output=True).returncode == 0


def main():
    here = pathlib.Path(__file__).resolve().parent.parent
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("PENDULA_SOURCE_DIR", here))
    if not shutil.which("cmake") or not (shutil.which("cc") or shutil.which("gcc")):
        print("left out: there is no cmake or no C compiler")
        return 77
    petsc, sundials = [f"Tests: what {name} compares with is not installed, or in part; it is left out"
                       for name in ("oracle_petsc", "oracle_sundials")]
    cmocka = "Tests: cmocka (Debian: libcmocka-dev) is not installed, or in part; the C tests are left out"
    whole = [line for header, line in (("cmocka.h", cmocka), ("cvode/cvode.h", sundials)) if has_header(header)]
    with tempfile.TemporaryDirectory(prefix="pendula-configure-") as folder:
        scratch = pathlib.Path(folder)
        make_parts(scratch)
        ok = configure(root, scratch, "as_it_is", [], whole)
        ok = configure(root, scratch, "parts_of_oracles", [petsc, sundials], [], f"{scratch}/pc") and ok
        ok = configure(root, scratch, "part_of_cmocka", [cmocka], [], f"{scratch}/cmocka") and ok
    return 0 if ok else 1


sys.exit(main())
