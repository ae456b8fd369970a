// point_dataset -- columns of points from a dataset of an HDF5 file.
#include "points/point_file.h"

#include "base/file.h"
#include "h5/h5.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// So many numbers are read at a time, unless one row of the dataset has more.
enum { PIECE_NUMBERS = 1 << 18, MOST_COLUMNS = 1000 };

// HDF5's own message for a missing file does not name the file.
static bool check_file(const char *path, Error *err)
{
    struct stat info;
    const int   file SCOPED(file_close) = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return fail(err, ERROR_IO, "%s: cannot be opened: %s", path, strerror(errno));
    if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode))
        return fail(err, ERROR_IO, "%s: is not a regular file", path);
    return H5Fis_hdf5(path) > 0 || fail(err, ERROR_INPUT, "%s: is not an HDF5 file", path);
}

static bool check_shape(const PointFile *file, hid_t set, int *rank, hsize_t shape[2], Error *err)
{
    hid_t space SCOPED(h5_leave) = H5Dget_space(set), type SCOPED(h5_leave) = H5Dget_type(set);
    const H5T_class_t class = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
    shape[1] = 1;
    *rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    if ((*rank != 1 && *rank != 2) || H5Sget_simple_extent_dims(space, shape, NULL) != *rank)
        return fail(err, ERROR_INPUT, "%s: %s: a dataset of two dimensions is due, points and columns", file->path,
                    file->dataset);
    if (class != H5T_FLOAT && class != H5T_INTEGER)
        return fail(err, ERROR_INPUT, "%s: %s: its elements are not numbers", file->path, file->dataset);
    if (shape[1] != file->column_count)
        return fail(err, ERROR_INPUT, "%s: %s: %llu columns, but %zu names for them", file->path, file->dataset,
                    (unsigned long long)shape[1], file->column_count);
    return shape[0] > 0 || fail(err, ERROR_INPUT, "%s: %s: no points", file->path, file->dataset);
}

static bool read_piece(const PointFile *file, hid_t set, int rank, uint64_t first, uint64_t count, double *piece,
                       Error *err)
{
    const hsize_t start[2] = {first, 0}, shape[2] = {count, file->column_count};
    hid_t space SCOPED(h5_leave) = H5Dget_space(set), memory SCOPED(h5_leave) = H5Screate_simple(rank, shape, NULL);
    return (space >= 0 && memory >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, shape, NULL) >= 0 &&
            H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, piece) >= 0) ||
           h5_fail(err, ERROR_INPUT, "%s: %s cannot be read", file->path, file->dataset);
}

static bool take_piece(PointFile *file, uint64_t count, const double *piece, Error *err)
{
    for (uint64_t row = 0; row < count; ++row)
        for (size_t i = 0; i < file->column_count; ++i) {
            const double value = piece[row * file->column_count + i];
            if (!isfinite(value) && i < file->sure)
                return point_file_fail(file, i, file->count + row, err, "%g is not finite", value);
            file->columns[i].values[file->count + row] = isfinite(value) ? value : (double)NAN;
        }
    file->count += count;
    return true;
}

static bool read_pieces(PointFile *file, hid_t set, int rank, uint64_t points, Error *err)
{
    const uint64_t rows = file->column_count < PIECE_NUMBERS ? PIECE_NUMBERS / file->column_count : 1;
    double        *piece SCOPED(scoped_free) = calloc(rows * file->column_count, sizeof *piece);
    bool           ok = piece || fail(err, ERROR_INTERNAL, "%s: out of memory", file->path);
    ok = ok && point_file_grow(file, points, err);
    while (ok && file->count < points) {
        const uint64_t count = points - file->count < rows ? points - file->count : rows;
        ok = read_piece(file, set, rank, file->count, count, piece, err) && take_piece(file, count, piece, err);
    }
    return ok;
}

static bool read_dataset(PointFile *file, Error *err)
{
    int     rank;
    hsize_t shape[2];
    hid_t   access SCOPED(h5_leave) = H5Pcreate(H5P_FILE_ACCESS);
    if (access >= 0)
        H5Pset_file_locking(access, false, true);
    hid_t opened SCOPED(h5_leave) = access >= 0 ? h5_keep(H5Fopen(file->path, H5F_ACC_RDONLY, access)) : -1;
    hid_t set SCOPED(h5_leave) = opened >= 0 ? H5Dopen2(opened, file->dataset, H5P_DEFAULT) : -1;
    if (opened < 0)
        return h5_fail(err, ERROR_INPUT, "%s: cannot be opened", file->path);
    if (set < 0)
        return fail(err, ERROR_INPUT, "%s: there is no dataset '%.200s' in it", file->path, file->dataset);
    return check_shape(file, set, &rank, shape, err) && read_pieces(file, set, rank, shape[0], err);
}

static bool read_columns(const char *path, const char *dataset, const char *const *names, size_t count, size_t sure,
                         PointFile *file, Error *err)
{
    *file = (PointFile){.sure = sure};
    h5_begin();
    file->path = arena_copy(&file->arena, path, err);
    file->dataset = file->path ? arena_copy(&file->arena, dataset, err) : NULL;
    file->columns = file->dataset ? arena_take(&file->arena, count, sizeof *file->columns, err) : NULL;
    bool ok = file->columns != NULL;
    for (size_t i = 0; ok && i < count; ++i) {
        file->columns[file->column_count++] =
            (PointColumn){.name = arena_copy(&file->arena, names[i], err), .place = i};
        ok = file->columns[i].name != NULL;
    }
    h5_plugins(true);
    ok = ok && check_file(file->path, err) && read_dataset(file, err);
    h5_plugins(false);
    if (!ok)
        point_file_free(file);
    return ok;
}

bool point_file_read_dataset(const char *path, const char *dataset, const char *const *names, size_t count,
                             PointFile *file, Error *err)
{
    return read_columns(path, dataset, names, count, SIZE_MAX, file, err);
}

// Moves the column of `one` to `file`, whose columns are of one length.
static bool move_column(PointFile *one, PointFile *file, Error *err)
{
    PointColumn *column = &file->columns[file->column_count];
    if (file->column_count > 0 && one->count != file->count)
        return fail(err, ERROR_INPUT, "%s: '%.60s' has %llu numbers, and '%.60s' %llu: columns of a table are as long",
                    file->path, one->dataset, (unsigned long long)one->count, file->columns[0].name,
                    (unsigned long long)file->count);
    *column = (PointColumn){.name = arena_copy(&file->arena, one->dataset, err), .values = one->columns[0].values};
    if (!column->name)
        return false;
    one->columns[0].values = NULL;
    file->count = file->room = one->count;
    ++file->column_count;
    return true;
}

static bool read_sets(const char *path, const char *const *names, size_t count, size_t sure, PointFile *file,
                      Error *err)
{
    *file = (PointFile){.sure = sure};
    file->path = arena_copy(&file->arena, path, err);
    file->columns = file->path ? arena_take(&file->arena, count, sizeof *file->columns, err) : NULL;
    bool ok = file->columns != NULL;
    for (size_t i = 0; ok && i < count; ++i) {
        PointFile one = {0};
        ok = read_columns(path, names[i], &names[i], 1, i < sure ? 1 : 0, &one, err) && move_column(&one, file, err);
        point_file_free(&one);
    }
    if (!ok)
        point_file_free(file);
    return ok;
}

bool point_file_read_columns(const char *path, const char *const *names, size_t count, size_t sure, PointFile *file,
                             Error *err)
{
    Error unread;
    h5_begin();
    return check_file(path, &unread) ? read_sets(path, names, count, sure, file, err)
                                     : point_file_read_gaps(path, names, count, sure, file, err);
}
