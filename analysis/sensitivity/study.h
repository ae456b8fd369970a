// study -- a group of a result file as sensitivity analysis sees it: its design, factors, outputs and samples.
//
// A row of the group is its last dimension at one index of each other dimension. A random design is a row; inside a
// grid there is one for each node:
//
//   dims      [eps][h][point]          rows = eps x h, each with samples x roles points
//   numbers   A B AB_1 AB_2 | A B AB_1 AB_2 | ...        a base sample at a time
//
// Rows of Saltelli's design or of Morris' that another program made, in a list of points, are such a design too. Any
// other group is one sample of points, all rows together.
#pragma once

#include "store/points.h"

// Lists of points are recognised: the rows of a design that another program made, a grid, or points of their own.
//
// A row holds a number of each factor. Orders of Saltelli's matrices that are known (A; B; AB_i is A with column i of
// B, BA_i is B with column i of A), with the program that writes them:
//
//   a base sample at a time     A AB_1 .. AB_d B                      SALib
//                               A AB_1 .. AB_d BA_1 .. BA_d B         SALib, second order
//                               A B AB_1 .. AB_d [BA_1 .. BA_d]       pendula
//   a matrix at a time          A B AB_1 .. AB_d [BA_1 .. BA_d]       OpenTURNS, R's sensitivity
//                               A B BA_1 .. BA_d                      R's sensitivity: A and B change places
//
// Morris' trajectories follow each other: of the d + 1 rows of each, every one differs from the row before it in
// another factor.
typedef enum RowsKind {
    ROWS_OWN,            // none of the following
    ROWS_SALTELLI,       // a base sample after the other, or a matrix after the other
    ROWS_MORRIS,         // a trajectory after the other
    ROWS_GRID,           // each combination of some values of the factors, once
    ROWS_ONE_AT_A_TIME,  // each differs from the first one, or from the one before it, in one factor
    ROWS_TOGETHER,       // two factors rise together, or one falls where the other rises
    ROWS_CORRELATED      // two factors are correlated, by more than chance does to independent ones
} RowsKind;

typedef struct RowList {
    RowsKind kind;
    // Of Saltelli's design, and of Morris' the trajectories and their rows.
    uint64_t samples;
    size_t   roles;
    bool     second_order;
    bool     by_matrix;  // row of a role: place[role] samples + sample; else sample roles + place[role]
    size_t  *place;      // [roles], in the order A B AB_1 .. BA_1 ..
    // Of Morris' design: which factor moves, and by which part of its range in the list.
    uint32_t *moved;  // [samples][roles - 1]
    double   *steps;  // [samples][roles - 1]
    // Of two factors.
    size_t first, second;
    double rank_correlation;  // Spearman's
} RowList;

// Recognises rows. O(count factor_count^2), and the time to sort 2^16 numbers for each factor.
//   columns  [factor_count][count]
//   rows     written; its arrays are the arena's
// Errors: ERROR_INTERNAL (memory).
bool rows_recognise(const double *const *columns, uint64_t count, size_t factor_count, Arena *arena, RowList *rows,
                    Error *err);

// Whether trajectories are walks between points of their own: no factor moves by one step in a quarter of them or more,
// and they move the factors in different orders.
bool rows_are_walks(const RowList *rows);

// The row of a role of a base sample.
uint64_t rows_find(const RowList *rows, uint64_t sample, size_t role);

typedef enum StudyFailed {
    STUDY_DROP,      // a base sample with a failed point does not count
    STUDY_WORST,     // a failed point has the largest number that is found
    STUDY_REFUSE,    // a failed point is an error
    STUDY_CLASSIFY,  // the output is 1 where a point failed and 0 where it did not
    STUDY_EACH       // a failed point has NaN, and the others of its base sample count
} StudyFailed;

typedef struct Study {
    Points        points;
    const char   *label;
    bool          arrays;  // of study_hold(): an output that is not finite is all that says that a point failed
    bool          random;  // a design with roles; then the following is its own, see Sampling
    SamplingKind  kind;
    uint64_t      samples;
    size_t        roles;
    bool          second_order;
    size_t        nets;            // saltelli: see Sampling; 1: one, or none that is known
    double        move;            // morris: in probability
    unsigned      halvings;        // local
    const double *correlation;     // [factor_count][factor_count] of the normals; NULL: the factors are independent
    RowList       rows;            // the kind of a list of points; of Saltelli's design, where its roles stand
    const char   *first, *second;  // factors that go together, or are correlated
    // Factors in the order of the design; of a group without one all axes.
    const PointsAxis **factors;        // [factor_count]
    const char       **distributions;  // [factor_count] as YAML; NULL: not known
    size_t             factor_count;
    size_t            *group_of;     // [factor_count]
    const char       **group_names;  // [group_count]
    size_t             group_count;
    uint64_t           row_count, row_points;
    const double      *times;  // [samples of a trajectory]; NULL: none, or each point has its own
} Study;

// A number of each point: a metric, or x_final[i]; over time a stored field, or one component of it.
typedef struct StudyOutput {
    const char          *name;  // "period", "x_final[0]"; in the study's arena
    const char          *unit;
    const StoreVariable *variable;
    size_t               component;
    bool                 vector;  // it has a dimension `dof`
    // [study_width()] both or none: a scan writes the largest magnitude that it sees, and shows the numbers times
    // 2^shift.
    double *largest;
    int    *shifts;
} StudyOutput;

// Counts of the points of a scan by how they were used.
typedef struct StudyTally {
    uint64_t samples, dropped;  // base samples
    uint64_t points, failed;    // failed: another status than ok, or not a finite number
} StudyTally;

// Opens a group.
//   study  written; zeroed on failure; release with study_close()
// Errors: those of points_open_design(); ERROR_INPUT (a design that cannot be read).
bool study_open(const StoreFile *file, const StoreGroup *group, Study *study, Error *err);
void study_close(Study *study);

// Whether the points are all combinations of the values of the factors; and whether they are Sobol' sequences.
bool study_is_grid(const Study *study);
bool study_is_net(const Study *study);

// Opens the groups of these labels, or all of them where label_count is 0.
//   studies  [file->group_count]; [*count] are open, also after a failure
// Errors: those of study_open() and store_read_choose().
bool study_open_all(const StoreFile *file, const char *const *labels, size_t label_count, Study *studies, size_t *count,
                    Error *err);

// Points and outputs in arrays, which are borrowed.
typedef struct StudyArrays {
    const char *path;  // whose they are, for messages; NULL: "arrays"
    // [factor_count + output_count][point_count]: the columns of factors, then of outputs, in place of x and y; NULL:
    // x and y are meant.
    const double *const *columns;
    const double *x, *y;  // [point_count][factor_count], [point_count][output_count]; y that is not finite has failed
    size_t        point_count, factor_count, output_count;
    const char *const *factors, *const *outputs;  // their names
    const char *const *distributions;             // [factor_count] as YAML; NULL, or NULL of a factor: not known
} StudyArrays;

// The attribute of a group that study_hold() made.
extern const char study_arrays[];

// Makes a list of points of arrays: a group, to be opened by study_open().
//   file  written; zeroed on failure; release with store_read_close()
// Errors: ERROR_USAGE (no points, no factors or too many, a name that is not there or is there twice, an x that is not
// finite), ERROR_INTERNAL.
bool study_hold(const StudyArrays *arrays, StoreFile *file, Error *err);

// Reads columns of a table that any program wrote, CSV or datasets of an HDF5 file: a group, to be opened by
// study_open(). An output without a number (empty, nan, na, null, inf) has failed.
//   inputs, outputs  [input_count], [output_count] names of columns
//   named            [named_count] distributions of inputs, see study_named_read()
//   file             written; zeroed on failure; its notes say which rows are not as a distribution has them; release
//   with store_read_close()
// Errors: ERROR_USAGE (a name that is there twice, none of them), those of study_named_read() and
// point_file_read_columns(); ERROR_INPUT (a single row, an input that is the same in all rows, or that its distribution
// cannot have).
bool study_table(const char *path, const char *const *inputs, size_t input_count, const char *const *outputs,
                 size_t output_count, const char *const *named, size_t named_count, StoreFile *file, Error *err);

enum { STUDY_LEAST_ROWS = 10 };  // of a table, as a word of advice

// The outputs of that name, or all of them where it is NULL.
//   over_time  fields of trajectories in place of metrics
//   outputs    [*count], in the study's arena
// Errors: ERROR_USAGE (no such output, no trajectories, trajectories of some points only), ERROR_INTERNAL.
bool study_outputs(Study *study, const char *name, bool over_time, StudyOutput **outputs, size_t *count, Error *err);

// Shows `see` the numbers of an output, a base sample after the other: numbers[roles][samples of a trajectory, or 1].
//   row     of a random design; not used without one
//   failed  as above; a sample that does not count is shown with numbers NULL
//   tally   the points of the scan are added
// Errors: ERROR_INPUT (a failed point that is refused; the file is damaged), ERROR_INTERNAL.
typedef void StudySee(uint64_t sample, const double *numbers, void *user);
bool         study_scan(const Study *study, const StudyOutput *output, uint64_t row, StudyFailed failed, StudySee *see,
                        void *user, StudyTally *tally, Error *err);

// The derivative of an output by a factor that the sweep found at each point, NAME_d_FACTOR; its variable is NULL where
// there is none. Errors: ERROR_INTERNAL (memory).
bool study_derivative(const Study *study, const StudyOutput *output, const char *factor, Arena *arena,
                      StudyOutput *derivative, Error *err);

// The value of an axis around the designs at a row; NaN: there is none of that name.
double study_axis_value(const Study *study, const char *name, uint64_t row);

// Numbers of an output at a point: 1, or the samples of a trajectory.
size_t study_width(const StudyOutput *output);
