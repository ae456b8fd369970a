//: problem: pivot
//: title: Three masses whose springs pull across
//: equation: "x_1'' = k11 x_1 - k12 x_2, x_2'' = -k23 x_3 - x_2^3, x_3'' = k31 x_1"
//: dofs: 3
//: parameters:
//:   k11: {default: 0.0, unit: 1/s2, about: push of the first on itself}
//:   k12: {default: 5000.0, unit: 1/s2, about: pull of the second on the first}
//:   k23: {default: 300.0, unit: 1/s2, about: pull of the third on the second}
//:   k31: {default: 20.0, unit: 1/s2, about: pull of the first on the third}

// What stands on the diagonal of a Newton matrix is less than what stands beside it: rows must change places.

static void initial_state(const Params *p, real x[DOF], real v[DOF])
{
    EACH_DOF(i)
    {
        x[i] = 0.1 * (SCALAR)(i + 1);
        v[i] = ZERO - 0.3;
    }
}

static void acceleration(real t, const real x[DOF], const real v[DOF], const Params *p, real a[DOF])
{
    a[0] = p->k11 * x[0] - p->k12 * x[1];
    a[1] = -p->k23 * x[2] - x[1] * x[1] * x[1];
    a[2] = p->k31 * x[0];
}
