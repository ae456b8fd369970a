// plot_trajectory -- rows of panels for coordinates, columns for the values of an axis that all groups share.
//
// Where the groups share an axis along which more than one trajectory is stored, it makes the columns (first, middle
// and last value), and groups are lines; where they do not, a group is a column, and values of its own axis are lines.
#include "analysis/plot_trajectory.h"

#include "analysis/gnuplot.h"
#include "catalog/catalog.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 3, MOST_COLUMNS = 3, MOST_LINES = 8, MOST_CURVES = MOST_COLUMNS * MOST_LINES, MOST_SAMPLES = 20000 };

typedef struct Curve {
    const PlotGroup     *group;
    const StoreVariable *x;  // [axes..., sample, dof]
    size_t               column;
    uint64_t             index[STORE_READ_RANK];  // along each dimension before `sample`
    size_t               varied;                  // the dimension of columns or lines; rank of x where there is none
    double              *time, *numbers;          // [samples], [samples][dofs]
    size_t               samples, dofs;
} Curve;

typedef struct Sheaf {
    Curve       curves[MOST_CURVES];
    size_t      count, column_count;
    const char *shared;  // the axis that makes the columns, or NULL
} Sheaf;

static const StoreVariable *find_x(const PlotGroup *group)
{
    const StoreVariable *x = store_read_variable(group->points.group, "x");
    return x && x->rank >= 2 && points_is_trajectory(x) ? x : NULL;
}

bool plot_trajectory_possible(const PlotGroup *group)
{
    return find_x(group) != NULL;
}

// A dimension's axis: `where` selects values into a scale trajectory_AXIS.
static const char *axis_of(const char *dimension)
{
    static const char prefix[] = "trajectory_";
    return strncmp(dimension, prefix, sizeof prefix - 1) == 0 ? dimension + sizeof prefix - 1 : dimension;
}

// The dimension of x that belongs to an axis; NULL: the first with more than one value. The rank where there is none.
static size_t find_dimension(const StoreVariable *x, const char *axis)
{
    for (size_t i = 0; i + 2 < x->rank; ++i)
        if (x->shape[i] > 1 && (!axis || strcmp(axis_of(x->dims[i]), axis) == 0))
            return i;
    return x->rank;
}

// The first axis along which every group stores more than one trajectory, or NULL.
static const char *find_shared(const PlotSheet *sheet)
{
    const StoreVariable *first = NULL;
    for (size_t i = 0; !first && i < sheet->group_count; ++i)
        first = find_x(&sheet->groups[i]);
    for (size_t d = 0; first && d + 2 < first->rank; ++d) {
        const char *axis = axis_of(first->dims[d]);
        bool        all = first->shape[d] > 1;
        for (size_t i = 0; all && i < sheet->group_count; ++i) {
            const StoreVariable *x = find_x(&sheet->groups[i]);
            all = !x || find_dimension(x, axis) < x->rank;
        }
        if (all)
            return axis;
    }
    return NULL;
}

// k-th of `count` indices spread over 0 .. length - 1, both ends included.
static uint64_t spread(uint64_t length, size_t count, size_t k)
{
    return count < 2 ? length / 2 : (length - 1) * k / (count - 1);
}

// The curves of a group: along `varied` `lines` of them, elsewhere the middle value.
static void add_curves(Sheaf *sheaf, const PlotGroup *group, size_t varied, size_t lines)
{
    const StoreVariable *x = find_x(group);
    for (size_t k = 0; k < lines && sheaf->count < MOST_CURVES; ++k) {
        Curve *curve = &sheaf->curves[sheaf->count++];
        *curve = (Curve){.group = group, .x = x, .varied = varied, .column = sheaf->shared ? k : sheaf->column_count};
        for (size_t d = 0; d + 2 < x->rank; ++d)
            curve->index[d] = d == varied ? spread(x->shape[d], lines, k) : x->shape[d] / 2;
    }
}

static size_t smaller(uint64_t a, size_t b)
{
    return a < b ? (size_t)a : b;
}

static void choose_curves(const PlotSheet *sheet, Sheaf *sheaf)
{
    size_t groups = 0;
    bool   varied_at_all = false;
    sheaf->shared = find_shared(sheet);
    for (size_t i = 0; i < sheet->group_count; ++i) {
        const StoreVariable *x = find_x(&sheet->groups[i]);
        varied_at_all = varied_at_all || (x && find_dimension(x, NULL) < x->rank);
    }
    for (size_t i = 0; i < sheet->group_count; ++i) {
        const StoreVariable *x = find_x(&sheet->groups[i]);
        if (!x)
            continue;
        const size_t varied = find_dimension(x, sheaf->shared);
        if (sheaf->shared) {
            const size_t columns = smaller(x->shape[varied], MOST_COLUMNS);
            if (groups++ < MOST_LINES)
                add_curves(sheaf, &sheet->groups[i], varied, columns);
            sheaf->column_count = columns > sheaf->column_count ? columns : sheaf->column_count;
        } else if (varied_at_all) {
            if (sheaf->column_count < MOST_COLUMNS) {
                add_curves(sheaf, &sheet->groups[i], varied, varied < x->rank ? smaller(x->shape[varied], 5) : 1);
                ++sheaf->column_count;
            }
        } else if (groups++ < MOST_LINES) {
            add_curves(sheaf, &sheet->groups[i], varied, 1);
        }
    }
    sheaf->column_count = sheaf->column_count ? sheaf->column_count : 1;
}

static bool read_times(Curve *curve, Error *err)
{
    const Points        *points = &curve->group->points;
    const StoreVariable *time = store_read_variable(points->group, "time");
    uint64_t             start[STORE_READ_RANK] = {0}, count[STORE_READ_RANK];
    if (!time || time->rank == 0 || time->shape[time->rank - 1] != curve->samples)
        return fail(err, ERROR_INPUT, "%s: group '%s': no times for its trajectories", points->file->path,
                    points->group->label);
    // A swept step gives each of its values a row of times: the dimension is found by its name.
    for (size_t i = 0; i + 1 < time->rank; ++i) {
        count[i] = 1;
        for (size_t d = 0; d + 2 < curve->x->rank; ++d)
            if (strcmp(time->dims[i], curve->x->dims[d]) == 0)
                start[i] = curve->index[d];
    }
    count[time->rank - 1] = curve->samples;
    return store_read_numbers(points->file, points->group, time, start, count, curve->time, err);
}

static bool read_curve(Curve *curve, Error *err)
{
    const Points        *points = &curve->group->points;
    const StoreVariable *x = curve->x;
    uint64_t             start[STORE_READ_RANK] = {0}, count[STORE_READ_RANK];
    for (size_t d = 0; d < x->rank; ++d) {
        start[d] = d + 2 < x->rank ? curve->index[d] : 0;
        count[d] = d + 2 < x->rank ? 1 : x->shape[d];
    }
    curve->samples = (size_t)x->shape[x->rank - 2];
    curve->dofs = (size_t)x->shape[x->rank - 1];
    curve->time = malloc((curve->samples + 1) * sizeof *curve->time);
    curve->numbers = malloc((curve->samples * curve->dofs + 1) * sizeof *curve->numbers);
    if (!curve->time || !curve->numbers)
        return fail(err, ERROR_INTERNAL, "out of memory");
    return read_times(curve, err) &&
           store_read_numbers(points->file, points->group, x, start, count, curve->numbers, err);
}

// Adds "eps = 0.001" for a dimension of the curve; the points of a zip have no value but their number.
static bool add_value(Text *text, const Curve *curve, size_t dimension, Error *err)
{
    const Points        *points = &curve->group->points;
    const char          *name = curve->x->dims[dimension];
    const StoreVariable *scale = store_read_variable(points->group, name);
    const uint64_t       one = 1;
    double               value = (double)curve->index[dimension];
    if (scale && scale->rank == 1 &&
        !store_read_numbers(points->file, points->group, scale, &curve->index[dimension], &one, &value, err))
        return false;
    if (points->zip && !(value >= 0.0 && value < (double)points->count))
        return fail(err, ERROR_INPUT, "%s: group '%s': '%s' is damaged", points->file->path, points->group->label,
                    name);
    if (points->zip)
        plot_place(text, points, (uint64_t)value, NULL);
    else
        text_add(text, "%s = %.4g", axis_of(name), value);
    return true;
}

// Adds what the curve's other axes stand at: all but the varied one, and of these only where `with_varied`.
static bool add_place(Text *text, const Curve *curve, bool with_varied, Error *err)
{
    size_t listed = 0;
    for (size_t d = 0; d + 2 < curve->x->rank; ++d) {
        if (d == curve->varied && !with_varied)
            continue;
        text_add(text, "%s", listed++ ? ", " : "");
        if (!add_value(text, curve, d, err))
            return false;
    }
    return true;
}

static void add_block(Text *script, const Curve *curve, size_t number)
{
    const size_t every = curve->samples / MOST_SAMPLES + 1, rows = curve->dofs < MOST_ROWS ? curve->dofs : MOST_ROWS;
    text_add(script, "$t%zu << END\n", number);
    for (size_t i = 0; i < curve->samples; i += every) {
        if (!isfinite(curve->time[i]))
            continue;
        gnuplot_number(script, curve->time[i]);
        for (size_t k = 0; k < rows; ++k) {
            text_add(script, " ");
            gnuplot_number(script, curve->numbers[i * curve->dofs + k]);
        }
        text_add(script, "\n");
    }
    text_add(script, "END\n");
}

static size_t used_samples(const Curve *curve)
{
    size_t used = 0;
    while (used < curve->samples && isfinite(curve->time[used]))
        ++used;
    return used;
}

// Least and largest value of a coordinate among samples; false where one of them is no number, or there are none.
static bool find_extremes(const Curve *curve, size_t coordinate, size_t from, size_t to, double extremes[2])
{
    extremes[0] = INFINITY;
    extremes[1] = -INFINITY;
    for (size_t i = from; i < to; ++i) {
        const double value = curve->numbers[i * curve->dofs + coordinate];
        if (!isfinite(value))
            return false;
        extremes[0] = fmin(extremes[0], value);
        extremes[1] = fmax(extremes[1], value);
    }
    return from < to;
}

static double range_in_quarter(const Curve *curve, size_t coordinate, size_t quarter)
{
    const size_t used = used_samples(curve);
    double       extremes[2];
    return find_extremes(curve, coordinate, used * quarter / 4, used * (quarter + 1) / 4, extremes)
               ? extremes[1] - extremes[0]
               : (double)NAN;
}

// The time from which on a coordinate keeps, within 2 % of its whole range, to where it is in the last quarter.
static double settling_time(const Curve *curve, size_t coordinate)
{
    const size_t used = used_samples(curve);
    double       whole[2], late[2];
    size_t       i = used;
    if (used == 0)
        return 0.0;
    // A curve that ends early has nothing to show behind its end.
    while (i > 0 && !isfinite(curve->numbers[(i - 1) * curve->dofs + coordinate]))
        --i;
    if (i < used || !find_extremes(curve, coordinate, 0, used, whole) ||
        !find_extremes(curve, coordinate, used * 3 / 4, used, late))
        return curve->time[i > 0 ? i - 1 : 0];
    const double room = 0.02 * (whole[1] - whole[0]);
    while (i > 0 && curve->numbers[(i - 1) * curve->dofs + coordinate] >= late[0] - room &&
           curve->numbers[(i - 1) * curve->dofs + coordinate] <= late[1] + room)
        --i;
    // What covers all of its range also late does not settle.
    return late[1] - late[0] > 0.5 * (whole[1] - whole[0]) ? curve->time[used - 1]
                                                           : curve->time[i < used ? i : used - 1];
}

static double longest_time(const Sheaf *sheaf)
{
    double longest = 0.0;
    for (size_t i = 0; i < sheaf->count; ++i)
        if (used_samples(&sheaf->curves[i]) > 0)
            longest = fmax(longest, sheaf->curves[i].time[used_samples(&sheaf->curves[i]) - 1]);
    return longest > 0.0 ? longest : 1.0;
}

// The time that a row of panels shows: all, or where every curve settles early only the part until then.
static double row_time(const Sheaf *sheaf, size_t row)
{
    const double longest = longest_time(sheaf);
    double       settled = 0.0;
    for (size_t i = 0; i < sheaf->count; ++i)
        if (sheaf->curves[i].dofs > row)
            settled = fmax(settled, settling_time(&sheaf->curves[i], row));
    settled *= 1.5;
    return settled > 0.0 && settled < 0.3 * longest ? settled : longest;
}

static void say_range(Text *said, double range)
{
    if (isnan(range))
        text_add(said, "(ended)");
    else
        text_add(said, "%.3g", range);
}

static bool say_curve(Text *said, const Curve *curve, Error *err)
{
    text_add(said, "  %s%s", curve->group->points.group->label, curve->x->rank > 2 ? ", " : "");
    if (!add_place(said, curve, true, err))
        return false;
    for (size_t k = 0; k < curve->dofs && k < MOST_ROWS; ++k) {
        text_add(said, "%s x%zu ", k ? "," : ":", k);
        say_range(said, range_in_quarter(curve, k, 0));
        text_add(said, " -> ");
        say_range(said, range_in_quarter(curve, k, 3));
    }
    text_add(said, "\n");
    return true;
}

// Whether a group is a column, and not a line.
static bool own_column(const Sheaf *sheaf)
{
    return !sheaf->shared && sheaf->column_count > 1;
}

// What the legend calls a curve.
static bool make_name(const Sheaf *sheaf, const Curve *curve, Text *name, Error *err)
{
    if (!sheaf->shared && curve->varied < curve->x->rank)
        return add_value(name, curve, curve->varied, err);
    text_add(name, "%s", curve->group->points.group->label);
    return true;
}

static bool longest_name(const Sheaf *sheaf, size_t *longest, Error *err)
{
    bool ok = true;
    *longest = 0;
    for (size_t i = 0; ok && i < sheaf->count; ++i) {
        Text name = {0};
        ok = make_name(sheaf, &sheaf->curves[i], &name, err);
        *longest = name.length > *longest ? name.length : *longest;
        text_free(&name);
    }
    return ok;
}

// Groups have colours, or, where each is a column of its own, the curves in a column.
static size_t choose_colour(const Sheaf *sheaf, size_t number)
{
    size_t before = 0;
    if (!own_column(sheaf))
        return (size_t)(sheaf->curves[number].group - sheaf->curves[0].group);
    for (size_t i = 0; i < number; ++i)
        before += sheaf->curves[i].column == sheaf->curves[number].column;
    return before;
}

static bool add_line(Text *script, const Sheaf *sheaf, size_t number, size_t row, bool titled, bool first, Error *err)
{
    Text       name = {0};
    const bool ok = make_name(sheaf, &sheaf->curves[number], &name, err);
    text_add(script, "%s$t%zu using 1:%zu with lines lw 1.2 lc rgb '%s' %s", first ? "" : ", \\\n  ", number, row + 2,
             plot_colours[choose_colour(sheaf, number) % PLOT_COLOURS], titled ? "title " : "notitle");
    if (titled) {
        gnuplot_quote(script, name.text ? name.text : "");
        text_add(script, " noenhanced");
    }
    text_free(&name);
    return ok;
}

// What a column shows, above its first panel.
static bool add_column_title(Text *script, const Sheaf *sheaf, const Curve *curve, Error *err)
{
    Text title = {0}, rest = {0};
    bool ok = true;
    if (sheaf->shared)
        ok = add_value(&title, curve, curve->varied, err);
    else if (sheaf->column_count > 1)
        text_add(&title, "%s", curve->group->points.group->label);
    ok = ok && (sheaf->shared ? true : add_place(&rest, curve, false, err));
    text_add(script, "set title ");
    gnuplot_quote(script, title.text ? title.text : "");
    if (rest.length) {
        text_add(script, ".', '.");
        gnuplot_quote(script, rest.text);
    }
    text_add(script, " noenhanced\n");
    text_free(&title);
    text_free(&rest);
    return ok;
}

static size_t curves_in_column(const Sheaf *sheaf, size_t column)
{
    size_t count = 0;
    for (size_t i = 0; i < sheaf->count; ++i)
        count += sheaf->curves[i].column == column;
    return count;
}

static bool add_panel(Text *script, const Sheaf *sheaf, const PlotFrame *frame, size_t row, size_t column, Error *err)
{
    const bool titled =
        row + 1 == frame->rows && (column == 0 || own_column(sheaf)) && curves_in_column(sheaf, column) > 1;
    const double shown = row_time(sheaf, row);
    bool         first = true, ok = true;
    for (size_t i = 0; ok && i < sheaf->count; ++i) {
        const Curve *curve = &sheaf->curves[i];
        if (curve->column != column || curve->dofs <= row)
            continue;
        if (first) {
            text_add(script, "unset title\n");
            ok = row > 0 || add_column_title(script, sheaf, curve, err);
            text_add(script, "set ylabel 'x%zu'\nset xlabel 'time [s]%s'\nset xrange [0:%.6g]\n", row,
                     shown < longest_time(sheaf) ? ", until it settles" : "", shown);
            text_add(script, titled ? "" : "unset key\n");
            if (titled)
                plot_key(script, frame, own_column(sheaf) ? (int)column : PLOT_ALL_COLUMNS, 38);
            text_add(script, "plot ");
        }
        ok = ok && add_line(script, sheaf, i, row, titled, first, err);
        first = false;
    }
    text_add(script, first ? "set multiplot next\n" : "\nunset label 1\n");
    return ok;
}

// Below all panels: the problem's equation, where the catalog knows the problem, tells which coordinate is which.
static bool add_caption(Text *script, const PlotSheet *sheet, Error *err)
{
    Catalog catalog = {0};
    Text    caption = {0};
    char   *name = NULL;
    bool    ok = store_read_text(&sheet->file, NULL, "problem", &name, err) && catalog_read(&catalog, err);
    if (ok && name) {
        const Card *card = catalog_find(&catalog, CARD_PROBLEM, name);
        text_add(&caption, "%s%s%s", name, card ? ":  " : "", card ? card->equation : "");
        text_add(script, "set label 1 ");
        gnuplot_quote(script, caption.text ? caption.text : "");
        text_add(script, " at screen 0.5,0.03 center noenhanced font 'Sans,10' textcolor rgb '#555555'\n");
    }
    free(name);
    text_free(&caption);
    catalog_free(&catalog);
    return ok;
}

static bool add_picture(Text *script, const PlotSheet *sheet, const Sheaf *sheaf, Error *err)
{
    size_t rows = 1;
    bool   ok = true;
    for (size_t i = 0; i < sheaf->count; ++i)
        rows = sheaf->curves[i].dofs > rows ? sheaf->curves[i].dofs : rows;
    rows = rows < MOST_ROWS ? rows : MOST_ROWS;
    size_t    keys = 0, longest = 0;
    PlotFrame frame = {.rows = (unsigned)rows,
                       .columns = (unsigned)sheaf->column_count,
                       .width = sheaf->column_count > 1 ? 430 : 760,
                       .height = 230,
                       .left = 100,
                       .right = 30,
                       .above = 75,
                       .between_columns = 115,
                       .between_rows = 75};
    for (size_t column = 0; column < sheaf->column_count; ++column)
        keys = curves_in_column(sheaf, column) > keys ? curves_in_column(sheaf, column) : keys;
    if (!longest_name(sheaf, &longest, err))
        return false;
    frame.below = 105 + plot_key_height(&frame, keys, longest);
    plot_begin(script, sheet, &frame);
    ok = add_caption(script, sheet, err);
    for (size_t row = 0; ok && row < rows; ++row)
        for (size_t column = 0; ok && column < sheaf->column_count; ++column)
            ok = add_panel(script, sheaf, &frame, row, column, err);
    plot_end(script);
    return ok && text_check(script, err);
}

bool plot_trajectory(const PlotSheet *sheet, Text *script, Text *said, Error *err)
{
    Sheaf *sheaf = calloc(1, sizeof *sheaf);
    bool   ok = sheaf != NULL || fail(err, ERROR_INTERNAL, "out of memory");
    if (ok)
        choose_curves(sheet, sheaf);
    text_add(script, "set encoding utf8\n");
    text_add(said, "  how far the coordinates range in the first quarter of the time -> in the last:\n");
    for (size_t i = 0; ok && i < sheaf->count; ++i) {
        ok = read_curve(&sheaf->curves[i], err);
        if (!ok)
            break;
        add_block(script, &sheaf->curves[i], i);
        ok = say_curve(said, &sheaf->curves[i], err);
    }
    ok = ok && add_picture(script, sheet, sheaf, err);
    for (size_t i = 0; sheaf && i < sheaf->count; ++i) {
        free(sheaf->curves[i].time);
        free(sheaf->curves[i].numbers);
    }
    free(sheaf);
    return ok;
}
