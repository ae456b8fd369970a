// verify -- `pendula verify FILE.h5`: whether a result file is whole, and which of its points are damaged or missing.
#include "base/clock.h"
#include "store/verify.h"
#include "terminal/commands.h"
#include "terminal/options.h"
#include "terminal/table.h"

#include <inttypes.h>

typedef struct VerifyArguments {
    const char *path;
    bool        json;
} VerifyArguments;

static const Option verify_options[] = {OPTION_ROW_JSON(VerifyArguments, json)};

const Usage verify_command_usage = {
    USAGE_OPTIONS(verify_options), .arguments = ARGUMENTS_ONE(VerifyArguments, path, "FILE.h5", "result file"),
    .about = "Checks a result file: the seal of its structure, and the checksum of each block of points that is done. "
             "Nothing but the file is needed.",
    .notes =
        "Exits with 0 where it is whole, with 4 where a block is damaged, with 6 where points are missing and none is "
        "damaged. `pendula run SWEEP.yaml --resume` computes both kinds."};

// Blocks that follow each other in a group and are in the same state are one table row.
typedef struct VerifyRows {
    Table      *table;
    VerifyBlock row;  // point_count 0: none yet
    uint64_t    blocks;
} VerifyRows;

static const char *const states[VERIFY_STATES] = {"whole", "missing", "damaged"};

static void end_row(VerifyRows *rows)
{
    const VerifyBlock *row = &rows->row;
    if (row->point_count == 0)
        return;
    table_row(rows->table);
    table_word(rows->table, "state", states[row->state]);
    table_word(rows->table, "label", row->label);
    table_whole(rows->table, "first_block", (int64_t)row->block);
    table_whole(rows->table, "blocks", (int64_t)rows->blocks);
    table_whole(rows->table, "first_point", (int64_t)row->first_point);
    table_whole(rows->table, "points", (int64_t)row->point_count);
    table_end_row(rows->table);
    *rows = (VerifyRows){.table = rows->table};
}

static bool see_block(const VerifyBlock *block, void *user, Error *err)
{
    VerifyRows  *rows = user;
    VerifyBlock *row = &rows->row;
    (void)err;
    if (row->point_count > 0 && (row->label != block->label || row->state != block->state ||
                                 row->first_point + row->point_count != block->first_point))
        end_row(rows);
    if (row->point_count == 0)
        *row = *block;
    else
        row->point_count += block->point_count;
    ++rows->blocks;
    return true;
}

static uint64_t count_blocks(const Verification *found)
{
    return found->blocks[VERIFY_WHOLE] + found->blocks[VERIFY_MISSING] + found->blocks[VERIFY_DAMAGED];
}

static void add_summary(Text *text, const char *path, const Verification *found, double seconds)
{
    const uint64_t *blocks = found->blocks, *points = found->points;
    text_add(text, "%s: %" PRIu64 " of %" PRIu64 " blocks whole", path, blocks[VERIFY_WHOLE], count_blocks(found));
    for (int state = VERIFY_MISSING; state < VERIFY_STATES; ++state)
        if (blocks[state] > 0)
            text_add(text, ", %" PRIu64 " %s (%" PRIu64 " point%s)", blocks[state], states[state], points[state],
                     points[state] == 1 ? "" : "s");
    text_add(text, "; %.1f MB in %.2f s\n", (double)found->bytes * 1e-6, seconds);
}

static void add_object(Text *text, const Text *rows, const Verification *found)
{
    text_add(text, "{\"blocks\": %" PRIu64, count_blocks(found));
    for (int state = VERIFY_MISSING; state < VERIFY_STATES; ++state)
        text_add(text, ", \"%s\": %" PRIu64, states[state], found->blocks[state]);
    text_add(text, ", \"points\": {");
    for (int state = 0; state < VERIFY_STATES; ++state)
        text_add(text, "%s\"%s\": %" PRIu64, state ? ", " : "", states[state], found->points[state]);
    text_add(text, "}, \"rows\": %s}\n", rows->text ? rows->text : "[]");
}

// Damaged and missing blocks are printed, and are then an error too.
static bool judge(const StoreFile *file, const Verification *found, Error *err)
{
    if (found->blocks[VERIFY_DAMAGED] > 0)
        return fail(err, ERROR_INPUT, "%s: %" PRIu64 " of its blocks are damaged; %s", file->path,
                    found->blocks[VERIFY_DAMAGED], verify_remedy(file));
    return found->blocks[VERIFY_MISSING] == 0 || fail(err, ERROR_INCOMPLETE, "%s: %" PRIu64 " points are missing; %s",
                                                      file->path, found->points[VERIFY_MISSING], verify_remedy(file));
}

static bool verify(void *arguments, Error *err)
{
    static const TableColumn columns[] = {
        {.name = "state", .gap = 2, .width = 8, .left = true}, {.name = "label", .gap = 1, .width = 24, .left = true},
        {.name = "first_block", .gap = 2, .width = 11},        {.name = "blocks", .gap = 2, .width = 8},
        {.name = "first_point", .gap = 2, .width = 12},        {.name = "points", .gap = 2, .width = 10}};
    const VerifyArguments *given = arguments;
    const double           begun = clock_seconds();
    StoreFile              file SCOPED(store_read_close) = {0};
    Text                   text SCOPED(text_free) = {0}, out SCOPED(text_free) = {0};
    Table                  table = {TABLE(&text, given->json ? FORMAT_JSON : FORMAT_TEXT, columns)};
    VerifyRows             rows = {.table = &table};
    Verification           found;
    table_begin(&table);
    bool ok = store_read_open(given->path, &file, err) && verify_file(&file, see_block, &rows, &found, err);
    options_log(&file.notes);
    if (ok) {
        end_row(&rows);
        table_end(&table);
        if (given->json) {
            add_object(&out, &text, &found);
        } else {
            if (found.blocks[VERIFY_WHOLE] < count_blocks(&found)) {
                Table heading = table;
                heading.text = &out;
                table_heading(&heading);
            }
            text_add(&out, "%s", text.text ? text.text : "");
            add_summary(&out, given->path, &found, clock_seconds() - begun);
        }
        ok = text_check(&text, err) && text_check(&out, err) && options_print(&out, err) && judge(&file, &found, err);
    }
    return ok;
}

OPTIONS_COMMAND(verify_command, VerifyArguments, verify_command_usage, verify, 0)
