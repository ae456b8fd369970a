// failure -- errors of the library: the text of a function's Error, its kind, and the place that it begins with.
#include "library/library.h"

#include "base/text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct PendulaError {
    int         code, line, column;
    char       *file;  // NULL without a place
    const char *text;
};

// The error of a lack of memory, for which none is allocated.
static PendulaError no_memory = {.code = ERROR_INTERNAL, .text = "out of memory"};

// Reads ":12:3: " from its first colon on.
static bool read_place(const char *text, int *line, int *column)
{
    int length = 0;
    return sscanf(text, ":%9d:%9d:%n", line, column, &length) == 2 && length > 0 && text[length] == ' ' &&
           isdigit((unsigned char)text[1]) && *line > 0 && *column > 0;
}

// Finds the place in front of a message, "FILE:LINE:COLUMN: ".
static void find_place(PendulaError *error)
{
    for (const char *colon = strchr(error->text, ':'); colon && colon > error->text; colon = strchr(colon + 1, ':'))
        if (read_place(colon, &error->line, &error->column)) {
            error->file = strndup(error->text, (size_t)(colon - error->text));
            return;
        }
    error->line = error->column = 0;
}

bool library_fail(PendulaError **error, const Error *err)
{
    // Messages on a key begin with the program's option, which callers of the library do not write.
    const char  *message = strncmp(err->message, "-s ", 3) == 0 ? err->message + 3 : err->message;
    const size_t length = strlen(message);
    if (!error)
        return false;
    PendulaError *made = calloc(1, sizeof *made + length + 1);
    *error = made ? made : &no_memory;
    if (!made)
        return false;
    made->code = (int)err->kind;
    made->text = memcpy(made + 1, message, length);
    find_place(made);
    return false;
}

bool library_refuse(PendulaError **error, ErrorKind kind, const char *format, ...)
{
    Error   err = {.kind = kind};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(err.message, sizeof err.message, format, arguments);
    va_end(arguments);
    return library_fail(error, &err);
}

bool library_find_word(const char *word, const char *key, const char *const *words, unsigned count, unsigned absent,
                       unsigned *place, PendulaError **error)
{
    Text list SCOPED(text_free) = {0};
    *place = absent;
    if (!word)
        return true;
    for (*place = 0; *place < count; ++*place) {
        if (strcmp(words[*place], word) == 0)
            return true;
        text_add(&list, "%s%s", *place ? ", " : "", words[*place]);
    }
    return library_refuse(error, ERROR_USAGE, "%s: '%.60s' is none of %s", key, word, list.text ? list.text : "any");
}

bool library_check_texts(const char *const *texts, size_t count, const char *key, PendulaError **error)
{
    for (size_t i = 0; i < count; ++i)
        if (!texts || !texts[i])
            return library_refuse(error, ERROR_USAGE, "%s %zu is NULL", key, i);
    return true;
}

void *library_new(size_t bytes, PendulaError **error)
{
    void *made = calloc(1, bytes);
    if (!made)
        library_refuse(error, ERROR_INTERNAL, "out of memory");
    return made;
}

const char *pendula_error_text(const PendulaError *error)
{
    return error ? error->text : "";
}

int pendula_error_code(const PendulaError *error)
{
    return error ? error->code : 0;
}

const char *pendula_error_file(const PendulaError *error)
{
    return error ? error->file : NULL;
}

int pendula_error_line(const PendulaError *error)
{
    return error ? error->line : 0;
}

int pendula_error_column(const PendulaError *error)
{
    return error ? error->column : 0;
}

void pendula_error_free(PendulaError *error)
{
    if (!error || error == &no_memory)
        return;
    free(error->file);
    free(error);
}
