// curves -- tables of a sweep: read, and given to the problem that asks for them.
#pragma once

#include "plan/plan.h"

// Reads `tables:` of the sweep, and of a problem of formulas, into plan->tables. The precision is known. Errors: those
// of point_file_read_csv() and point_file_read_dataset() too.
bool curves_read(Plan *plan, Error *err);

// Gives a problem's card the tables that it asks for.
//   node  names the problem, for messages
// Errors: also ERROR_INPUT (a table that is not there, too many numbers).
bool curves_choose(Plan *plan, const YamlNode *node, Card *card, Error *err);

// Gives the problem tables that formulas outside of it call, on a card of the plan's own.
//   node    where they are called, for messages
//   called  [plan->table_count] which of them
bool curves_add(Plan *plan, const YamlNode *node, const bool *called, Error *err);

// Gives the problem the data of `compare:`, which stand among the tables.
bool curves_add_data(Plan *plan, Error *err);

// Warns of tables that no formula uses. The problem is known.
bool curves_check(Plan *plan, Error *err);
