// pareto_print -- how `pendula pareto` prints: as text, csv or json.
//
// Columns of csv are label, method, the parameters of the problem that vary, the decisions that do - empty where a
// group has no such parameter -, the objectives, and knee: 1 or 0.
#pragma once

#include "analysis/pareto/pareto.h"
#include "terminal/table.h"

void pareto_print(Text *text, Format format, const Pareto *pareto);
