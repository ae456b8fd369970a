// plot_trajectory -- gnuplot script of trajectories: panels, scales and legend.
#include "analysis/plot/plot_trajectory.h"

#include "analysis/plot/gnuplot.h"
#include "analysis/plot/plot_rows.h"
#include "catalog/catalog.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_SAMPLES = 20000, TIME_HEIGHT = 48 };

typedef struct Picture {
    const Figure *figure;
    PlotFields    fields;
    Trajectories  trajectories;
    PlotRow       rows[PLOT_ROWS];
    unsigned      down[PLOT_ROWS];  // of a row, pixels from the first
    size_t        row_count;
    PlotFrame     frame;
} Picture;

bool plot_trajectory_possible(const PlotGroup *group)
{
    return plot_fields_first(group) != NULL;
}

static void say_range(Text *said, const PlotCurve *curve, size_t field, size_t quarter)
{
    const size_t used = curve->last - curve->first, first = curve->first + used * quarter / 4,
                 last = curve->first + used * (quarter + 1) / 4;
    const double *numbers = trajectories_numbers(curve, field);
    double        extremes[2];
    if (first == last || !isfinite(numbers[last - 1]) || !trajectories_extremes(curve, field, first, last, extremes))
        text_add(said, "(ended)");
    else
        text_add(said, "%.3g", extremes[1] - extremes[0]);
}

static bool say_curve(const Picture *picture, const PlotCurve *curve, Text *said, Error *err)
{
    text_add(said, "  ");
    if (!trajectories_place(curve, said, err))
        return false;
    for (size_t i = 0; i < picture->row_count; ++i) {
        const PlotRow *row = &picture->rows[i];
        double         extremes[2];
        text_add(said, "%s ", i ? "," : ":");
        plot_fields_name(said, &row->field);
        text_add(said, " ");
        if (!trajectories_extremes(curve, row->number, curve->first, curve->last, extremes)) {
            text_add(said, "(none)");
        } else if (row->field.per_dof || plot_fields_settles(&row->field)) {
            say_range(said, curve, row->number, 0);
            text_add(said, " -> ");
            say_range(said, curve, row->number, 3);
        } else {
            text_add(said, "%.4g to %.4g", extremes[0], extremes[1]);
        }
    }
    text_add(said, "\n");
    return true;
}

static bool say(const Picture *picture, Text *said, Error *err)
{
    text_add(said, "  how far coordinates range in the first quarter of the time -> in the last; what others span:\n");
    for (size_t i = 0; i < picture->trajectories.count; ++i)
        if (!say_curve(picture, &picture->trajectories.curves[i], said, err))
            return false;
    if (picture->trajectories.left_out)
        text_add(said, "  %zu more groups are not drawn\n", picture->trajectories.left_out);
    if (picture->fields.left_out)
        text_add(said, "  %zu more coordinates and fields are not drawn; ask for them with --field\n",
                 picture->fields.left_out);
    return true;
}

static void add_block(Text *script, const Picture *picture, size_t number)
{
    const PlotCurve *curve = &picture->trajectories.curves[number];
    const size_t     every = (curve->last - curve->first) / MOST_SAMPLES + 1;
    text_add(script, "$t%zu << END\n", number);
    for (size_t i = curve->first; i < curve->last; i += every) {
        gnuplot_number(script, curve->time[i]);
        for (size_t k = 0; k < picture->row_count; ++k) {
            text_add(script, " ");
            gnuplot_number(script, trajectories_numbers(curve, picture->rows[k].number)[i]);
        }
        text_add(script, "\n");
    }
    text_add(script, "END\n");
}

// Below all panels: the problem's equation, where the catalog knows the problem, says which coordinate is which.
static bool add_caption(Text *script, const Figure *figure, const PlotFrame *frame, Error *err)
{
    Catalog catalog = {0};
    Text    caption = {0};
    char   *name = NULL;
    bool    ok = store_read_text(&figure->file, NULL, "problem", &name, err) && catalog_read(&catalog, err);
    if (ok && name) {
        const Card *card = catalog_find(&catalog, CARD_PROBLEM, name);
        text_add(&caption, "%s%s%s", name, card ? ":  " : "", card ? card->equation : "");
        text_add(script, "set label 1 ");
        gnuplot_quote(script, caption.text ? caption.text : "");
        text_add(script, " at screen 0.5, screen %.5f center noenhanced font 'Sans,10' textcolor rgb '#555555'\n",
                 16.0 / figure_height(frame));
    }
    free(name);
    text_free(&caption);
    catalog_free(&catalog);
    return ok;
}

// What lies under others is drawn wider, so that it shows.
static void add_style(Text *script, const Picture *picture, size_t curve)
{
    const size_t line = trajectories_line(&picture->trajectories, curve);
    text_add(script, "with lines lw %.1f dt %zu lc rgb '%s' ", line < 3 ? 2.4 - 0.5 * (double)line : 1.3,
             line / PLOT_COLOURS + 1, figure_colours[line % PLOT_COLOURS]);
}

static size_t curves_in_column(const Trajectories *trajectories, size_t column)
{
    size_t count = 0;
    for (size_t i = 0; i < trajectories->count; ++i)
        count += trajectories->curves[i].column == column;
    return count;
}

// The last row with a panel in a column; row_count where there is none.
static size_t last_row(const Picture *picture, size_t column)
{
    size_t row = picture->row_count;
    for (size_t i = 0; i < picture->row_count; ++i)
        row = picture->rows[i].panels[column].filled ? i : row;
    return row;
}

// Whether the legend is drawn with a panel: each column has one where it has groups of its own.
static bool has_key(const Picture *picture, size_t row, size_t column)
{
    const Trajectories *trajectories = &picture->trajectories;
    size_t              first = 0;
    while (last_row(picture, first) == picture->row_count)
        ++first;
    return curves_in_column(trajectories, column) > 1 && row == last_row(picture, column) &&
           (trajectories->apart || column == first);
}

static void add_range(Text *script, const PlotPanel *panel)
{
    double low = panel->low, high = panel->high;
    if (panel->logarithmic) {
        low = fmax(pow(10.0, floor(log10(low) + 1e-9)), 1e-300);
        high = pow(10.0, ceil(log10(high) - 1e-9));
        high = high > low ? high : 10.0 * low;
    } else {
        const double room = high > low ? 0.06 * (high - low) : 0.1 * fmax(fabs(high), 1e-300);
        low -= room;
        high += room;
        if (panel->low == 0.0 && panel->high == 0.0) {
            low = -1.0;
            high = 1.0;
        }
    }
    // Numbers of runs that blow up end where gnuplot does.
    text_add(script, "unset logscale y\n%sset yrange [%.12g:%.12g]\nset format y '%s'\n",
             panel->logarithmic ? "set logscale y\n" : "", fmax(low, -1e300), fmin(high, 1e300),
             panel->logarithmic ? "10^{%L}" : "%.9g");
}

static void add_time(Text *script, const PlotRow *row, bool bottom)
{
    text_add(script, "set xrange [%.9g:%.9g]\n", row->from, row->to);
    if (row->zoomed)
        text_add(script, "set xlabel 'time [s], until it settles'\nset format x '%%g'\n");
    else if (bottom)
        text_add(script, "set xlabel 'time [s]'\nset format x '%%g'\n");
    else
        text_add(script, "set xlabel ''\nset format x ''\n");
}

// What a column shows, above its first panel.
static bool make_title(const Trajectories *trajectories, size_t column, Text *title, Error *err)
{
    size_t i = 0;
    while (trajectories->curves[i].column != column)
        ++i;
    return trajectories_title(trajectories, &trajectories->curves[i], title, err);
}

static bool add_title(Text *script, const Picture *picture, size_t column, Error *err)
{
    Text       title = {0};
    const bool ok = make_title(&picture->trajectories, column, &title, err);
    text_add(script, "set title ");
    gnuplot_quote(script, title.text ? title.text : "");
    text_add(script, " noenhanced\n");
    text_free(&title);
    return ok;
}

// The legend's entries are lines without data, so that a curve has one also where it has no numbers.
static bool add_keys(Text *script, const Picture *picture, size_t column, Error *err)
{
    const Trajectories *trajectories = &picture->trajectories;
    bool                ok = true;
    for (size_t i = 0; ok && i < trajectories->count; ++i) {
        Text name = {0};
        if (trajectories->curves[i].column != column)
            continue;
        ok = trajectories_name(trajectories, &trajectories->curves[i], &name, err);
        text_add(script, ", \\\n  NaN ");
        add_style(script, picture, i);
        text_add(script, "title ");
        gnuplot_quote(script, name.text ? name.text : "");
        text_add(script, " noenhanced");
        text_free(&name);
    }
    return ok;
}

static bool add_panel(Text *script, const Picture *picture, size_t number, size_t column, Error *err)
{
    const PlotRow      *row = &picture->rows[number];
    const Trajectories *trajectories = &picture->trajectories;
    const bool          key = has_key(picture, number, column);
    Text                label = {0};
    size_t              drawn = 0;
    if (!row->panels[column].filled)
        return true;
    figure_panel(script, &picture->frame, column, picture->down[number]);
    text_add(script, "unset title\n");
    bool ok = number > 0 || add_title(script, picture, column, err);
    plot_fields_label(&label, &row->field);
    text_add(script, "set ylabel ");
    gnuplot_quote(script, label.text ? label.text : "");
    text_add(script, " noenhanced\n");
    text_free(&label);
    add_range(script, &row->panels[column]);
    add_time(script, row, number == last_row(picture, column));
    text_add(script, key ? "" : "unset key\n");
    if (key)
        figure_key(script, &picture->frame, trajectories->apart ? (int)column : PLOT_ALL_COLUMNS, 38);
    text_add(script, "plot ");
    for (size_t i = 0; i < trajectories->count; ++i) {
        if (trajectories->curves[i].column != column)
            continue;
        text_add(script, "%s$t%zu using 1:%zu ", drawn++ ? ", \\\n  " : "", i, number + 2);
        add_style(script, picture, i);
        text_add(script, "notitle");
    }
    ok = ok && (!key || add_keys(script, picture, column, err));
    text_add(script, "\nunset label 1\n");
    return ok;
}

static bool longest_name(const Trajectories *trajectories, size_t *longest, Error *err)
{
    bool ok = true;
    *longest = 0;
    for (size_t i = 0; ok && i < trajectories->count; ++i) {
        Text name = {0};
        ok = trajectories_name(trajectories, &trajectories->curves[i], &name, err);
        *longest = name.length > *longest ? name.length : *longest;
        text_free(&name);
    }
    return ok;
}

// Whether a row is the last of some column, or has a time of its own.
static bool has_own_time(const Picture *picture, size_t row)
{
    bool own = picture->rows[row].zoomed;
    for (size_t column = 0; column < picture->trajectories.column_count; ++column)
        own = own || last_row(picture, column) == row;
    return own;
}

static bool find_frame(Picture *picture, Error *err)
{
    const Trajectories *trajectories = &picture->trajectories;
    size_t              keys = 0, longest = 0;
    Text                title = {0};
    for (size_t column = 0; column < trajectories->column_count; ++column)
        keys = curves_in_column(trajectories, column) > keys ? curves_in_column(trajectories, column) : keys;
    const bool ok = longest_name(trajectories, &longest, err) && make_title(trajectories, 0, &title, err);
    const bool titled = title.length > 0;
    text_free(&title);
    if (!ok)
        return false;
    picture->frame = (PlotFrame){.rows = (unsigned)picture->row_count,
                                 .columns = (unsigned)trajectories->column_count,
                                 .width = trajectories->column_count == 1  ? 760
                                          : trajectories->column_count < 4 ? 430
                                                                           : 320,
                                 .height = picture->row_count < 4 ? 230 : 170,
                                 .left = 110,
                                 .right = 30,
                                 .above = titled ? 75 : 50,
                                 .between_columns = 115,
                                 .between_rows = 22,
                                 .placed = true};
    // A row with a time of its own has it below.
    for (size_t i = 0; i < picture->row_count; ++i) {
        picture->down[i] = (unsigned)i * (picture->frame.height + picture->frame.between_rows) + picture->frame.extra;
        picture->frame.extra += i + 1 < picture->row_count && has_own_time(picture, i) ? TIME_HEIGHT : 0;
    }
    picture->frame.below = 105 + figure_key_height(&picture->frame, keys, longest);
    return true;
}

// Adds a line for each field of which curves leave the scale.
static void note_beyond(const Picture *picture, Text *notes)
{
    for (size_t i = 0; i < picture->row_count; ++i) {
        const PlotRow *row = &picture->rows[i];
        size_t         beyond = 0;
        double         furthest = 0.0;
        for (size_t column = 0; column < picture->trajectories.column_count; ++column) {
            beyond = picture->trajectories.apart ? row->panels[column].beyond : beyond + row->panels[column].beyond;
            furthest = fmax(furthest, row->panels[column].furthest);
        }
        if (beyond == 0)
            continue;
        plot_fields_name(notes, &row->field);
        text_add(notes, ": %zu of %zu curves leave the scale, up to %.3g\n", beyond, picture->trajectories.count,
                 furthest);
    }
}

static bool add_picture(Text *script, Picture *picture, const Text *notes, Error *err)
{
    if (!find_frame(picture, err))
        return false;
    figure_fit(&picture->frame, picture->figure, notes);
    text_add(script, "set encoding utf8\n");
    for (size_t i = 0; i < picture->trajectories.count; ++i)
        add_block(script, picture, i);
    figure_begin(script, picture->figure, &picture->frame);
    bool ok = add_caption(script, picture->figure, &picture->frame, err);
    for (size_t row = 0; ok && row < picture->row_count; ++row)
        for (size_t column = 0; ok && column < picture->trajectories.column_count; ++column)
            ok = add_panel(script, picture, row, column, err);
    figure_end(script);
    return ok && text_check(script, err);
}

bool plot_trajectory(const Figure *figure, const PlotRequest *request, Text *script, Text *said, Text *notes,
                     Error *err)
{
    Picture *picture = calloc(1, sizeof *picture);
    bool     ok = picture ? plot_fields_choose(figure, request, &picture->fields, err)
                          : fail(err, ERROR_INTERNAL, "out of memory");
    if (ok) {
        picture->figure = figure;
        trajectories_choose(figure, &picture->trajectories);
        ok = trajectories_read(&picture->trajectories, &picture->fields, request->from, request->to, err);
    }
    if (ok) {
        ok = plot_rows_find(&picture->trajectories, &picture->fields, request, picture->rows, &picture->row_count,
                            err) &&
             say(picture, said, err);
        note_beyond(picture, notes);
        ok = ok && add_picture(script, picture, notes, err);
    }
    if (picture)
        trajectories_free(&picture->trajectories);
    free(picture);
    return ok;
}
