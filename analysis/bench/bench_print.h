// bench_print -- the results of `pendula bench` as lines, as JSON and as a page in Markdown.
#pragma once

#include "analysis/bench/bench.h"
#include "base/text.h"

// The device and the head of the columns; a result's line.
void bench_print_head(const BenchResult *first, Text *text);
void bench_print_line(const BenchResult *result, Text *text);

// An object; the array around it is the caller's.
void bench_print_json(const BenchResult *result, Text *text);

// A page: where and when it was made; the device and the head of its table; a result's line; what the columns mean.
//   words  the command's own, which make the page again
void bench_print_page_begin(const char *words, Text *text);
void bench_print_page_head(const BenchResult *first, Text *text);
void bench_print_page_line(const BenchResult *result, Text *text);
void bench_print_page_end(bool gpu, Text *text);
