// error -- fills and prefixes error messages.
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool fail(Error *err, ErrorKind kind, const char *format, ...)
{
    va_list arguments;
    err->kind = kind;
    err->code = 0;
    va_start(arguments, format);
    vsnprintf(err->message, sizeof err->message, format, arguments);
    va_end(arguments);
    return false;
}

bool within(Error *err, const char *format, ...)
{
    char    front[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(front, sizeof front, format, arguments);
    va_end(arguments);

    const size_t room = sizeof err->message - 1;
    size_t       shift = strlen(front) + 2, length = strlen(err->message);
    if (shift > room)
        return false;
    if (length > room - shift)
        length = room - shift;
    memmove(err->message + shift, err->message, length);
    memcpy(err->message, front, shift - 2);
    memcpy(err->message + shift - 2, ": ", 2);
    err->message[shift + length] = '\0';
    return false;
}
