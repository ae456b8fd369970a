// measures_share -- inside of measures: the share of its bound that a number of the kernel's uses.
#pragma once

#include "analysis/conform/judgement/substep.h"
#include "gauges/gauge.h"

// Keeps the larger share of a bound.
void measures_share_note(CertificateShare *worst, CertificateShare share);

CertificateShare measures_share_of(const char *formula, size_t dof, long double difference, long double bound);

// Of a number that must be another one, to the last bit but for which NaN it is.
CertificateShare measures_share_same(const char *formula, size_t dof, double number, double must);

// Of a number that must be as is expected.
CertificateShare measures_share_compare(const Expected *expected, double number);

// Whether rounding leaves nothing to demand.
bool measures_share_open(const Expected *expected);
