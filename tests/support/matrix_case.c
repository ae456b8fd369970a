// matrix_case -- makes settings from cards, and reads matrices off kernels.
#include "support/matrix_case.h"

// The last two stand for infinity.
const double matrix_omegas[OMEGAS] = {0.1, 0.5, 1.0, 2.0, 5.0, 1e4, 1e8};
const double matrix_zetas[ZETAS] = {0.0, 0.2};

// The end of a range, or a place on the way to it where it does not belong to the range or is far off.
static double towards(double from, double end, bool open)
{
    return isinf(end) ? from + copysign(0.3, end) : open ? 0.5 * (from + end) : end;
}

Tested make_tested(Device *device, const Card *card)
{
    Tested tested = {.device = device,
                     .card = card,
                     .theory = theory_of(card),
                     .known = closed_forms_of(card->name),
                     .setting_count = 1};
    assert_true(card->parameter_count <= CASE_PARAMETERS);
    for (size_t i = 0; i < card->parameter_count; ++i)
        tested.settings[0][i] = card->parameters[i].initial;
    for (size_t i = 0; i < 2 * card->parameter_count; ++i) {
        const CardParameter *parameter = &card->parameters[i / 2];
        double              *setting = tested.settings[tested.setting_count];
        const double         value = i % 2 ? towards(parameter->initial, parameter->most, parameter->most_open)
                                           : towards(parameter->initial, parameter->least, parameter->least_open);
        if (parameter->derived || value == parameter->initial)
            continue;
        memcpy(setting, tested.settings[0], sizeof tested.settings[0]);
        setting[i / 2] = value;
        ++tested.setting_count;
    }
    return tested;
}

Probe *make_probe(const Tested *tested, const Catalog *catalog, JacobianRule jacobian, int lanes)
{
    Probe             *probe = NULL;
    const ProbeOptions options = {.lanes = lanes, .jacobian = jacobian};
    assert_fine(probe_make(tested->device, catalog, tested->card, &options, &probe, &err));
    return probe;
}

void probe_all(const Tested *tested, Probe *probe, Matrix matrices[MOST_MATRICES])
{
    ProbePoint   points[MOST_MATRICES];
    const size_t count = tested->setting_count * OMEGAS * ZETAS;
    for (size_t i = 0; i < count; ++i)
        points[i] = (ProbePoint){matrix_omegas[i / ZETAS % OMEGAS], matrix_zetas[i % ZETAS],
                                 tested->settings[i / (OMEGAS * ZETAS)]};
    assert_fine(probe_matrices(probe, points, count, matrices, &err));
}

size_t matrix_number(size_t setting, size_t omega, size_t zeta)
{
    return (setting * OMEGAS + omega) * ZETAS + zeta;
}

double largest_of(Matrix m)
{
    double largest = 0.0;
    for (size_t i = 0; i < m.n; ++i)
        for (size_t j = 0; j < m.n; ++j)
            largest = fmax(largest, fabs(m.a[i][j]));
    return largest;
}

bool is_rayleigh(const CardParameter *parameter)
{
    return strncmp(parameter->name, "r_", 2) == 0;
}
