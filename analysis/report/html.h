// html -- text and tables of a page: whatever stands in a result file is escaped here.
#pragma once

#include "base/text.h"

#include <stdint.h>

// Adds an untrusted text, as the contents of an element or the value of an attribute in double quotes. Control
// characters but for newline and tab, characters that turn the direction of writing, and bytes that are not UTF-8 are
// shown as utf8_show() shows them.
//   string  NULL: empty
void html_text(Text *page, const char *string);

// Adds "<NAME>text</NAME>".
void html_element(Text *page, const char *name, const char *string);

// Adds "<pre>text</pre>", which keys can move.
void html_block(Text *page, const char *string);

// A table: columns begin with '#' where they hold numbers. Rows can be sorted by a reader who has scripts on.
//   name  what it is, for who hears the page
void html_table_begin(Text *page, const char *name, const char *const *columns, size_t count);
void html_table_end(Text *page);

// Cells. NaN is "-".
void html_cell(Text *page, const char *string);
void html_number(Text *page, double number);
void html_whole(Text *page, uint64_t whole);
