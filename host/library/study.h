// study -- what the library's analyses of a study share: options, and the grid around its designs.
#pragma once

#include "analysis/sensitivity/sensitivity.h"
#include "library/library.h"

// Dimensions of the grid around the designs; room for two more.
typedef struct StudyGrid {
    const char *dims[STORE_READ_RANK + 2];
    uint64_t    shape[STORE_READ_RANK + 2];
    size_t      rank;
} StudyGrid;

// Finds the grid of a study; its names are the file's.
bool study_begin_grid(const Study *study, StoreFile *file, StudyGrid *grid, Error *err);

// Adds the values of the grid's axes to a group.
bool study_add_grid(const Study *study, const StudyGrid *grid, StoreFile *file, StoreGroup *group, Error *err);

// Makes a result of a study.
typedef bool StudyFind(const SensitivityRequest *request, Study *study, StoreFile *found, void *user, Error *err);

// Opens a study of arrays, or of a group of a result, and makes a result by `find`. NULL on failure.
//   given  the caller's
// Errors: ERROR_USAGE (a word of the options, no such group, the result of an analysis), those of study_hold(),
// study_open() and `find`.
PendulaResult *study_of_arrays(const StudyArrays *arrays, const PendulaSensitivityOptions *given, StudyFind *find,
                               void *user, PendulaError **error);
PendulaResult *study_of_result(const PendulaResult *result, const char *label, const PendulaSensitivityOptions *given,
                               StudyFind *find, void *user, PendulaError **error);
