// point_file -- columns of numbers from a file that lists points: CSV, or a dataset of an HDF5 file.
//
// A row of the file is a point, a column one quantity of all points. The file is read in pieces: memory is taken for
// the numbers alone, eight bytes each.
#pragma once

#include "base/arena.h"

#include <stdint.h>

typedef struct PointColumn {
    const char *name;
    double     *values;  // [count of the file]
    size_t      place;   // index of the column in the file
} PointColumn;

// Zero-initialise it; release with point_file_free().
typedef struct PointFile {
    const char  *path;     // of the file
    const char  *dataset;  // in an HDF5 file; NULL: CSV
    PointColumn *columns;  // [column_count]
    size_t       column_count;
    uint64_t     count;     // of points, at least 1
    uint64_t     room;      // of each column
    size_t       sure;      // columns that have a number in every row: the first ones; in others NAN is a gap
    bool         borrowed;  // all of it is another's
    Arena        arena;
} PointFile;

enum { POINT_FILE_MOST = INT32_MAX };

// Reads a CSV file, whose header names the columns.
//   names  [count] the columns to read, whatever the others hold; NULL: all
//   file   written; zeroed on failure
// Errors: those of csv_open() and csv_next(); ERROR_INPUT (no such column, no points, more than POINT_FILE_MOST);
// ERROR_INTERNAL.
bool point_file_read_csv(const char *path, const char *const *names, size_t count, PointFile *file, Error *err);

// Reads a dataset of numbers, [points][columns], or [points] for one column.
//   names  [count] of the columns
//   file   written; zeroed on failure
// Errors: ERROR_IO (missing, unreadable), ERROR_INPUT (no HDF5 file, no such dataset, another shape or type, a number
// that is not finite, no points, more than POINT_FILE_MOST), ERROR_INTERNAL.
bool point_file_read_dataset(const char *path, const char *dataset, const char *const *names, size_t count,
                             PointFile *file, Error *err);

// Reads columns of a CSV file that may have gaps behind the first `sure`; otherwise as point_file_read_csv().
bool point_file_read_gaps(const char *path, const char *const *names, size_t count, size_t sure, PointFile *file,
                          Error *err);

// Reads columns by name: of a CSV file, or of an HDF5 file, where a column is a dataset of one dimension.
//   names  [count] different ones
//   sure   the first so many have a number in every row; in the others a gap is NAN: an empty field, nan, na, null, inf
//   file   written; zeroed on failure
// Errors: those of the two above; ERROR_INPUT (datasets of different lengths).
bool point_file_read_columns(const char *path, const char *const *names, size_t count, size_t sure, PointFile *file,
                             Error *err);

// Fails with the place of a number before the formatted text: path:line:column of a CSV file, else dataset, row and
// column.
//   column  index into `columns`
//   row     of the points; POINT_FILE_HEADER: the column's name in the header
// Always false.
#define POINT_FILE_HEADER UINT64_MAX
bool point_file_fail(const PointFile *file, size_t column, uint64_t row, Error *err, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

// Makes room for so many points in each column. Errors: ERROR_INPUT (too many), ERROR_INTERNAL.
bool point_file_grow(PointFile *file, uint64_t count, Error *err);

// The same points and memory, which must outlive it.
PointFile point_file_borrow(const PointFile *from);

void point_file_free(PointFile *file);
