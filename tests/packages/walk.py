# walk -- the archive of the sources built elsewhere, and its Debian packages in a bare Debian: installed, used, removed without a trace.
"""Makes a bare root by debootstrap, and walks through it what docs/install.md says of the packages.

    python3 tests/packages/walk.py BUILD [--root FOLDER] [--counts FILE]

      BUILD      a build of this commit; the archive and the packages are made in it, and the packages of the archive must have their bytes
      --root     a bare root that is copied, in place of one by debootstrap
      --counts   a file for the seconds of each step, as JSON

It needs root, debootstrap, and the archive of packages that apt uses here. Exit status: 0 all as it should be, 1 something is not, 77
one of these is missing.
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parents[2]
CODENAME = "bookworm"
OURS = ("pendula", "libpendula0", "libpendula-dev", "python3-pendula", "pendula-doc")
# A newcomer's own, installed before anything is counted.
TOOLS = "man-db bash-completion python3-xarray python3-matplotlib"
# What a package manager keeps of its own work, and homes.
APART = ("/proc", "/sys", "/dev", "/tmp", "/root", "/home", "/var/lib/apt", "/var/lib/dpkg", "/var/cache", "/var/log", "/etc/ld.so.cache", "/work")

# Types a line in an interactive bash, presses Tab, and prints what bash then shows.
TAB = r"""
import os, pty, select, sys, time
child, its = pty.fork()
if child == 0:
    os.environ["PS1"] = "$ "
    os.execvp("bash", ["bash", "--norc", "-i"])
def until(seconds):
    shown = b""
    while select.select([its], [], [], seconds)[0]:
        shown += os.read(its, 65536)
    return shown
until(1)
os.write(its, b". /usr/share/bash-completion/bash_completion\n")
until(2)
os.write(its, sys.argv[1].encode() + b"\t")
print(until(5).decode(errors="replace"))
os.write(its, b"\x15exit\n")
"""


class Failed(Exception):
    pass


def skip(why):
    print(f"skipped: {why}")
    if counts := option(sys.argv, "--counts"):
        counts.write_text(json.dumps({"skipped": why}))
    raise SystemExit(77)


def sources():
    """The archives of Debian that apt uses here: pairs of a place and a name."""
    listed = subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI) $(CODENAME)", "Created-By: Packages", "Origin: Debian"],
                            capture_output=True, text=True).stdout
    found = sorted({tuple(line.split()) for line in listed.splitlines()})
    return [(place, name.rstrip("/")) for place, name in found if name.split("-")[0].split("/")[0] == CODENAME]


class Root:
    """A bare root. Its mounts end with each command."""

    def __init__(self, folder, copied):
        self.folder, self.seconds = folder, {}
        archives = sources()
        first = next((place for place, name in archives if name == CODENAME), None)
        if copied:
            subprocess.run(["cp", "-a", copied, folder], check=True)
        else:
            if not first:
                skip(f"apt knows no archive of Debian's {CODENAME} here")
            if not self.timed("debootstrap", ["debootstrap", "--variant=minbase", "--include=ca-certificates", CODENAME, folder, first], outside=True):
                skip("debootstrap has no bare root: is there a network with packages?")
        if archives:
            lines = "".join(f"deb {place} {name} main\n" for place, name in archives)
            (folder / "etc/apt/sources.list").write_text(lines)
        for name in ("resolv.conf", "hosts"):
            if os.path.exists(f"/etc/{name}"):
                shutil.copy(f"/etc/{name}", folder / "etc" / name)

    def timed(self, what, words, outside=False, **how):
        begun = time.monotonic()
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, errors="replace", **how) if outside else self.do(words, **how)
        self.seconds[what] = round(time.monotonic() - begun, 1)
        print(f"{self.seconds[what]:7.1f} s  {what}", flush=True)
        self.last = done.stdout + done.stderr
        return done.returncode == 0

    def do(self, words, user=None):
        """Runs a shell's text in the root, as its superuser or as a user."""
        mounts = " && ".join(f"mount --rbind /{name} {shlex.quote(str(self.folder))}/{name}" for name in ("proc", "sys", "dev"))
        inside = ["chroot", self.folder, "su", "-", user, "-c", words] if user else ["chroot", self.folder, "sh", "-c", words]
        text = f"{mounts} && exec {shlex.join(map(str, inside))}"
        kept = {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")}
        return subprocess.run(["unshare", "--mount", "--propagation", "private", "sh", "-c", text], capture_output=True, text=True, errors="replace",
                              env={**kept, "HOME": "/root", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"})

    def must(self, what, words, *said, **how):
        """A step of the walk, which must end with 0 and print these words."""
        fine = self.timed(what, words, **how)
        missing = [word for word in said if word not in self.last]
        if not fine or missing:
            raise Failed(f"{what}: {'ends with an error' if not fine else f'not said: {missing}'}\n{self.last[-3000:]}")
        return self.last

    def files(self):
        apart = " -o ".join(f"-path {path}" for path in APART)
        return set(self.do(f"find / \\( {apart} \\) -prune -o -print").stdout.splitlines())

    def installed(self):
        return set(self.do("dpkg-query -W -f '${Package} ${db:Status-Status}\\n'").stdout.splitlines())


def outside(words, **how):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, errors="replace", **how)
    if done.returncode != 0:
        raise Failed(f"{words}: exit {done.returncode}\n{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout


def packages_of(build, version):
    for path in build.glob("*.deb"):
        path.unlink()
    outside(["cmake", "--build", build, "--target", "package"])
    found = sorted(build.glob(f"*_{version}-*.deb"))
    if len(found) != len(OURS):
        raise Failed(f"{build} has {len(found)} packages of version {version}, not {len(OURS)}")
    return found


def built_elsewhere(build, scratch, version):
    """The packages of the archive, which is unpacked in another folder and built without git: they are those of the build."""
    expected = packages_of(build, version)
    outside(["cmake", "--build", build, "--target", "dist"])
    outside(["tar", "xzf", build / f"pendula-{version}.tar.gz", "-C", scratch])
    tree, jobs = scratch / f"pendula-{version}", str(len(os.sched_getaffinity(0)))
    outside(["cmake", "-S", tree, "-B", tree / "build", "-DBUILD_TESTING=OFF", "-DCMAKE_DISABLE_FIND_PACKAGE_Git=ON"])
    outside(["cmake", "--build", tree / "build", "-j", jobs])
    for one, other in zip(expected, packages_of(tree / "build", version)):
        if one.name != other.name or one.read_bytes() != other.read_bytes():
            raise Failed(f"{one.name}, built elsewhere from the archive, has other bytes")
    if outside([build / "pendula", "--version"]) != outside([tree / "build/pendula", "--version"]):
        raise Failed("built elsewhere, it says another version")
    return expected


def source_of(build):
    return re.search(r"^CMAKE_HOME_DIRECTORY:\w+=(.+)$", (build / "CMakeCache.txt").read_text(), re.M).group(1)


def walk(root, debs, build):
    root.must("update and tools", f"apt-get update -q && apt-get install -qy --no-install-recommends {TOOLS} && useradd -m -s /bin/bash guest")
    os.mkdir(root.folder / "root/debs")
    for deb in debs:
        shutil.copy(deb, root.folder / "root/debs")
    install = "cd /root/debs && apt-get install -qy ./*.deb"
    root.must("apt install with what it recommends", install)
    listed = [path for path in root.do("dpkg -L " + " ".join(OURS)).stdout.splitlines() if not os.path.isdir(f"{root.folder}{path}")]
    places = {str(HERE), str(build), source_of(build)}
    for path in listed:
        data = (root.folder / path[1:]).resolve()
        text = subprocess.run(["zcat", data], capture_output=True).stdout if path.endswith(".gz") else data.read_bytes()
        for place in places:
            if place.encode() in text:
                raise Failed(f"{path} names the folder {place}")

    # A newcomer without a compiler.
    root.must("quickstart", "pendula run /usr/share/pendula/sweeps/quickstart.yaml --progress none", "49856 points", user="guest")
    root.must("pictures", "pendula plot quickstart.h5 && file=quickstart_map_updates_per_step.png && head -c 8 $file | od -c | grep -q 'P   N   G'", user="guest")
    root.must("man", "for page in pendula pendula-run pendula-sweep; do man $page | head -20; done", "pendula-run - ", "pendula-sweep - ", user="guest")
    for line, shown in (("pendula spec", "pendula spectrum "), ("pendula plot --kin", "pendula plot --kind"), ("pendula show hht_al", "pendula show hht_alpha")):
        tab = f"python3 -c {shlex.quote(TAB)} {shlex.quote(line)}"
        root.must(f"Tab: {line}", tab, shown, user="guest")
    root.must("doctor", "pendula doctor && pendula --version", "would run", user="guest")

    # From here on only the packages' own files come and go: what they need stays.
    root.must("apt purge", "apt-get purge -qy " + " ".join(OURS))
    root.must("a compiler and pkg-config", "apt-get install -qy --no-install-recommends gcc libc6-dev pkg-config")
    before, packages = root.files(), root.installed()
    left = sorted(path for path in before if path in listed or "pendula" in path)
    if left:
        raise Failed(f"left by the first removal: {left}")
    root.must("apt install again", install)

    # The examples of README, as the tests of the installed packages have them.
    tree = root.folder / "home/guest/tree"
    shutil.copytree(HERE / "packaging/debian", tree / "debian")
    shutil.copy(HERE / "README.md", tree)
    control = (tree / "debian/tests/control").read_text()
    for name in re.findall(r"^Tests: (\S+)$", control, re.M):
        root.must(f"README's program: {name}", f"cd tree && mkdir ../{name} && AUTOPKGTEST_TMP=$HOME/{name} debian/tests/{name}", "2778 updates", user="guest")
    root.must("Python as the superuser", "cd / && python3 -c 'import pendula; print(len(pendula.list_methods()))'")

    root.must("apt purge again", "apt-get purge -qy " + " ".join(OURS))
    after = root.files()
    # Python's own modules are compiled by whoever runs them first.
    others = {path for path in after - before if "__pycache__" in path and "pendula" not in path}
    if after - before - others or before - after or root.installed() != packages:
        raise Failed(f"left: {sorted(after - before - others)[:20]}; gone: {sorted(before - after)[:20]}; packages: {sorted(root.installed() ^ packages)}")


def option(words, name):
    return pathlib.Path(words[words.index(name) + 1]).resolve() if name in words else None


def main():
    words = sys.argv[1:]
    if not words or words[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    build, copied, counts = pathlib.Path(words[0]).resolve(), option(words, "--root"), option(words, "--counts")
    if os.geteuid() != 0:
        skip("a root is made by root only")
    for program in ("unshare", "apt-get", *(() if copied else ("debootstrap",))):
        if not shutil.which(program):
            skip(f"{program} is not installed")
    version = re.search(r"project\(pendula VERSION (\S+)", (HERE / "CMakeLists.txt").read_text()).group(1)
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="pendula-root-"))
    try:
        begun = time.monotonic()
        debs = built_elsewhere(build, scratch, version)
        elsewhere = round(time.monotonic() - begun, 1)
        print(f"{elsewhere:7.1f} s  the archive, built elsewhere", flush=True)
        root = Root(scratch / "root", copied)
        root.seconds["built elsewhere"] = elsewhere
        walk(root, debs, build)
    except Failed as why:
        print(f"wrong: {why}")
        return 1
    finally:
        shutil.rmtree(scratch)
    if counts:
        counts.write_text(json.dumps({"steps": root.seconds}))
    print("all as it should be")
    return 0


sys.exit(main())
