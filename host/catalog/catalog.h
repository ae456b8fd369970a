// catalog -- every problem, method and metric there is, and the kernel helper files they include.
#pragma once

#include "catalog/card.h"

// A file that is embedded in the program at build time.
typedef struct TextFile {
    const char *path, *text;
} TextFile;

// Those of kernels/, by their paths below it ("real.h", "problems/pendulum.cl"), sorted; made by the build.
extern const TextFile kernel_files[];
extern const size_t   kernel_file_count;

// Results of every point that no metric file gives: status, x_final, v_final.
enum { OWN_METRICS = 3 };
extern const CardResult catalog_own_metrics[OWN_METRICS];

typedef struct Catalog {
    Card  *cards;  // [card_count] sorted by kind, then name; owned by arena
    size_t card_count;
    Arena  arena;
} Catalog;

// Reads the cards of all embedded files. Release with catalog_free().
// Errors: ERROR_INPUT (a card is wrong), ERROR_INTERNAL.
bool catalog_read(Catalog *catalog, Error *err);

// The card of that kind and name, or NULL.
const Card *catalog_find(const Catalog *catalog, CardKind kind, const char *name);

// The metric card that has a result of this name (and the result's index), or NULL.
const Card *catalog_find_result(const Catalog *catalog, const char *result, size_t *index);

// The text of an embedded file by its path below kernels/, or NULL.
const char *catalog_file(const char *path);

// The catalog's own string of that path, or NULL.
const char *catalog_path(const char *path);

// Whether a card is that of an embedded file: a file of the user's is another, whatever its name.
bool catalog_embeds(const Card *card);

// A name of that kind (for metrics: of a result) close to a misspelt one, or NULL.
const char *catalog_suggest(const Catalog *catalog, CardKind kind, const char *name);

// Ends the message of an error about a name of that kind which is not there, as suggest_add() does: with that name, or
// with the command that lists all. Always false.
bool catalog_advise(const Catalog *catalog, CardKind kind, const char *name, Error *err);

// Whether a name is kept for datasets, dimensions and settings, or is a metric's result: no parameter and no label may
// take it.
bool catalog_reserves(const Catalog *catalog, const char *name);

// The index-th name that no parameter has besides the results of metrics; NULL behind the last.
const char *catalog_reserved(size_t index);

// Whether a parameter may have a name: it is not reserved, and no keyword of C.
bool catalog_names_parameter(const Catalog *catalog, const char *name);

// Whether a card that was read beside the catalog (a user's file) takes no reserved name.
// Errors: ERROR_INPUT.
bool catalog_check_card(const Catalog *catalog, const Card *card, Error *err);

void catalog_free(Catalog *catalog);
