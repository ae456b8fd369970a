// method -- the table of methods.
#include "reference/method.h"

#include <math.h>
#include <string.h>

static const ReferenceMethod methods[] = {
    // name, implicit, history, weigh, start, step
    {"generalized_alpha", true, false, generalized_alpha_weigh, alpha_start, alpha_step},
    {"newmark", true, false, newmark_weigh, alpha_start, alpha_step},
    {"theta2", true, true, theta2_weigh, NULL, theta_step},
    {"bdf2", true, true, bdf2_weigh, NULL, theta_step},
    {"theta1", true, false, theta1_weigh, NULL, theta_step},
    {"trapezoidal", true, false, trapezoidal_weigh, NULL, theta_step},
    {"backward_euler", true, false, backward_euler_weigh, NULL, theta_step},
    {"rk4", false, false, NULL, NULL, rk4_step},
};

const ReferenceMethod *method_find(const char *name)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i)
        if (strcmp(methods[i].name, name) == 0)
            return &methods[i];
    return NULL;
}

double method_value(const MethodValues *values, const char *name)
{
    for (size_t i = 0; i < values->method->parameter_count; ++i)
        if (strcmp(values->method->parameters[i].name, name) == 0)
            return values->values[i];
    return NAN;
}
