# check_commits -- .ci/commits takes good commit messages, names the fault of each bad one, and stays out of all else.
#
#   check_commits.py [ROOT]     ROOT: the repository (default: $PENDULA_SOURCE_DIR, else the folder above this file)
#
# Messages become commits of a scratch repository, each on its own above an empty one.
#
# Exit status: 0 all as it should be, 1 something is not, 77 left out (no git).
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

LONG = "word " * 20 + "end."  # 104 characters

GOOD = [
    "store: seal a file",
    "store: seal a file\n\nA damaged file was read.\n",
    "run, conform: build each kernel once",
    "host/plan: refuse steps of 0",
    "device: PoCL's folder goes when a run ends",
    "tests: 0.5 in place of 0.1",
    "docs: what `.wip` files are",
    "tests: " + "x" * 65,
    "tests: ö" + "x" * 64,
    "bench: count steps\n\n    " + LONG + "\n\nhttps://example.org/" + "x" * 100 + "\n" + "y" * 100,
]

BAD = {
    "wip": "unfinished",
    "store: WIP seal": "unfinished",
    "store: fixup": "unfinished",
    "fixup! store: seal a file": "unfinished",
    "squash! store: seal a file": "unfinished",
    "seal a file": "not `area: what it does`",
    "Store: seal a file": "not `area: what it does`",
    "store:seal a file": "not `area: what it does`",
    "store, : seal a file": "not `area: what it does`",
    "store: Seal a file": "begins with a capital",
    "store: added a seal": "no imperative",
    "store: removes the seal": "no imperative",
    "store: changing the seal": "no imperative",
    "store: the seal": "no imperative",
    "store: seal a file.": "full stop",
    "tests: " + "x" * 66: "73 characters, more than 72",
    "store: seal a file\nat its end": "second line is not blank",
    "store: seal a file\n\n" + LONG: "line 3 has 104 characters",
    "store: seal a file\n\nWhy.\n" + LONG: "line 4 has 104 characters",
}

failures = []


def check(ok, what, output=""):
    if not ok:
        failures.append(what)
        print(f"FAILED  {what}\n{output}")


def run(folder, *words, text="", env=None):
    return subprocess.run([str(word) for word in words], cwd=folder, input=text, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, encoding="utf-8", env=env)


def git(folder, *words, text=""):
    done = run(folder, "git", *words, text=text)
    check(done.returncode == 0, f"git {words[0]}", done.stdout)
    return done.stdout.strip()


def commit(folder, message, *parents):
    tree = git(folder, "mktree")
    return git(folder, "commit-tree", tree, *(word for parent in parents for word in ("-p", parent)), text=message)


def check_messages(script, folder, base):
    for message in GOOD:
        done = run(folder, sys.executable, script, f"{base}..{commit(folder, message, base)}")
        check(done.returncode == 0 and "1 keep the rules" in done.stdout, f"takes {message!r}", done.stdout)
    for message, fault in BAD.items():
        made = commit(folder, message, base)
        done = run(folder, sys.executable, script, f"{base}..{made}")
        check(done.returncode == 1 and fault in done.stdout and made[:7] in done.stdout,
              f"names in {message!r}: {fault}", done.stdout)
    three = commit(folder, "store: fixup", commit(folder, "store: seal it", commit(folder, "wip", base)))
    done = run(folder, sys.executable, script, f"{base}..{three}")
    check(done.returncode == 1 and done.stdout.count("unfinished") == 2 and "3 checked" in done.stdout,
          "checks every commit of a range", done.stdout)
    merge = commit(folder, "Merge branch 'seal'", base, commit(folder, "store: seal a file", base))
    done = run(folder, sys.executable, script, f"{base}..{merge}")
    check(done.returncode == 0 and "1 keep the rules" in done.stdout, "leaves out merges", done.stdout)


# Without a range: from a fixed commit, where there is one.
def check_gate(script, scratch, folder, base):
    text = script.read_text(encoding="utf-8")
    start = re.search(r'^START = "([0-9a-f]{40})"$', text, re.M)
    check(start is not None, "START is a whole hash")
    if not start:
        return
    own = scratch / "commits"
    own.write_text(text.replace(start.group(1), base), encoding="utf-8")
    git(folder, "update-ref", "HEAD", commit(folder, "wip", base))
    done = run(folder, sys.executable, own)
    check(done.returncode == 1 and "unfinished" in done.stdout, "checks what came after START", done.stdout)
    git(folder, "update-ref", "HEAD", base)
    done = run(folder, sys.executable, own)
    check(done.returncode == 0 and "0 keep the rules" in done.stdout, "leaves out START itself", done.stdout)

    bare = scratch / "bare"
    bare.mkdir()
    shallow = scratch / "shallow"
    git(folder, "update-ref", "HEAD", commit(folder, "wip", commit(folder, "wip", base)))
    git(scratch, "clone", "-q", "--depth", "1", f"file://{folder}", shallow)
    without = {**os.environ, "PATH": str(bare)}
    for what, program, place, env in (("a folder without git", own, bare, None), ("a shallow clone", own, shallow, None),
                                      ("another repository", script, folder, None),
                                      ("a system without git", own, folder, without)):
        done = run(place, sys.executable, program, env=env)
        check(done.returncode == 0 and "not checked" in done.stdout, f"checks nothing in {what}", done.stdout)
    for words in (("HEAD",), ("--all",), ("a..b", "c..d"), ("no-such..HEAD",)):
        done = run(folder, sys.executable, script, *words)
        check(done.returncode == 2, f"refuses {words}", done.stdout)


def main():
    here = pathlib.Path(__file__).resolve().parent.parent
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("PENDULA_SOURCE_DIR", here))
    if not shutil.which("git"):
        print("left out: git is not installed")
        return 77
    # Whoever runs this, and from whichever hook, has no part in what git does here.
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        del os.environ[name]
    os.environ |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    for role in ("AUTHOR", "COMMITTER"):
        os.environ |= {f"GIT_{role}_NAME": "A", f"GIT_{role}_EMAIL": "a@example.org"}
    with tempfile.TemporaryDirectory(prefix="pendula-commits-") as name:
        scratch = pathlib.Path(name)
        os.environ["GIT_CEILING_DIRECTORIES"] = name
        folder = scratch / "repository"
        git(scratch, "init", "-q", folder)
        base = commit(folder, "tests: begin")
        git(folder, "update-ref", "HEAD", base)
        script = root / ".ci" / "commits"
        check_messages(script, folder, base)
        check_gate(script, scratch, folder, base)
    print(f"{len(failures)} failed" if failures else f"all as it should be: {len(GOOD)} good and {len(BAD)} bad messages")
    return 1 if failures else 0


sys.exit(main())
