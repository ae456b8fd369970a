// roff -- Markdown and plain text to the language of man pages.
#include "cli/roff.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_CELLS = 12 };

static void end_line(Roff *roff)
{
    if (roff->column > 0)
        text_add(roff->text, "\n");
    roff->column = 0;
}

void roff_command(Roff *roff, const char *format, ...)
{
    char    line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    end_line(roff);
    text_add(roff->text, "%s\n", line);
    roff->heading = false;
}

void roff_heading(Roff *roff, bool part, const char *words)
{
    roff_command(roff, part ? ".SS" : ".SH");
    roff_add(roff, words);
    end_line(roff);
    roff->heading = true;
}

void roff_paragraph(Roff *roff)
{
    if (!roff->heading)
        roff_command(roff, ".PP");
    roff->heading = true;
}

// A character that stands for itself. A hyphen would become a typographic one, which no search for an option finds.
static void add_character(Text *text, char c)
{
    if (c == '\\')
        text_add(text, "\\e");
    else if (c == '-')
        text_add(text, "\\-");
    else if (c == '^')
        text_add(text, "\\(ha");
    else if (c == '~')
        text_add(text, "\\(ti");
    else if (c == '`')
        text_add(text, "\\(ga");
    else
        text_add_bytes(text, &c, 1);
}

// The end of an emphasis that begins at `*`; NULL where the star is one of a formula.
static const char *end_of_emphasis(const char *begin, const char *star)
{
    const char *end = strchr(star + 1, '*');
    const bool  opens = star == begin || strchr(" (\n", star[-1]) != NULL;
    return opens && star[1] != ' ' && star[1] != '*' && end && end > star + 1 && end[-1] != ' ' ? end : NULL;
}

// The running text in roff, with a space between its words.
static void add_marked(Text *to, const char *words)
{
    const char *emphasis = NULL;
    bool        code = false, bold = false, spaced = true;
    for (const char *at = words; *at; ++at) {
        const char *address = *at == ']' && at[1] == '(' ? strchr(at, ')') : NULL;
        if (at[0] == '\\' && at[1] == '|') {
            add_character(to, *++at);
        } else if (*at == '`') {
            code = !code;
            text_add(to, code ? "\\fB" : bold ? "\\fB" : "\\fR");
        } else if (code && *at != '\n') {
            add_character(to, *at == ' ' ? '\x01' : *at);  // a blank of code does not part lines
        } else if (isspace((unsigned char)*at)) {
            text_add(to, spaced ? "" : " ");
        } else if (at[0] == '*' && at[1] == '*' && (bold || strstr(at + 2, "**"))) {
            bold = !bold;
            text_add(to, bold ? "\\fB" : "\\fR");
            ++at;
        } else if (at == emphasis) {
            text_add(to, "\\fR");
        } else if (*at == '*' && end_of_emphasis(words, at)) {
            emphasis = end_of_emphasis(words, at);
            text_add(to, "\\fI");
        } else if (address) {
            at = address;
        } else if (*at == '[' && strstr(at, "](")) {
            continue;
        } else {
            add_character(to, *at);
        }
        spaced = isspace((unsigned char)*at) && !code;
    }
}

void roff_add(Roff *roff, const char *words)
{
    Text marked SCOPED(text_free) = {0};
    add_marked(&marked, words);
    roff->heading = false;
    for (const char *at = marked.text ? marked.text : ""; *at;) {
        const size_t length = strcspn(at, " ");
        if (roff->column > 0 && roff->column + 1 + length > ROFF_COLUMNS)
            end_line(roff);
        if (roff->column > 0)
            text_add(roff->text, " ");
        else if (*at == '.' || *at == '\'')
            text_add(roff->text, "\\&");
        roff->column += length + (roff->column > 0);
        for (size_t i = 0; i < length; ++i)
            text_add_bytes(roff->text, at[i] == '\x01' ? " " : &at[i], 1);
        at += length + strspn(at + length, " ");
    }
}

void roff_literal(Roff *roff, const char *line, size_t length)
{
    end_line(roff);
    text_add(roff->text, length > 0 && (*line == '.' || *line == '\'') ? "\\&" : "");
    for (size_t i = 0; i < length; ++i)
        add_character(roff->text, line[i]);
    text_add(roff->text, "\n");
}

static void add_characters(Text *text, const char *s)
{
    for (; *s; ++s)
        add_character(text, *s);
}

void roff_entry(Roff *roff, const char *bold, const char *italic)
{
    roff_command(roff, ".TP");
    text_add(roff->text, "\\fB");
    add_characters(roff->text, bold);
    text_add(roff->text, *italic ? "\\fI" : "");
    add_characters(roff->text, italic);
    text_add(roff->text, "\\fR\n");
}

// A piece of the text as a string.
static void take(Text *piece, const char *from, size_t length)
{
    text_free(piece);
    text_add_bytes(piece, from, length);
}

void roff_paragraphs(Roff *roff, const char *text)
{
    Text line SCOPED(text_free) = {0};
    bool literal = false, parted = false;
    for (const char *at = text; *at;) {
        const size_t length = strcspn(at, "\n");
        const bool   inset = at[0] == ' ' && at[1] == ' ';
        if (inset && !literal)
            roff_paragraph(roff);
        if (inset != literal)
            roff_command(roff, inset ? ".nf" : ".fi");
        if (length > 0 && !inset && (parted || literal))
            roff_paragraph(roff);
        literal = inset;
        parted = length == 0;
        take(&line, at, length);
        if (inset)
            roff_literal(roff, at, length);
        else if (length > 0)
            roff_add(roff, line.text);
        at += length + (at[length] == '\n');
        // A line that ends is a line of its own, as --help prints it.
        if (!inset && length > 0 && *at && *at != '\n' && !(at[0] == ' ' && at[1] == ' '))
            roff_command(roff, ".br");
    }
    if (literal)
        roff_command(roff, ".fi");
    end_line(roff);
}

// The cells of a row of a table, [MOST_CELLS], each without the spaces around it. A bar behind a backslash is text.
static size_t cut_cells(const char *row, size_t length, Text cells[MOST_CELLS])
{
    size_t count = 0, begin = 1;
    for (size_t i = 1; i < length && count < MOST_CELLS; ++i)
        if (row[i] == '|' && row[i - 1] != '\\') {
            size_t end = i;
            while (begin < end && row[begin] == ' ')
                ++begin;
            while (end > begin && row[end - 1] == ' ')
                --end;
            take(&cells[count++], row + begin, end - begin);
            begin = i + 1;
        }
    return count;
}

// A row becomes an entry: its first cell, and beneath it the others, which have the names of their columns where there
// are several.
static void add_row(Roff *roff, Text head[MOST_CELLS], Text cells[MOST_CELLS], size_t count)
{
    Text body SCOPED(text_free) = {0};
    for (size_t i = 1; i < count; ++i) {
        const bool named = count > 2 && head[i].text && cells[i].text;
        if (cells[i].text)
            text_add(&body, "%s%s%s%s", body.length > 0 ? "; " : "", named ? head[i].text : "", named ? ": " : "",
                     cells[i].text);
    }
    roff_command(roff, ".TP");
    roff_add(roff, cells[0].text ? cells[0].text : "\xe2\x80\x94");
    end_line(roff);
    if (body.text)
        roff_add(roff, body.text);
    end_line(roff);
}

// The lines of a page, and what stands open.
typedef struct Page {
    Roff *roff;
    Text  running;           // words of a paragraph or of an entry of a list
    Text  head[MOST_CELLS];  // of a table
    bool  table, code, list;
} Page;

static void end_running(Page *page)
{
    if (page->running.text)
        roff_add(page->roff, page->running.text);
    end_line(page->roff);
    text_free(&page->running);
}

static void add_table_line(Page *page, const char *line, size_t length)
{
    Text cells[MOST_CELLS] = {0};
    if (!page->table)
        cut_cells(line, length, page->head);
    else if (strspn(line, "|-: ") < length)
        add_row(page->roff, page->head, cells, cut_cells(line, length, cells));
    page->table = true;
    for (size_t i = 0; i < MOST_CELLS; ++i)
        text_free(&cells[i]);
}

// A line that is not of a table or of code.
static void add_line(Page *page, const char *line, size_t length)
{
    Roff        *roff = page->roff;
    const size_t level = strspn(line, "#");
    if (level > 0 && line[level] == ' ') {
        end_running(page);
        take(&page->running, line + level + 1, length - level - 1);
        if (level > 1)
            roff_heading(roff, level > 2, page->running.text ? page->running.text : "");
        text_free(&page->running);
        page->list = false;
    } else if (length == 0 || strncmp(line, "<!--", 4) == 0 || strncmp(line, "![", 2) == 0) {
        end_running(page);
    } else if (line[0] == '-' && line[1] == ' ') {
        end_running(page);
        roff_command(roff, ".IP \\(bu 2");
        page->list = true;
        text_add_bytes(&page->running, line + 2, length - 2);
    } else {
        if (!page->running.text && !(page->list && line[0] == ' ')) {
            roff_paragraph(roff);
            page->list = false;
        }
        text_add(&page->running, page->running.text ? "\n" : "");
        text_add_bytes(&page->running, line, length);
    }
}

void roff_markdown(Roff *roff, const char *text)
{
    Page page = {.roff = roff};
    for (const char *at = text; *at;) {
        const size_t length = strcspn(at, "\n");
        if (length >= 3 && strncmp(at, "```", 3) == 0) {
            end_running(&page);
            if (!page.code)
                roff_paragraph(roff);
            roff_command(roff, page.code ? ".fi\n.RE" : ".RS 4\n.nf");
            page.code = !page.code;
        } else if (page.code) {
            roff_literal(roff, at, length);
        } else if (*at == '|') {
            end_running(&page);
            add_table_line(&page, at, length);
        } else {
            add_line(&page, at, length);
        }
        page.table = page.table && *at == '|';
        at += length + (at[length] == '\n');
    }
    end_running(&page);
    for (size_t i = 0; i < MOST_CELLS; ++i)
        text_free(&page.head[i]);
}
