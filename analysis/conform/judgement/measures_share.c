// measures_share -- comparisons of a kernel's number with its expected value.
#include "analysis/conform/judgement/measures_share.h"

void measures_share_note(CertificateShare *worst, CertificateShare share)
{
    if (!worst->equation || !(share.share <= worst->share))
        *worst = share;
}

CertificateShare measures_share_of(const char *formula, size_t dof, long double difference, long double bound)
{
    const long double share =
        difference == 0.0L || (bound == INFINITY && !isnan(difference)) ? 0.0L : difference / bound;
    return (CertificateShare){isnan(share) ? (double)INFINITY : (double)share, formula, dof, (double)difference,
                              (double)bound};
}

CertificateShare measures_share_same(const char *formula, size_t dof, double number, double must)
{
    const bool equal = number == must || (isnan(number) && isnan(must));
    return measures_share_of(formula, dof, equal ? 0.0L : INFINITY, 0.0L);
}

bool measures_share_open(const Expected *expected)
{
    return expected->number && !expected->among && !(expected->value.off < INFINITY);
}

CertificateShare measures_share_compare(const Expected *expected, double number)
{
    const char *formula = expected->formula;
    if (measures_share_open(expected))
        return measures_share_of(formula, 0, 0.0L, 0.0L);
    if (isnan(number))
        return measures_share_of(formula, 0, expected->nan ? 0.0L : INFINITY, 0.0L);
    if (!expected->number)
        return measures_share_of(formula, 0, INFINITY, 0.0L);
    if (expected->among) {
        const bool member =
            number >= 0.0 && number < 32.0 && number == floor(number) && (expected->among >> (unsigned)number & 1u);
        return measures_share_of(formula, 0, member ? 0.0L : INFINITY, 0.0L);
    }
    // A condition number may be infinite, and so is its expected value.
    return number == expected->value.at
               ? measures_share_of(formula, 0, 0.0L, 0.0L)
               : measures_share_of(formula, 0, fabsl(number - expected->value.at), expected->value.off);
}
