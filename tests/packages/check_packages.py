# check_packages -- the archive of the sources and the Debian packages: the same bytes each time, and what Debian asks of packages.
import gzip
import hashlib
import os
import pathlib
import re
import shutil

from checking import check, execute, folder, main, need_program, PROGRAM, ROOT, skip, write

BUILD = pathlib.Path(PROGRAM).parent
NAMES = ["libpendula-dev", "libpendula0", "pendula", "pendula-doc", "python3-pendula"]
CONFIG = BUILD / "CPackConfig.cmake"
SYMBOLS = ROOT / "packaging/debian/libpendula0.symbols"
VERSION = re.search(r"^project\(pendula VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.M).group(1)
# Another place, time zone and mask of permissions.
OTHERS = {"TZ": "Pacific/Kiritimati", "LC_ALL": "C", "limit": lambda: os.umask(0o077)}
for program, package in (("cmake", None), ("cpack", "cmake"), ("dpkg-deb", None), ("dpkg-shlibdeps", "dpkg-dev")):
    need_program(program, package)
if not CONFIG.exists() or not (BUILD / "libpendula.so").exists():
    skip("the library is not built")


def done(words, what, **how):
    ended = execute(words, **how)
    check(ended.code == 0, f"{what}: exit {ended.code}", ended.text)
    return ended.out


def hash_of(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def versions():
    """One number everywhere."""
    for file, form in (("CITATION.cff", rf"^version: {VERSION}$"), ("CHANGELOG.md", rf"^## {VERSION} - \d{{4}}-\d\d-\d\d$"),
                       ("packaging/conda/meta.yaml", rf'version = "{VERSION}"'), ("packaging/spack/package.py", rf'^    version\("{VERSION}"\)$')):
        check(re.search(form, (ROOT / file).read_text(encoding="utf-8"), re.M), f"{file} has not the version {VERSION}")
    days = [re.search(form, (ROOT / file).read_text(encoding="utf-8"), re.M) for file, form in
            (("CITATION.cff", r"^date-released: (\S+)$"), ("CHANGELOG.md", r"^## \S+ - (\S+)$"))]
    check(all(days) and days[0].group(1) == days[1].group(1), "CITATION.cff and CHANGELOG.md have different days")


def archive():
    """The sources of the commit, from this tree and from a clone; unpacked, they know their commit and configure without git."""
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        return print("skipped: no git, or no clone: the archive")
    commit, day = done(["git", "-C", ROOT, "log", "-1", "--format=%H %cs"], "git log").split()
    done(["git", "clone", "-q", ROOT, "clone"], "git clone", **OTHERS)
    for name, tree, how in (("one", ROOT, {}), ("other", folder / "clone", OTHERS)):
        done(["cmake", "-D", f"output={folder / name}.tar.gz", "-D", f"version={VERSION}", "-P", tree / "packaging/sources.cmake"], f"sources of {tree}", **how)
    check(hash_of(folder / "one.tar.gz") == hash_of(folder / "other.tar.gz"), "two archives of one commit differ")
    done(["tar", "xzf", "one.tar.gz"], "tar")
    tree = folder / f"pendula-{VERSION}"
    check((tree / "packaging/commit").read_text() == f"{commit} {day}\n", "the archive has not its commit")
    done(["cmake", "-S", tree, "-B", tree / "build", "-DBUILD_TESTING=OFF", "-DCMAKE_DISABLE_FIND_PACKAGE_Git=ON"], "configuring the archive")
    facts = (tree / "build/embed/version_facts.c").read_text()
    check(f'version_commit[] = "{commit[:12]}"' in facts and (f'"{day}"' in facts or "SOURCE_DATE_EPOCH" in os.environ), f"facts of the archive: {facts}")


def members(path):
    """The names and bytes of a package's members: CPack gives them, and nothing in them, the mask of whoever makes the package."""
    data, found, at = path.read_bytes(), {}, 8
    while at < len(data):
        name, size = data[at:at + 16].strip(), int(data[at + 48:at + 58])
        found[name] = data[at + 60:at + 60 + size]
        at += 60 + size + size % 2
    return found


def packages():
    """Made twice, the same bytes; made under another mask of permissions, the same members."""
    made = {}
    for name, how in (("first", {}), ("second", {key: value for key, value in OTHERS.items() if key != "limit"}), ("masked", OTHERS)):
        done(["cpack", "--config", CONFIG, "-B", folder / name], "cpack", **how)
        made[name] = {path.name: path for path in (folder / name).glob("*.deb")}
    check(sorted(file.split("_")[0] for file in made["first"]) == NAMES, f"packages: {sorted(made['first'])}")
    for file, path in made["first"].items():
        other, masked = made["second"][file], made["masked"][file]
        check(hash_of(path) == hash_of(other), f"made twice, {file} differs")
        check(set(members(path)) == {b"debian-binary", b"control.tar.gz", b"data.tar.xz"} and members(path) == members(masked),
              f"made under another mask, {file} has other members")
    (folder / "tree").mkdir()
    for path in (folder / "first").glob("*.deb"):
        done(["dpkg-deb", "-R", path, folder / "tree" / path.name.split("_")[0]], "dpkg-deb")


def contents():
    """Each has its copyright and changelogs, pages are compressed, and no file names the folders of the build."""
    places = {str(ROOT), str(BUILD), re.search(r"^CMAKE_HOME_DIRECTORY:\w+=(.+)$", (BUILD / "CMakeCache.txt").read_text(), re.M).group(1)}
    pages = []
    for name in NAMES:
        tree = folder / "tree" / name
        for file in ("copyright", "changelog.gz", "changelog.Debian.gz"):
            check((tree / "usr/share/doc" / name / file).is_file(), f"{name} has no {file}")
        for path in tree.rglob("*"):
            if not path.is_file():
                continue
            data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
            check(not any(place.encode() in data for place in places), f"{path.relative_to(tree)} of {name} names a folder of the build")
            if "/share/man/" in str(path):
                pages.append(path.name)
    check({"pendula.1.gz", "pendula-run.1.gz", "pendula-sweep.5.gz", "pendula-files.5.gz"} <= set(pages) and all(page.endswith(".gz") for page in pages),
          f"manual pages: {pages}")
    control = {name: (folder / "tree" / name / "DEBIAN/control").read_text() for name in NAMES}
    exact = f"libpendula0 (= {VERSION}-1)"
    check(exact in control["libpendula-dev"] and exact in control["python3-pendula"], "what needs the very library")
    check("libhdf5" in control["pendula"] and "libopencl1" in control["libpendula0"], "what the program and the library link")
    # The manual is a site there, if what made the packages has Sphinx.
    python = re.search(r"^PENDULA_PYTHON:\w+=(.+)$", (BUILD / "CMakeCache.txt").read_text(), re.M).group(1)
    site = folder / "tree/pendula-doc/usr/share/doc/pendula-doc/html"
    if execute([python, "-c", "import myst_parser, sphinx"]).code:
        check(not site.exists(), "a site that nothing can have made")
    else:
        shown = execute(["dpkg-deb", "-c", next((folder / "first").glob("pendula-doc_*.deb"))]).out
        for page in ("index", "README", "docs/index", "docs/tutorial", "kernels/methods/rk4.cl", "host/pendula.h"):
            check(f" ./usr/share/doc/pendula-doc/html/{page}.html\n" in shown, f"the site of pendula-doc has no {page}")
            check("<h1>" in (site / f"{page}.html").read_text(encoding="utf-8"), f"{page} of the site is no page")
    # What pkg-config looks for is among what the package needs.
    pc = (folder / "tree/libpendula-dev/usr/lib/pkgconfig/pendula.pc").read_text()
    for name in re.search(r"^Requires.private: (.*)$", pc, re.M).group(1).split():
        place = execute(["pkg-config", "--variable=pcfiledir", name]).out.strip()
        owner = execute(["dpkg", "-S", f"{place}/{name}.pc"]).out.split(":")[0]
        check(owner and re.search(rf"\b{owner}\b", control["libpendula-dev"]), f"pendula.pc names {name}, which '{owner}' has")
    tests = re.findall(r"^Tests: (\S+)$", (ROOT / "packaging/debian/tests/control").read_text(), re.M)
    check(tests and all(os.access(ROOT / "packaging/debian/tests" / test, os.X_OK) for test in tests), f"tests of the packages: {tests}")


def symbols():
    """A function that is exported and not listed, or listed and gone, is an error of dpkg-gensymbols; so is one of a made-up list."""
    check((folder / "tree/libpendula0/DEBIAN/symbols").read_text() == SYMBOLS.read_text(), "the list in the package")
    if not shutil.which("dpkg-gensymbols"):
        return print("skipped: no dpkg-gensymbols (Debian: dpkg-dev)")
    (folder / "debian").mkdir()
    write("debian/control", "Source: pendula\nMaintainer: Nobody <nobody@localhost>\n\nPackage: libpendula0\nArchitecture: any\nDescription: library\n")
    lines = SYMBOLS.read_text().splitlines(keepends=True)
    for name, listed, fine in (("as it is", lines, True), ("one less", lines[:-1], False), ("one more", [*lines, f" pendula_xyzzy@Base {VERSION}\n"], False)):
        write("symbols", "".join(listed))
        ended = execute(["dpkg-gensymbols", "-c4", "-plibpendula0", f"-v{VERSION}-1", f"-P{folder / 'tree/libpendula0'}", f"-I{folder / 'symbols'}",
                         f"-O{folder / 'made'}"])
        check((ended.code == 0) == fine, f"the list {name}: exit {ended.code}", ended.text)


def lintian():
    """No errors. The project has no address of its own: whoever gives packages away names one by PENDULA_CONTACT."""
    if not shutil.which("lintian"):
        return print("skipped: no lintian")
    ended = execute(["lintian", "--no-cfg", "--allow-root", "--suppress-tags", "bogus-mail-host,bogus-mail-host-in-debian-changelog",
                     *sorted((folder / "first").glob("*.deb"))])
    check(ended.code == 0 and not re.search("^E: ", ended.out, re.M), f"lintian: exit {ended.code}", ended.text)


main(versions, archive, packages, contents, symbols, lintian)
