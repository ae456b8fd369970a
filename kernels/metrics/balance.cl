//: metric: balance
//: title: Where the energy goes
//: listed: true
//: needs: [energy]
//: state: [first, last, loss, gain, dissipated, work]
//: options: [window]
//: results:
//:   dissipated_energy: {unit: J, about: energy that the problem's dissipation takes over the window, needs: [dissipation]}
//:   drive_work:        {unit: J, about: work of the external force over the window, needs: [drive]}
//:   energy_residual:   {unit: J, about: "energy that the method makes, or below 0 loses: E(end) - E(start) + dissipated - work"}

// d(T + U)/dt = F v - v dR/dv, R Rayleigh's dissipation function and F the external force (Goldstein, Classical
// Mechanics, section 1-5). v dR/dv is the derivative of R(x, s v) by s at 1, by a central difference, which is exact
// for viscous damping. Both powers are integrated by the trapezoidal rule; its error, of second order in the step, is
// part of energy_residual.

static real M(loss)(const Observation *o)
{
    real more[DOF], less[DOF];
    EACH_DOF(i) {
        more[i] = (1.0 + CBRT_EPSILON) * o->s->v[i];
        less[i] = (1.0 - CBRT_EPSILON) * o->s->v[i];
    }
    return (dissipation(o->s->x, more, o->p) - dissipation(o->s->x, less, o->p)) / (2.0 * CBRT_EPSILON);
}

static real M(gain)(const Observation *o)
{
    real force[DOF], power = ZERO;
    drive(o->t, o->p, force);
    EACH_DOF(i)
        power = real_fma(force[i], o->s->v[i], power);
    return power;
}

static void M(start)(const Observation *o, M(State) *m)
{
    m->first = choose(WITHIN(o->t), ENERGY(o), NOT_A_NUMBER);
    m->last = m->first;
    m->loss = M(loss)(o);
    m->gain = M(gain)(o);
    m->dissipated = ZERO;
    m->work = ZERO;
}

static void M(observe)(const Observation *o, M(State) *m)
{
    const real now = ENERGY(o), loss = M(loss)(o), gain = M(gain)(o);
    const mask in = WITHIN(o->t), since = in & WITHIN(o->before);
    m->first = choose(in & !since, now, m->first);
    m->last = choose(in, now, m->last);
    m->dissipated = choose(since, m->dissipated + 0.5 * o->h * (m->loss + loss), m->dissipated);
    m->work = choose(since, m->work + 0.5 * o->h * (m->gain + gain), m->work);
    m->loss = loss;
    m->gain = gain;
}

static real M(dissipated_energy)(const Observation *o, const M(State) *m) { return m->dissipated; }
static real M(drive_work)(const Observation *o, const M(State) *m) { return m->work; }

static real M(energy_residual)(const Observation *o, const M(State) *m)
{
    return m->last - m->first + m->dissipated - m->work;
}
