# check_tables -- tables of a sweep file have the values of their definition, in kernels, the reference and certificates.
#
# One step of explicit Euler for y' = f(q) ends at f(q), so that a sweep over q lists the values of a table; one step of a method that is
# linearised once, for x'' = f(x), shows its derivative. What they must be is computed here: by search and convex combination, and
# by the linear system of the spline's coefficients.
import math

from checking import answer, check, flip, folder, main, need, need_compiler, pendula, place_of, refused, results, run_in_shards, SHIPPED, write
from pulled import write_pulled

h5py, np = need("h5py", "numpy")

EVEN = [(0.5 * i, math.sin(1.3 * i) + 0.2 * i) for i in range(9)]
UNEVEN = [(-1.0, 2.0), (-0.7, 1.0), (0.1, 1.5), (0.11, -2.0), (2.0, 0.0), (7.0, 4.0)]
DEVICES = ("reference", "native")


def listed(numbers):
    return "[" + ", ".join(f"{number:.17g}" for number in numbers) + "]"


def table(samples, between, outside):
    return f"{{samples: [{', '.join(listed(sample) for sample in samples)}], between: {between}, outside: {outside}}}"


def asked(samples):
    """Arguments at the samples, beside them, between them and outside."""
    at = [x for x, _ in samples]
    between = [a + part * (b - a) for a, b in zip(at, at[1:]) for part in (0.0625, 0.5, 0.875)]
    return sorted([at[0] - 3.0, at[0] - 0.25, *at, *between, at[-1] + 0.25, at[-1] + 100.0])


def spline(samples, q, order):
    """The not-a-knot spline, by all conditions on the coefficients of its pieces at once."""
    x, y = np.array(samples).T
    n = len(x) - 1
    rows, right = np.zeros((4 * n, 4 * n)), np.zeros(4 * n)
    def term(row, piece, s, of, sign):
        for k in range(of, 4):
            rows[row, 4 * piece + k] += sign * math.perm(k, of) * s ** (k - of)
    for i in range(n):
        term(2 * i, i, 0.0, 0, 1.0), term(2 * i + 1, i, x[i + 1] - x[i], 0, 1.0)
        right[2 * i:2 * i + 2] = y[i:i + 2]
    for i in range(1, n):
        for of in (1, 2):
            term(2 * n + 2 * (i - 1) + of - 1, i - 1, x[i] - x[i - 1], of, 1.0), term(2 * n + 2 * (i - 1) + of - 1, i, 0.0, of, -1.0)
    for row, i in ((4 * n - 2, 1), (4 * n - 1, n - 1)):
        term(row, i - 1, 0.0, 3, 1.0), term(row, i, 0.0, 3, -1.0)
    c = np.linalg.solve(rows, right).reshape(n, 4)
    piece = min(max(int(np.searchsorted(x, q, "right")) - 1, 0), n - 1)
    return sum(math.perm(k, order) * c[piece, k] * (q - x[piece]) ** (k - order) for k in range(order, 4))


def value(samples, between, outside, q, order=0):
    """The value of a table by its definition, or its derivative."""
    x, y = zip(*samples)
    if not x[0] <= q <= x[-1]:
        ends = 0.0 if order else y[0] if q < x[0] else y[-1]
        return {"refuse": math.nan, "zero": 0.0, "hold": ends}[outside]
    if between == "cubic":
        return spline(samples, q, order)
    i = min(sum(at <= q for at in x) - 1, len(x) - 2)
    if between == "linear":
        return (y[i + 1] - y[i]) / (x[i + 1] - x[i]) if order else ((x[i + 1] - q) * y[i] + (q - x[i]) * y[i + 1]) / (x[i + 1] - x[i])
    if order:
        return 0.0
    return y[sum(at <= q for at in x) - 1] if between == "hold" else y[sum(at < q for at in x)]


def close(what, found, expected, bound):
    found, expected = np.ravel(found), np.array(expected)
    wrong = ~(np.abs(found - expected) <= bound * np.maximum(1.0, np.abs(expected))) & ~(np.isnan(found) & np.isnan(expected))
    for i in np.nonzero(wrong)[0][:3]:
        check(False, f"{what}[{i}]: {found[i]!r}, not {expected[i]!r}")


def system(samples, tables, motion):
    """A sweep with a coordinate for each table, f0, f1, ...; {i} in the motion of a coordinate is its number."""
    lists = ", ".join(f"f{i}: {table(samples, *ways)}" for i, ways in enumerate(tables))
    each = {key: [f'"{formula.format(i=i)}"' for i in range(len(tables))] for key, formula in {"coordinates": "y{i}", **motion}.items()}
    return f"tables: {{{lists}}}\nproblem: {{{', '.join(f'{key}: [' + ', '.join(of) + ']' for key, of in each.items())}, parameters: {{q: {listed(asked(samples))}}}}}\n"


def check_values():
    """Values between, at and outside of samples."""
    tables = [(between, outside) for between in ("linear", "cubic", "hold", "next") for outside in ("zero", "hold", "refuse")]
    for samples in (EVEN, UNEVEN):
        for ways in (tables[0::3] + tables[1::3], tables[2::3]):
            text = system(samples, ways, {"rate": "f{i}(q)"}) + "methods: [explicit_euler]\nstep: 1\nsteps: 1\nmetrics: [status, x_final]\n"
            inside = [samples[0][0] <= at <= samples[-1][0] or "refuse" not in ways[0] for at in asked(samples)]
            for device in DEVICES:
                group = results("values", text, device=device)["explicit_euler"]
                check([code == 1 for code in group["status"][:]] == inside, f"values: status {group['status'][:]} on {device}")
                for i, (between, outside) in enumerate(ways):
                    close(f"{between}, {outside} on {device}", group["x_final"][:, i], [value(samples, between, outside, at) for at in asked(samples)], 1e-13)


def check_slopes():
    """Derivatives: a step of 1 from rest at q, linearised once, ends at q + f(q)/(1 - f'(q))."""
    ways = [(between, "hold") for between in ("linear", "cubic", "hold", "next")]
    for samples in (EVEN, UNEVEN):
        text = system(samples, ways, {"acceleration": "f{i}(y{i})", "start": "q"}) + "methods: [sofa_euler]\nstep: 1\nsteps: 1\nmetrics: [x_final]\n"
        for device in DEVICES:
            found = results("slopes", text, device=device)["sofa_euler/x_final"][:]
            for i, (between, outside) in enumerate(ways):
                right = [at + value(samples, between, outside, at) / (1.0 - value(samples, between, outside, at, 1)) for at in asked(samples)]
                close(f"slopes of {between} on {device}", found[:, i], right, 1e-11)


def check_spectrum():
    """The shipped sweep of an earthquake: peaks of the exact motion, by the recurrence of N. C. Nigam and P. C. Jennings (1969) and, between
    samples, by bisection of its velocity; and the first of them at the samples alone."""
    changes = [word for change in ("parameters.zeta=0.02", "parameters.T=[0.5, 1, 2]", "step=0.0002", "trajectory={every: 100, fields: [x]}") for word in ("-s", change)]
    pendula("run", SHIPPED / "response_spectrum.yaml", "-d", "native", "--progress", "none", "-o", "spectrum.h5", *changes)
    with h5py.File(folder / "spectrum.h5") as file:
        sampled, peaks = np.abs(file["rk4/x"][0]).max(), file["rk4/x_max"][:]
    close("the peak at the samples", sampled, [0.0679400697], 1e-10)
    close("peaks", peaks, [0.0682745772, 0.1516177609, 0.1897085293], 1e-7)


def check_certificates():
    """Kernels of both precisions conform, with tables of time and of coordinates, and with one of two records."""
    for i, samples in enumerate((EVEN, UNEVEN)):
        write(f"record_{i}.csv", "t,a\n" + "".join(f"{x!r},{y!r}\n" for x, y in samples))
    ways = [(between, "hold") for between in ("linear", "cubic", "hold")]
    motion = {"acceleration": "f0(t) - 20*y{i} + f{i}(y{i}) + g(t)", "start": "0.3*q"}
    for precision, methods in (("double", "rk4, generalized_alpha"), ("single", "rk4")):
        text = system(UNEVEN, ways, motion).replace("tables: {", "tables: {g: {file: [./record_0.csv, ./record_1.csv], of: r, outside: zero}, ").replace("parameters: {", "parameters: {r: [0, 1], ")
        text += f"precision: {precision}\nmethods: [{methods}]\nstep: 0.03125\nend: 1\nmetrics: [x_final]\n"
        pendula("conform", write(f"certified_{precision}.yaml", text), "-d", "native", "--lanes", "1,8")


def check_kernel_file():
    """A problem file of the user's has the table by TABLE(), and is refused where the sweep has none."""
    write_pulled("x'' = f(x)", "x[0]", "TABLE_SLOPE(f, x[0])", "ZERO")
    rest = f"methods: [{{trapezoidal: , newton: {{jacobian: analytic}}}}]\nstep: 0.0625\nend: 2\nmetrics: [x_final]\n"
    given = f"tables: {{f: {table(UNEVEN, 'cubic', 'hold')}}}\n"
    own = "problem: {coordinates: [x], acceleration: [f(x)], start: [0.3]}\n"
    finals = [results("kernel_file", given + problem + rest, device=device)["trapezoidal/x_final"][()] for problem, device in
              (("problem: ./pulled.cl\n", "native"), ("problem: ./pulled.cl\n", "reference"), (own, "reference"))]
    close("a kernel file and formulas", finals, [finals[2]] * 3, 1e-10)
    refused("pulled.cl:6: the file asks for tables, which a sweep file has", "check", "pulled.cl", code=4)
    refused("problem 'pulled' asks for table 'f', which is not under `tables`", "plan", write("lacks.yaml", "problem: ./pulled.cl\n" + rest), code=4)


def check_files():
    """Files as input: what is wrong with them, datasets, and sweeps that differ in their samples alone."""
    with h5py.File(folder / "table.h5", "w") as file:
        file["both"], file["x"], file["y"] = np.array(EVEN), [x for x, _ in EVEN], [y for _, y in EVEN]
    head, tail = "tables: {f: {", "}}\nproblem: {coordinates: [y], rate: [f(t)]}\nmethods: [explicit_euler]\nstep: 0.125\nend: 4\nmetrics: [x_final]\n"
    finals = [results("kinds", head + of + tail)["explicit_euler/x_final"][()] for of in
              (f"samples: [{', '.join(listed(sample) for sample in EVEN)}]", "file: ./table.h5, dataset: /both", "file: ./table.h5, dataset: /y, times: /x")]
    check(len({float(np.ravel(final)[0]) for final in finals}) == 1, f"a list and datasets: {finals}")
    for lines, message in (("t,a\n0,1\n2,3\n1,4\n", "order.csv:4:1: table 'f': 1 does not come after"), ("t,a,b\n0,1,2\n", "order.csv:1:1: 3 columns"),
                           ("t,a\n0,one\n", "order.csv:2:3:"), ("t,a\n0,1\n", "1 sample, `between: linear` takes 2 or more")):
        write("order.csv", lines)
        refused(message, "plan", write("order.yaml", head + "file: ./order.csv" + tail), code=4)
    write("order.csv", "t,a\n0,1\n4,3\n")
    pendula("run", "order.yaml", "-d", "reference", "-o", "order.h5", "--progress", "none")
    write("order.csv", "t,a\n0,1\n4,4\n")
    refused("tables.f.hash", "run", "order.yaml", "-d", "reference", "-o", "order.h5", "--resume", code=4)
    refused("is a file that this command reads", "run", "order.yaml", "-d", "reference", "-o", "order.csv", "--force", code=3)


def check_records():
    """A parameter chooses a record: a file of a list, or a row of a dataset."""
    times, rows = [x for x, _ in EVEN], [[(1.0 + i) * y for _, y in EVEN] for i in range(3)]
    with h5py.File(folder / "rows.h5", "w") as file:
        file["t"], file["a"] = times, rows
    q = [-2.0, 0.03, 0.05, 1.75, 2.5, 6.0]
    for of, records, precision, bound in (("file: [./record_0.csv, ./record_1.csv]", [EVEN, UNEVEN], "double", 1e-13),
                                          ("file: ./rows.h5, dataset: /a, times: /t", [list(zip(times, row)) for row in rows], "single", 1e-6)):
        text = (f"precision: {precision}\ntables: {{f: {{{of}, between: linear, outside: hold, of: r}}}}\nproblem: {{coordinates: [y], rate: [f(q)], parameters: {{"
                f"r: {list(range(len(records)))}, q: {q}}}}}\nmethods: [explicit_euler]\nstep: 1\nsteps: 1\nmetrics: [x_final]\n")
        right = [value(samples, "linear", "hold", at) for samples in records for at in q]
        for device in DEVICES:
            close(f"records of {of} on {device}", results("chosen", text, device=device)["explicit_euler/x_final"][:], right, bound)
    refused("parameter 'r': 3 is too large, it must be at most 2", "plan", "chosen.yaml", "-s", "parameters.r=[0, 3]", code=2)
    refused("0.5 is not a whole number", "plan", "chosen.yaml", "-s", "parameters.r=0.5", code=2)


def check_kept():
    """A result file keeps the samples: elsewhere, without the sweep's files, its points are computed and judged again."""
    write("kept.csv", "t,a\n" + "".join(f"{x!r},{y!r}\n" for x, y in UNEVEN))
    text = "tables: {f: {file: ./kept.csv, between: cubic, outside: hold}}\nproblem: {coordinates: [y], rate: [f(t + q)], parameters: {q: [0, 1]}}\nmethods: [rk4]\nstep: 0.125\nend: 4\nmetrics: [x_final]\n"
    write("kept.yaml", text)
    run_in_shards("kept", gone=["kept.csv"])
    pendula("pack", "kept.h5", "-o", "packed.h5")
    for file in ("kept.h5", "packed.h5"):
        judged = answer("replay", file, "--point", "1", "-d", "native")
        check("certificates 33 of 33 hold" in judged, f"replay of {file}: {judged}")
    with h5py.File(folder / "kept.h5") as file:
        check(np.array_equal(file["journal/table_f"][()], np.array(UNEVEN)), "the file has the samples")


def check_resumed():
    """A run goes on where a table's file is gone, with the samples that the result file has; not with other samples."""
    text = "tables: {f: {file: ./gone.csv, outside: hold}}\nproblem: {coordinates: [y], rate: [f(t + q)], parameters: {q: [0, 1]}}\nmethods: [rk4]\nstep: 0.125\nend: 4\nmetrics: [x_final]\n"
    lines, words = "t,a\n0,1\n4,3\n9,-1\n", ("run", write("gone.yaml", text), "-d", "reference", "--progress", "none")
    write("gone.csv", lines)
    pendula(*words)
    whole = (folder / "gone.h5").read_bytes()
    flip("gone", place_of("gone", "journal/block_done"), "undone")
    (folder / "gone.csv").unlink()
    for output in ((), ("-o", "gone.h5")):
        (folder / "gone.h5").write_bytes((folder / "undone.h5").read_bytes())
        said = pendula(*words, "--resume", *output)
        check("gone.yaml:1:20: table 'f': its file is gone, its samples are those in the result file" in said.err + said.out, f"resumed: {said}")
        check((folder / "gone.h5").read_bytes() == whole, "the resumed file is the whole one")
    refused("gone.csv", *words, "--resume", "-o", "new.h5", code=3)
    write("gone.csv", lines.replace("3", "3.5"))
    refused("tables.f.hash", *words, "--resume", code=4)


need_compiler()
main(check_values, check_slopes, check_spectrum, check_certificates, check_kernel_file, check_files, check_records, check_kept, check_resumed, fine="tables have their values")
