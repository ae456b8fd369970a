// table -- rows of named cells, printed as text, csv, json or markdown.
//
// The same calls print a row in every format. Columns are declared in their order; a cell of a name that is not
// declared is for json alone. Cells come in the order of their columns, and cells that a row leaves out are empty, or
// not there in json:
//
//   table_begin      [                                                      csv, markdown: the heading
//   table_row        {
//   table_number         "zeta": 0.1
//   table_open           "parameters": {                                    json alone
//   table_number           "rho_inf": 0.6
//   table_close          }
//   table_end_row    }
//   table_end        ]
//
// In json a row is a line, whatever list it belongs to.
#pragma once

#include "terminal/options.h"

#include <stdint.h>

typedef enum Format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON, FORMAT_MARKDOWN } Format;

// The option `--format` of a command whose struct T has such a member: text, csv or json.
#define TABLE_ROW_FORMAT(T, member)                                                                       \
    {                                                                                                     \
        "format", 0, "FORMAT", OPTION_WORD(T, member, table_formats), "text, csv or json (default: text)" \
    }
extern const char *const table_formats[FORMAT_MARKDOWN];

enum { TABLE_TEXT = 1, TABLE_CSV = 2, TABLE_JSON = 4, TABLE_MARKDOWN = 8 };  // bits of TableColumn

typedef struct TableColumn {
    const char *name;
    const char *heading;     // in text and markdown; NULL: the name
    const char *above;       // in text, in a line above the headings; NULL: the next column's reaches over this one
    unsigned    formats;     // where it appears; 0: everywhere
    int         gap, width;  // text: spaces in front of it, and characters
    int         digits;      // text and markdown: significant ones of a number; 0: as many as read back equal
    bool        left;        // text and markdown: aligned to the left
} TableColumn;

typedef struct Table {
    Text              *text;  // where it is printed; lines may be added between rows
    Format             format;
    const TableColumn *columns;  // [column_count]
    size_t             column_count;
    int               *widths;          // [column_count] in place of the columns'; NULL: the columns'
    bool               measures;        // text: nothing is printed, widths grow with their cells
    size_t             at;              // columns of the row behind which it is
    bool               filled, inside;  // a column of it is filled; it is inside an object of json
} Table;

// The members that every table has: `Table table = {TABLE(text, format, columns)};` with an array of columns.
#define TABLE(to, as, array) \
    .text = (to), .format = (as), .columns = (array), .column_count = sizeof(array) / sizeof *(array)

void table_begin(Table *table);
void table_end(Table *table);
void table_row(Table *table);
void table_end_row(Table *table);

// Prints the names of the columns, in text as often as this is called.
void table_heading(Table *table);

// An infinite number is null in json. NaN is - for people, empty in csv, null in json and left out of an object inside
// a row. In a list names are NULL.
void table_number(Table *table, const char *name, double number);
void table_whole(Table *table, const char *name, int64_t whole);
void table_truth(Table *table, const char *name, bool truth);       // 1 or 0; true or false in json
void table_word(Table *table, const char *name, const char *word);  // NULL: empty, null in json
void table_format(Table *table, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));
void table_words(Table *table, const char *name, const char *const *words, size_t count);

// An object, "{" to "}", or a list, "[" to "]", inside a row of json.
void table_open(Table *table, const char *name, const char *bracket);
void table_close(Table *table, const char *bracket);

// Adds a field of CSV, in double quotes where it needs them (RFC 4180).
void table_add_field(Text *text, const char *shown);
