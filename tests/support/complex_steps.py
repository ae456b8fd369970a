# complex_steps -- carries out the equations on a method's card in complex numbers, of which the imaginary part is a derivative.
"""One parameter is moved by TINY i: the imaginary part of a result over TINY is its derivative by that parameter, exact to rounding and
without cancellation. No line of this comes from a kernel."""
import re

from checking import need, ROOT

np = need("numpy")

TINY = 1e-30


def card_lists(method):
    """The lists of statements on a method's card, by their keys."""
    lists, key = {}, None
    for line in (ROOT / "kernels/methods" / f"{method}.cl").read_text().split("\n"):
        if not line.startswith("//: "):
            break
        head = re.fullmatch(r"//: (\w+):.*", line)
        key = head[1] if head else key
        if item := re.fullmatch(r"//:   - (.*)", line):
            lists.setdefault(key, []).append(item[1].strip('"'))
    return lists


def evaluate(words, names):
    return eval(words.replace("^", "**"), {"__builtins__": {}}, names)


def accelerate(statements, names):
    """Carries out statements, of which `solve u` begins a solve that ends with the first whose left side is no new name."""
    at = 0
    while at < len(statements):
        if not statements[at].startswith("solve "):
            left, right = statements[at].split(" = ")
            names[left] = evaluate(right, names)
            at += 1
            continue
        unknown, end = statements[at][6:], at + 1
        known = set(names) | {unknown}
        while (left := statements[end].split(" = ")[0]) not in known and re.fullmatch(r"\w+", left):
            known.add(left)
            end += 1
        inner, equation = statements[at + 1:end], statements[end].split(" = ")

        def residual(u):
            names[unknown] = u
            accelerate(inner, names)
            return evaluate(equation[0], names) - evaluate(equation[1], names)

        u = names["v"] * (1 + 0j)
        for _ in range(9):
            here = residual(u)
            columns = [(residual(u + 1e-6 * e) - here) / 1e-6 for e in np.eye(len(u))]
            u = u - np.linalg.solve(np.array(columns).T, here)
        residual(u)
        at = end + 1
    return names


def of_tableau(rows):
    """The statements of a Runge-Kutta tableau: slopes (k_i, l_i) of x and v, a line with a weight of its own slope solved for."""
    statements, count = [], 0
    for row in rows:
        place, *weights = [part.strip() for part in row.split("|")]
        weights = weights[0].split(",") if weights else []
        if place == "error" or place.startswith("dense"):
            continue
        own = len(weights) == count + 1 and place != "x1"
        sums = [" + ".join(["0*x"] + [f"({w})*{slope}_{i + 1}" for i, w in enumerate(weights[:count])]) for slope in "kl"]
        if place == "x1":
            statements += [f"x1 = x + h*({sums[0]})", f"v1 = v + h*({sums[1]})"]
        elif own:
            count += 1
            statements += [f"solve l_{count}", f"k_{count} = v + h*({sums[1]} + ({weights[-1]})*l_{count})",
                           f"l_{count} = accel(t + ({place})*h, x + h*({sums[0]} + ({weights[-1]})*k_{count}), k_{count})"]
        else:
            count += 1
            statements += [f"k_{count} = v + h*({sums[1]})", f"l_{count} = accel(t + ({place})*h, x + h*({sums[0]}), k_{count})"]
    return statements


def walk(method, parameters, problem, p, x, v, h, steps):
    """The state after so many steps of one size."""
    for state in path(method, parameters, problem, p, x, v, h, steps):
        pass
    return state


def path(method, parameters, problem, p, x, v, h, steps):
    """The states at the beginning and after each step."""
    lists = card_lists(method)
    step = lists.get("equations") or of_tableau(lists["tableau"])
    if "tableau" in lists and "equations_start" in lists:
        step = step + ["a1 = accel(t + h, x1, v1)"]
    common = {**parameters, "accel": lambda t, x, v: problem(t, x, v, p), "h": h, "h_prev": h, "starter": 1, "t": 0.0, "sqrt": np.sqrt, "cbrt": lambda y: y ** (1 / 3)}
    state = accelerate(lists.get("equations_start", []), {**common, "x": x, "v": v})
    kept = [name for name in ("x", "v", "a", "j") if name in state]
    before = None
    yield state["x"], state["v"]
    for n in range(steps):
        names = {**common, **{name: state[name] for name in kept}, "t": n * h}
        if "equations_first" in lists and before is None:
            made = accelerate(lists["equations_first"], names)
        else:
            made = accelerate(step, {**names, **(before or {})})
        before = {"x_prev": state["x"], "v_prev": state["v"]} if "equations_first" in lists else None
        state = {name: made[f"{name}1"] for name in kept}
        yield state["x"], state["v"]


# --- accelerations of the systems that are derived: a driven pendulum, a mass on a spring, Lorenz's system

def swing(t, x, v, p):
    return -p["g"] * np.sin(x) - 2 * p["z"] * v + p["f"] * np.cos(p["w"] * t)


def spring(t, x, v, p):
    pull = -p["k"] * (1 - 1 / np.sqrt(x[0] ** 2 + x[1] ** 2))
    return np.array([pull * x[0] - p["c"] * v[0] * v[1], pull * x[1] - p["g"] - p["c"] * v[1]])


def lorenz(t, x, v, p):
    """Of a system of first order u stands in v."""
    return np.array([p["s"] * (v[1] - v[0]), v[0] * (p["r"] - v[2]) - v[1], v[0] * v[1] - p["b"] * v[2]])
