// bench_print -- the results of `pendula bench` as lines, as JSON and as a page in Markdown.
#pragma once

#include "analysis/bench/bench.h"
#include "terminal/table.h"

// A result's line, of a new device with the device and the head of the columns in front.
void bench_print_lines(const BenchResult *result, bool new_device, Text *text);

// A row; the table around it is the caller's.
void bench_print_json(const BenchResult *result, Table *table);

// A page: where and when it was made; as bench_print_lines(); what the columns mean.
//   words  the command's own, which make the page again
void bench_print_page_begin(const char *words, Text *text);
void bench_print_page(const BenchResult *result, bool new_device, Text *text);
void bench_print_page_end(bool gpu, Text *text);
