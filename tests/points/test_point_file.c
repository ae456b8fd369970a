// test_point_file -- columns of points from CSV files and datasets, and the places of what is wrong in them.
#include "points/point_file.h"

#include "support/command.h"

#include <hdf5.h>

static char csv[128], h5[128];

static void write_csv(const char *text)
{
    place_write("points.csv", text);
}

TEST(columns_are_those_of_the_file)
{
    const char *const some[] = {"c", "a"}, *const twice[] = {"b"};
    PointFile file;
    write_csv("a,b,c\n1,2,3\n4,5,6\n");
    assert_true(point_file_read_csv(csv, NULL, 0, &file, &err));
    assert_int_equal(file.count, 2);
    assert_int_equal(file.column_count, 3);
    assert_string_equal(file.columns[1].name, "b");
    assert_true(file.columns[1].values[0] == 2 && file.columns[2].values[1] == 6);
    point_file_free(&file);

    write_csv("a,b,c\n1,not read,3\n4,,6\n");
    assert_true(point_file_read_csv(csv, some, 2, &file, &err));
    assert_int_equal(file.column_count, 2);
    assert_true(file.columns[0].values[1] == 6 && file.columns[1].values[1] == 4);
    assert_false(point_file_fail(&file, 0, 1, &err, "too large"));
    assert_int_equal(strncmp(err.message, csv, strlen(csv)), 0);
    assert_string_equal(err.message + strlen(csv), ":3:4: too large");
    assert_false(point_file_fail(&file, 1, POINT_FILE_HEADER, &err, "unknown"));
    assert_string_equal(err.message + strlen(csv), ":1:1: unknown");
    point_file_free(&file);

    // A column without a name, and two of one name, may stand beside those that are taken, and only there.
    write_csv("\"\",\"a\",b,b,,c\n\"one\",2,3,4,five,6\n");
    assert_true(point_file_read_csv(csv, some, 2, &file, &err));
    assert_true(file.column_count == 2 && file.columns[0].values[0] == 6 && file.columns[1].values[0] == 2);
    point_file_free(&file);
    assert_false(point_file_read_csv(csv, NULL, 0, &file, &err));
    assert_string_equal(err.message + strlen(csv),
                        ":1:1: the column has no name: give it one, or leave it out by a list of columns");
    assert_false(point_file_read_csv(csv, twice, 1, &file, &err));
    assert_string_equal(err.message + strlen(csv), ":1:10: column 'b' is there twice");
}

// Columns grow as they are read: more rows than there is room for at first.
TEST(many_rows_are_read)
{
    enum { ROWS = 5000 };
    PointFile file SCOPED(point_file_free);
    FILE     *out = fopen(csv, "wb");
    assert_non_null(out);
    fputs("x,y\n", out);
    for (int i = 0; i < ROWS; ++i)
        fprintf(out, "%d,%d.5\n", i, -i);
    assert_int_equal(fclose(out), 0);
    assert_true(point_file_read_csv(csv, NULL, 0, &file, &err));
    assert_int_equal(file.count, ROWS);
    for (int i = 0; i < ROWS; ++i)
        assert_true(file.columns[0].values[i] == i && file.columns[1].values[i] == (i ? -i - 0.5 : 0.5));
}

TEST(wrong_csv_files_are_refused)
{
    const char *const missing[] = {"a", "q"};
    PointFile         file;
    write_csv("a,b\n");
    assert_false(point_file_read_csv(csv, NULL, 0, &file, &err));
    assert_string_equal(err.message + strlen(csv), ": a header, but no points below it");
    write_csv("a,b\n1,2\n");
    assert_false(point_file_read_csv(csv, missing, 2, &file, &err));
    assert_string_equal(err.message + strlen(csv), ":1: there is no column 'q'; the first line names 'a', 'b'");
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_int_equal(file.column_count, 0);
    write_csv("a;b\n1;2\n");
    assert_false(point_file_read_csv(csv, missing, 2, &file, &err));
    assert_string_equal(err.message + strlen(csv),
                        ":1: there is no column 'a'; the first line names 'a;b'; commas separate the columns");
    write_csv(
        "the name of a column that is long,the name of another column that is long,and one more column that is just "
        "as long,x,y,z,the name of the last column\n1,2,3,4,5,6,7\n");
    assert_false(point_file_read_csv(csv, missing, 2, &file, &err));
    assert_string_equal(
        err.message + strlen(csv),
        ":1: there is no column 'a'; the first line names 'the name of a column that is long', 'the name of "
        "another column that is long', 'and one more column that is just as long', 'x', 'y', 'z', ...");
}

// Writes the dataset /X of a type and a shape.
static void write_dataset(hid_t type, int rank, const hsize_t *shape, hid_t memory, const void *values)
{
    const hid_t file = H5Fcreate(h5, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                space = H5Screate_simple(rank, shape, NULL),
                set = H5Dcreate2(file, "X", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Dclose(set);
    H5Sclose(space);
    assert_true(H5Fclose(file) >= 0);
}

TEST(datasets_are_read)
{
    enum { ROWS = 200000 };
    const char *const names[] = {"eps", "k"};
    const float       floats[] = {0.5F, 1, 2, 3};
    double           *many = test_take(2 * ROWS, sizeof *many);
    PointFile         file;
    write_dataset(H5T_IEEE_F32BE, 2, (hsize_t[]){2, 2}, H5T_NATIVE_FLOAT, floats);
    assert_true(point_file_read_dataset(h5, "/X", names, 2, &file, &err));
    assert_int_equal(file.count, 2);
    assert_string_equal(file.columns[1].name, "k");
    assert_true(file.columns[0].values[0] == 0.5 && file.columns[0].values[1] == 2 && file.columns[1].values[1] == 3);
    point_file_free(&file);

    write_dataset(H5T_STD_I32LE, 1, (hsize_t[]){4}, H5T_NATIVE_INT, (int[]){7, -1, 0, 2});
    assert_true(point_file_read_dataset(h5, "X", names, 1, &file, &err));
    assert_int_equal(file.count, 4);
    assert_true(file.columns[0].values[1] == -1);
    point_file_free(&file);

    // In several pieces.
    for (int i = 0; i < 2 * ROWS; ++i)
        many[i] = i;
    write_dataset(H5T_IEEE_F64LE, 2, (hsize_t[]){ROWS, 2}, H5T_NATIVE_DOUBLE, many);
    assert_true(point_file_read_dataset(h5, "/X", names, 2, &file, &err));
    assert_int_equal(file.count, ROWS);
    for (int i = 0; i < ROWS; ++i)
        assert_true(file.columns[0].values[i] == 2 * i && file.columns[1].values[i] == 2 * i + 1);
    point_file_free(&file);
}

static void refuse_dataset(const char *path, const char *dataset, ErrorKind kind, const char *message)
{
    const char *const names[] = {"eps", "k"};
    PointFile         file;
    assert_false(point_file_read_dataset(path, dataset, names, 2, &file, &err));
    assert_int_equal(err.kind, kind);
    if (strncmp(err.message, path, strlen(path)) != 0 ||
        strncmp(err.message + strlen(path), message, strlen(message)) != 0)
        fail_msg("expected %s, got %s", message, err.message);
    assert_int_equal(file.column_count, 0);
}

TEST(wrong_datasets_are_refused)
{
    const double numbers[] = {1, 2, 3, 4, NAN, 6};
    refuse_dataset("/nowhere/X.h5", "/X", ERROR_IO, ": cannot be opened: No such file or directory");
    write_csv("eps,k\n1,2\n");
    refuse_dataset(csv, "/X", ERROR_INPUT, ": is not an HDF5 file");
    // A pipe that nobody writes to would be waited for.
    const Path pipe = path_of("pipe");
    assert_int_equal(mkfifo(pipe.text, 0600), 0);
    refuse_dataset(pipe.text, "/X", ERROR_IO, ": is not a regular file");
    write_dataset(H5T_IEEE_F64LE, 2, (hsize_t[]){3, 2}, H5T_NATIVE_DOUBLE, numbers);
    refuse_dataset(h5, "/Y", ERROR_INPUT, ": there is no dataset '/Y' in it");
    refuse_dataset(h5, "/X", ERROR_INPUT, ": /X[2, 0]: nan is not finite");
    write_dataset(H5T_IEEE_F64LE, 2, (hsize_t[]){2, 3}, H5T_NATIVE_DOUBLE, numbers);
    refuse_dataset(h5, "/X", ERROR_INPUT, ": /X: 3 columns, but 2 names for them");
    write_dataset(H5T_IEEE_F64LE, 3, (hsize_t[]){1, 2, 3}, H5T_NATIVE_DOUBLE, numbers);
    refuse_dataset(h5, "/X", ERROR_INPUT, ": /X: a dataset of two dimensions is due, points and columns");
    write_dataset(H5T_IEEE_F64LE, 2, (hsize_t[]){0, 2}, H5T_NATIVE_DOUBLE, numbers);
    refuse_dataset(h5, "/X", ERROR_INPUT, ": /X: no points");
    const hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, 2);
    write_dataset(text, 2, (hsize_t[]){1, 2}, text, "1\0002\0");
    refuse_dataset(h5, "/X", ERROR_INPUT, ": /X: its elements are not numbers");
    H5Tclose(text);
    assert_int_equal(truncate(h5, 700), 0);
    refuse_dataset(h5, "/X", ERROR_INPUT, ": cannot be opened");
}

static int set_up(void **state)
{
    make_place(state);
    snprintf(csv, sizeof csv, "%s/points.csv", place.path);
    snprintf(h5, sizeof h5, "%s/points.h5", place.path);
    return 0;
}

AROUND_ALL(set_up, remove_place)
