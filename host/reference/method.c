// method -- table of the reference's methods.
#include "reference/method.h"

#include <math.h>
#include <string.h>

static const ReferenceMethod methods[] = {
    // name, implicit, history, weigh, start, step, trial
    {"generalized_alpha", true, false, generalized_alpha_weigh, method_start, alpha_step, NULL},
    {"newmark", true, false, newmark_weigh, method_start, alpha_step, NULL},
    {"hht_alpha", true, false, hht_alpha_weigh, method_start, alpha_step, NULL},
    {"wbz_alpha", true, false, wbz_alpha_weigh, method_start, alpha_step, NULL},
    {"theta2", true, true, theta2_weigh, NULL, theta_step, NULL},
    {"bdf2", true, true, bdf2_weigh, NULL, theta_step, NULL},
    {"theta1", true, false, theta1_weigh, NULL, theta_step, NULL},
    {"trapezoidal", true, false, trapezoidal_weigh, NULL, theta_step, NULL},
    {"backward_euler", true, false, backward_euler_weigh, NULL, theta_step, NULL},
    {"bathe", true, false, bathe_weigh, NULL, composite_step, NULL},
    {"tr_bdf2", true, false, tr_bdf2_weigh, NULL, composite_step, NULL},
    {"implicit_midpoint", true, false, NULL, NULL, implicit_midpoint_step, NULL},
    {"variational_implicit", true, false, NULL, NULL, variational_implicit_step, NULL},
    {"central_difference", true, false, sofa_rayleigh_weigh, NULL, central_difference_step, NULL},
    {"sofa_euler", true, false, sofa_rayleigh_weigh, NULL, sofa_euler_step, NULL},
    {"sofa_newmark", true, false, sofa_newmark_weigh, sofa_newmark_start, sofa_newmark_step, NULL},
    {"incremental_potential", true, false, NULL, NULL, incremental_potential_step, NULL},
    {"incremental_newmark", true, false, newmark_weigh, method_start, incremental_newmark_step, NULL},
    {"explicit_euler", false, false, NULL, NULL, explicit_euler_step, NULL},
    {"symplectic_euler", false, false, NULL, NULL, symplectic_euler_step, NULL},
    {"variational_explicit", false, false, sofa_rayleigh_weigh, NULL, symplectic_euler_step, NULL},
    {"chung_lee", false, false, chung_lee_weigh, method_start, chung_lee_step, NULL},
    {"velocity_verlet", false, false, NULL, method_start, velocity_verlet_step, NULL},
    {"yoshida4", false, false, NULL, NULL, yoshida4_step, NULL},
    {"rk2", false, false, NULL, NULL, rk2_step, NULL},
    {"rk4", false, false, NULL, NULL, rk4_step, NULL},
    {"dopri5", false, false, NULL, NULL, dopri5_step, NULL},
    {"dopri5_adaptive", false, false, dopri5_adaptive_weigh, method_start, NULL, dopri5_trial},
};

const ReferenceMethod *method_find(const Card *card)
{
    for (size_t i = 0; catalog_embeds(card) && i < sizeof methods / sizeof *methods; ++i)
        if (strcmp(methods[i].name, card->name) == 0)
            return &methods[i];
    return NULL;
}

double method_value(const MethodValues *values, const char *name)
{
    const size_t i = card_parameter(values->method, name);
    return i < values->method->parameter_count ? values->values[i] : (double)NAN;
}

void method_start(const Step *step, State *state)
{
    step->problem->acceleration(0.0, state->x, state->v, step->params, state->a);
}
