// replay_trace -- the substeps of both sides as table rows, and the updates of their solves.
#include "analysis/replay/replay.h"

#include "base/json.h"
#include "reference/eigen.h"

#include <math.h>
#include <string.h>

static const TableColumn
    csv_columns[] = {{.name = "step"},
                     {.name = "index"},
                     {.name = "level"},
                     {.name = "time"},
                     {.name = "h"},
                     {.name = "kernel"},
                     {.name = "reference"},
                     {.name = "kernel_updates"},
                     {.name = "reference_updates"},
                     {.name = "kernel_error"},
                     {.name = "reference_error"},
                     {.name = "ulps"},
                     {.name = "share"},
                     {.name = "equation"},
                     {.name = "solve"},
                     {.name = "update"},
                     {.name = "kernel_residual"},
                     {.name = "reference_residual"},
                     {.name = "kernel_condition"},
                     {.name = "reference_condition"},
                     {.name = "kernel_pivots"},
                     {.name = "reference_pivots"},
                     {.name = "kernel_jacobian"},
                     {.name = "reference_jacobian"}},
    text_columns[] = {{.name = "step", .width = 7},
                      {.name = "part", .gap = 1, .width = 9},
                      {.name = "time", .gap = 1, .width = 12, .digits = 8},
                      {.name = "h", .gap = 1, .width = 12, .digits = 8},
                      {.name = "kernel", .gap = 2, .width = 10, .left = true},
                      {.name = "kernel_updates", .heading = "updates", .width = 7},
                      {.name = "kernel_error", .heading = "error", .gap = 1, .width = 9, .digits = 4},
                      {.name = "reference", .gap = 2, .width = 10, .left = true},
                      {.name = "reference_updates", .heading = "updates", .width = 7},
                      {.name = "reference_error", .heading = "error", .gap = 1, .width = 9, .digits = 4},
                      {.name = "ulps", .gap = 1, .width = 9, .digits = 4},
                      {.name = "share", .gap = 1, .width = 9, .digits = 3},
                      {.name = "equation", .gap = 2, .left = true}},
    update_columns[] = {{.name = "solve", .gap = 9, .width = 5},
                        {.name = "update", .gap = 1, .width = 6},
                        {.name = "kernel_residual", .heading = "residual", .gap = 2, .width = 11, .digits = 5},
                        {.name = "reference_residual", .heading = "reference", .gap = 1, .width = 11, .digits = 5},
                        {.name = "kernel_condition", .heading = "condition", .gap = 2, .width = 10, .digits = 5},
                        {.name = "reference_condition", .heading = "reference", .gap = 1, .width = 10, .digits = 5},
                        {.name = "kernel_pivots", .heading = "pivots", .gap = 2, .width = 20, .left = true},
                        {.name = "reference_pivots", .heading = "reference", .gap = 2, .width = 20, .left = true},
                        {.name = "kernel_jacobian", .heading = "Jacobian", .gap = 2, .width = 40, .left = true},
                        {.name = "reference_jacobian", .heading = "reference", .gap = 2, .left = true}};

// An update of a solve, kept until the other side's stands beside it.
typedef struct KeptUpdate {
    struct KeptUpdate *next;
    size_t             n;
    int                solve;
    uint64_t           update;
    double             residual, condition;
    double            *matrix, *pivots;  // NULL at the guess
} KeptUpdate;

typedef struct UpdateKeeper {
    KeptUpdate *first, *last;
    int         solve;
    Arena      *arena;
    Error      *err;
    bool        failed;
} UpdateKeeper;

static void keep(const NewtonSight *sight, void *user)
{
    UpdateKeeper *keeper = user;
    const size_t  n = sight->n;
    KeptUpdate   *kept = keeper->failed ? NULL : arena_take(keeper->arena, 1, sizeof *kept, keeper->err);
    double *numbers = kept && sight->matrix ? arena_take(keeper->arena, n * n + n, sizeof *numbers, keeper->err) : NULL;
    keeper->failed = !kept || (sight->matrix && !numbers);
    if (keeper->failed)
        return;
    keeper->solve += sight->update == 0;
    *kept = (KeptUpdate){.n = n,
                         .solve = keeper->solve,
                         .update = sight->update,
                         .residual = sight->residual,
                         .condition = sight->condition};
    if (numbers) {
        kept->matrix = numbers;
        kept->pivots = numbers + n * n;
        memcpy(kept->matrix, sight->matrix, n * n * sizeof *numbers);
        for (size_t i = 0; i < n; ++i)
            kept->pivots[i] = NAN;
        if (eigen_all_finite(n * n, kept->matrix))
            eigen_pivots(n, kept->matrix, kept->pivots);
    }
    if (keeper->last)
        keeper->last->next = kept;
    else
        keeper->first = kept;
    keeper->last = kept;
}

// Numbers in rows: in json a list, elsewhere with spaces between them and semicolons between rows.
static void add_numbers(Table *table, const char *name, const double *numbers, size_t count, size_t per_row)
{
    Text list = {0};
    if (table->format == FORMAT_JSON) {
        table_open(table, name, "[");
        for (size_t i = 0; i < count; ++i) {
            json_member(table->text, NULL);
            json_number(table->text, numbers[i]);
        }
        table_close(table, "]");
        return;
    }
    for (size_t i = 0; i < count; ++i) {
        text_add(&list, "%s", i == 0 ? "" : i % per_row ? " " : "; ");
        if (isnan(numbers[i]))
            text_add(&list, "nan");
        else
            text_add(&list, table->format == FORMAT_TEXT ? "%.6g" : "%.17g", numbers[i]);
    }
    table_word(table, name, list.text ? list.text : "");
    table->text->failed = table->text->failed || list.failed;
    text_free(&list);
}

static void add_update(Table *table, const ReplayTry *try, const KeptUpdate *kernel, const KeptUpdate *reference)
{
    const KeptUpdate *const  sides[] = {kernel, reference}, *any = kernel ? kernel : reference;
    static const char *const names[4][2] = {{"kernel_residual", "reference_residual"},
                                            {"kernel_condition", "reference_condition"},
                                            {"kernel_pivots", "reference_pivots"},
                                            {"kernel_jacobian", "reference_jacobian"}};
    const size_t             n = any->n;
    table_row(table);
    table_whole(table, "step", try->step);
    table_whole(table, "index", try->index);
    table_whole(table, "level", try->level);
    table_whole(table, "solve", any->solve);
    table_whole(table, "update", (int64_t)any->update);
    for (int i = 0; i < 8; ++i) {
        const int         kind = i / 2;
        const KeptUpdate *side = sides[i % 2];
        if (!side || (kind > 0 && !side->matrix))
            continue;
        if (kind < 2)
            table_number(table, names[kind][i % 2], kind ? side->condition : side->residual);
        else
            add_numbers(table, names[kind][i % 2], kind == 2 ? side->pivots : side->matrix, kind == 2 ? n : n * n, n);
    }
    table_end_row(table);
}

static bool is_before(const KeptUpdate *a, const KeptUpdate *b)
{
    return !b || (a && (a->solve < b->solve || (a->solve == b->solve && a->update < b->update)));
}

static void add_updates(Table *table, const ReplayTry *try, const KeptUpdate *kernel, const KeptUpdate *reference)
{
    while (kernel || reference) {
        const bool only_kernel = kernel && is_before(kernel, reference),
                   only_reference = reference && is_before(reference, kernel);
        add_update(table, try, only_reference ? NULL : kernel, only_kernel ? NULL : reference);
        kernel = only_reference ? kernel : kernel->next;
        reference = only_kernel ? reference : reference->next;
    }
}

// The part of the step that a substep begins at, as a fraction; of an adaptive method the trial's number.
static void add_part(Table *table, const Replay *replay, const ReplayTry *try)
{
    int64_t parts = INT64_C(1) << MOST_DEPTH, index = try->index;
    if (replay->group.method->adaptive || index == 0) {
        table_whole(table, "part", index);
        return;
    }
    for (; index % 2 == 0; index /= 2)
        parts /= 2;
    table_format(table, "part", "%" PRId64 "/%" PRId64, index, parts);
}

static void add_substep(Table *table, const Replay *replay, const ReplayRow *row, const ReplaySolve *kernel)
{
    static const char *const names[3][2] = {
        {"kernel", "reference"}, {"kernel_updates", "reference_updates"}, {"kernel_error", "reference_error"}};
    const ReplayTry *any = row->kernel ? row->kernel : row->reference;
    const bool       text = table->format == FORMAT_TEXT,
               implicit = replay->group.method->unknown != UNKNOWN_NONE && any->h > 0.0;
    table_row(table);
    table_whole(table, "step", any->step);
    if (text)
        add_part(table, replay, any);
    table_whole(table, "index", any->index);
    table_whole(table, "level", any->level);
    table_number(table, "time", any->t);
    table_number(table, "h", any->h);
    // The columns of text stand side by side, the columns of csv by the kind of their values.
    for (int n = 0; n < 6; ++n) {
        const int        side = text ? n / 3 : n % 2, kind = text ? n % 3 : n / 2;
        const ReplayTry *try = side ? row->reference : row->kernel;
        const double     error = !try ? (double)NAN : side ? try->error : kernel->error;
        if (try && kind == 0)
            table_word(table, names[kind][side], try->end);
        else if (try && kind == 1 && implicit)
            table_whole(table, names[kind][side], (int64_t)try->updates);
        else if (kind == 2 && !isnan(error))
            table_number(table, names[kind][side], error);
    }
    if (!isnan(row->apart))
        table_number(table, "ulps", row->apart);
    if (row->kernel && row->kernel->judged) {
        table_number(table, "share", row->kernel->share.share);
        table_word(table, "equation", row->kernel->share.equation);
    }
    table_end_row(table);
}

// Adds a table row, and the solves of both sides from their own states.
static bool add_row(Table *table, Table *updates, const Replay *replay, const ReplayRow *row, Error *err)
{
    Arena              arena = {0};
    UpdateKeeper       keepers[2] = {{.arena = &arena, .err = err}, {.arena = &arena, .err = err}};
    ReplaySolve        solves[2] = {{.error = NAN}, {.error = NAN}};
    const ReplayTry   *tries[2] = {row->kernel, row->reference};
    const ReplayTrail *trails[2] = {&replay->kernel, &replay->reference};
    for (int side = 0; side < 2; ++side)
        if (tries[side] && tries[side]->h > 0.0)
            solves[side] = replay_solve(replay, trails[side], (size_t)(tries[side] - trails[side]->tries),
                                        &(NewtonWatch){keep, &keepers[side]});
    add_substep(table, replay, row, &solves[0]);
    add_updates(updates, tries[0] ? tries[0] : tries[1], keepers[0].first, keepers[1].first);
    arena_free(&arena);
    return !keepers[0].failed && !keepers[1].failed;
}

bool replay_print_trace(Text *text, Format format, const Replay *replay, uint64_t from, uint64_t to, Error *err)
{
    Table table = {TABLE(text, format, csv_columns)}, updates;
    bool  ok = true;
    if (format == FORMAT_TEXT)
        table = (Table){TABLE(text, format, text_columns)};
    updates = table;
    if (format == FORMAT_TEXT) {
        updates = (Table){TABLE(text, format, update_columns)};
        table_heading(&table);
        if (replay->reference.ran && replay->group.method->unknown != UNKNOWN_NONE)
            table_heading(&updates);
    }
    table_begin(&table);
    for (size_t i = 0; ok && i < replay->row_count; ++i) {
        const ReplayRow *row = &replay->rows[i];
        const int64_t    step = row->kernel ? row->kernel->step : row->reference->step;
        if ((uint64_t)step >= from && (uint64_t)step <= to)
            ok = add_row(&table, &updates, replay, row, err);
    }
    table_end(&table);
    return ok;
}
