# check_mutants -- the operators make what they should, every edit of the lists fits its file, and the turns' parts hold each mutant once.
import argparse
import os
import sys

from checking import check, execute, finish, folder, ROOT, write
import lists
import operators

CAMPAIGN = ROOT / "tests/mutants/campaign.py"
PARTS = 10

# A line, an operator, and all that it makes of the line, in order.
KNOWN = [
    ("x = -a + b - 2;", "sign", ["x = a + b - 2;", "x = -a - b - 2;", "x = -a + b + 2;"]),
    ("x -= *p + i++;", "sign", ["x += *p + i++;", "x -= *p - i++;"]),
    ("y = f(a * b, c[i]);", "minus", ["y = -f(a * b, c[i]);", "y = f(-a * b, c[i]);", "y = f(a * -b, c[i]);", "y = f(a * b, -c[i]);",
                                      "y = f(a * b, c[-i]);"]),
    ("if (a <= b)", "comparison", ["if (a < b)", "if (a > b)", "if (a >= b)", "if (a == b)", "if (a != b)"]),
    ("m = a & !b | c;", "logic", ["m = a | !b | c;", "m = a & !b & c;"]),
    ("n = a / 2 >> k;", "arithmetic", ["n = a * 2 >> k;", "n = a / 2 << k;"]),
    ("x = a + b * c - d;", "drop", ["x = b * c - d;", "x = a - d;", "x = d;", "x = a + b * c;", "x = a + c - d;", "x = a + b - d;"]),
    ("if (a == 1 &&", "drop", ["if (1 &&", "if (a &&", "if ("]),
    ("x = (a + b) * c;", "unwrap", ["x = b * c;", "x = a * c;"]),
    ("x = (double)(n - 1) * (y);", "unwrap", ["x = (double)1 * (y);", "x = (double)n * (y);"]),
    ("if (a) s->x[i] = f(b); else g(c);", "drop statement", ["if (a) ; else g(c);", "if (a) s->x[i] = f(b); else ;"]),
    ("const real x = f(a);", "drop statement", []),
    ("return f(a);", "drop statement", []),
    ("if (!a)", "not", ["if (a)", "if (!!a)"]),
    ("if (a == b)", "not", ["if (!a == b)", "if (!(a == b))", "if (a == !b)"]),
    ("x = a ? b : c + d;", "branch", ["x = b;", "x = c + d;"]),
    ("x = 2 * (a ? b : c);", "branch", ["x = 2 * (b);", "x = 2 * (c);"]),
    ("x = a * f(b + c, d);", "argument", ["x = a * (b + c);", "x = a * d;"]),
    ("J[i][j] = f(a, b, c) - d;", "swap", ["J[j][i] = f(a, b, c) - d;", "J[i][j] = f(b, a, c) - d;", "J[i][j] = f(a, c, b) - d;",
                                           "J[i][j] = d - f(a, b, c);"]),
    ("n = 8;", "constant", ["n = 9;", "n = 7;", "n = 16;", "n = 4;", "n = 80;"]),
    ("x = 0.5L;", "constant", ["x = 1.5L;", "x = 1.0L;", "x = 0.25L;", "x = 5.0L;", "x = 0.05L;"]),
    ("x = 0x1.8p-2;", "constant", []),
    ("x = 0.5 * f(a);", "millionth", ["x = 0.5000005 * f(a);", "x = 0.5 * (1.000001 * f(a));", "x = 0.5 * f(1.000001 * a);"]),
    ("x = -a;", "half", ["x = -0.5 * a;"]),
    ("x = a / b;", "double", ["x = 2.0 * a / b;", "x = a / (2.0 * b);"]),
    ("x[i] = n;", "one more", ["x[i + 1] = n;", "x[i] = n + 1;"]),
    ("x = 2 * n;", "one less", ["x = (2 - 1) * n;", "x = 2 * n - 1;", "x = 2 * (n - 1);"]),
    ("u[i] = p->x;", "is ZERO", ["u[ZERO] = p->x;", "u[i] = ZERO;"]),
    ("f(&a, b);", "is NULL", ["NULL;", "f(NULL, b);", "f(&a, NULL);"]),
    ("real_sin(x0) + v", "partner", ["real_cos(x0) + v", "real_sin(x1) + v", "real_sin(x0) + x"]),
    ("x = a->b + c;", "other", ["x = c + c;", "x = a->b + a->b;"]),
    ('text_add(t, "a + b"); // a + b', "sign", []),
    ("#define N (2 * K + 1) \\", "sign", ["#define N (2 * K - 1) \\"]),
]

# Entries of a list, and what is wrong with them.
WRONG = [
    ("@ return M(steps); => drop", "makes 0 edits"),
    ("@ return q->step; => is 0 #2", "makes 1 edits"),
    ("@ return q->step; => is 0 #0", "makes 1 edits"),
    ("@ return q->step;", "makes 0 edits"),
    ("@ return q->step; => is 0\n- return", "not here"),
    ("* return q->step; -> return 0;\n- return", "not here"),
    ("* a line\n* q->step -> 0\n+ 0", "not here"),
    ("conform halved", "comes before 'file'"),
]


def names(turn=None, more=False):
    """The mutants that the campaign takes, by name."""
    options = argparse.Namespace(only="", turn=turn and lists.read_turn(turn), more=more)
    return [mutant.name() for mutant in lists.choose(options)]


def refused(*words):
    done = execute([sys.executable, CAMPAIGN, "--list", *words])
    check(done.code == 2, f"{words}: exit {done.code}: {done.err}")


def check_operators():
    for line, name, expected in KNOWN:
        made = list(operators.mutants(line).get(name, {}))
        check(made == expected, f"{name} makes of '{line}': {made}")
    for name in operators.OPERATORS:
        check(any(name in (known, known.replace("NULL", name[3:]).replace("ZERO", name[3:])) for _, known, _ in KNOWN), f"no known line of '{name}'")


def check_entries():
    path = folder / "wrong.txt"
    for entry, why in WRONG:
        write(path, f"file kernels/metrics/counters.cl\n{entry}\n")
        try:
            lists.read_list(path)
            check(False, f"'{entry}' is read")
        except lists.ListError as error:
            check(why in str(error), f"'{entry}': {error}")
    write(path, "file kernels/metrics/counters.cl\n* p->a -> p->b\n*  a; ->\n* a title\n- a\n= b\n- c\n+ d\nwrong kernels/sweep.cl a -> b\n")
    read = [(m.title, m.edit.old, m.edit.new, m.wrong and (m.wrong.path, m.wrong.old, m.wrong.new)) for m in lists.read_list(path)]
    check(read == [("p->a -> p->b", "p->a", "p->b", None), (" a; ->", " a;", "", None),
                   ("a title", "a\nb\nc", "b\nd", ("kernels/sweep.cl", "a", "b"))], f"entries by hand are read as {read}")
    write(path, "conform halved methods=[%]\ntests parts\nfile kernels/metrics/counters.cl\n@ a - b + 2 => sign #2, is 0\ntests cli\n"
                "file kernels/newton.h\n* a -> b\n\nconform driven\n* b -> c\n")
    *made, first, second = [(m.edit.path, m.title, m.edit.new, m.conform, m.tests) for m in lists.read_list(path)]
    checks = [["halved", "methods=[counters]"]], ["cli"]
    check(made[:2] == [("kernels/metrics/counters.cl", "sign #2: a - b + 2 -> a - b - 2", "a - b - 2", *checks),
                       ("kernels/metrics/counters.cl", "is 0 #1: a - b -> 0 - b", "0 - b + 2", *checks)] and len(made) == 6, f"an entry is read as {made}")
    check((first, second) == (("kernels/newton.h", "a -> b", "b", [["halved", "methods=[newton]"]], ["parts"]),
                              ("kernels/newton.h", "b -> c", "c", [["driven"]], [])), f"files and paragraphs are read as {first}, {second}")


def check_hand():
    """What stands in a list by hand is what no operator makes; but of a line that its file has twice."""
    for mutant in lists.read_lists():
        old, new = lists.text_of(mutant.edit.path), lists.edited(mutant.edit)
        differs = len(os.path.commonprefix((old, new)))
        begin, end = old.rfind("\n", 0, differs) + 1, old.find("\n", differs)
        before, after = old[begin:end].lstrip(), new[begin:len(new) - len(old) + end].lstrip()
        if not mutant.edit.made and old[end:] == new[len(new) - len(old) + end:] and old.count(before) == 1:
            for name, edits in operators.mutants(before).items():
                check(after not in edits, f"{mutant.name()}: it is '@ {before} => {name} #{[*edits, after].index(after) + 1}'")


def check_parts():
    everything = names()
    parts = [names(f"{part:x}/{PARTS}") for part in range(PARTS)]
    check(sorted(sum(parts, [])) == sorted(everything) and len(everything) >= 1000,
          f"{len(everything)} mutants, {sum(map(len, parts))} in {PARTS} parts")
    check(min(map(len, parts)) >= len(everything) / PARTS / 2, f"uneven parts: {[len(part) for part in parts]}")
    # Of a long hash the first eight digits are taken: 0x1b = 27 chooses part 7.
    check(names(f"0000001b{'f' * 32}/{PARTS}") == parts[7], "a hash chooses another part than its first digits")
    check(not set(names(more=True)) & set(everything), "what is made further is in the lists")
    refused("--turn", "x/10")
    refused("--turn", "1/0")
    refused("--only", "no such mutant")


check_operators()
check_entries()
try:
    check_hand()
    check_parts()
except lists.ListError as error:
    check(False, str(error))
finish()
