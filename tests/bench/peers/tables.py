# tables -- the driver's rows as text, or as the sections of docs/results/PEERS.md.
RATES = ["workload", "code", "systems", "device, steps/s", "host to host, steps/s", "pendula is faster by, device", "host to host",
         "error at the end", "apart", "allowed", "against"]
PRECISION = ["code", "setting", "error at the end", "device, microseconds a system", "host to host, microseconds a system"]
STUDY = ["systems", "code", "device, ms", "evaluate, host to host, ms", "analyse, ms", "evaluate and analyse, ms", "outputs apart",
         "indices apart"]
COLUMNS = ("`device` is the integration alone, in arrays that the code has already: of pendula the kernels, by `pendula bench`. `host "
           "to host` is a warm call of Python, a numpy array in and one out; of codes in C and C++, which go from array to array, it "
           "is the same time. Medians, and the least and the most of the repetitions.")


def text(heads, lines):
    widths = [max(len(line[i]) for line in [heads, *lines]) for i in range(len(heads))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in [heads, *lines])


def markdown(heads, lines):
    return "\n".join("| " + " | ".join(line) + " |" for line in [heads, ["---"] * len(heads), *lines])


def cell(values, scale=1.0):
    """Median, minimum and maximum."""
    middle, least, most = (format(scale * values[key], ".3g") for key in ("median", "min", "max"))
    return f"{middle} ({least} to {most})"


def page(layout, title, about, work, *parts):
    head = (f"{about['date']}, {about['processor']}, {about['threads']} threads, {about['compiler']}, {about['pendula']} on "
            f"{about['device']}, {about['repetitions']} repetitions in turns, {work}.")
    return "\n\n".join([f"## {title}" if layout is markdown else title, head, COLUMNS, *parts])


def rates(about, rows, layout):
    lines, notes = [], {}
    for row in rows:
        own = not row["equal"]
        ratios = ["", ""] if own else [cell(row["faster_device"]), cell(row["faster_host"])]
        lines.append([row["workload"], row["who"], str(row["points"]), cell(row["device"]), cell(row["host"]), *ratios,
                      f"{row['error']:.2e}", f"{row['apart']:.1e}", f"{row['bound']:.1e}",
                      row["against"] + ("" if row["agrees"] else " DISAGREES")])
        if not own:
            notes[row["who"]] = f"{row['who']}: equal: {row['equal']}; not equal: {row['unequal']}."
    tolerances = [f"{row['who']} on {row['workload']} {row['setting']:.1e}" for row in rows if row["against"] == "the solution"]
    parts = [layout(RATES, lines), *notes.values()]
    if tolerances:
        parts.append("Tolerances, relative and absolute, at which the error is the kernels': " + ", ".join(tolerances) + ".")
    return page(layout, "Rates", about, f"{about['steps']} steps of 0.01, of W6 of 0.001", *parts)


def work_precision(about, rows, layout):
    lines = [[row["who"], row["setting"], f"{row['error']:.2e}", cell(row["device"], 1e6), cell(row["host"], 1e6)] for row in rows]
    return page(layout, "Error against time", about, f"W1's pendulum to t = {about['steps'] * 0.01:g}", layout(PRECISION, lines))


def study(about, rows, layout):
    lines = [[str(row["points"]), row["who"], *(cell(row[part], 1e3) for part in ("device", "evaluate", "analyse", "both")),
              f"{row['outputs']:.1e}", f"{row['indices']:.1e}" + ("" if row["agrees"] else " DISAGREES")] for row in rows]
    return page(layout, "A study by SALib", about, "W1's pendulum to t = 1", layout(STUDY, lines),
                "One `ProblemSpec` for each code, with the same sample of Saltelli's design: factors x0 and v0, output x after 100 steps of "
                "0.01. `evaluate` calls Pendula's `Sweep.function` or numba's function of the same algorithm, `analyse` finds indices of "
                "first and total order with SALib's intervals. Outputs must be within 1e-9 of pendula's, indices within 1e-8.")
