# check_stiff -- adaptive methods for stiff systems: published values, tolerances, an oracle of the controller, certificates.
from math import cos, sqrt

from checking import check, folder, main, need, need_compiler, pendula, results, SHIPPED, write
from controller import Component, substeps

np, h5py = need("numpy", "h5py")

# The largest errors at tolerances of 1e-4, 1e-6 and 1e-8.
METHODS = {"tr_bdf2_adaptive": (0.03, 2e-3, 1e-4), "esdirk4_adaptive": (1e-3, 2e-4, 3e-6), "rodas5p": (1e-3, 1e-4, 1e-5)}

# End values from Mazzia and Magherini 2008, Test set for IVP solvers, and Hairer and Wanner 1996.
HIRES = """problem:
  coordinates: [y1, y2, y3, y4, y5, y6, y7, y8]
  rate:
    - "-1.71*y1 + 0.43*y2 + 8.32*y3 + 0.0007"
    - "1.71*y1 - 8.75*y2"
    - "-10.03*y3 + 0.43*y4 + 0.035*y5"
    - "8.32*y2 + 1.71*y3 - 1.12*y4"
    - "-1.745*y5 + 0.43*y6 + 0.43*y7"
    - "-280*y6*y8 + 0.69*y4 + 1.71*y5 - 0.43*y6 + 0.69*y7"
    - "280*y6*y8 - 1.81*y7"
    - "-280*y6*y8 + 1.81*y7"
  start: [1, 0, 0, 0, 0, 0, 0, 0.0057]
end: 321.8122
steps: 20
"""
OREGONATOR = """problem:
  coordinates: [y1, y2, y3]
  rate: ["s*(y2 + y1*(1 - 8.375e-6*y1 - y2))", "(y3 - (1 + y1)*y2)/s", "w*(y1 - y3)"]
  start: [1, 2, 3]
  parameters: {s: 77.27, w: 0.161}
end: 360
steps: 100
"""
VAN_DER_POL = """problem:
  coordinates: [y, z]
  rate: ["z", "((1 - y^2)*z - y)/eps"]
  start: [2, 0]
  parameters: {eps: 1.0e-6}
end: 2
steps: 20
"""
# 25 reactions of 20 species: the right sides by the numbers of the reactions.
POLLUTION_RATES = (0.35, 26.6, 1.23e4, 8.6e-4, 8.2e-4, 1.5e4, 1.3e-4, 2.4e4, 1.65e4, 9e3, 0.022, 1.2e4, 1.88, 1.63e4, 4.8e6, 3.5e-4, 0.0175,
                   1e8, 4.44e11, 1240, 2.1, 5.78, 0.0474, 1780, 3.12)
POLLUTION_REACTANTS = ("y1 y2*y4 y5*y2 y7 y7 y7*y6 y9 y9*y6 y11*y2 y11*y1 y13 y10*y2 y14 y1*y6 y3 y4 y4 y16 y16 y17*y6 y19 y19 y1*y4 y19*y1 y20")
POLLUTION = f"""problem:
  coordinates: [{", ".join(f"y{i}" for i in range(1, 21))}]
  define: {{{", ".join(f'r{i}: "{k}*{product}"' for i, (k, product) in enumerate(zip(POLLUTION_RATES, POLLUTION_REACTANTS.split()), 1))}}}
  rate: [-r1 - r10 - r14 - r23 - r24 + r2 + r3 + r9 + r11 + r12 + r22 + r25, -r2 - r3 - r9 - r12 + r1 + r21, -r15 + r1 + r17 + r19 + r22,
         -r2 - r16 - r17 - r23 + r15, -r3 + 2*r4 + r6 + r7 + r13 + r20, -r6 - r8 - r14 - r20 + r3 + 2*r18, -r4 - r5 - r6 + r13,
         r4 + r5 + r6 + r7, -r7 - r8, -r12 + r7 + r9, -r9 - r10 + r8 + r11, r9, -r11 + r10, -r13 + r12, r14, -r18 - r19 + r16, -r20, r20,
         -r21 - r22 - r24 + r23 + r25, -r25 + r24]
  start: [0, 0.2, 0, 0.04, 0, 0, 0.1, 0.3, 0.01, 0, 0, 0, 0, 0, 0, 0, 0.007, 0, 0, 0]
end: 60
steps: 6
"""
# A circuit of four diodes that multiplies two signals; the capacitances Cs make it stiff, and its solution oscillates all the time.
RING_MODULATOR = """problem:
  coordinates: [y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, y12, y13, y14, y15]
  define:
    u1: "0.5*sin(2000*pi*t)"
    u2: "2*sin(20000*pi*t)"
    d1: "40.67286402e-9*(exp(17.7493332*(y3 - y5 - y7 - u2)) - 1)"
    d2: "40.67286402e-9*(exp(17.7493332*(-y4 + y6 - y7 - u2)) - 1)"
    d3: "40.67286402e-9*(exp(17.7493332*(y4 + y5 + y7 + u2)) - 1)"
    d4: "40.67286402e-9*(exp(17.7493332*(-y3 - y6 + y7 + u2)) - 1)"
  rate:
    - "(y8 - 0.5*y10 + 0.5*y11 + y14 - y1/25000)/C"
    - "(y9 - 0.5*y12 + 0.5*y13 + y15 - y2/25000)/C"
    - "(y10 - d1 + d4)/Cs"
    - "(-y11 + d2 - d3)/Cs"
    - "(y12 + d1 - d3)/Cs"
    - "(-y13 - d2 + d4)/Cs"
    - "(-y7/50 + d1 + d2 - d3 - d4)/1e-8"
    - "-y1/4.45"
    - "-y2/4.45"
    - "(0.5*y1 - y3 - 17.3*y10)/5e-4"
    - "(-0.5*y1 + y4 - 17.3*y11)/5e-4"
    - "(0.5*y2 - y5 - 17.3*y12)/5e-4"
    - "(-0.5*y2 + y6 - 17.3*y13)/5e-4"
    - "(-y1 + u1 - (50 + 36.3)*y14)/2e-3"
    - "(-y2 - (600 + 36.3)*y15)/2e-3"
  parameters: {C: 1.6e-8, Cs: 2.0e-12}
end: 1.0e-3
steps: 1
"""
RING_END = [-0.2339057358486745e-1, -0.7367485485540825e-2, 0.2582956709291169, -0.4064465721283450, -0.4039455665149794, 0.2607966765422943,
            0.1106761861269975, 0.2939904342435596e-6, -0.2840029933642329e-7, 0.7267198267264553e-3, 0.7929487196960840e-3,
            -0.7255283495698965e-3, -0.7941401968526521e-3, 0.7088495416976114e-4, 0.2390059075236570e-4]
# Steps by Radau IIA of order 5 at the same tolerances, rtol and atol, as scipy 1.17 takes them to relative errors of 1.2e-3 and 6.4e-6.
RADAU = {1e-4: 73729, 1e-6: 213949}
ROBERTSON = "problem: robertson\nend: 40\nsteps: 4\n"
PUBLISHED = {
    "hires": (HIRES, [0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4, 0.1175651343283149e-2,
                      0.2386356198831331e-2, 0.6238968252742796e-2, 0.2849998395185769e-2, 0.2850001604814231e-2]),
    "oregonator": (OREGONATOR, [1.000814870318523, 1228.178521549917, 132.0554942846706]),
    "van_der_pol": (VAN_DER_POL, [1.706167732170483, -0.8928097010247975]),
    "pollution": (POLLUTION, [0.5646255480022769e-1, 0.1342484130422339, 0.4139734331099427e-8, 0.5523140207484359e-2, 0.2018977262302196e-6,
                              0.1464541863493966e-6, 0.7784249118997964e-1, 0.3245075353396018, 0.7494013383880406e-2, 0.1622293157301561e-7,
                              0.1135863833257075e-7, 0.2230505975721359e-2, 0.2087162882798630e-3, 0.1396921016840158e-4,
                              0.8964884856898295e-2, 0.4352846369330103e-17, 0.6899219696263405e-2, 0.1007803037365946e-3,
                              0.1772146513969984e-5, 0.5682943292316392e-4]),
    "robertson": (ROBERTSON, [0.7158270688, 0.918553476e-5, 0.2841637457]),
}


def test_published_digits():
    """Errors fall with the tolerance, of the fourth order faster."""
    for name, (text, end) in PUBLISHED.items():
        methods = ", ".join(f"{{{method}: {{rtol: [1.0e-4, 1.0e-6, 1.0e-8], atol: 1.0e-10}}}}" for method in METHODS)
        tail = f"methods: [{methods}]\nsubsteps: {{budget: 100000}}\nmetrics: [status, x_final, substeps, failed_solves, updates, stagnated_solves]\n"
        with results(name, text + tail, device="native") as file:
            for method, bounds in METHODS.items():
                group = file[method]
                errors = np.max(np.abs(group["x_final"][...] / end - 1), axis=-1)
                print(name, method, errors, *(group[count][...] for count in ("substeps", "failed_solves", "updates", "stagnated_solves")))
                check(np.all(group["status"][...] == 1), f"{name}: statuses {group['status'][...]}")
                check(np.all(errors < bounds) and errors[0] > 3 * errors[1] and errors[1] > min(3 * errors[2], 1e-10), f"{name}: {method}: {errors}")


def test_ring_modulator():
    """The end of the test set's problem, in fewer steps than Radau IIA; the fifth order is as near."""
    for method, errors in (("rodas5p", {1e-4: 4e-3, 1e-6: 2e-5}), ("esdirk4_adaptive", {1e-4: 0.1, 1e-6: 5e-4})):
        tail = f"methods: [{{{method}: {{rtol: [1.0e-4, 1.0e-6], atol: 1.0e-9}}}}]\nsubsteps: {{budget: 100000000}}\nmetrics: [status, x_final, substeps, failed_solves]\n"
        with results("ring", RING_MODULATOR + tail, device="native") as file:
            group = file[method]
            check(np.all(group["status"][...] == 1), f"{method}: statuses {group['status'][...]}")
            for i, (rtol, most) in enumerate(errors.items()):
                error, substeps = np.max(np.abs(group["x_final"][i] / RING_END - 1)), group["substeps"][i]
                print(f"ring modulator, {method}, rtol {rtol}: error {error}, {substeps} substeps, {group['failed_solves'][i]} rejected")
                check(error < most, f"{method}, rtol {rtol}: an error of {error}")
                check(substeps < RADAU[rtol], f"{method}, rtol {rtol}: {substeps} substeps")


def test_shipped():
    """Robertson's reaction to 1e11 seconds, in one step, beside the test set's digits."""
    pendula("run", SHIPPED / "stiff_reaction.yaml", "-d", "native", "-o", "shipped.h5")
    with h5py.File(folder / "shipped.h5") as file:
        for method, bounds in (("tr_bdf2_adaptive", (2e-3, 1e-4)), ("esdirk4_adaptive", (5e-4, 3e-5)), ("rodas5p", (5e-4, 3e-5))):
            check(np.all(file[method]["status"][...] == 1), f"{method}: {file[method]['status'][...]}")
            errors = np.max(np.abs(file[method]["x_final"][4] / [0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050] - 1), axis=-1)
            check(np.all(errors < bounds), f"{method}: {errors}")


def trial_tr_bdf2(t, h, y, slope, solved):
    """Hosea and Shampine 1996: the end of a substep, its error, and the power of h of the error."""
    gamma, w = 2 - sqrt(2), sqrt(2) / 4
    c = gamma / 2 * h
    a = slope(t, y)
    inner = solved(t + gamma * h, c, y + c * a)
    a_inner = slope(t + gamma * h, inner)
    new = solved(t + h, c, y + h * w * (a + a_inner))
    third = y + h * ((1 - w) / 3 * a + (3 * w + 1) / 3 * a_inner) + c / 3 * slope(t + h, new)
    return new, solved(0, c, new - third) - solved(0, c, 0), 3


def trial_esdirk4(t, h, y, slope, solved):
    """Kennedy and Carpenter 2003, appendix C, ARK4(3)6L[2]SA: the same."""
    rows = ((1 / 4, 1 / 4), (8611 / 62500, -1743 / 31250, 1 / 4), (5012029 / 34652500, -654441 / 2922500, 174375 / 388108, 1 / 4),
            (15267082809 / 155376265600, -71443401 / 120774400, 730878875 / 902184768, 2285395 / 8070912, 1 / 4),
            (82889 / 524892, 0, 15625 / 83664, 69875 / 102672, -2260 / 8211, 1 / 4))
    third = (4586570599 / 29645900160, 0, 178811875 / 945068544, 814220225 / 1159782912, -3700637 / 11593932, 61727 / 225920)
    slopes = [slope(t, y)]
    for row in rows:
        place = t + sum(row) * h
        new = solved(place, row[-1] * h, y + h * sum(a * k for a, k in zip(row, slopes)))
        slopes.append(slope(place, new))
    return new, h * sum((a - b) * k for a, b, k in zip(rows[-1], third, slopes)), 4


def oracle(trial, k, rtol, atol, end, steps):
    """y' = -k (y - cos t) from 0: a formula whose solves have a closed form here, and the controller. Returns the end, substeps and
    rejected trials."""
    def slope(t, u):
        return -k * (u - cos(t))

    def solved(t, c, known):
        """u = known + c slope(t, u)."""
        return (known + c * k * cos(t)) / (1 + c * k)

    y = Component(0.0)

    def one(t, h):
        new, difference, order = trial(t, h, y.value, slope, solved)
        error, take = y.trial(h * slope(t, y.value), new, difference, rtol, atol)
        return error, order, take

    counts = substeps(one, end, steps)
    return y.value, *counts


def test_oracle():
    """The same substeps as another program of the same formulas."""
    tolerances = "{rtol: [1.0e-3, 1.0e-5], atol: 1.0e-4}"
    text = f"""problem:
  coordinates: [y]
  rate: ["-k*(y - cos(t))"]
  start: [0]
  parameters: {{k: [0.5, 30, 1.0e+4]}}
methods: [{{tr_bdf2_adaptive: {tolerances}}}, {{esdirk4_adaptive: {tolerances}}}]
end: 6
steps: 3
newton: {{tolerance: 1.0e-13}}
substeps: {{budget: 10000}}
metrics: [x_final, substeps, failed_solves]
"""
    with results("oracle", text, device="native") as file:
        for method, trial in (("tr_bdf2_adaptive", trial_tr_bdf2), ("esdirk4_adaptive", trial_esdirk4)):
            for i, k in enumerate((0.5, 30, 1e4)):
                for j, rtol in enumerate((1e-3, 1e-5)):
                    end, taken, rejected = oracle(trial, k, rtol, 1e-4, 6.0, 3)
                    found, *counts = (file[method][name][i, j] for name in ("x_final", "substeps", "failed_solves"))
                    check(abs(found[0] - end) < 1e-9 and counts == [taken, rejected],
                          f"{method}: k = {k}, rtol = {rtol}: {found}, not {end}; {counts} substeps and rejected trials, not {taken, rejected}")


def alpha_oracle(k, rho, rtol, atol, end, steps):
    """u'' = -k (u - cos t) - u' from u = 1 at rest by the alpha method with Zienkiewicz and Xie's estimate, solves in closed form.
    Returns the position at the end, substeps and rejected trials."""
    alpha_m, alpha_f = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
    shift = alpha_m - alpha_f
    gamma, beta, part = 1 / 2 - shift, (1 - shift) ** 2 / 4, 1 - alpha_f
    x, v, a, jerk = Component(1.0), 0.0, 0.0, 0.0

    def one(t, h):
        begin = a + shift * h * jerk
        x_known = x.value + part * (h * v + h**2 * (1 / 2 - beta) * begin)
        v_known = v + part * h * (1 - gamma) * begin
        force = -k * (x_known - cos(t + part * h)) - v_known
        found = (force - alpha_m * begin) / (1 - alpha_m + part * (k * beta * h**2 + gamma * h))
        new = x.value + h * v + h**2 * ((1 / 2 - beta) * begin + beta * found)
        difference = h**2 * (1 / 12 + shift**2 / 4) / part * ((1 - alpha_m) * found + alpha_m * begin - a)
        error, take_x = x.trial(h * v, new, difference, rtol, atol)

        def take():
            nonlocal v, a, jerk
            v += h * ((1 - gamma) * begin + gamma * found)
            jerk, a = (found - begin) / h, found - shift * (found - begin)
            take_x()

        return error, 3, take

    counts = substeps(one, end, steps)
    return x.value, *counts


def test_structures():
    """Adaptive alpha: the substeps of another program, and errors beside the closed form."""
    text = """problem:
  coordinates: [u]
  acceleration: ["-k*(u - cos(t)) - v_u"]
  start: [1]
  parameters: {k: [2, 900, 1.0e+8]}
methods: [{generalized_alpha_adaptive: {rho_inf: [0, 0.6, 1], rtol: [1.0e-2, 1.0e-3, 1.0e-4, 1.0e-5], atol: 1.0e-6}}]
end: 3
steps: 2
newton: {tolerance: 1.0e-12}
substeps: {budget: 100000}
metrics: [x_final, substeps, failed_solves]
"""
    with results("structures", text, device="native") as file:
        group = file["generalized_alpha_adaptive"]
        found, short, rejected = (group[name][...] for name in ("x_final", "substeps", "failed_solves"))
    # x = Re(c e^(it)) + e^(-t/2) (d cos(w t) + e sin(w t)).
    for i, k in enumerate((2, 900, 1e8)):
        forced = k / complex(k - 1, 1)
        w, d = sqrt(k - 0.25), 1 - forced.real
        exact = (forced * np.exp(3j)).real + np.exp(-1.5) * (d * cos(3 * w) + (forced.imag + d / 2) / w * np.sin(3 * w))
        for j, rho in enumerate((0, 0.6, 1)):
            errors = np.abs(found[i, j].ravel() - exact)
            print(f"k {k}, rho_inf {rho}: errors {errors}, substeps {short[i, j].ravel()}, rejected {rejected[i, j].ravel()}")
            for n, rtol in enumerate((1e-2, 1e-3, 1e-4, 1e-5)):
                end, taken, tried_again = alpha_oracle(k, rho, rtol, 1e-6, 3.0, 2)
                # Of the stiffest, rounding decides which trials are rejected unless rho_inf is 0.
                check(k > 1000 and rho > 0 or abs(found[i, j].ravel()[n] - end) < 1e-7 and [short[i, j].ravel()[n], rejected[i, j].ravel()[n]] == [taken, tried_again],
                      f"k = {k}, rho_inf = {rho}, rtol = {rtol}: {found[i, j].ravel()[n]}, not {end}; {short[i, j].ravel()[n]}, {rejected[i, j].ravel()[n]}, not {taken}, {tried_again}")
            fine = errors[3] < 1e-3 and errors[1] > 8 * errors[3] if k < 10 else errors[3] < 1e-3 if rho > 0 else errors[3] < 2e-4
            check(fine, f"k = {k}, rho_inf = {rho}: errors {errors}")
        if k > 1000:
            check(np.all(np.abs(found[i, 0] - exact) < 1e-8), f"k = {k}: {found[i, 0]}, not {exact}")


def test_certificates():
    """Each substep and decision is certified, of first and second order, by differences and by closed forms."""
    methods = ", ".join(f"{{{method}: {{rtol: 1.0e-3, atol: 1.0e-6}}}}" for method in METHODS)
    tail = f"methods: [{methods}]\nsubsteps: {{budget: 10000}}\nmetrics: [x_final, updates, condition_mean, failed_solves, stagnated_solves]\n"
    write("first.yaml", f"{ROBERTSON}{tail}")
    write("second.yaml", f"problem: elastic_pendulum_cartesian\nparameters: {{eps: 0.1}}\nend: 1\nsteps: 2\n{tail}newton: {{jacobian: central}}\n")
    write("third.yaml", "problem: duffing\nparameters: {force: 0.3}\nmethods: [{generalized_alpha_adaptive: {rho_inf: [0, 1], rtol: 1.0e-3}}]\n"
          "end: 6\nsteps: 3\nsubsteps: {budget: 10000}\nmetrics: [x_final, updates, failed_solves]\n")
    for name in ("first", "second", "third"):
        pendula("conform", f"{name}.yaml", "-d", "native", "--lanes", "1")


def test_jump():
    """A substep of the least size is taken whatever its error, and counted; the certificate and the reference do so too."""
    for precision, rtol in (("single", 1e-6), ("double", 1e-13)):
        text = f"""problem: {{coordinates: [y], rate: ["floor(t/0.7)"], start: [0]}}
methods: [{{dopri5_adaptive: {{rtol: {rtol}, atol: 1.0e-30}}}}]
end: 1
steps: 1
precision: {precision}
substeps: {{budget: 1000}}
metrics: [status, x_final, stagnated_solves, failed_solves]
"""
        with results("jump", text, device="native") as file:
            group = file["dopri5_adaptive"]
            found = [group[name][...] for name in ("status", "x_final", "stagnated_solves", "failed_solves")]
            print(precision, *found)
            check(found[0] == 1 and abs(found[1][0] - 0.3) < 10 * rtol and 1 <= found[2] <= 3,
                  f"a jump, {precision}: status {found[0]}, {found[1]}, {found[2]} of the least size")
        pendula("conform", "jump.yaml", "-d", "native", "--lanes", "1")


need_compiler()
main(test_published_digits, test_ring_modulator, test_shipped, test_oracle, test_structures, test_certificates, test_jump)
