# check_doctor -- what `pendula doctor` says of drivers, devices, compilers, caches and locks, and where a sweep would run.
import fcntl
import re
import shutil

from checking import check, ended, folder, main, parsed, pendula, write


def report(*words, code=0, **variables):
    """The lines of the report by their key; lines without one belong to the key above."""
    lines, key = {}, None
    for line in pendula("doctor", *words, code=code, **variables).out.splitlines():
        if line[:15].strip():
            key = line[:15].strip()
        lines.setdefault(key, []).append(line[16:])
    return lines


def facts():
    lines = report(PENDULA_CC=None)
    version = pendula("--version").out
    check("\n".join(pendula("doctor").out.splitlines()[:6]) + "\n" == version, "the report begins with the version")
    devices = parsed("list", "devices", "--json", PENDULA_CC=None)
    check(devices and all(device["name"] in lines[f"device {device['index']}"][0] and device["driver"] in lines[f"device {device['index']}"][0]
                          for device in devices), f"devices: {lines}")
    check([key for key in lines if key.startswith("device ")] == [f"device {device['index']}" for device in devices], f"devices: {lines}")
    for device in devices:
        check(("double and single" in lines[f"device {device['index']}"][1]) == device["fp64"], f"precision: {lines}")
    for name in ("clang", "gcc"):
        check(any(line.startswith(f"{name}, ") for line in lines["C compiler"]) == bool(shutil.which(name)), f"{name}: {lines['C compiler']}")
    check(len(lines["would run"]) == 2 and lines["would run"][0].startswith("double precision on ")
          and lines["would run"][1].startswith("single precision on "), f"where: {lines['would run']}")
    check(str(folder) in lines["folder"][0] and re.search(r"\d+ processors", lines["system"][0]), f"machine: {lines}")


def places():
    """PENDULA_DEVICE decides; without a device the exit code is 8, and the report is whole."""
    check(report(PENDULA_DEVICE="reference")["would run"] == ["double precision on the reference", "single precision on the reference"],
          "the reference")
    vendors = folder / "my vendors"
    vendors.mkdir()
    nothing = {"OCL_ICD_VENDORS": vendors, "OCL_ICD_FILENAMES": None, "PENDULA_CC": "none", "PENDULA_DEVICE": None}
    lines = report(code=8, **nothing)
    check(lines["devices"] == ["none"] and "no file" in lines["OpenCL driver"][0] and lines["C compiler"][0].startswith("none by PENDULA_CC")
          and lines["would run"][0].startswith("double precision nowhere: "), f"nothing can run: {lines}")
    check(f"OCL_ICD_VENDORS={vendors}" in lines["environment"] and "PENDULA_CC=none" in lines["environment"], f"environment: {lines}")
    (vendors / "none.icd").write_text("libnone.so\nmore\n")
    (vendors / "other.txt").write_text("libother.so\n")
    lines = report(code=8, **nothing)
    check(lines["OpenCL driver"] == [f"{vendors}/none.icd: libnone.so"], f"drivers: {lines['OpenCL driver']}")
    check("nowhere" in report(code=8, PENDULA_DEVICE="xyzzy")["would run"][0], "a device that is not there")


def caches():
    cache = folder / "cache"
    check(report(PENDULA_CACHE_DIR=cache)["cache"] == [f"{cache}: not there yet"], "a folder that is not there")
    shutil.rmtree(cache, ignore_errors=True)
    cache.mkdir(mode=0o700)
    (cache / "one").write_bytes(bytes(1 << 20))
    (cache / "two").write_bytes(bytes(2 << 20))
    (cache / "folder").mkdir()
    check(report(PENDULA_CACHE_DIR=cache)["cache"] == [f"{cache}: 3.0 MiB in 2 files, writable"], "the size of the cache")
    cache.chmod(0o777)
    check("not used: others can change it" in report(PENDULA_CACHE_DIR=cache)["cache"][0], "a cache that others can change")
    check(report(PENDULA_CACHE_DIR="none")["cache"] == ["none"], "no cache")


def locks():
    check("lock" not in report(), "no lock")
    for name in ("held.h5.lock", "left.h5.lock", "other.lock", "line\nbreak.h5.lock"):
        write(name, "")
    with open(folder / "held.h5.lock", "r+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        lines = sorted(report()["lock"])
    check([line.split(":")[1].strip() for line in lines if line.startswith(("held.h5.lock", "left.h5.lock"))] == ["held", "free"]
          and not any("other" in line for line in lines), f"locks: {lines}")
    check((folder / "left.h5.lock").exists(), "a lock is left as it is")


def settings():
    """A settings file that is wrong is a line of the report; one that is right counts."""
    (folder / "pendula").mkdir()
    write("pendula/settings.yaml", "devise: gpu\n")
    check("devise" in report(XDG_CONFIG_HOME=folder)["settings file"][0], "a wrong settings file")
    write("pendula/settings.yaml", "device: xyzzy\n")
    check("nowhere" in report(code=8, XDG_CONFIG_HOME=folder, PENDULA_DEVICE=None)["would run"][0], "the device of the settings file")
    check("is one argument too many" in ended("doctor", "all").err, "an argument")


main(facts, places, caches, locks, settings, fine="the report is as it should be")
