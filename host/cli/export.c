// export -- `pendula export FILE.h5`: the points of a group as CSV, a record each, for other programs.
#include "base/digits.h"
#include "base/outputs.h"
#include "base/suggest.h"
#include "reference/crew.h"
#include "store/points.h"
#include "store/verify.h"
#include "terminal/commands.h"
#include "terminal/options.h"
#include "terminal/table.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Fields that a thread turns into text before it writes them: some 500 kB.
enum { PIECE = 1 << 15 };

typedef struct ExportArguments {
    const char *path, *label, *output, *format;
    Words       metrics;
    Coordinates places;
    Outputs     outputs;
} ExportArguments;

static const char *const formats[] = {"csv"};

static const Option export_options[] = {
    {"output", 'o', "FILE.csv", OPTION_TEXT(ExportArguments, output),
     "write the table there (default: -, standard output)"},
    OPTION_ROW_FORCE(ExportArguments, outputs.force),
    {"group", 0, "LABEL", OPTION_TEXT(ExportArguments, label), "the group, where the file has several"},
    {"method", 0, "LABEL", OPTION_TEXT(ExportArguments, label), "the same"},
    {"metric", 0, "METRIC", OPTION_TEXTS(ExportArguments, metrics),
     "only this variable beside the axes (may be repeated; default: all)"},
    {"at", 0, "AXIS=VALUE", OPTION_VALUES(ExportArguments, places),
     "only points at this value of an axis, the nearest there is (may be repeated)"},
    {"format", 0, "FORMAT", OPTION_NAME(ExportArguments, format, formats), "csv"}};

const Usage export_command_usage = {
    USAGE_OPTIONS(export_options), .arguments = ARGUMENTS_ONE(ExportArguments, path, "FILE.h5", "result file"),
    .about = "Writes the points of a group as CSV: a row for each point, in the order of the file.",
    .notes = "The columns are the axes, the status as a number, then every metric; what has a number for each degree "
             "of freedom has a column for each, x_final[0]. --metric takes x_final[theta] too, by a coordinate's name. "
             "Numbers have 17 significant digits, which read back to the same bits. A field is empty where a point has "
             "no value, or was not run. Trajectories are not in the table."};

// A table that is written a piece of some rows at a time. Threads make pieces, and write them in the order of the rows:
//
//   slab of rows   | piece 0 | piece 1 | piece 2 | piece 3 |
//   thread A         text,write          text,  wait,  write
//   thread B         text,  wait,  write           text,   wait, write
typedef struct Export {
    const ExportArguments *given;
    const Points          *points;
    const StoreVariable  **variables;  // [variable_count] that are read, the status first
    size_t                 variable_count;
    size_t                *widths;  // [variable_count]
    bool                 **wanted;  // [variable_count][width] the components that have columns
    size_t                *only;    // [dim_count] the index to which a dimension is limited, or SIZE_MAX
    size_t                 piece;   // rows of a piece
    OutputsFolder          folder;  // where the file is made
} Export;

static bool write_piece(const Export *export, const Text *text, Error *err)
{
    if (!text_check(text, err))
        return false;
    if (strcmp(export->given->output, "-") != 0)
        return outputs_append(&export->folder, export->given->output, text, err);
    return fwrite(text->text, 1, text->length, stdout) == text->length ||
           fail(err, ERROR_IO, "standard output cannot be written: %s", strerror(errno));
}

static void add_number(Text *text, double number)
{
    if (!isnan(number))
        digits_add(text, number);
}

static void add_row(const Export *export, uint64_t point, size_t at, double *const *numbers, Text *text)
{
    const Points *points = export->points;
    const bool    run = numbers[0][at] != (double)STATUS_NOT_RUN;
    for (size_t i = 0; i < points->axis_count; ++i) {
        add_number(text, points_axis_value(points, i, point));
        text_add_bytes(text, ",", 1);
    }
    digits_add(text, numbers[0][at]);
    for (size_t v = 1; v < export->variable_count; ++v)
        for (size_t c = 0; c < export->widths[v]; ++c) {
            if (!export->wanted[v][c])
                continue;
            text_add_bytes(text, ",", 1);
            if (run)
                add_number(text, numbers[v][at * export->widths[v] + c]);
        }
    text_add_bytes(text, "\n", 1);
}

static bool is_asked(const Export *export, uint64_t point)
{
    for (size_t d = 0; d < export->points->dim_count; ++d)
        if (export->only[d] != SIZE_MAX && points_index(export->points, d, point) != export->only[d])
            return false;
    return true;
}

// Points that are in memory.
typedef struct ExportSlab {
    const Export *export;
    uint64_t        first;
    size_t          count;
    double *const  *numbers;
    pthread_mutex_t mutex;
    pthread_cond_t  changed;
    size_t          written;  // pieces that are; guarded by the mutex, as the next
    bool            failed;   // a piece could not be: those behind it are not
} ExportSlab;

// Every piece that was taken comes here, whether earlier ones could be written or not: nobody waits for ever.
static bool write_in_turn(ExportSlab *slab, size_t piece, const Text *text, Error *err)
{
    pthread_mutex_lock(&slab->mutex);
    while (slab->written < piece)
        pthread_cond_wait(&slab->changed, &slab->mutex);
    const bool ok = slab->failed || write_piece(slab->export, text, err);
    slab->failed = slab->failed || !ok;
    ++slab->written;
    pthread_cond_broadcast(&slab->changed);
    pthread_mutex_unlock(&slab->mutex);
    return ok;
}

static bool write_pieces(Crew *crew, void *shared, Error *err)
{
    ExportSlab *slab = shared;
    const Export *export = slab->export;
    Text text SCOPED(text_free) = {0};
    bool ok = true;
    for (size_t piece; ok && crew_next(crew, &piece);) {
        text.length = 0;
        for (size_t i = piece * export->piece; i < (piece + 1) * export->piece && i < slab->count; ++i)
            if (is_asked(export, slab->first + i))
                add_row(export, slab->first + i, i, slab->numbers, &text);
        ok = write_in_turn(slab, piece, &text, err);
    }
    return ok;
}

static bool show_slab(uint64_t first, size_t count, double *const *numbers, void *user, Error *err)
{
    const Export *export = user;
    ExportSlab slab = {export,      first, count, numbers, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER,
                       .written = 0};
    Crew       crew = {.count = (count + export->piece - 1) / export->piece, .work = write_pieces, .shared = &slab};
    return crew_run(&crew, err) &&
           (!outputs_interrupted() ||
            fail(err, ERROR_STOPPED, "stopped by a signal: '%s' was not made", export->given->output));
}

// The name of a variable, or of a component of it.
static void add_name(Text *text, const StoreVariable *variable, bool vector, size_t c)
{
    Text name SCOPED(text_free) = {0};
    text_add(&name, vector ? "%s[%zu]" : "%s", variable->name, c);
    text_add_bytes(text, ",", 1);
    table_add_field(text, name.text ? name.text : "");
    text->failed = text->failed || name.failed;
}

static void add_header(const Export *export, Text *text)
{
    for (size_t i = 0; i < export->points->axis_count; ++i) {
        table_add_field(text, export->points->axes[i].name);
        text_add_bytes(text, ",", 1);
    }
    text_add(text, "status");
    for (size_t v = 1; v < export->variable_count; ++v) {
        const StoreVariable *variable = export->variables[v];
        const bool           vector = variable->rank > export->points->status->rank;
        for (size_t c = 0; c < export->widths[v]; ++c)
            if (export->wanted[v][c])
                add_name(text, variable, vector, c);
    }
    text_add_bytes(text, "\n", 1);
}

// Whether --metric asks for a component of a variable: by the variable's name, x_final[0] or x_final[theta].
static bool is_named(const Export *export, const StoreVariable *variable, size_t c)
{
    const Words *names = &export->given->metrics;
    bool         named = names->count == 0 || variable == export->points->status;
    for (size_t i = 0; !named && i < names->count; ++i) {
        size_t component;
        named = store_read_address(export->points->group, names->items[i], &component) == variable &&
                (component == SIZE_MAX || component == c);
    }
    return named;
}

static bool check_metrics(const Export *export, Error *err)
{
    const Words      *names = &export->given->metrics;
    const StoreGroup *group = export->points->group;
    for (size_t i = 0; i < names->count; ++i) {
        size_t               component;
        const StoreVariable *asked = store_read_address(group, names->items[i], &component);
        const bool           found = asked && points_width(export->points, asked) > 0;
        const char          *near = NULL;
        for (size_t v = 0; v < group->variable_count; ++v) {
            const char *name = group->variables[v].name;
            if (points_width(export->points, &group->variables[v]) == 0)
                continue;
            near = near ? near : suggest(names->items[i], &name, 1);
        }
        if (!found)
            return fail(err, ERROR_USAGE, "%s: group '%s' has no metric '%.60s'", export->given->path,
                        export->points->group->label, names->items[i]) ||
                   suggest_add(err, near, "");
    }
    return true;
}

static bool choose_variables(Export *export, Arena *arena, Error *err)
{
    const Points     *points = export->points;
    const StoreGroup *group = points->group;
    const size_t      most = group->variable_count;
    size_t            fields = points->axis_count;
    export->variables = arena_take(arena, most, sizeof *export->variables, err);
    export->widths = arena_take(arena, most, sizeof *export->widths, err);
    export->wanted = arena_take(arena, most, sizeof *export->wanted, err);
    if (!export->variables || !export->widths || !export->wanted)
        return false;
    for (const StoreVariable *v = points->status; v < group->variables + most; ++v) {
        const size_t width = points_width(points, v), at = export->variable_count;
        bool        *wanted = arena_take(arena, width, sizeof *wanted, err), any = false;
        if (!wanted)
            return false;
        for (size_t c = 0; c < width; ++c)
            any = (wanted[c] = is_named(export, v, c)) || any;
        export->variables[at] = v;
        export->widths[at] = width;
        export->wanted[at] = wanted;
        export->variable_count += any;
        fields += any ? width : 0;
    }
    export->piece = 1 + PIECE / fields;
    return true;
}

// The index nearest to each value of --at, which is said where it is another value.
static bool choose_places(Export *export, Arena *arena, Error *err)
{
    const Points *points = export->points;
    export->only = arena_take(arena, points->dim_count, sizeof *export->only, err);
    if (!export->only)
        return false;
    for (size_t d = 0; d < points->dim_count; ++d)
        export->only[d] = SIZE_MAX;
    for (size_t k = 0; k < export->given->places.count; ++k) {
        const NamedValue *place = &export->given->places.items[k];
        const PointsAxis *axis = NULL;
        for (size_t i = 0; i < points->axis_count; ++i)
            if (strcmp(points->axes[i].name, place->name) == 0)
                axis = &points->axes[i];
        if (!axis)
            return fail(err, ERROR_USAGE, "%s: --at: group '%s' has no axis '%.60s'", export->given->path,
                        points->group->label, place->name);
        if (points->dims[axis->dim].together)
            return fail(err, ERROR_USAGE, "%s: --at: the values of '%.60s' go together with another axis's",
                        export->given->path, place->name);
        size_t nearest = 0;
        for (size_t i = 1; i < axis->count; ++i)
            if (fabs(axis->values[i] - place->value) < fabs(axis->values[nearest] - place->value))
                nearest = i;
        export->only[axis->dim] = nearest;
        if (axis->values[nearest] != place->value)
            options_say("%s = %.9g, the value nearest to %.9g", place->name, axis->values[nearest], place->value);
    }
    return true;
}

static bool write_table(Export *export, Error *err)
{
    const ExportArguments *given = export->given;
    const bool             file = strcmp(given->output, "-") != 0;
    Text                   header SCOPED(text_free) = {0};
    if (!outputs_check(&given->outputs, given->output, err) ||
        (file && !outputs_open(given->output, &export->folder, err)))
        return false;
    add_header(export, &header);
    bool ok = write_piece(export, &header, err) &&
              points_read(export->points, export->variables, export->variable_count, show_slab, export, err);
    ok = ok && (!file || outputs_settle(&given->outputs, &export->folder, given->output, err));
    outputs_close(&export->folder);
    return ok;
}

static bool export_file(void *arguments, Error *err)
{
    ExportArguments *given = arguments;
    StoreFile        file SCOPED(store_read_close) = {0};
    Points           points SCOPED(points_close) = {0};
    Arena            arena SCOPED(arena_free) = {0};
    Export export = {.given = given, .points = &points};
    outputs_keep(&given->outputs, given->path);
    const bool ok = verify_open(given->path, &file, err);
    options_log(&file.notes);
    const StoreGroup *group = ok ? store_read_choose(&file, given->label, err) : NULL;
    return group && points_open(&file, group, &points, err) && choose_variables(&export, &arena, err) &&
           check_metrics(&export, err) && choose_places(&export, &arena, err) && write_table(&export, err);
}

OPTIONS_COMMAND(export_command, ExportArguments, export_command_usage, export_file, .output = "-")
