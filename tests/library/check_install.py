# check_install -- the library as others find it: installed into a prefix, by pkg-config and by CMake, from C and C++, with the names of
# its header and no others.
import os
import pathlib
import re
import shlex
import shutil

from checking import check, execute, folder, main, need_program, PROGRAM, ROOT, skip, write
from readme import block, TEXT
from symbols import LISTED

BUILD = pathlib.Path(PROGRAM).parent
PREFIX = folder / "prefix"
HEADER = (ROOT / "host/pendula.h").read_text(encoding="utf-8")
PAGE = (ROOT / "docs/library.md").read_text(encoding="utf-8")
if not (BUILD / "libpendula.so").exists():
    skip("the library is not built")
for program in ("cmake", "pkg-config", "cc", "nm"):
    need_program(program)


def done(words, what, **variables):
    ended = execute(words, **variables)
    check(ended.code == 0, f"{what}: exit {ended.code}: {ended.text[-2000:]}")
    return ended.out


def example(language):
    """The page's program in this language."""
    return re.search(rf"^```{language}\n(.*?)^```$", PAGE, re.M | re.S).group(1)


def compile_words():
    """The build's compiler, with its sanitizers."""
    settings = (BUILD / "CMakeCache.txt").read_text()
    return [re.search(r"^CMAKE_C_COMPILER:\w+=(\S+)$", settings, re.M).group(1),
            *(f"-fsanitize={kinds}" for kinds in re.findall(r"^PENDULA_SANITIZE:\w+=(\S+)$", settings, re.M))]


def check_names():
    """A name that goes breaks programs: the list is changed by hand."""
    exported = re.findall(r" [TDB] (\S+)$", done(["nm", "-D", "--defined-only", BUILD / "libpendula.so"], "nm"), re.M)
    check(sorted(exported) == LISTED, f"exported, and not listed or the other way round: {set(exported) ^ set(LISTED)}")
    declared = set(re.findall(r"\b(pendula_\w+)\(", re.sub(r"//.*", "", HEADER)))
    check(declared == set(LISTED), f"declared, and not listed or the other way round: {declared ^ set(LISTED)}")
    local = re.findall(r" [TDBRV] (\S+)$", done(["nm", "-g", "--defined-only", BUILD / "libpendula.a"], "nm"), re.M)
    check(sorted(local) == LISTED, f"the archive has other names: {sorted(set(local) ^ set(LISTED))[:20]}")


def check_header():
    """C11 and C++11 take it, with all warnings."""
    write("face.c", '#include "pendula.h"\nint main(void) { return pendula_version() == 0; }\n')
    for words in (["cc", "-std=c11"], ["c++", "-std=c++11", "-x", "c++"]):
        if shutil.which(words[0]):
            done([*words, "-Wall", "-Wextra", "-pedantic", "-Werror", f"-I{ROOT / 'host'}", "-fsyntax-only", "face.c"], f"{words[0]}")


def check_prefix():
    done(["cmake", "--install", BUILD, "--prefix", PREFIX], "cmake --install")
    [pc] = PREFIX.rglob("pendula.pc")
    paths = {"PKG_CONFIG_PATH": pc.parent, "LD_LIBRARY_PATH": pc.parent.parent}
    write("example.c", example("c"))
    flags = shlex.split(done(["pkg-config", "--cflags", "--libs", "pendula"], "pkg-config", **paths))
    compiler, *sanitized = compile_words()
    done([compiler, "-std=c11", "-Wall", "-Werror", *sanitized, "example.c", "-o", "example", *flags, "-lm"], "the page's program")
    said = done([folder / "example"], "the page's program", **paths)
    check(said.strip() and said in PAGE, f"the page does not have what its program prints:\n{said}")
    write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.22)\nproject(other C)\nfind_package(pendula 0.2 REQUIRED)\n"
                            "add_executable(other example.c)\ntarget_link_libraries(other pendula::pendula m)\n")
    options = [f"-DCMAKE_C_COMPILER={compiler}", *(f"-DCMAKE_C_FLAGS={flag}" for flag in sanitized)]
    done(["cmake", "-S", ".", "-B", "other", f"-DCMAKE_PREFIX_PATH={PREFIX}", *options], "find_package(pendula)")
    done(["cmake", "--build", "other"], "a program by CMake")
    check(done([folder / "other/other"], "a program by CMake", **paths) == said, "by CMake it prints something else")
    check((PREFIX / "bin/pendula").exists() and (PREFIX / "include/pendula.h").exists(), "what is installed")
    for name in ("man/man1/pendula.1", "man/man1/pendula-run.1", "man/man5/pendula-sweep.5", "man/man5/pendula-files.5",
                 "bash-completion/completions/pendula", "zsh/site-functions/_pendula", "fish/vendor_completions.d/pendula.fish",
                 "pendula/sweeps/quickstart.yaml"):
        check((PREFIX / "share" / name).exists(), f"share/{name} is not installed")
    check(not (PREFIX / "lib/python3").exists(), "the module for Python is installed by its package only")
    headers = [path.name for path in PREFIX.rglob("*.h")]
    check(headers == ["pendula.h"], f"headers that are installed: {headers}")
    os.environ.pop("LD_LIBRARY_PATH", None)


def check_readme():
    """README's program and commands, in a home of their own."""
    commands = block("", "cmake --install")
    check(commands.count("install build ") == commands.count("cc mine.c ") == 1, f"README's commands are\n{commands}")
    commands = commands.replace("install build ", f"install {shlex.quote(str(BUILD))} ").replace("cc ", f"{shlex.join(compile_words())} ", 1)
    write("mine.yaml", block("yaml", "problem:"))
    write("mine.c", block("c", "pendula.h"))
    said = done(["sh", "-eu", write("commands", commands)], "README's program in C", HOME=folder).splitlines()[-1]
    check(said in TEXT, f"README does not have what its program in C prints: {said}")


main(check_names, check_header, check_prefix, check_readme)
