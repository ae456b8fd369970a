#!/usr/bin/env python3
# check_pictures -- what a picture shows, read from its SVG: every group that is named on stdout, no text over another or cut off by the
# border, failures explained, a scale that one explosion does not flatten.
#
# Letters are taken to be 6.6 pixels wide and 13 high at size 11, a little less than in the PNG of the same layout.
import html
import os
import re
import shutil
import subprocess
import sys
import tempfile

program = os.environ["PENDULA_PROGRAM"]
failures = []

LONG = "Long title that goes on about stiffness, step and damping " * 4
PENDULUM = "problem: pendulum\nstep: 0.1\nend: 2\n"
VAN_DER_POL = "problem: van_der_pol\nparameters: {mu: {log: [1, 1000, 13]}, x0: [1, 2, 3]}\nstep: 0.25\nend: 5\nmetrics: [status, updates, x_max]\n"
ONE_UPDATE = "newton: {max_updates: 1}\nsubsteps: {max_depth: 0}\n"
OSCILLATOR = "problem: harmonic_oscillator\nmetrics: [status, updates, x_max]\n"


class Text:
    """A text of the picture: the box that it takes, in pixels."""

    def __init__(self, x, y, turned, size, anchor, words):
        self.words = words
        long, high = 0.6 * size * len(words), 1.18 * size
        before = {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * long
        if turned:
            self.box = (x - 0.8 * high, y - long + before, x + 0.2 * high, y + before)
        else:
            self.box = (x - before, y - 0.8 * high, x - before + long, y + 0.2 * high)

    def meets(self, other):
        a, b = self.box, other.box
        return min(a[2], b[2]) - max(a[0], b[0]) > 1.0 and min(a[3], b[3]) - max(a[1], b[1]) > 1.0


def check(condition, message):
    if not condition:
        failures.append(message)


def texts_of(svg):
    pattern = re.compile(r'<g transform="translate\(([-\d.]+),([-\d.]+)\)(?: rotate\((\d+)\))?"[^>]*font-size="([\d.]+)"\s+'
                         r'text-anchor="(\w+)">\s*<text>(.*?)</text>', re.S)
    found = []
    for x, y, turned, size, anchor, inner in pattern.findall(svg):
        words = html.unescape(re.sub(r"<[^>]*>", "", inner)).strip()
        if words:
            found.append(Text(float(x), float(y), turned is not None and turned != "", float(size), anchor, words))
    return found


def draw(folder, name, sweep, *options):
    """Runs a sweep on the reference and draws it: the texts of the picture, what was said, and the SVG."""
    with open(os.path.join(folder, name + ".yaml"), "w", encoding="utf-8") as file:
        file.write(sweep)
    run = subprocess.run([program, "run", name + ".yaml", "-d", "reference", "--progress", "none", "--force"], cwd=folder,
                         capture_output=True, text=True)
    check(run.returncode == 0, f"{name}: run ends with {run.returncode}: {run.stderr}")
    plot = subprocess.run([program, "plot", name + ".h5", "--force", *options], cwd=folder, capture_output=True, text=True)
    if plot.returncode != 0:
        failures.append(f"{name} {options}: exit {plot.returncode}: {plot.stderr.strip()}")
        return [], "", ""
    path = os.path.join(folder, plot.stdout.split(",")[0][:-4] + ".svg")
    with open(path, encoding="utf-8") as file:
        svg = file.read()
    width, height = map(float, re.search(r'width="(\d+)" height="(\d+)"', svg).groups())
    texts = texts_of(svg)
    check(len(texts) > 4, f"{name}: {len(texts)} texts were found")
    for i, text in enumerate(texts):
        inside = text.box[0] >= 0 and text.box[1] >= 0 and text.box[2] <= width and text.box[3] <= height
        check(inside, f"{name} {options}: '{text.words}' leaves the picture")
        for other in texts[:i]:
            check(not text.meets(other), f"{name} {options}: '{text.words}' lies over '{other.words}'")
    for group in re.findall(r"^  (\w+): \d+ of \d+ points ok", plot.stdout, re.M):
        check(any(text.words == group or text.words.startswith(group + ",") for text in texts),
              f"{name} {options}: group {group} is named on stdout and not drawn")
    return [text.words for text in texts], plot.stdout, svg


def check_groups(folder):
    """Groups with fewer axes than others, in maps and in curves, under a title of several lines."""
    sweep = (f"title: {LONG}\n{PENDULUM}parameters: {{x0: {{linear: [0.1, 3.1, 9]}}}}\nmetrics: [status, updates, x_max]\n"
             "methods: [{label: with_a_rather_long_label, theta2: {theta: {linear: [0, 1, 5]}}}, rk4, {label: few, theta2: {theta: [0.1]}}]\n")
    words, _, _ = draw(folder, "groups", sweep)
    check(sum(word in LONG for word in words if len(word) > 60) >= 1 and words[0].startswith("Long title"), "groups: no title")
    draw(folder, "groups", sweep, "--kind", "curves")
    levels = f"{PENDULUM}parameters: {{x0: 1}}\nmetrics: [status, updates, x_max]\nmethods: [{{theta2: {{theta: {{linear: [0, 1, 5]}}}}}}, rk4]\n"
    draw(folder, "levels", levels, "--kind", "curves")
    without = ("problem: pendulum\nparameters: {x0: [1, 2], zeta: [0, 0.1]}\nstep: 0.1\nend: 1\nmetrics: [status, jacobians]\n"
               "methods: [theta2, rk4]\n")
    draw(folder, "without", without, "--metric", "jacobians")


def check_failures(folder):
    """Colours of statuses are explained whichever panel has them; the status itself has no continuous scale."""
    sweep = VAN_DER_POL + "methods: [explicit_euler, backward_euler]\n"
    words, _, _ = draw(folder, "last_is_well", sweep)
    check("not_finite" in words, "last_is_well: the colour of failures is not explained")
    words, _, svg = draw(folder, "last_is_well", sweep, "--metric", "status")
    check("ok" in words and "not_finite" in words, "status: statuses are not named")
    check("1.5" not in words and "status" not in words, "status: there is a continuous scale")
    words, _, _ = draw(folder, "last_is_well", sweep, "--metric", "status", "--kind", "curves")
    check("not_finite" in words and "budget_exceeded" in words, "status: curves do not name statuses")
    failed = VAN_DER_POL + "methods: [theta2, bdf2]\n" + ONE_UPDATE
    words, _, _ = draw(folder, "all_failed", failed)
    check("newton_failed" in words, "all_failed: the map does not say how")
    words, _, _ = draw(folder, "all_failed", failed, "--kind", "curves")
    check("no point has a value" in words, "all_failed: curves do not say that there is nothing")


def check_explosion(folder):
    """A few numbers of 1e16 and more do not set the scale of all others, which the picture and stdout say."""
    sweep = OSCILLATOR + ("parameters: {omega: {linear: [1, 20.5, 40]}, x0: [1, 2, 3]}\nmethods: [rk4, trapezoidal]\nstep: 0.14\nend: 50.4\n")
    words, said, _ = draw(folder, "explosion", sweep, "--metric", "x_max")
    note = "x_max: the scale ends where 3 of 240 points lie beyond it, up to "
    check(any(word.startswith(note) for word in words) and note in said, f"explosion: the end of the scale is not said: {said}")
    check("2.5" in words, "explosion: the scale does not show the others")
    few, said, _ = draw(folder, "no_explosion", sweep.replace("[rk4, trapezoidal]", "[trapezoidal, theta2]"), "--metric", "x_max")
    check(not any("beyond" in word for word in few) and "beyond" not in said, "no_explosion: something was cut off")
    sweep = OSCILLATOR + "parameters: {omega: 20.5}\nmethods: [rk4, trapezoidal, theta2]\nstep: 0.14\nend: 50.4\ntrajectory: {every: 1, fields: [x]}\n"
    words, said, _ = draw(folder, "trajectories", sweep, "--kind", "trajectory")
    check("x0: 1 of 3 curves leave the scale, up to " in said and "0.5" in words, f"trajectories: {said}")


def check_tics(folder):
    """Labels of many digits, along both axes."""
    draw(folder, "tics", OSCILLATOR + "parameters: {omega: {linear: [100000, 100007, 15]}, x0: {linear: [0.000123, 0.000129, 7]}}\n"
         "methods: [{newmark: {beta: [0.25, 0.3]}}, theta2]\nstep: 0.001\nend: 0.01\n", "--metric", "x_max")


def main():
    if not shutil.which("gnuplot"):
        print("skipped: pictures need the Debian package gnuplot-nox")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        for look in (check_groups, check_failures, check_explosion, check_tics):
            look(folder)
    print("\n".join(failures))
    return 1 if failures else 0


sys.exit(main())
