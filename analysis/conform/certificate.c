// certificate -- methods that certificates know, and the judgement of a substep.
#include "analysis/conform/certificate.h"

#include "analysis/conform/counts.h"
#include "analysis/conform/families.h"
#include "analysis/conform/sizes.h"
#include "catalog/catalog.h"

#include <string.h>

typedef struct MethodFamily {
    const char *method;
    void (*judge)(Judge *judge);
} MethodFamily;

static const MethodFamily families[] = {
    {"generalized_alpha", families_generalized_alpha},
    {"hht_alpha", families_hht_alpha},
    {"wbz_alpha", families_wbz_alpha},
    {"newmark", families_newmark},
    {"theta2", families_theta2},
    {"bdf2", families_bdf2},
    {"theta1", families_theta1},
    {"trapezoidal", families_trapezoidal},
    {"backward_euler", families_backward_euler},
    {"explicit_euler", families_explicit_euler},
    {"symplectic_euler", families_symplectic_euler},
    {"variational_explicit", families_variational_explicit},
    {"chung_lee", families_chung_lee},
    {"velocity_verlet", families_velocity_verlet},
    {"yoshida4", families_yoshida4},
    {"rk2", families_rk2},
    {"rk4", families_rk4},
    {"dopri5", families_dopri5},
    {"dopri5_adaptive", families_dopri5_adaptive},
    {"bathe", families_bathe},
    {"tr_bdf2", families_tr_bdf2},
    {"implicit_midpoint", families_implicit_midpoint},
    {"variational_implicit", families_variational_implicit},
    {"central_difference", families_central_difference},
    {"sofa_euler", families_sofa_euler},
    {"sofa_newmark", families_sofa_newmark},
    {"incremental_potential", families_incremental_potential},
    {"incremental_newmark", families_incremental_newmark},
};
enum { FAMILIES = sizeof families / sizeof *families };

static const MethodFamily *find(const Card *method)
{
    for (size_t i = 0; i < FAMILIES; ++i)
        if (strcmp(families[i].method, method->name) == 0)
            return &families[i];
    return NULL;
}

bool certificate_knows(const Card *method)
{
    return catalog_embeds(method) && find(method) != NULL;
}

// A substep as its method sees it. The state u of a first-order system stands in x between steps, and in v within one,
// where x begins at 0 (kernels/first_order.h).
typedef struct Entered {
    CertificateSubstep substep;
    CertificateState   previous;
} Entered;

static const double nowhere[CERTIFICATE_DOFS] = {0};

static void enter_state(CertificateState *state)
{
    state->v = state->x;
    state->x = nowhere;
}

static const CertificateSubstep *enter(const CertificateSubstep *substep, Entered *entered)
{
    if (!substep->problem->first_order)
        return substep;
    entered->substep = *substep;
    enter_state(&entered->substep.before);
    enter_state(&entered->substep.after);
    if (substep->previous) {
        entered->previous = *substep->previous;
        enter_state(&entered->previous);
        entered->substep.previous = &entered->previous;
    }
    return &entered->substep;
}

static Judge begin(const CertificateSubstep *substep, bool *overflow, Updates *solves)
{
    return (Judge){.substep = substep,
                   .n = substep->dofs,
                   .u = substep->unit,
                   .t = {substep->t, 4.0L * substep->unit * fabsl((long double)substep->t)},
                   .h = {substep->h, 0.0L},
                   .overflow = overflow,
                   .solves = solves};
}

// Judges a substep by less than what rounding may do: without what an acceleration's arguments may be off, and without
// following a solve. All shares are then no smaller than they are.
static bool is_within(const CertificateSubstep *substep, CertificateShare *share)
{
    bool  overflow = false;
    Judge judge = begin(substep, &overflow, NULL);
    if (!substep->accepted || substep->lost || substep->followed || substep->shown < 0.0)
        return false;
    judge.plain = true;
    find(substep->method)->judge(&judge);
    sizes_demand_kept(&judge);
    counts_judge(&judge);
    *share = judge.worst;
    return share->share <= substep->shown;
}

CertificateShare certificate_substep(const CertificateSubstep *outer, bool *decided)
{
    Entered                   entered;
    const CertificateSubstep *substep = enter(outer, &entered);
    Updates                   solves[CERTIFICATE_SOLVES];
    bool                      overflow = false;
    Judge                     judge = begin(substep, &overflow, solves);
    CertificateShare          share;
    *decided = false;
    if (is_within(substep, &share))
        return share;
    find(substep->method)->judge(&judge);
    sizes_demand_kept(&judge);
    counts_judge(&judge);
    *decided = judge.decided;
    return judge.worst;
}

CertificateShare certificate_start(const CertificateSubstep *outer)
{
    Entered entered;
    bool    overflow = false;
    Judge   judge = begin(enter(outer, &entered), &overflow, NULL);
    families_start(&judge);
    return judge.worst;
}
