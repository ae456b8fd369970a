// csv -- numbers from a text file of columns, a record at a time (RFC 4180).
//
// The first record is the header: a name for each column, which may be empty or there twice where the column is passed
// over. All others hold a number in each column that is not passed
// over, by the grammar of yaml.h. Fields may stand in quotes, blanks around them do not count, lines end by LF or CRLF,
// and a byte order mark at the beginning is passed over. A file of any length takes the memory of its longest record.
#pragma once

#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>

typedef struct CsvField {
    const char *text;    // NUL-terminated
    size_t      column;  // from 1, where the field begins
} CsvField;

// Zero-initialise it; release with csv_close().
typedef struct Csv {
    const char *path;     // borrowed
    CsvField   *names;    // [count] the header; in the arena
    size_t      count;    // of columns
    uint64_t    line;     // from 1, of the record that was read last
    CsvField   *fields;   // [count] of that record
    double     *numbers;  // [count]; NAN in a column that is passed over
    bool       *passed;   // [count] set by the caller: whatever the column holds, it is not read
    bool       *gaps;     // [count] set by the caller: an empty field, nan, na, null or inf is NAN there
    FILE       *file;
    char       *record;  // its text, fields cut at their ends
    size_t      room, used;
    uint64_t    next_line;
    bool        ended;
    Arena       arena;
} Csv;

enum { CSV_COLUMNS = 1000, CSV_LONGEST_RECORD = 1 << 20 };

// Opens a file and reads its header.
// Errors: ERROR_IO (missing, unreadable), ERROR_INPUT (no header, more than CSV_COLUMNS; all of csv_next()),
// ERROR_INTERNAL.
bool csv_open(const char *path, Csv *csv, Error *err);

// Whether a column that is to be read has a name, and one that no other has. To be called before the first csv_next().
// Errors: ERROR_INPUT.
bool csv_check_name(const Csv *csv, size_t column, Error *err);

// Reads the next record.
//   more  written; false behind the last
// Errors: ERROR_IO, ERROR_INPUT (other than `count` fields, a quote that does not close, a field that is not a number,
// a record longer than CSV_LONGEST_RECORD bytes), ERROR_INTERNAL. A message begins with path:line:column.
bool csv_next(Csv *csv, bool *more, Error *err);

void csv_close(Csv *csv);
