# check_shares -- `-d A,B` and `-d all`: devices share a run, one that is lost is left out or replaced, and the file's bytes do not
# depend on who computed what.
#
#   check.py shares --shim LIBRARY     LIBRARY: what makes one device look like several (tests/shim)
import filecmp
import pathlib
import signal
import time

import checking
from checking import check, compilers, faked, folder, log_of, main, option, remove, start, write

SWEEP = """problem: pendulum
parameters: {x0: {linear: [0.1, 3, 301]}, zeta: {linear: [0, 0.2, 101]}}
methods: [generalized_alpha, {label: second, theta2: {theta: 0.5}}]
step: [0.1, 0.2]
end: 20
metrics: [status, updates, x_final, energy_drift]
trajectory: {every: 50, fields: [x], where: {x0: [0.1, 3]}}
"""
# Blocks of 1024 points; the last of each group is shorter.
BLOCKS = 2 * ((2 * 301 * 101 + 1023) // 1024)
THREE = "Fast|P|cpu,Slow|P|cpu,Host|Q|cpu"


def started(*words, **fakes):
    # Devices of one thread, each of its own.
    return start(*words, PENDULA_CC="none", POCL_DEVICES="basic basic basic", **faked(option("--shim"), **fakes))


def pendula(*words, code=0, **fakes):
    """PoCL 3.1 now and then ends a process, by an assertion of its own, in which several of its devices run kernels of one program; the
    command is repeated then."""
    for _ in range(8):
        process = started(*words, **fakes)
        out, error = process.communicate()
        if process.returncode != -signal.SIGABRT or "pocl_release_dlhandle_cache" not in error:
            break
        print("PoCL ended the process by its own assertion: once more", flush=True)
        if "-o" in words and "--resume" not in words:
            clean(pathlib.Path(words[words.index("-o") + 1]).stem)
    check(process.returncode == code, f"{words}: exit {process.returncode}, not {code}: {error}")
    return out + error


def run(name, device, *more, code=0, **fakes):
    words = ["run", "sweep.yaml", "-o", f"{name}.h5", "--progress", "none", *more]
    return pendula(*words, *(["-d", device] if device else []), code=code, **{"devices": THREE, **fakes})


def clean(name):
    remove(f"{name}.h5*")


def same(name, what, drop=True):
    check(filecmp.cmp(folder / "whole.h5", folder / f"{name}.h5", shallow=False), f"{what}: the bytes are not those of one device")
    if drop:
        clean(name)


def shares(name):
    """Which blocks each device computed, of the last run; every block has one."""
    end = log_of(name)[-1]
    blocks, whose = [], {}
    if not check(end["event"] == "end" and "devices" in end, f"the log ends with {end}"):
        return whose
    for device in end["devices"]:
        own = [b for first, last in device["blocks"] for b in range(first, last + 1)]
        check(len(own) == device["blocks_computed"], f"{device['device']} computed {len(own)} blocks: {device}")
        whose[device["device"]] = len(own)
        blocks += own
    check(len(set(blocks)) == len(blocks) == end["blocks_computed"], f"{len(blocks)} blocks, {len(set(blocks))} different: {end}")
    return whose


def devices_share():
    """All of them, a list, whatever is slow; the log says who computed what, and `info` shows it."""
    for device in ("all", "fast,host", "0,1,2", "host,slow"):
        out = run("shared", device)
        names = {"all": ["Fast", "Slow", "Host"], "fast,host": ["Fast", "Host"], "0,1,2": ["Fast", "Slow", "Host"], "host,slow": ["Host", "Slow"]}[device]
        check("points on " + " and ".join(names) + " in" in out, f"{device}: {out}")
        whose = shares("shared")
        check(sum(whose.values()) == BLOCKS and list(whose) == names and 0 not in whose.values(), f"{device}: {whose}")
        begin = log_of("shared")[0]
        check([d["device"] for d in begin["devices"]] == names and "device" not in begin, f"{device}: {begin}")
        told = pendula("info", "shared.h5")
        check(all(f"{name}: {count} blocks in 1 run" in told for name, count in whose.items()), f"{device}: {told}")
        same("shared", device)
    # A slow one computes less.
    run("shared", "fast,slow", slow="Slow:0.3")
    whose = shares("shared")
    check(whose and whose["Slow"] < whose["Fast"] / 3, f"a slow device: {whose}")
    same("shared", "a slow device")


def names_that_are_wrong():
    for device, code, part in (("fast,fast", 2, "is named twice"), ("0,fast", 2, "is named twice"), ("fast,reference", 2, "the reference computes alone"),
                               ("fast,nobody", 8, "no device 'nobody'"), ("fast,", 8, "no device ''"), ("fast,cpu", 2, "is named twice"), ("gpu,fast", 8, "no device 'gpu'")):
        check(part in run("wrong", device, code=code), f"{device}")
        check(not list(folder.glob("wrong.h5*")), f"{device} left a file")
    for size in ("0", "-1", "64 MiB", "64mib", "MiB", "1e6", "99999999999999999999", "9999999999999TiB"):
        check(f"--device-memory takes a size such as 64MiB, got '{size}'" in run("wrong", "fast", "--device-memory", size, code=2), size)


def lost_devices():
    """One of several is lost, at every kind of call; all but one; the only one, whose place another takes."""
    for call in ("launch", "read", "write", "map"):
        for nth in (1, 2, 7):
            out = run("lost", "fast,host", lose=f"Fast:{call}:{nth}:-36")
            # How many calls it makes before all is computed, the other decides too.
            if "goes on" not in out:
                check((call == "map" or nth == 7) and log_of("lost")[-1]["blocks_computed"] == BLOCKS, f"{call} {nth}: {out}")
            else:
                check("device 'Fast': " in out and "CL_INVALID_COMMAND_QUEUE" in out and "; 'Host' goes on" in out, f"{call} {nth}: {out}")
                check([e["event"] for e in log_of("lost")] == ["start", "lost", "end"], f"{log_of('lost')}")
                check(sum(shares("lost").values()) == BLOCKS, f"{call} {nth}: {shares('lost')}")
            same("lost", f"{call} {nth}")
    out = run("lost", "all", lose="Fast:launch:3:-36,Slow:launch:5:-5")
    check(out.count("go") >= 1 and shares("lost").get("Host", 0) > 0, out)
    same("lost", "two of three")
    others = "First|P|cpu,Next|P|cpu,Card|Q|gpu"
    out = run("lost", "first", devices=others, lose="First:launch:4:-36")
    check("; 'Card' goes on" in out and "Card in" in out, f"a GPU takes its place: {out}")
    same("lost", "the only one")
    out = run("lost", "first", devices=others, lose="First:launch:4:-36,Card:read:3:-5")
    check("; 'Card' goes on" in out and "; 'Next' goes on" in out, f"then a CPU: {out}")
    same("lost", "a second one")
    # A device that has no memory left, for whatever little is asked.
    out = run("lost", "fast,host", lose="Fast:launch:2:-4")
    check("CL_MEM_OBJECT_ALLOCATION_FAILURE" in out and "'Host' goes on" in out, out)
    same("lost", "no memory")
    # Nobody is left: what is done is kept, and another run goes on.
    out = run("lost", "all", lose="Fast:launch:3:-36,Slow:launch:3:-36,Host:launch:3:-36", code=8)
    check("keeps" in out and "--resume goes on" in out, f"nobody is left: {out}")
    out = run("lost", "host", "--resume")
    same("lost", "after all were lost")


def what_is_doubted_stops_the_run():
    """A device whose sums cannot be true: nobody goes on in its place, for what it computed before is in doubt too."""
    out = run("doubt", "fast", put="32:3:0:99999999", code=8)
    check("or its driver is broken" in out and "goes on" not in out.replace("--resume goes on", ""), out)
    clean("doubt")


def small_memory():
    """A bound on the memory changes no byte, and what is allocated keeps to it."""
    log = folder / "calls"
    # The last two leave no room for the programs of two groups at a time.
    for size, most in (("4MiB", 4 << 20), ("500kB", 500000), ("400kB", 400000), ("300kB", 300000), ("250kB", 250000), ("200kB", 200000)):
        log.unlink(missing_ok=True)
        run("small", "fast", "--device-memory", size, log=log)
        held = [int(line.split()[3]) for line in log.read_text().splitlines() if line.startswith("buffer")]
        check(0 < max(held) <= most, f"{size}: {max(held)} bytes were held")
        same("small", size)
    out = run("small", "fast", "--device-memory", "100kB", code=8)
    check("too little memory for one block" in out and "let it take more" in out and "'Slow'" not in out, out)
    clean("small")


def stopped_and_resumed():
    """Runs of several devices are killed and stopped at any moment, and others go on, with other devices."""
    begin = time.monotonic()
    run("timed", "fast,slow")
    whole = time.monotonic() - begin
    clean("timed")
    ended = 0
    for i in range(12):
        process = started("run", "sweep.yaml", "-o", "killed.h5", "--progress", "none", "--resume", "-d", ("all", "fast,slow", "host,fast")[i % 3], devices=THREE)
        time.sleep(whole * (0.2 + 0.05 * i))
        ended += process.poll() is None
        process.send_signal(signal.SIGKILL if i % 2 else signal.SIGTERM)
        process.communicate()
    out = run("killed", "all", "--resume")
    check(ended > 0, f"{ended} were ended")
    same("killed", f"{ended} ends: {out}")


def real_devices():
    """The driver's device and this program's own, each with a compiler of its own."""
    if not compilers():
        print("without a C compiler: two real devices are not tried")
        return
    words = ("run", "sweep.yaml", "-o", "real.h5", "--progress", "none", "-d")
    checking.pendula(*words, "cpu,native", PENDULA_CC=None)
    names = list(shares("real"))
    if not check(len(names) == 2, f"{log_of('real')}"):
        return
    same("real", "cpu,native")
    # `all` are the driver's, where there is one for the CPU.
    out = checking.answer(*words, "all", PENDULA_CC=None)
    check(f"points on {names[0]} in" in out, f"all: {out}")
    same("real", "all")
    # The name of the second has a comma, and is one word all the same.
    out = checking.answer(*words, names[1], PENDULA_CC=None)
    check("," in names[1] and f"points on {names[1]} in" in out, f"{names[1]}: {out}")
    same("real", names[1])


write("sweep.yaml", SWEEP)
run("whole", "host")
main(devices_share, names_that_are_wrong, lost_devices, what_is_doubted_stops_the_run, small_memory, stopped_and_resumed, real_devices)
