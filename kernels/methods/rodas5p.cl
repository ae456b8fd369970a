//: method: rodas5p
//: title: Rodas5P of Steinebach, a Rosenbrock method of eight linear stages, substeps chosen by its error estimate
//: source: "Steinebach 2023, BIT Numerical Mathematics 63:27, in the form of Hairer and Wanner 1996, eq. IV.7.25"
//: order: 5
//: first_order: true
//: unknown: velocity
//: solver: rosenbrock
//: stages: 8
//: adaptive: true
//: state: [a, size_x, size_v]
//: scratch: [kx_1, kv_1, kx_2, kv_2, kx_3, kv_3, kx_4, kv_4, kx_5, kv_5, kx_6, kv_6, kx_7, kv_7, kx_8, kv_8, dense_x_1, dense_v_1, dense_x_2, dense_v_2, dense_x_3, dense_v_3]
//: parameters:
//:   rtol: {default: 1.0e-6, above: 0, max: 1, unit: "1", about: "error permitted per substep, relative to the size of x and v"}
//:   atol: {default: 1.0e-9, above: 0, unit: "1", about: "error permitted per substep beside that, relative to the largest that the component has been"}
//: equations_start:
//:   - a = accel(t, x, v)
//: equations:
//:   - gamma = 0.21193756319429014
//:   - a_31 = 2.849394379747939
//:   - a_32 = 0.45842242204463923
//:   - a_41 = -6.954028509809101
//:   - a_42 = 2.489845061869568
//:   - a_43 = -10.358996098473584
//:   - a_51 = 2.8029986275628964
//:   - a_52 = 0.5072464736228206
//:   - a_53 = -0.3988312541770524
//:   - a_54 = -0.04721187230404641
//:   - a_61 = -7.502846399306121
//:   - a_62 = 2.561846144803919
//:   - a_63 = -11.627539656261098
//:   - a_64 = -0.18268767659942256
//:   - a_65 = 0.030198172008377946
//:   - c_21 = -14.155112264123755
//:   - c_31 = -17.97296035885952
//:   - c_32 = -2.859693295451294
//:   - c_41 = 147.12150275711716
//:   - c_42 = -1.41221402718213
//:   - c_43 = 71.68940251302358
//:   - c_51 = 165.43517024871676
//:   - c_52 = -0.4592823456491126
//:   - c_53 = 42.90938336958603
//:   - c_54 = -5.961986721573306
//:   - c_61 = 24.854864614690072
//:   - c_62 = -3.0009227002832186
//:   - c_63 = 47.4931110020768
//:   - c_64 = 5.5814197821558125
//:   - c_65 = -0.6610691825249471
//:   - c_71 = 30.91273214028599
//:   - c_72 = -3.1208243349937974
//:   - c_73 = 77.79954646070892
//:   - c_74 = 34.28646028294783
//:   - c_75 = -19.097331116725623
//:   - c_76 = -28.087943162872662
//:   - c_81 = 37.80277123390563
//:   - c_82 = -3.2571969029072276
//:   - c_83 = 112.26918849496327
//:   - c_84 = 66.9347231244047
//:   - c_85 = -40.06618937091002
//:   - c_86 = -54.66780262877968
//:   - c_87 = -9.48861652309627
//:   - n_2 = 0.6358126895828704
//:   - n_3 = 0.4095798393397535
//:   - n_4 = 0.9769306725060716
//:   - n_5 = 0.4288403609558664
//:   - d_2 = -0.42387512638858027
//:   - d_3 = -0.3384627126235924
//:   - d_4 = 1.8046452872882734
//:   - d_5 = 2.325825639765069
//:   - w_11 = 25.948786856663858
//:   - w_12 = -2.5579724845846235
//:   - w_13 = 10.433815404888879
//:   - w_14 = -2.3679251022685204
//:   - w_15 = 0.524948541321073
//:   - w_16 = 1.1241088310450404
//:   - w_17 = 0.4272876194431874
//:   - w_18 = -0.17202221070155493
//:   - w_21 = -9.91568850695171
//:   - w_22 = -0.9689944594115154
//:   - w_23 = 3.0438037242978453
//:   - w_24 = -24.495224566215796
//:   - w_25 = 20.176138334709044
//:   - w_26 = 15.98066361424651
//:   - w_27 = -6.789040303419874
//:   - w_28 = -6.710236069923372
//:   - w_31 = 11.419903575922262
//:   - w_32 = 2.8879645146136994
//:   - w_33 = 72.92137995996029
//:   - w_34 = 80.12511834622643
//:   - w_35 = -52.072871366152654
//:   - w_36 = -59.78993625266729
//:   - w_37 = -0.15582684282751913
//:   - w_38 = 4.883087185713722
//:   - solve kv_1
//:   - kx_1 = h*gamma*(v + kv_1)
//:   - kv_1 = h*gamma*accel(t + gamma*h, x + kx_1, v + kv_1)
//:   - x_2 = x + 3*kx_1
//:   - v_2 = v + 3*kv_1
//:   - f_2 = accel(t + n_2*h, x_2, v_2)
//:   - solve kv_2
//:   - kx_2 = h*gamma*(v_2 + kv_2) + gamma*(c_21*kx_1)
//:   - kv_2 = h*gamma*(f_2 - a + accel(t + d_2*h, x + kx_2, v + kv_2)) + gamma*(c_21*kv_1)
//:   - x_3 = x + a_31*kx_1 + a_32*kx_2
//:   - v_3 = v + a_31*kv_1 + a_32*kv_2
//:   - f_3 = accel(t + n_3*h, x_3, v_3)
//:   - solve kv_3
//:   - kx_3 = h*gamma*(v_3 + kv_3) + gamma*(c_31*kx_1 + c_32*kx_2)
//:   - kv_3 = h*gamma*(f_3 - a + accel(t + d_3*h, x + kx_3, v + kv_3)) + gamma*(c_31*kv_1 + c_32*kv_2)
//:   - x_4 = x + a_41*kx_1 + a_42*kx_2 + a_43*kx_3
//:   - v_4 = v + a_41*kv_1 + a_42*kv_2 + a_43*kv_3
//:   - f_4 = accel(t + n_4*h, x_4, v_4)
//:   - solve kv_4
//:   - kx_4 = h*gamma*(v_4 + kv_4) + gamma*(c_41*kx_1 + c_42*kx_2 + c_43*kx_3)
//:   - kv_4 = h*gamma*(f_4 - a + accel(t + d_4*h, x + kx_4, v + kv_4)) + gamma*(c_41*kv_1 + c_42*kv_2 + c_43*kv_3)
//:   - x_5 = x + a_51*kx_1 + a_52*kx_2 + a_53*kx_3 + a_54*kx_4
//:   - v_5 = v + a_51*kv_1 + a_52*kv_2 + a_53*kv_3 + a_54*kv_4
//:   - f_5 = accel(t + n_5*h, x_5, v_5)
//:   - solve kv_5
//:   - kx_5 = h*gamma*(v_5 + kv_5) + gamma*(c_51*kx_1 + c_52*kx_2 + c_53*kx_3 + c_54*kx_4)
//:   - kv_5 = h*gamma*(f_5 - a + accel(t + d_5*h, x + kx_5, v + kv_5)) + gamma*(c_51*kv_1 + c_52*kv_2 + c_53*kv_3 + c_54*kv_4)
//:   - x_6 = x + a_61*kx_1 + a_62*kx_2 + a_63*kx_3 + a_64*kx_4 + a_65*kx_5
//:   - v_6 = v + a_61*kv_1 + a_62*kv_2 + a_63*kv_3 + a_64*kv_4 + a_65*kv_5
//:   - f_6 = accel(t + h, x_6, v_6)
//:   - solve kv_6
//:   - kx_6 = h*gamma*(v_6 + kv_6) + gamma*(c_61*kx_1 + c_62*kx_2 + c_63*kx_3 + c_64*kx_4 + c_65*kx_5)
//:   - kv_6 = h*gamma*(f_6 - a + accel(t, x + kx_6, v + kv_6)) + gamma*(c_61*kv_1 + c_62*kv_2 + c_63*kv_3 + c_64*kv_4 + c_65*kv_5)
//:   - x_7 = x_6 + kx_6
//:   - v_7 = v_6 + kv_6
//:   - f_7 = accel(t + h, x_7, v_7)
//:   - solve kv_7
//:   - kx_7 = h*gamma*(v_7 + kv_7) + gamma*(c_71*kx_1 + c_72*kx_2 + c_73*kx_3 + c_74*kx_4 + c_75*kx_5 + c_76*kx_6)
//:   - kv_7 = h*gamma*(f_7 - a + accel(t, x + kx_7, v + kv_7)) + gamma*(c_71*kv_1 + c_72*kv_2 + c_73*kv_3 + c_74*kv_4 + c_75*kv_5 + c_76*kv_6)
//:   - x_8 = x_7 + kx_7
//:   - v_8 = v_7 + kv_7
//:   - f_8 = accel(t + h, x_8, v_8)
//:   - solve kv_8
//:   - kx_8 = h*gamma*(v_8 + kv_8) + gamma*(c_81*kx_1 + c_82*kx_2 + c_83*kx_3 + c_84*kx_4 + c_85*kx_5 + c_86*kx_6 + c_87*kx_7)
//:   - kv_8 = h*gamma*(f_8 - a + accel(t, x + kx_8, v + kv_8)) + gamma*(c_81*kv_1 + c_82*kv_2 + c_83*kv_3 + c_84*kv_4 + c_85*kv_5 + c_86*kv_6 + c_87*kv_7)
//:   - x1 = x_8 + kx_8
//:   - v1 = v_8 + kv_8
//:   - a1 = accel(t + h, x1, v1)
//:   - dense_x_1 = w_11*kx_1 + w_12*kx_2 + w_13*kx_3 + w_14*kx_4 + w_15*kx_5 + w_16*kx_6 + w_17*kx_7 + w_18*kx_8
//:   - dense_v_1 = w_11*kv_1 + w_12*kv_2 + w_13*kv_3 + w_14*kv_4 + w_15*kv_5 + w_16*kv_6 + w_17*kv_7 + w_18*kv_8
//:   - dense_x_2 = w_21*kx_1 + w_22*kx_2 + w_23*kx_3 + w_24*kx_4 + w_25*kx_5 + w_26*kx_6 + w_27*kx_7 + w_28*kx_8
//:   - dense_v_2 = w_21*kv_1 + w_22*kv_2 + w_23*kv_3 + w_24*kv_4 + w_25*kv_5 + w_26*kv_6 + w_27*kv_7 + w_28*kv_8
//:   - dense_x_3 = w_31*kx_1 + w_32*kx_2 + w_33*kx_3 + w_34*kx_4 + w_35*kx_5 + w_36*kx_6 + w_37*kx_7 + w_38*kx_8
//:   - dense_v_3 = w_31*kv_1 + w_32*kv_2 + w_33*kv_3 + w_34*kv_4 + w_35*kv_5 + w_36*kv_6 + w_37*kv_7 + w_38*kv_8
//:   - error_x = kx_8
//:   - error_v = kv_8

// L-stable, as the formula of fourth order is that its last stage is the difference from. There is no Newton iteration
// and no tolerance of one: a stage is the solution of a linear equation, whose matrix is that of the substep's
// beginning. The order is that of exact derivatives. Differences are off by some 1e-10 of them, and the substep by that
// part of h^2 times its second derivative.

#include "rosenbrock.h"

#define GAMMA 0.21193756319429014

// Weights of the increments of the stages before, in the state of a stage.
constant SCALAR WEIGHTS[8][7] = {
    {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
    {3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
    {2.849394379747939, 0.45842242204463923, 0.0, 0.0, 0.0, 0.0, 0.0},
    {-6.954028509809101, 2.489845061869568, -10.358996098473584, 0.0, 0.0, 0.0, 0.0},
    {2.8029986275628964, 0.5072464736228206, -0.3988312541770524, -0.04721187230404641, 0.0, 0.0, 0.0},
    {-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256, 0.030198172008377946, 0.0, 0.0},
    {-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256, 0.030198172008377946, 1.0, 0.0},
    {-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256, 0.030198172008377946, 1.0, 1.0}};
// Theirs in its right side, over gamma.
constant SCALAR COUPLINGS[8][7] = {
    {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
    {-14.155112264123755, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
    {-17.97296035885952, -2.859693295451294, 0.0, 0.0, 0.0, 0.0, 0.0},
    {147.12150275711716, -1.41221402718213, 71.68940251302358, 0.0, 0.0, 0.0, 0.0},
    {165.43517024871676, -0.4592823456491126, 42.90938336958603, -5.961986721573306, 0.0, 0.0, 0.0},
    {24.854864614690072, -3.0009227002832186, 47.4931110020768, 5.5814197821558125, -0.6610691825249471, 0.0, 0.0},
    {30.91273214028599, -3.1208243349937974, 77.79954646070892, 34.28646028294783, -19.097331116725623,
     -28.087943162872662, 0.0},
    {37.80277123390563, -3.2571969029072276, 112.26918849496327, 66.9347231244047, -40.06618937091002,
     -54.66780262877968, -9.48861652309627}};
// Its time, and its weight of the derivative in time, in substeps.
constant SCALAR NODES[8] = {
    0.0, 0.6358126895828704, 0.4095798393397535, 0.9769306725060716, 0.4288403609558664, 1.0, 1.0, 1.0};
constant SCALAR RATES[8] = {
    GAMMA, -0.42387512638858027, -0.3384627126235924, 1.8046452872882734, 2.325825639765069, 0.0, 0.0, 0.0};

// Weights of the increments in what a state within a substep has beside the line through its ends (between.h).
constant SCALAR BENDS[3][8] = {{25.948786856663858, -2.5579724845846235, 10.433815404888879, -2.3679251022685204,
                                0.524948541321073, 1.1241088310450404, 0.4272876194431874, -0.17202221070155493},
                               {-9.91568850695171, -0.9689944594115154, 3.0438037242978453, -24.495224566215796,
                                20.176138334709044, 15.98066361424651, -6.789040303419874, -6.710236069923372},
                               {11.419903575922262, 2.8879645146136994, 72.92137995996029, 80.12511834622643,
                                -52.072871366152654, -59.78993625266729, -0.15582684282751913, 4.883087185713722}};

static void start(const Params *p, const MethodParams *m, State *s)
{
    acceleration(START_TIME(p), s->x, s->v, p, s->a);
    EACH_DOF(i)
        s->size_x[i] = s->size_v[i] = ZERO;
}

// The sum of weights times the increments of the stages before.
static real before(constant SCALAR *weights, int count, const real increments[7])
{
    real sum = ZERO;
    for (int j = 0; j < count; ++j)
        sum = real_fma(ZERO + weights[j], increments[j], sum);
    return sum;
}

static void prepare(real t, real h, real r, const State *s, const Params *p, const MethodParams *m, Stage *k)
{
    const int n = k->number;
    k->q = GAMMA * h;
    k->t = t + NODES[n] * h;
    k->d = RATES[n] * h;
    EACH_DOF(i) {
        const real x[7] = {s->kx_1[i], s->kx_2[i], s->kx_3[i], s->kx_4[i], s->kx_5[i], s->kx_6[i], s->kx_7[i]};
        const real v[7] = {s->kv_1[i], s->kv_2[i], s->kv_3[i], s->kv_4[i], s->kv_5[i], s->kv_6[i], s->kv_7[i]};
        k->X[i] = s->x[i] + before(WEIGHTS[n], n, x);
        k->V[i] = s->v[i] + before(WEIGHTS[n], n, v);
        k->K[i] = real_fma(k->q, k->V[i], GAMMA * before(COUPLINGS[n], n, x));
        k->B[i] = GAMMA * before(COUPLINGS[n], n, v);
    }
}

static void keep_stage(const real u[DOF], const Stage *k, real kx[DOF], real kv[DOF])
{
    EACH_DOF(i) {
        kx[i] = real_fma(k->q, u[i], k->K[i]);
        kv[i] = u[i];
    }
}

static void finish(real t, real h, const real u[DOF], const Stage *k, const Params *p, const MethodParams *m, State *s)
{
    switch (k->number) {
    case 0: keep_stage(u, k, s->kx_1, s->kv_1); break;
    case 1: keep_stage(u, k, s->kx_2, s->kv_2); break;
    case 2: keep_stage(u, k, s->kx_3, s->kv_3); break;
    case 3: keep_stage(u, k, s->kx_4, s->kv_4); break;
    case 4: keep_stage(u, k, s->kx_5, s->kv_5); break;
    case 5: keep_stage(u, k, s->kx_6, s->kv_6); break;
    case 6: keep_stage(u, k, s->kx_7, s->kv_7); break;
    default: keep_stage(u, k, s->kx_8, s->kv_8);
    }
}

static real bend(constant SCALAR *weights, const real increments[7], real last)
{
    return real_fma(ZERO + weights[7], last, before(weights, 7, increments));
}

// The end of a substep is the state of its last stage and that stage's increment, which is the error.
static real end(real begin, const real increments[7], real last)
{
    return begin + before(WEIGHTS[7], 7, increments) + last;
}

// Largest over the components of |difference of the two orders|/(atol size + rtol max(|old|, |new|)).
static real trial(real t, real h, const Params *p, const MethodParams *m, State *s)
{
    real worst = ZERO, x1[DOF], v1[DOF];
    EACH_DOF(i) {
        const real x[7] = {s->kx_1[i], s->kx_2[i], s->kx_3[i], s->kx_4[i], s->kx_5[i], s->kx_6[i], s->kx_7[i]};
        const real v[7] = {s->kv_1[i], s->kv_2[i], s->kv_3[i], s->kv_4[i], s->kv_5[i], s->kv_6[i], s->kv_7[i]};
        x1[i] = end(s->x[i], x, s->kx_8[i]);
        v1[i] = end(s->v[i], v, s->kv_8[i]);
        s->dense_x_1[i] = bend(BENDS[0], x, s->kx_8[i]);
        s->dense_v_1[i] = bend(BENDS[0], v, s->kv_8[i]);
        s->dense_x_2[i] = bend(BENDS[1], x, s->kx_8[i]);
        s->dense_v_2[i] = bend(BENDS[1], v, s->kv_8[i]);
        s->dense_x_3[i] = bend(BENDS[2], x, s->kx_8[i]);
        s->dense_v_3[i] = bend(BENDS[2], v, s->kv_8[i]);
        worst = worse(worst, error_share(i, h, m, x1[i], v1[i], s->kx_8[i], s->kv_8[i], s));
    }
    acceleration(t + h, x1, v1, p, s->a);
    EACH_DOF(i) {
        s->x[i] = x1[i];
        s->v[i] = v1[i];
    }
    return worst;
}
