// manufactured_print -- a row for each method: its card's order, the one that was measured, and what that says.
#include "analysis/check/manufactured.h"
#include "terminal/table.h"

#include <math.h>

static const TableColumn columns[] = {{.name = "group", .gap = 0, .width = 24, .left = true},
                                      {.name = "card", .gap = 2, .width = 4},
                                      {.name = "order", .gap = 2, .width = 5, .digits = 3},
                                      {.name = "own", .gap = 2, .width = 5, .digits = 3},
                                      {.name = "error", .gap = 2, .width = 9, .digits = 3},
                                      {.name = "step", .gap = 2, .width = 10, .digits = 4},
                                      {.name = "point", .formats = TABLE_JSON},
                                      {.name = "finding", .gap = 2, .left = true}};

static const char *const words[] = {[ORDER_HELD] = "held",
                                    [ORDER_ROUNDING] = "rounding",
                                    [ORDER_ADAPTIVE] = "adaptive",
                                    [ORDER_LOW] = "low",
                                    [ORDER_FAILED] = "failed"};

static const char *const lines[] = {
    [ORDER_HELD] = "",
    [ORDER_ROUNDING] = "all errors are rounding",
    [ORDER_ADAPTIVE] = "left out: an adaptive method has no order in the step",
    [ORDER_LOW] = "spoiled: a formula is not smooth along the motion (table, if, abs, root)",
    [ORDER_FAILED] = "spoiled: no run follows the motion to the end at steps down to 1/64: lower the step"};

void manufactured_print(const Manufactured *manufactured, bool json, Text *text)
{
    Table table = {TABLE(text, json ? FORMAT_JSON : FORMAT_TEXT, columns)};
    table_begin(&table);
    if (!json)
        table_heading(&table);
    for (size_t g = 0; g < manufactured->plan.group_count; ++g) {
        const ManufacturedOrder *order = &manufactured->orders[g];
        table_row(&table);
        table_word(&table, "group", order->group->label);
        table_whole(&table, "card", order->card);
        table_number(&table, "order", order->measured);
        table_number(&table, "own", order->own);
        table_number(&table, "error", order->error);
        table_number(&table, "step", order->step);
        table_whole(&table, "point", (int64_t)order->point);
        table_word(&table, "finding", json ? words[order->finding] : lines[order->finding]);
        table_end_row(&table);
    }
    table_end(&table);
}
