# check_decided -- of how many counts of updates the report of `pendula conform` says that no other number was possible.
#
# Solves of a linear problem are looked at: one update leaves what rounding leaves. Followed are the first two steps of a point and each
# step n where n and the point's number add up to a multiple of 128: 0, 1, 128, 256 of the first point, 0, 1, 127, 255 of the second.
import json
import re

from checking import answer, check, finish, folder, write

SWEEP = """problem: harmonic_oscillator
parameters: {omega: [1, 2]}
methods: [backward_euler, bathe, rk4]
step: 0.01
steps: 300
"""
NOTHING_LEFT = ("newton={tolerance: 0, floor_guard: false, max_updates: 2}", "substeps.max_depth=0")
CASES = (
    # A residual of rounding is far below the default tolerance of 1e-8.
    ("double precision", ("precision=double",), (8, 8)),
    # There the tolerance is below the unit roundoff of 6e-8: whether another update is made is rounding.
    ("single precision", ("precision=single",), (0, 8)),
    ("single precision, a tolerance above rounding", ("precision=single", "newton.tolerance=1.0e-2"), (8, 8)),
    # Solves fail at their second and last update, where a residual of exactly 0 is asked for: the first might have done.
    ("fewer updates might do", NOTHING_LEFT, (0, 2)),
)
write("linear.yaml", SWEEP)
for what, settings, due in CASES:
    words = [word for setting in settings for word in ("-s", setting)]
    text = answer("conform", "linear.yaml", "-d", "native", "--force", "--json", "report.json", *words)
    for group in json.loads((folder / "report.json").read_text()):
        expected = due if group["method"] != "rk4" else (0, 0)
        found = group["decided_counts"], group["followed_counts"]
        first = re.search(rf"^{group['label']}: .*", text, re.M).group(0)
        said = re.search(r", counts of updates: (\d+) of (\d+) decided, ", first)
        check(found == expected, f"{what}: {group['method']}: {found} and not {expected} in the JSON")
        check((tuple(map(int, said.groups())) if said else (0, 0)) == expected, f"{what}: not {expected}: {first}")
finish(f"{len(CASES)} cases as they should be")
