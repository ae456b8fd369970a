// roff -- text in the language of man pages, from plain text with `code` in it and from the project's Markdown.
//
// Words are put into lines of at most ROFF_COLUMNS characters. Characters that groff would take as commands are
// escaped.
#pragma once

#include "base/text.h"

#include <stddef.h>

enum { ROFF_COLUMNS = 78 };

typedef struct Roff {
    Text  *text;
    size_t column;   // of the line that is being filled
    bool   heading;  // nothing stands behind a heading, or the beginning of a paragraph, yet
} Roff;

// Adds a line that is a command of man: ".B pendula".
void roff_command(Roff *roff, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Adds a heading: of a section, or of a part of one.
void roff_heading(Roff *roff, bool part, const char *words);

// Begins a paragraph, unless one is begun.
void roff_paragraph(Roff *roff);

// Adds running text. `code` and **words** become bold, *words* italic, and a link [words](address) its words.
void roff_add(Roff *roff, const char *words);

// Begins an entry of a list: its words in bold, and behind them others in italics.
void roff_entry(Roff *roff, const char *bold, const char *italic);

// Adds a line as it is, in the font of code.
void roff_literal(Roff *roff, const char *line, size_t length);

// Adds text of several paragraphs: lines that begin with two spaces keep their layout.
void roff_paragraphs(Roff *roff, const char *text);

// Adds a page of Markdown: headings from the second level on, paragraphs, lists, tables and blocks of code. The first
// heading is left out.
void roff_markdown(Roff *roff, const char *text);
