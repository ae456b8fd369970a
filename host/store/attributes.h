// attributes -- attributes of a result file: the sweep, each group's effective settings, each dataset's unit.
//
// Settings carry the names they have under -s (`newton.tolerance`), parameters their own; a method's parameter that is
// named like one of its problem's is METHOD.NAME. An axis of the group is not an attribute.
#pragma once

#include "store/h5.h"
#include "store/layout.h"

enum { FINGERPRINT_DIGITS = 16 };

// What the attribute `fingerprint` says: a hash of the plan's fingerprint, of who computes and of the version of the
// numbers.
void attributes_fingerprint(const Plan *plan, char text[FINGERPRINT_DIGITS + 1]);

// These write all attributes of an HDF5 object. False on failure; HDF5's error stack has the reason.
bool attributes_of_file(hid_t file, const Plan *plan);
bool attributes_of_group(hid_t section, const Group *group, const char *source);
bool attributes_of_dataset(hid_t id, const Dataset *dataset, const Group *group);
