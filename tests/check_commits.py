# check_commits -- .ci/commits takes good commit messages, names the fault of each bad one, and stays out of all else.
#
# Messages become commits of a scratch repository, each on its own above an empty one.
import os
import re
import sys

from checking import check, finish, folder as scratch, need_program, ROOT, says

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


def git(folder, *words, text=""):
    return says(["git", *words], cwd=folder, text=text).strip()


def commit(folder, message, *parents):
    tree = git(folder, "mktree")
    return git(folder, "commit-tree", tree, *(word for parent in parents for word in ("-p", parent)), text=message)


def judge(what, folder, script, *words, said, code=0, **how):
    """The script, called in a folder with these words, says how it judges."""
    return says([sys.executable, script, *words], *said, what=what, code=code, cwd=folder, **how)


def check_messages(script, folder, base):
    for message in GOOD:
        judge(f"takes {message!r}", folder, script, f"{base}..{commit(folder, message, base)}", said=["1 keep the rules"])
    for message, fault in BAD.items():
        made = commit(folder, message, base)
        judge(f"names in {message!r}: {fault}", folder, script, f"{base}..{made}", said=[fault, made[:7]], code=1)
    three = commit(folder, "store: fixup", commit(folder, "store: seal it", commit(folder, "wip", base)))
    text = judge("checks every commit of a range", folder, script, f"{base}..{three}", said=["3 checked"], code=1)
    check(text.count("unfinished") == 2, "checks every commit of a range", text)
    merge = commit(folder, "Merge branch 'seal'", base, commit(folder, "store: seal a file", base))
    judge("leaves out merges", folder, script, f"{base}..{merge}", said=["1 keep the rules"])


# Without a range: from a fixed commit, where there is one.
def check_gate(script, folder, base):
    text = script.read_text(encoding="utf-8")
    start = re.search(r'^START = "([0-9a-f]{40})"$', text, re.M)
    check(start is not None, "START is a whole hash")
    if not start:
        return
    own = scratch / "commits"
    own.write_text(text.replace(start.group(1), base), encoding="utf-8")
    git(folder, "update-ref", "HEAD", commit(folder, "wip", base))
    judge("checks what came after START", folder, own, said=["unfinished"], code=1)
    git(folder, "update-ref", "HEAD", base)
    judge("leaves out START itself", folder, own, said=["0 keep the rules"])

    bare = scratch / "bare"
    bare.mkdir()
    shallow = scratch / "shallow"
    git(folder, "update-ref", "HEAD", commit(folder, "wip", commit(folder, "wip", base)))
    git(scratch, "clone", "-q", "--depth", "1", f"file://{folder}", shallow)
    for what, program, place, path in (("a folder without git", own, bare, os.environ["PATH"]), ("a shallow clone", own, shallow, os.environ["PATH"]),
                                       ("another repository", script, folder, os.environ["PATH"]),
                                       ("a system without git", own, folder, bare)):
        judge(f"checks nothing in {what}", place, program, said=["not checked"], PATH=path)
    for words in (("HEAD",), ("--all",), ("a..b", "c..d"), ("no-such..HEAD",)):
        judge(f"refuses {words}", folder, script, *words, said=[], code=2)


need_program("git")
# Whoever runs this, and from whichever hook, has no part in what git does here.
for name in [name for name in os.environ if name.startswith("GIT_")]:
    del os.environ[name]
os.environ |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CEILING_DIRECTORIES": str(scratch)}
for role in ("AUTHOR", "COMMITTER"):
    os.environ |= {f"GIT_{role}_NAME": "A", f"GIT_{role}_EMAIL": "a@example.org"}
folder = scratch / "repository"
git(scratch, "init", "-q", folder)
base = commit(folder, "tests: begin")
git(folder, "update-ref", "HEAD", base)
script = ROOT / ".ci" / "commits"
check_messages(script, folder, base)
check_gate(script, folder, base)
finish(f"all as it should be: {len(GOOD)} good and {len(BAD)} bad messages")
