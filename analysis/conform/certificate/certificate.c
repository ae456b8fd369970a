// certificate -- methods that certificates know, and the judgement of a substep.
#include "analysis/conform/certificate/certificate.h"

#include "analysis/conform/certificate/demand.h"
#include "analysis/conform/certificate/derived.h"
#include "analysis/conform/certificate/updates.h"

static const double nowhere[CERTIFICATE_DOFS] = {0};

static void enter_state(const double **x, const double **v)
{
    *v = *x;
    *x = nowhere;
}

// A substep as its method sees it. The state u of a first-order system stands in x between steps, and in v within one,
// where x begins at 0 (kernels/first_order.h).
static CertificateSubstep enter(const CertificateSubstep *substep)
{
    CertificateSubstep entered = *substep;
    if (!substep->point->problem->first_order)
        return entered;
    enter_state(&entered.before.x, &entered.before.v);
    enter_state(&entered.after.x, &entered.after.v);
    if (substep->previous_x)
        enter_state(&entered.previous_x, &entered.previous_v);
    return entered;
}

static Judge begin(const CertificateSubstep *substep, bool *overflow, Updates *solves)
{
    return (Judge){.substep = substep,
                   .n = substep->point->dofs,
                   .u = substep->point->unit,
                   .t = {substep->t, (substep->breaks ? 8.0L : 4.0L) * substep->point->unit *
                                         (fabsl((long double)substep->t) + 2.0L * fabsl((long double)substep->begin))},
                   .h = {substep->h, 0.0L},
                   .overflow = overflow,
                   .solves = solves};
}

// Judges a substep by less than the full bounds on rounding: without the errors of an acceleration's arguments, and
// without following a solve. All shares of bounds are then no smaller than the true ones.
static bool is_within(const CertificateSubstep *substep, CertificateShare *share)
{
    bool       overflow = false;
    Judge      judge = begin(substep, &overflow, NULL);
    const bool searched = substep->tangents && substep->tangents->searched;
    if (!substep->accepted || substep->lost || substep->followed || searched || substep->shown < 0.0)
        return false;
    judge.plain = true;
    demand_step(&judge);
    solve_demand_kept(&judge);
    counts_judge(&judge);
    *share = judge.worst;
    return share->share <= substep->shown;
}

const SolveMatrix *certificate_matrices(size_t n, Arena *arena, Error *err)
{
    SolveMatrix  *matrices = arena_take(arena, CERTIFICATE_MATRICES, sizeof *matrices, err);
    long double **rows = matrices ? arena_take(arena, CERTIFICATE_MATRICES * n, sizeof *rows, err) : NULL;
    long double  *numbers = rows ? arena_take(arena, CERTIFICATE_MATRICES * n * n, sizeof *numbers, err) : NULL;
    for (size_t i = 0; numbers && i < CERTIFICATE_MATRICES * n; ++i)
        rows[i] = numbers + i * n;
    for (size_t m = 0; numbers && m < CERTIFICATE_MATRICES; ++m)
        matrices[m] = rows + m * n;
    return numbers ? matrices : NULL;
}

CertificateShare certificate_substep(const CertificateSubstep *outer, bool *decided)
{
    const CertificateSubstep substep = enter(outer);
    Updates                  solves[CERTIFICATE_SOLVES];
    bool                     overflow = false;
    Judge                    judge = begin(&substep, &overflow, solves);
    CertificateShare         share;
    *decided = false;
    if (is_within(&substep, &share))
        return share;
    demand_step(&judge);
    solve_demand_kept(&judge);
    counts_judge(&judge);
    *decided = judge.decided;
    return judge.worst;
}

CertificateShare certificate_start(const CertificateSubstep *outer)
{
    const CertificateSubstep substep = enter(outer);
    bool                     overflow = false;
    Judge                    judge = begin(&substep, &overflow, NULL);
    demand_start(&judge);
    return judge.worst;
}
