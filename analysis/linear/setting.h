// setting -- settings "NAME=VALUE" and "METHOD.NAME=VALUE" of a command line: values for the parameters of methods.
#pragma once

#include "base/text.h"
#include "catalog/catalog.h"

// One of them, taken apart.
typedef struct Setting {
    const char *method;  // NULL: every method that has the parameter
    const char *name;
    char       *values;  // the text behind the equals sign
    bool        used;    // some method had the parameter
} Setting;

// Takes arguments apart.
//   arguments  [count]
//   arena      owns the settings and their texts
//   settings   [count] written
// Errors: ERROR_USAGE (not NAME=VALUE), ERROR_INTERNAL.
bool setting_read_all(const char *const *arguments, size_t count, Arena *arena, Setting **settings, Error *err);

// The setting that a method has for a parameter, or NULL; one that names the method goes before one that does not.
// Errors: ERROR_USAGE (two of a kind).
bool setting_find(Setting *settings, size_t count, const Card *method, const CardParameter *parameter, Setting **found,
                  Error *err);

// Reads a value of a parameter: a number in its range, or a choice, whose index it becomes.
// Errors: ERROR_USAGE.
bool setting_value(const CardParameter *parameter, const char *word, double *value, Error *err);

// Refuses a setting that none of the methods has.
//   methods  [count], repetitions allowed
// Errors: ERROR_USAGE where there is such a setting.
bool setting_check_used(const Setting *settings, size_t setting_count, const Card *const *methods, size_t count,
                        Error *err);

// Finds a method or a problem by its name, or reads the kernel file that a path names.
//   arena  owns a card that is read
// Errors: ERROR_USAGE (unknown: names the nearest; a file of another kind), those of file_read() and card_read().
bool setting_find_card(const Catalog *catalog, CardKind kind, const char *name, Arena *arena, const Card **card,
                       Error *err);

// Adds the word by which a sweep has a card: its name, or the path of a file of the user's.
void setting_add_card(Text *text, const Card *card);

// Adds "NAME: VALUE" as a sweep has it: the word of a choice, or a number.
//   points  above 0: in place of the number an axis of so many
void setting_add_value(Text *text, const CardParameter *parameter, double value, int points);
