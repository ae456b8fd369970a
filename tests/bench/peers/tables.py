# tables -- the driver's rows as text or Markdown.
HEADS = ["workload", "code", "systems", "steps/s", "min", "max", "pendula is faster by", "min", "max", "error at the end",
         "apart", "allowed", "against"]


def text(heads, lines):
    widths = [max(len(line[i]) for line in [heads, *lines]) for i in range(len(heads))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in [heads, *lines])


def markdown(heads, lines):
    return "\n".join("| " + " | ".join(line) + " |" for line in [heads, ["---"] * len(heads), *lines])


def triple(values, form):
    return [format(values[key], form) for key in ("median", "min", "max")]


def about_line(about):
    return (f"{about['date']}, {about['processor']}, {about['threads']} threads, {about['compiler']}, {about['pendula']} on "
            f"{about['device']}, {about['repetitions']} repetitions in turns, medians")


def rates(about, rows, layout):
    lines, notes = [], {}
    for row in rows:
        line = [row["workload"], row["who"], str(row["points"]), *triple(row["rate"], ".3g")]
        line += triple(row["ratio"], ".3g") if "against" in row else ["", "", ""]
        line += [f"{row['error']:.2e}"]
        if "against" in row:
            line += [f"{row['apart']:.1e}", f"{row['bound']:.1e}", row["against"] + ("" if row["agrees"] else " DISAGREES")]
            notes[row["who"]] = f"{row['who']}: equal: {row['equal']}; not equal: {row['unequal']}."
        else:
            line += ["", "", ""]
        lines.append(line)
    tolerances = [f"{row['who']} on {row['workload']} {row['setting']:.1e}" for row in rows
                  if row.get("against") == "the solution"]
    parts = [about_line(about) + f", {about['steps']} steps of 0.01, of W6 of 0.001.", layout(HEADS, lines), *notes.values()]
    if tolerances:
        parts.append("Tolerances, relative and absolute, at which the error is the kernels': " + ", ".join(tolerances) + ".")
    return "\n\n".join(parts)


def work_precision(about, rows, layout):
    lines = [[row["who"], row["setting"], f"{row['error']:.2e}",
              *triple({key: 1e6 * value for key, value in row["seconds"].items()}, ".3g")] for row in rows]
    heads = ["code", "setting", "error at the end", "microseconds a system", "min", "max"]
    return "\n\n".join([about_line(about) + f". W1's pendulum to t = {about['steps'] * 0.01:g}.", layout(heads, lines)])
