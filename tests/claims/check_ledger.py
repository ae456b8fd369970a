# check_ledger -- `pendula claims`: its text and its JSON, in time, and the verdicts and numbers known beforehand.
#
# Orders, closed forms and the numbers of the documents are known; counts of runs in which solves fail are chance, and
# are not looked at. What the verdicts are made of is tested in test_claims.c.
import json
import re

from checking import answer, check, finish, folder, parsed, pendula, ROOT

VERDICT = re.compile(r"(reproduced|not reproduced|reproduced only if \S.*)$")
DOCUMENTS = {"Wu 2018", "Fang 2018 (TR-2018-01)", "Degletagne 2015 (SOFA)", "Implicit midpoint method (note, 2020)",
             "Chern 2024 (CSE 291)"}

# (source, words of the claim, how the verdict begins, words of what was measured)
KNOWN = [
    ("Wu 2018, table 1, problem 2, x0 = 1", "50001", "reproduced", "50001"),
    ("Wu 2018, table 1, problem 2, x0 = 2", "50001", "reproduced", "50001"),
    ("Wu 2018, table 2, problem 2, x0 = 1", "69295", "reproduced only if step and tolerance are 0.06 and 2e-08", "699"),
    ("Wu 2018, table 2, problem 2, x0 = 2", "87052", "reproduced only if step and tolerance are", ""),
    ("Wu 2018, section 3.1", "exactly in 1 iteration", "reproduced only if the tolerance is", ""),
    ("Wu 2018, section 2.1.1", "three-point", "not reproduced", "0/0"),
    ("Wu 2018, section 2.2", "second-order", "reproduced", "2.00"),
    ("Wu 2018, section 2.3", "second-order", "reproduced", "2.00"),
    ("Wu 2018, section 2.3.3", "mostly retain", "not reproduced", "order 1.0"),
    ("Wu 2018, sections 2.3.1 and 2.3.2", "trapezoidal", "reproduced", "order 2.00 with 128 of 128"),
    ("Wu 2018, section 2.3.2", "generalized-alpha", "not reproduced", "1.0"),
    ("Wu 2018, figure 1", "slow curves", "reproduced", ""),
    ("Wu 2018, figure 2", "omega = 10", "not reproduced", "0.80 at step 0.01"),
    ("Wu 2018, section 3, pair (0.6, 0.07)", "roughly equivalent", "not reproduced", "theta 0.08599"),
    ("Wu 2018, section 3, pair (0.9, 0.001)", "roughly equivalent", "not reproduced", "theta 0.00087"),
    ("Wu 2018, section 3, pair (0.5, 0.15)", "roughly equivalent", "not reproduced", "theta 0.18441"),
    ("Wu 2018, section 3, pair (0.3, 0.45)", "roughly equivalent", "not reproduced", "theta 0.53608"),
    ("Wu 2018, section 3", "can be found", "reproduced", "rho_inf = 0.11501 and 0: 1.000"),
    ("Wu 2018, abstract", "outperforms", "reproduced only if rho_inf is below 0.2192", "0.602 and 0.889"),
    ("Wu 2018, table 1, problem 3, eps = 1e-2", "1302", "reproduced", ""),
    ("Wu 2018, table 2, problem 3, eps = 1e-2", "1940", "reproduced", ""),
    ("Wu 2018, table 2, problem 3, eps = 1e-3", "1946", "reproduced", ""),
    ("Wu 2018, table 1, problem 3, eps = 1e-3", "2243", "reproduced only if", ""),
    ("Wu 2018, section 3.3", "87 %", "not reproduced", ""),
    ("Wu 2018, section 3.3.1", "no end", "reproduced only if", "over 200"),
    ("Wu 2018, section 3.3 and figure 4", "+-6", "not reproduced", ""),
    ("Wu 2018, section 3.3 and figure 5", "6e4", "not reproduced", "698 on average"),
    ("Wu 2018, table 1, problem 4, eps = 1e-2, h = 0.02", "2640", "reproduced", ""),
    ("Wu 2018, table 2, problem 4, eps = 1e-2, h = 0.02", "2534", "reproduced", ""),
    ("Wu 2018, eq. 15", "polar", "not reproduced", ""),
    ("Wu 2018, section 2.5.4 and eq. 16, gravity", "exact same", "not reproduced", ""),
    ("Fang 2018 (TR-2018-01), section 4.1, figure 2", "more accurate", "reproduced",
     "explicit Euler 3.3177e-02, half-implicit 1.7597e-02, implicit 2.9975e-02, Chung and Lee 1.6593e-04"),
    ("Fang 2018 (TR-2018-01), section 4.2, figure 3", "settles much faster", "reproduced", ""),
    ("Fang 2018 (TR-2018-01), section 4.3, figure 4, implicit Euler", "unconditionally", "reproduced", ""),
    ("Fang 2018 (TR-2018-01), section 4.3, figure 4, half-implicit Euler", "unconditionally", "not reproduced",
     "2.000000, 1.639608, 0.828427"),
    ("Fang 2018 (TR-2018-01), section 4.3, figure 4, explicit Euler", "smallest",
     "reproduced only if zeta is below 0.447", "1/sqrt 5 = 0.4472"),
    ("Fang 2018 (TR-2018-01), section 4.3, figure 5", "shrinks", "reproduced", "1.8665"),
    ("Fang 2018 (TR-2018-01), eq. 22", "2 - Omega^2", "not reproduced", "radius 1.9980"),
    ("Fang 2018 (TR-2018-01), eq. 26", "Chung", "reproduced", ""),
    ("Degletagne 2015 (SOFA), section 2.2, position", "h v_k", "not reproduced", "1.0000, 1.0000, 1.0000 as printed"),
    ("Degletagne 2015 (SOFA), section 4.1", "2 (F + p)", "not reproduced", ""),
    ("Degletagne 2015 (SOFA), section 4.2, matrix", "4/h(2)", "reproduced only if 4/h(2) stands for 4/h^2", ""),
    ("Degletagne 2015 (SOFA), section 5.2, last line", "(F + 1)/m", "not reproduced", ""),
    ("Degletagne 2015 (SOFA), section 6, r_m = 0", "central difference", "reproduced only if", "2.3e-02 as printed"),
    ("Implicit midpoint method (note, 2020), title", "midpoint", "not reproduced", ""),
    ("Implicit midpoint method (note, 2020), residual form", "tau/2", "not reproduced", ""),
    ("Chern 2024 (CSE 291), stability, symplectic Euler", "determinant", "reproduced", "2.000000000"),
    ("Chern 2024 (CSE 291), stability, symplectic Euler, eigenvalues", "Both eigenvalues are 1", "not reproduced", ""),
    ("Chern 2024 (CSE 291), incremental variation", "optimality", "reproduced", ""),
    ("Chern 2024 (CSE 291), energy dissipation", "-2 R", "reproduced", ""),
    ("Chern 2024 (CSE 291), adding dissipation", "q^(k)", "not reproduced", ""),
    ("Chern 2024 (CSE 291), Newmark algorithm", "higher order", "reproduced only if there is no dissipation", "0.99"),
    ("Chern 2024 (CSE 291), Newmark algorithm, acceleration", "+ M^-1 dU", "not reproduced", ""),
    ("Chern 2024 (CSE 291), collision and contact", "barrier", "reproduced", "1, 5, 5 by the root"),
    ("Chern 2024 (CSE 291), dry friction, rest", "friction cone", "reproduced only if the smoothing velocity tends to 0", ""),
    ("Chern 2024 (CSE 291), dissipation function for dry friction", "mu |v|", "not reproduced", ""),
]


def check_rows(rows):
    check(len(rows) >= 34, f"{len(rows)} rows, at least 34 were expected")
    for row in rows:
        for key in ("source", "claim", "run", "rule", "measured", "verdict"):
            check(isinstance(row.get(key), str) and row[key].strip(), f"{row.get('source')}: no {key}")
        check(VERDICT.fullmatch(row["verdict"]), f"{row['source']}: verdict '{row['verdict']}'")
        check(any(row["source"].startswith(document + ", ") for document in DOCUMENTS), f"source '{row['source']}'")
        check("nan" not in re.findall(r"[a-z]+", row["measured"]), f"{row['source']}: {row['measured']}")
    for document in DOCUMENTS:
        check(any(row["source"].startswith(document) for row in rows), f"nothing of {document}")


def check_known(rows):
    for source, words, verdict, measured in KNOWN:
        found = [row for row in rows if row["source"] == source and words in row["claim"]]
        check(len(found) == 1, f"{len(found)} rows of {source} with '{words}'")
        for row in found:
            exact = verdict in ("reproduced", "not reproduced")
            check(row["verdict"] == verdict if exact else row["verdict"].startswith(verdict),
                  f"{source}: '{row['verdict']}', not '{verdict}': {row['measured']}")
            check(measured in row["measured"], f"{source}: no '{measured}' in '{row['measured']}'")


def check_text(text, rows):
    lines = text.split("\n")
    check(max(map(len, lines)) <= 100, "lines longer than 100 columns")
    for document in DOCUMENTS:
        check(lines.count(document) == 1, f"{document}: {lines.count(document)} headings")
    told = [line.split("verdict", 1)[1].strip() for line in lines if line.startswith("    verdict ")]
    check(len(told) == len(rows), f"{len(told)} verdicts in the text, {len(rows)} in the JSON")
    for line, row in zip(told, rows):
        check(row["verdict"].startswith(line), f"text '{line}', JSON '{row['verdict']}'")
    counts = [sum(row["verdict"] == "reproduced" for row in rows),
              sum(row["verdict"].startswith("reproduced only if") for row in rows),
              sum(row["verdict"] == "not reproduced" for row in rows)]
    summary = "{} claims: {} reproduced, {} only under a condition, {} not reproduced".format(len(rows), *counts)
    check(summary in lines, f"no line '{summary}'")
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    promise = "of {} claims {} are reproduced, {} only under a condition that it names, {} are not.".format(len(rows), *counts)
    check(promise in readme, f"README.md does not say: {promise}")


def check_refusals():
    for words, code, part in (
        (("-d", "reference"), 2, "OpenCL device"),
        (("-d", "no such device"), 8, "no such device"),
        (("something",), 2, "something"),
        (("--what",), 2, "what"),
        (("--json", "missing/file"), 3, "missing"),
    ):
        err = pendula("claims", *words, code=code).err
        check(part in err, f"claims {words}: {err!r}")


rows = parsed("claims", "--json", "-")
check_rows(rows)
check_known(rows)
check_text(answer("claims", "--json", "claims.json"), rows)
check(json.loads((folder / "claims.json").read_text(encoding="utf-8")) == rows, "two runs differ")
check_refusals()
finish(f"{len(rows)} claims")
