// test_cells -- boundaries with a known form: every cell that they cross is found, and no more is looked at than near
// them.
#include "analysis/refine/cells.h"

#include "support/test.h"

typedef uint8_t ClassOf(const double *u);

// One that is a formula.
#define CLASS(name, formula)                    \
    static uint8_t name(UNUSED const double *u) \
    {                                           \
        return formula;                         \
    }

// The place of a lattice point: 0 to 1 along each axis.
static void place(const Cells *cells, CellsPoint point, double *u)
{
    for (size_t a = 0; a < cells->axis_count; ++a)
        u[a] = ldexp((double)point.at[a], -(int)cells->halvings[a]) / (cells->counts[a] - 1);
}

static uint8_t class_at(const Cells *cells, CellsPoint point, ClassOf *class_of)
{
    double u[CELLS_AXES];
    place(cells, point, u);
    return class_of(u);
}

// Follows the boundary to its end. Returns the number of rounds.
static size_t follow(Cells *cells, ClassOf *class_of)
{
    size_t rounds = 0;
    assert_true(cells_make(cells, &err));
    for (;; ++rounds) {
        assert_true(cells_want(cells, &err));
        const size_t wanted = cells->point_count - cells->known_count;
        if (wanted == 0)
            return rounds;
        uint8_t *classes = test_take(wanted, 1);
        for (size_t i = 0; i < wanted; ++i)
            classes[i] = class_at(cells, cells->points[cells->known_count + i], class_of);
        assert_true(cells_give(cells, classes, &err));
    }
}

// What a walk over all cells sees.
typedef struct Walk {
    const Cells *cells;
    ClassOf     *class_of;
    double       volume;
    size_t       mixed, wrong;
} Walk;

// Whether all lattice points of a cell, sides included, are of the class that its known points have.
static bool is_whole(const Walk *walk, const Cell *cell)
{
    uint32_t counts[CELLS_AXES] = {1, 1, 1}, at[CELLS_AXES] = {0};
    for (size_t a = 0; a < walk->cells->axis_count; ++a)
        counts[a] = cells_length(walk->cells, cell, a) + 1;
    for (at[0] = 0; at[0] < counts[0]; ++at[0])
        for (at[1] = 0; at[1] < counts[1]; ++at[1])
            for (at[2] = 0; at[2] < counts[2]; ++at[2]) {
                CellsPoint point = cell->low;
                for (size_t a = 0; a < walk->cells->axis_count; ++a)
                    point.at[a] += at[a];
                if (cell->classes != UINT32_C(1) << class_at(walk->cells, point, walk->class_of))
                    return false;
            }
    return true;
}

static void see(const Cell *cell, void *user)
{
    Walk  *walk = user;
    double volume = 1.0;
    bool   finest = true;
    for (size_t a = 0; a < walk->cells->axis_count; ++a) {
        const uint32_t length = cells_length(walk->cells, cell, a);
        volume *= (double)length;
        finest = finest && length == 1;
    }
    walk->volume += volume;
    if (cells_is_mixed(cell)) {
        assert_true(finest);
        ++walk->mixed;
    } else {
        walk->wrong += !is_whole(walk, cell);
    }
}

// Cells fill the grid without a gap, the mixed ones are the finest, and those that are not mixed are of one class.
static Walk check_cells(const Cells *cells, ClassOf *class_of)
{
    Walk   walk = {.cells = cells, .class_of = class_of};
    double all = 1.0;
    cells_each(cells, see, &walk);
    for (size_t a = 0; a < cells->axis_count; ++a)
        all *= ldexp(cells->counts[a] - 1, (int)cells->halvings[a]);
    assert_true(walk.volume == all);
    assert_int_equal(walk.wrong, 0);
    return walk;
}

static int compare(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(CellsPoint));
}

static void check_each_once(const Cells *cells)
{
    CellsPoint *sorted = test_take(cells->point_count, sizeof *sorted);
    memcpy(sorted, cells->points, cells->point_count * sizeof *sorted);
    qsort(sorted, cells->point_count, sizeof *sorted, compare);
    for (size_t i = 0; i + 1 < cells->point_count; ++i)
        assert_true(compare(&sorted[i], &sorted[i + 1]) != 0);
}

static uint8_t in_ball(const double *u)
{
    double square = 0.0;
    for (size_t a = 0; a < 2; ++a)
        square += (u[a] - 0.47) * (u[a] - 0.47);
    return square < 0.3 * 0.3;
}

CLASS(in_ball_3, in_ball(u) && fabs(u[2] - 0.5) < 0.31)

CLASS(above_root, u[0] * u[0] > 0.5)

// Three classes that meet in a point.
CLASS(sectors, u[1] > 0.53 ? 5 : u[0] > 0.61 ? 31 : 0)

TEST(one_axis_is_a_bisection)
{
    Cells        cells SCOPED(cells_free) = {.axis_count = 1, .counts = {4}, .halvings = {20}};
    const size_t rounds = follow(&cells, above_root);
    const Walk   walk = check_cells(&cells, above_root);
    assert_int_equal(rounds, 21);
    assert_int_equal(cells.point_count, 4 + 20);
    assert_int_equal(walk.mixed, 1);
}

// The circle of radius r crosses 8 r n cells of a lattice of n x n; halving a cell adds at most five points.
TEST(circle_is_found_whole)
{
    Cells cells SCOPED(cells_free) = {.axis_count = 2, .counts = {5, 5}, .halvings = {8, 8}};
    follow(&cells, in_ball);
    const Walk walk = check_cells(&cells, in_ball);
    check_each_once(&cells);
    const double crossed = 8 * 0.3 * 4 * 256;
    assert_true((double)walk.mixed > 0.95 * crossed && (double)walk.mixed < 1.05 * crossed);
    assert_true((double)cells.point_count < 25.0 + 5.0 * crossed);
}

TEST(axes_end_at_their_own_width)
{
    Cells cells = {.axis_count = 2, .counts = {5, 9}, .halvings = {6, 2}};
    follow(&cells, in_ball);
    check_cells(&cells, in_ball);
    cells_free(&cells);
    cells = (Cells){.axis_count = 2, .counts = {40, 30}, .halvings = {0, 0}};
    assert_int_equal(follow(&cells, in_ball), 1);
    assert_int_equal(cells.point_count, 1200);
    check_cells(&cells, in_ball);
    cells_free(&cells);
}

TEST(surface_in_three_axes)
{
    Cells cells SCOPED(cells_free) = {.axis_count = 3, .counts = {4, 5, 3}, .halvings = {4, 3, 4}};
    follow(&cells, in_ball_3);
    check_cells(&cells, in_ball_3);
    check_each_once(&cells);
}

TEST(classes_meet)
{
    Cells cells SCOPED(cells_free) = {.axis_count = 2, .counts = {3, 3}, .halvings = {7, 7}};
    follow(&cells, sectors);
    const Walk walk = check_cells(&cells, sectors);
    // A line along the whole of one axis, and one along 0.53 of the other; a cell has both.
    assert_int_equal(walk.mixed, 256 + (size_t)(0.53 * 256));
}

// The grid of 5 x 5 meets the tongue at its lower end alone; from there on it is thinner than a cell, and all corners
// beside it are of one class.
CLASS(tongue, fabs(u[0] - (0.03 + 0.69 * u[1])) < 0.08 * (1.0 - u[1]) * (1.0 - u[1]) && u[1] < 0.9)

TEST(boundary_is_followed_into_cells_whose_corners_are_alike)
{
    Cells  cells SCOPED(cells_free) = {.axis_count = 2, .counts = {5, 5}, .halvings = {9, 9}};
    size_t corners = 0;
    for (double x = 0.0; x <= 1.0; x += 0.25)
        for (double y = 0.0; y <= 1.0; y += 0.25)
            corners += tongue((double[]){x, y});
    assert_int_equal(corners, 1);
    follow(&cells, tongue);
    check_cells(&cells, tongue);
    check_each_once(&cells);
}

CLASS(same, 3)

TEST(one_class_needs_the_grid_alone)
{
    Cells cells SCOPED(cells_free) = {.axis_count = 2, .counts = {7, 3}, .halvings = {24, 20}};
    assert_int_equal(follow(&cells, same), 1);
    assert_int_equal(cells.point_count, 21);
}

TEST(too_fine_a_lattice_is_refused)
{
    Cells cells SCOPED(cells_free) = {.axis_count = 1, .counts = {257}, .halvings = {24}};
    assert_refused(cells_make(&cells, &err), ERROR_INPUT, "");
}
