# check_settings -- the settings file of the user: what it sets, what goes before it, and what it never changes.
import json

from checking import check, ended, folder, main, write

SWEEP = "problem: pendulum\nparameters: {x0: {linear: [0.1, 3, 5]}}\nmethods: [rk4]\nstep: 0.1\nend: 2\n"
RUN = ["run", "sweep.yaml", "--force", "--progress", "none"]


def told(*words, code=0, settings=None, **variables):
    """With a settings file of this text, or none. A variable of value None is not set."""
    file = folder / "config" / "pendula" / "settings.yaml"
    file.unlink(missing_ok=True)
    if settings is not None:
        file.write_text(settings)
    done = ended(*words, **{"XDG_CONFIG_HOME": folder / "config", "PENDULA_DEVICE": None, "PENDULA_PROGRESS": None, **variables})
    check(done.code == code, f"{words} {settings!r} {variables}: exit {done.code}, not {code}: {done.err}")
    return done.out, done.err


def device():
    """Option, variable, file: each goes before the next. The error says which name was sought."""
    mine = "device: of the file\n"
    out, err = told(*RUN, settings=mine, code=8)
    check(err.startswith(f"pendula: device of {folder}/config/pendula/settings.yaml:1:9: no device 'of the file'; there is: "), f"who names the device: {err}")
    for words, variable, named in (([], "", "of the file"), ([], "the variable", "the variable"), (["-d", "the option"], None, "the option"), (["-d", "the option"], "the variable", "the option")):
        out, err = told(*RUN, *words, settings=mine, PENDULA_DEVICE=variable, code=8)
        check(f"no device '{named}'; " in err and ("settings.yaml" in err) == (named == "of the file"), f"{words} {variable}: {err}")
    out, err = told(*RUN, settings=mine, PENDULA_DEVICE="of the file", code=8)
    check("settings.yaml" not in err, f"the variable says the same: {err}")
    for words in (["refine", "sweep.yaml", "--boundary", "x_max=1", "--width", "0.1"], ["advise", "sweep.yaml", "--method", "rk4", "--steps", "4,8"], ["replay", "sweep.h5", "--point", "0"], ["claims"]):
        check("no device 'of the file'" in told(*words, settings=mine, code=8)[1], f"{words}: the file's device")
    # The reference has other last digits, so that it must be asked for.
    for name in ("reference", "Reference"):
        out, err = told(*RUN, settings=f"device: {name}\n", code=4)
        check(":1:9: device: the reference has other last digits than kernels; ask for it by -d reference" in err, f"{name}: {err}")


def same_bytes():
    """The file's device computes, and no byte of a result depends on it."""
    some = {"PENDULA_CC": None}
    names = [one["name"] for one in json.loads(told("list", "devices", "--json", **some)[0])]
    if not names:
        print("skipped: no device, and no C compiler")
        return
    out, err = told(*RUN, settings=f"device: {len(names) - 1}\n", **some)
    check(f"5 points on {names[-1]} in " in out, f"the file's device: {out}")
    made = (folder / "sweep.h5").read_bytes()
    told(*RUN, "-d", "0", **some)
    check((folder / "sweep.h5").read_bytes() == made, "the file changes no byte of a result")


def places():
    home = folder / "home" / ".config" / "pendula"
    home.mkdir(parents=True)
    (home / "settings.yaml").write_text("device: at home\n")
    for config in (None, "", "relative"):
        check("no device 'at home'" in told(*RUN, XDG_CONFIG_HOME=config, HOME=folder / "home", code=8)[1], f"XDG_CONFIG_HOME={config}: the home folder")
    check("no device 'elsewhere'" in told(*RUN, settings="device: elsewhere\n", HOME=folder / "home", code=8)[1], "XDG_CONFIG_HOME goes before the home folder")
    # A path from the current folder is none.
    (folder / "relative" / "pendula").mkdir(parents=True)
    write("relative/pendula/settings.yaml", "device: nowhere\n")
    check("no device 'at home'" in told(*RUN, XDG_CONFIG_HOME="relative", HOME=folder / "home", code=8)[1], "a relative XDG_CONFIG_HOME")
    for text in (None, "", "# nothing\n\n  # at all\n", "device:\nprogress: ~\n"):
        told(*RUN, "-d", "reference", settings=text)
        check("no device 'the variable'" in told(*RUN, settings=text, PENDULA_DEVICE="the variable", code=8)[1], f"{text!r} sets nothing")
    told(*RUN, "-d", "reference", XDG_CONFIG_HOME=None, HOME=None)
    told(*RUN, "-d", "reference", XDG_CONFIG_HOME=str(folder / "sweep.yaml"))


def progress():
    run = ["run", "sweep.yaml", "--force", "-d", "reference"]
    for words, settings, variable, begins in (([], None, None, "100.0%"), ([], None, "", "100.0%"), ([], "progress: none\n", None, ""), ([], "progress: json\n", None, '{"event": '),
                                              ([], "progress: json\n", "none", ""), ([], "progress: json\n", "", '{"event": '), (["--progress", "plain"], "progress: json\n", "none", "100.0%"),
                                              (["-q"], "progress: json\n", None, ""), (["-q", "--progress", "json"], "progress: plain\n", None, '{"event": ')):
        out, err = told(*run, *words, settings=settings, PENDULA_PROGRESS=variable)
        check(err.startswith(begins) if begins else err == "", f"{words} {settings!r} {variable}: {err}")
    out, err = told(*run, PENDULA_PROGRESS="loud", code=2)
    check("PENDULA_PROGRESS takes auto, plain, json or none, got 'loud'" in err and err.count("\n") == 1, f"a wrong variable: {err}")
    out, err = told("merge", "-o", "merged.h5", "sweep.h5", "--force", settings="progress: json\n")
    check('{"event": "done", "file": "merged.h5", "points": 5, "points_done": 5, ' in err, f"merge: {err}")
    out, err = told("pack", "sweep.h5", "-o", "packed.h5", "--progress", "json", "--force")
    check('{"event": "done", "file": "packed.h5", "points": 5, "points_done": 5, ' in err, f"pack: {err}")


def cache():
    """Kernels are kept where the file says, unless the variable says otherwise."""
    run = ["run", "sweep.yaml", "--force", "--progress", "none", "-d", "native", "-q"]
    compiler = {"PENDULA_CC": None, "OCL_ICD_VENDORS": folder}
    if "native" not in told("list", "devices", **compiler)[0]:
        print("skipped: no C compiler for -d native, so that nothing is cached")
        return
    first, second = folder / "first", folder / "second"
    for made in (first, second):
        made.mkdir(mode=0o700)
    told(*run, settings=f"cache: {first}\n", PENDULA_CACHE_DIR="none", **compiler)
    told(*run, settings=f"cache: {first}\n", PENDULA_CACHE_DIR="", **compiler)
    told(*run, settings=f"cache: {first}\n", PENDULA_CACHE_DIR=second, **compiler)
    check(not any(first.iterdir()) and any(second.iterdir()), "the variable goes before the file, empty too")
    told(*run, settings=f"cache: {first}\n", PENDULA_CACHE_DIR=None, **compiler)
    check(any(first.iterdir()), "the file's cache")
    told(*run, settings="cache: none\n", PENDULA_CACHE_DIR=None, XDG_CACHE_HOME=folder / "third", **compiler)
    check(not (folder / "third").exists(), "no cache")


def wrong():
    file = f"{folder}/config/pendula/settings.yaml"
    for text, said in (("devise: 0\n", ":1:1: unknown key 'devise' in the settings file; did you mean 'device'?"), ("step: 0.1\n", ":1:1: unknown key 'step' in the settings file"),
                       ("progress: none\nprogress: json\n", ":2:1: key 'progress' is given twice"), ("progress: loud\n", ":1:11: progress: expected auto, plain, json or none, found 'loud'"),
                       ("# mine\ndevice: [0, 1]\n", ":2:9: device: expected text, found a list"), ("device: ''\n", ":1:9: device: the name is empty"),
                       ("cache: kernels\n", ":1:8: cache: expected a path that begins with /, or none, found 'kernels'"), ("cache: {a: b}\n", ":1:8: cache: expected text"),
                       ("[device]\n", ":1:1: the settings file: expected a mapping, found a list"), ("device: {\n", ":2:1: not YAML"), ("device: &a 0\n", ":1:9: anchors"), ("a\0b", ":1:2: not a text file")):
        for words in (["run", "sweep.yaml", "-o", "no.h5", "-d", "reference"], ["list", "problems"], ["info", "sweep.h5"]):
            out, err = told(*words, settings=text, code=4, PENDULA_DEVICE="reference", PENDULA_CACHE_DIR="none")
            check(f"pendula: {file}{said}" in err and err.count("\n") == 1 and out == "", f"{words} {text!r}: {err}")
    check(not (folder / "no.h5").exists(), "nothing is made")
    for words in (["help", "run"], ["--help"], ["--version"]):
        told(*words, settings="devise: 0\n")
    out, err = told("run", "sweep.yaml", "-o", "no.h5", settings="#" * (1 << 20) + "\n", code=4)
    check("longer than 1048576 bytes" in err, f"a long file: {err}")
    (folder / "other" / "pendula" / "settings.yaml").mkdir(parents=True)
    out, err = told("list", "problems", XDG_CONFIG_HOME=folder / "other", code=3)
    check("settings.yaml: is a directory" in err, f"a folder: {err}")


(folder / "config" / "pendula").mkdir(parents=True)
write("sweep.yaml", SWEEP)
told("run", "sweep.yaml", "-d", "reference", "-q")
main(device, same_bytes, places, progress, cache, wrong, fine="all as documented")
