// numerals -- numbers with a decimal point, whatever the language of the program that calls the library.
#pragma once

#include "base/scoped.h"

#include <locale.h>

// Until the end of its scope the calling thread reads and writes numbers as C does. newlocale() gives the C library's
// own locale of that name, of which there is one.
#define PLAIN_NUMERALS const locale_t numerals_before __attribute__((unused)) SCOPED(numerals_end) = numerals_begin()

static inline locale_t numerals_begin(void)
{
    return uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

static inline void numerals_end(const locale_t *before)
{
    uselocale(*before);
}
