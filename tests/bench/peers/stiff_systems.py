# stiff_systems -- stiff test problems and larger systems as formulas: a sweep file, C and Python are written of the same text.
#
# Formulas have only what the three languages write alike: + - * / and brackets, exp, sin, pi. End values are those of Mazzia and Magherini
# 2008, Test set for IVP solvers, and of Hairer and Wanner 1996, Solving ordinary differential equations II, IV.10.
import math
from dataclasses import dataclass, field


@dataclass(frozen=True)
class System:
    name: str
    coordinates: tuple
    formulas: tuple  # rates; of second order accelerations, in which v_x is the velocity of x
    start: tuple  # of the coordinates; velocities are 0
    end: float
    solution: tuple = ()  # the coordinates at the end
    define: dict = field(default_factory=dict)
    parameters: dict = field(default_factory=dict)
    varied: str = ""  # the parameter that a batch varies
    atol: float = 1e-10  # relative to the largest that a component has been
    second_order: bool = False
    band: int = 0  # diagonals beside the main one, of the first-order system; 0: a full matrix

    def sweep(self, method, rtol, values=None, metrics="status, x_final, substeps, failed_solves"):
        """The sweep file. rtol: a number or a list; values: an axis of the varied parameter."""
        numbers = self.parameters | ({} if values is None else {self.varied: values})
        lines = ["problem:", f"  coordinates: [{', '.join(self.coordinates)}]"]
        if self.define:
            lines += ["  define:", *(f'    {name}: "{formula}"' for name, formula in self.define.items())]
        lines += ["  acceleration:" if self.second_order else "  rate:", *(f'    - "{formula}"' for formula in self.formulas)]
        lines += [f"  start: [{', '.join(map(repr, self.start))}]"]
        lines += [f"  parameters: {{{', '.join(f'{name}: {value}' for name, value in numbers.items())}}}"]
        lines += [f"methods: [{{label: run, {method}: {{rtol: {rtol}, atol: {self.atol!r}}}}}]", f"end: {self.end!r}", "steps: 1"]
        return "\n".join([*lines, "substeps: {budget: 100000000}", f"metrics: [{metrics}]", ""])

    @property
    def unknowns(self):
        return len(self.coordinates) * (2 if self.second_order else 1)

    def places(self):
        """Where the coordinates are in a state of first order, in which a coordinate and its velocity are neighbours."""
        return slice(None, None, 2 if self.second_order else 1)

    def begin(self):
        return [number for value in self.start for number in ((value, 0.0) if self.second_order else (value,))]

    def assignments(self):
        """Names and formulas in their order, as the right side of a system of first order."""
        each = 2 if self.second_order else 1
        names = [(name, f"p[{i}]") for i, name in enumerate(self.parameters)]
        names += [(name, f"y[{each * i}]") for i, name in enumerate(self.coordinates)]
        if self.second_order:
            names += [(f"v_{name}", f"y[{2 * i + 1}]") for i, name in enumerate(self.coordinates)]
        rates = [(f"dy[{each * i + each - 1}]", formula) for i, formula in enumerate(self.formulas)]
        if self.second_order:
            rates += [(f"dy[{2 * i}]", f"v_{name}") for i, name in enumerate(self.coordinates)]
        return [*names, *self.define.items()], rates

    def c(self):
        """The text of a header: the size of the system, and its right side."""
        names, rates = self.assignments()
        return "\n".join([f"// {self.name} -- its right side.", "#pragma once", "#include <math.h>",
                          f"enum {{ UNKNOWNS = {self.unknowns}, PARAMETERS = {len(self.parameters)}, BAND = {self.band} }};",
                          "static void rate(double t, const double *p, const double *y, double *dy)", "{",
                          "    const double pi = 3.14159265358979323846;", "    (void)t, (void)p, (void)pi;",
                          *(f"    const double {name} = {formula};" for name, formula in names),
                          *(f"    {place} = {formula};" for place, formula in rates), "}", ""])

    def python(self):
        """The text of a function rate(t, y, p, dy)."""
        names, rates = self.assignments()
        body = [f"{name} = {formula}" for name, formula in [*names, *rates]]
        return "\n    ".join(["from numpy import exp, pi, sin\ndef rate(t, y, p, dy):", *body]) + "\n"


def numbered(letter, count):
    return tuple(f"{letter}{i}" for i in range(1, count + 1))


# 25 reactions of 20 species: the rate of each, and how often each species comes from it.
POLLUTION = ("k1*y1", "26.6*y2*y4", "1.23e4*y5*y2", "8.6e-4*y7", "8.2e-4*y7", "1.5e4*y7*y6", "1.3e-4*y9", "2.4e4*y9*y6", "1.65e4*y11*y2", "9e3*y11*y1",
             "0.022*y13", "1.2e4*y10*y2", "1.88*y14", "1.63e4*y1*y6", "4.8e6*y3", "3.5e-4*y4", "0.0175*y4", "1e8*y16", "4.44e11*y16", "1240*y17*y6",
             "2.1*y19", "5.78*y19", "0.0474*y1*y4", "1780*y19*y1", "3.12*y20")


def half_wave(count):
    return tuple(math.sin(math.pi * (i + 1) / (count + 1)) for i in range(count))


def second_difference(letter, i, count):
    """Of neighbours, the ends being held at 0."""
    return " ".join([f"{letter}{i - 1} -" if i > 0 else "-", f"2*{letter}{i}", *([f"+ {letter}{i + 1}"] if i < count - 1 else [])])


def heat_rod(count):
    """The rod of sweeps/heat_rod.yaml, heated and cooled along its half wave, which the differences keep: ten periods."""
    square, wave, w, end = (count + 1) ** 2, half_wave(count), 20.0, 3.0
    rate = 0.5 * 4 * square * math.sin(math.pi / (2 * count + 2)) ** 2
    over = 1 / (rate**2 + w**2)
    left = (1 + w * over) * math.exp(-rate * end) + over * (rate * math.sin(w * end) - w * math.cos(w * end))
    return System(f"heat rod {count}", tuple(f"u{i}" for i in range(count)),
                  tuple(f"a*{square}*({second_difference('u', i, count)}) + {wave[i]!r}*sin({w!r}*t)" for i in range(count)), wave, end,
                  tuple(left * x for x in wave), {}, {"a": 0.5}, "a", band=1)


def damped_chain(count):
    """Masses between springs and dampers, ten periods of their lowest mode; the highest modes are overdamped."""
    square, wave, end, damping = (count + 1) ** 2, half_wave(count), 20.0, 0.01
    part = 4 * square * math.sin(math.pi / (2 * count + 2)) ** 2
    decay = damping * part / 2
    w = math.sqrt(part - decay**2)
    moved = math.exp(-decay * end) * (math.cos(w * end) + decay / w * math.sin(w * end))
    return System(f"damped chain {count}", tuple(f"x{i}" for i in range(count)),
                  tuple(f"k*{square}*({second_difference('x', i, count)}) + {damping}*{square}*({second_difference('v_x', i, count)})"
                        for i in range(count)),
                  wave, end, tuple(moved * x for x in wave), {}, {"k": 1.0}, "k", second_order=True, band=3)


STIFF = {system.name: system for system in [
    System("hires", numbered("y", 8),
           ("-1.71*y1 + 0.43*y2 + 8.32*y3 + 0.0007", "1.71*y1 - 8.75*y2", "-10.03*y3 + 0.43*y4 + 0.035*y5", "8.32*y2 + 1.71*y3 - 1.12*y4",
            "-1.745*y5 + 0.43*y6 + 0.43*y7", "-k*y6*y8 + 0.69*y4 + 1.71*y5 - 0.43*y6 + 0.69*y7", "k*y6*y8 - 1.81*y7", "-k*y6*y8 + 1.81*y7"),
           (1, 0, 0, 0, 0, 0, 0, 0.0057), 321.8122,
           (0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4, 0.1175651343283149e-2, 0.2386356198831331e-2,
            0.6238968252742796e-2, 0.2849998395185769e-2, 0.2850001604814231e-2), parameters={"k": 280.0}, varied="k"),
    System("oregonator", ("y1", "y2", "y3"), ("s*(y2 + y1*(1 - q*y1 - y2))", "(y3 - (1 + y1)*y2)/s", "w*(y1 - y3)"), (1, 2, 3), 360.0,
           (1.000814870318523, 1228.178521549917, 132.0554942846706), parameters={"s": 77.27, "q": 8.375e-6, "w": 0.161}, varied="q"),
    System("pollution", numbered("y", 20),
           ("-r1 - r10 - r14 - r23 - r24 + r2 + r3 + r9 + r11 + r12 + r22 + r25", "-r2 - r3 - r9 - r12 + r1 + r21", "-r15 + r1 + r17 + r19 + r22",
            "-r2 - r16 - r17 - r23 + r15", "-r3 + 2*r4 + r6 + r7 + r13 + r20", "-r6 - r8 - r14 - r20 + r3 + 2*r18", "-r4 - r5 - r6 + r13",
            "r4 + r5 + r6 + r7", "-r7 - r8", "-r12 + r7 + r9", "-r9 - r10 + r8 + r11", "r9", "-r11 + r10", "-r13 + r12", "r14", "-r18 - r19 + r16",
            "-r20", "r20", "-r21 - r22 - r24 + r23 + r25", "-r25 + r24"),
           (0, 0.2, 0, 0.04, 0, 0, 0.1, 0.3, 0.01, 0, 0, 0, 0, 0, 0, 0, 0.007, 0, 0, 0), 60.0,
           (0.5646255480022769e-1, 0.1342484130422339, 0.4139734331099427e-8, 0.5523140207484359e-2, 0.2018977262302196e-6, 0.1464541863493966e-6,
            0.7784249118997964e-1, 0.3245075353396018, 0.7494013383880406e-2, 0.1622293157301561e-7, 0.1135863833257075e-7, 0.2230505975721359e-2,
            0.2087162882798630e-3, 0.1396921016840158e-4, 0.8964884856898295e-2, 0.4352846369330103e-17, 0.6899219696263405e-2, 0.1007803037365946e-3,
            0.1772146513969984e-5, 0.5682943292316392e-4), dict(zip(numbered("r", 25), POLLUTION)), {"k1": 0.35}, "k1"),
    *(System(name, ("a", "b", "c"), ("1e4*b*c - 0.04*a", "0.04*a - 1e4*b*c - k*b*b", "k*b*b"), (1, 0, 0), end, published, {}, {"k": 3e7}, "k", atol)
      for name, end, published, atol in (("robertson 40 s", 40.0, (0.7158270688, 0.918553476e-5, 0.2841637457), 1e-10),
                                         ("robertson 1e11 s", 1e11, (0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791666050), 1e-13))),
    System("van der pol 1e6", ("y1", "y2"), ("y2", "((1 - y1*y1)*y2 - y1)/eps"), (2, 0), 2.0, (1.706167732170483, -0.8928097010247975), {}, {"eps": 1e-6}, "eps"),
    System("ring modulator", numbered("y", 15),
           ("(y8 - 0.5*y10 + 0.5*y11 + y14 - y1/25000)/C", "(y9 - 0.5*y12 + 0.5*y13 + y15 - y2/25000)/C", "(y10 - d1 + d4)/Cs", "(-y11 + d2 - d3)/Cs",
            "(y12 + d1 - d3)/Cs", "(-y13 - d2 + d4)/Cs", "(-y7/50 + d1 + d2 - d3 - d4)/1e-8", "-y1/4.45", "-y2/4.45", "(0.5*y1 - y3 - 17.3*y10)/5e-4",
            "(-0.5*y1 + y4 - 17.3*y11)/5e-4", "(0.5*y2 - y5 - 17.3*y12)/5e-4", "(-0.5*y2 + y6 - 17.3*y13)/5e-4", "(-y1 + u1 - 86.3*y14)/2e-3",
            "(-y2 - 636.3*y15)/2e-3"), (0,) * 15, 1e-3,
           (-0.2339057358486745e-1, -0.7367485485540825e-2, 0.2582956709291169, -0.4064465721283450, -0.4039455665149794, 0.2607966765422943,
            0.1106761861269975, 0.2939904342435596e-6, -0.2840029933642329e-7, 0.7267198267264553e-3, 0.7929487196960840e-3, -0.7255283495698965e-3,
            -0.7941401968526521e-3, 0.7088495416976114e-4, 0.2390059075236570e-4),
           {"u1": "0.5*sin(2000*pi*t)", "u2": "2*sin(20000*pi*t)",
            **{f"d{i}": f"40.67286402e-9*(exp(17.7493332*({voltage})) - 1)" for i, voltage in
               enumerate(("y3 - y5 - y7 - u2", "-y4 + y6 - y7 - u2", "y4 + y5 + y7 + u2", "-y3 - y6 + y7 + u2"), 1)}},
           {"C": 1.6e-8, "Cs": 2e-12}, "C", 1e-9)]}
LARGE = {system.name: system for system in [heat_rod(100), damped_chain(256)]}
