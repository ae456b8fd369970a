# pulled -- a kernel file of a mass that a table f of the sweep pulls: `pulled.cl`.
from checking import write


def write_pulled(equation, arguments, dadx, dadv):
    """Writes it into the check's folder; its acceleration is the table's value at the arguments, its derivatives are C."""
    write("pulled.cl", f"""//: problem: pulled
//: title: Mass on a spring of a table
//: equation: {equation}
//: dofs: 1
//: provides: [jacobian]
//: tables: [f]

static void initial_state(const Params *p, real x[DOF], real v[DOF])
{{
    x[0] = (real)(0.3);
    v[0] = ZERO;
}}

static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])
{{
    a[0] = TABLE(f, {arguments});
}}

static void jacobian(real t, const real x[DOF], const real v[DOF], const Params *p, real dadx[DOF][DOF], real dadv[DOF][DOF])
{{
    dadx[0][0] = {dadx};
    dadv[0][0] = {dadv};
}}
""")
