// catalog -- reads the embedded cards and finds things in them by name.
#include "catalog/catalog.h"
#include "base/suggest.h"

#include <stdlib.h>
#include <string.h>

// Datasets and dimensions that a result file may always have: no result and no parameter takes their names.
static const char *const datasets[] = {"x",           "v",      "time",      "sample",         "dof",
                                       "step",        "status", "journal",   "point",          "x_final",
                                       "v_final",     "energy", "condition", "updates_so_far", "design_sample",
                                       "design_role", "source"};

// Keys of the sweep file that a parameter would be confused with.
static const char *const settings[] = {"steps", "end",    "tolerance", "max_updates",
                                       "label", "newton", "substeps",  "parameters"};

// Keywords of C and OpenCL C, and names of the macros among which a kernel's parameters stand: no parameter can have
// them.
static const char *const words[] = {
    "auto",   "bool",     "break",  "case",   "char",   "const",  "constant", "continue", "default",  "do",
    "double", "else",     "enum",   "extern", "false",  "float",  "for",      "global",   "goto",     "half",
    "if",     "inline",   "int",    "kernel", "local",  "long",   "private",  "register", "restrict", "return",
    "short",  "signed",   "sizeof", "static", "struct", "switch", "true",     "typedef",  "union",    "unsigned",
    "void",   "volatile", "while",  "X",      "CHOICE", "DOF",    "PI",       "ZERO",     "ONE",      "LANES",
    "SINGLE", "ORDER",    "START",  "STATE",  "SCALAR"};

const CardResult catalog_own_metrics[OWN_METRICS] = {
    {.name = "status", .unit = "1", .about = "how the point ended"},
    {.name = "x_final", .unit = "1", .about = "coordinates at the end, one per degree of freedom"},
    {.name = "v_final", .unit = "1", .about = "velocities at the end, one per degree of freedom"},
};

#define LENGTH(array) (sizeof(array) / sizeof *(array))

bool catalog_reserves(const Catalog *catalog, const char *name)
{
    size_t index;
    return card_lists(datasets, LENGTH(datasets), name) || card_lists(settings, LENGTH(settings), name) ||
           catalog_find_result(catalog, name, &index);
}

const char *catalog_reserved(size_t index)
{
    static const struct {
        const char *const *names;
        size_t             count;
    } lists[] = {{datasets, LENGTH(datasets)}, {settings, LENGTH(settings)}, {words, LENGTH(words)}};
    for (size_t i = 0; i < LENGTH(lists); ++i) {
        if (index < lists[i].count)
            return lists[i].names[index];
        index -= lists[i].count;
    }
    return NULL;
}

bool catalog_names_parameter(const Catalog *catalog, const char *name)
{
    return !catalog_reserves(catalog, name) && !card_lists(words, LENGTH(words), name);
}

static int compare_cards(const void *a, const void *b)
{
    const Card *left = a, *right = b;
    if (left->kind != right->kind)
        return left->kind < right->kind ? -1 : 1;
    return strcmp(left->name, right->name);
}

bool catalog_check_card(const Catalog *catalog, const Card *card, Error *err)
{
    for (size_t i = 0; i < card->parameter_count; ++i)
        if (card->kind == CARD_METRIC ? card_lists(words, LENGTH(words), card->parameters[i].name)
                                      : !catalog_names_parameter(catalog, card->parameters[i].name))
            return fail(err, ERROR_INPUT, "%s: parameter '%s': the name is reserved, choose another", card->path,
                        card->parameters[i].name);
    return true;
}

// Every result has one file; no parameter takes a result's name.
static bool check_names(const Catalog *catalog, Error *err)
{
    for (size_t i = 0; i < catalog->card_count; ++i) {
        const Card *card = &catalog->cards[i];
        if (i > 0 && compare_cards(card - 1, card) == 0)
            return fail(err, ERROR_INPUT, "%s: the name '%s' is taken", card->path, card->name);
        for (size_t r = 0; r < card->result_count; ++r) {
            size_t index;
            if (catalog_find_result(catalog, card->results[r].name, &index) != card || index != r ||
                card_lists(datasets, LENGTH(datasets), card->results[r].name))
                return fail(err, ERROR_INPUT, "%s: result '%s': the name is taken", card->path, card->results[r].name);
        }
        if (!catalog_check_card(catalog, card, err))
            return false;
    }
    return true;
}

bool catalog_read(Catalog *catalog, Error *err)
{
    *catalog = (Catalog){0};
    catalog->cards = arena_take(&catalog->arena, kernel_file_count, sizeof *catalog->cards, err);
    bool fine = catalog->cards != NULL;
    for (size_t i = 0; fine && i < kernel_file_count; ++i)
        if (strchr(kernel_files[i].path, '/'))
            fine = card_read(kernel_files[i].path, kernel_files[i].text, &catalog->arena,
                             &catalog->cards[catalog->card_count++], err);
    if (fine) {
        qsort(catalog->cards, catalog->card_count, sizeof *catalog->cards, compare_cards);
        fine = check_names(catalog, err);
    }
    if (!fine)
        catalog_free(catalog);
    return fine;
}

const Card *catalog_find(const Catalog *catalog, CardKind kind, const char *name)
{
    for (size_t i = 0; i < catalog->card_count; ++i)
        if (catalog->cards[i].kind == kind && strcmp(catalog->cards[i].name, name) == 0)
            return &catalog->cards[i];
    return NULL;
}

const Card *catalog_find_result(const Catalog *catalog, const char *result, size_t *index)
{
    for (size_t i = 0; i < catalog->card_count; ++i)
        for (size_t r = 0; r < catalog->cards[i].result_count; ++r)
            if (strcmp(catalog->cards[i].results[r].name, result) == 0) {
                *index = r;
                return &catalog->cards[i];
            }
    return NULL;
}

static const TextFile *find_file(const char *path)
{
    for (size_t i = 0; i < kernel_file_count; ++i)
        if (strcmp(kernel_files[i].path, path) == 0)
            return &kernel_files[i];
    return NULL;
}

const char *catalog_file(const char *path)
{
    const TextFile *file = find_file(path);
    return file ? file->text : NULL;
}

const char *catalog_path(const char *path)
{
    const TextFile *file = find_file(path);
    return file ? file->path : NULL;
}

bool catalog_embeds(const Card *card)
{
    const char *embedded = catalog_file(card->path);
    return embedded && strcmp(embedded, card->text) == 0;
}

const char *catalog_suggest(const Catalog *catalog, CardKind kind, const char *name)
{
    const char *near = NULL;
    size_t      least = (size_t)-1;
    for (size_t i = 0; i < catalog->card_count; ++i) {
        const Card  *card = &catalog->cards[i];
        const size_t names = kind == CARD_METRIC ? card->result_count : 1;
        for (size_t r = 0; card->kind == kind && r < names; ++r) {
            const char *word = kind == CARD_METRIC ? card->results[r].name : card->name;
            // suggest() of a single name finds whether it is near at all.
            if (suggest(name, &word, 1) && suggest_distance(name, word) < least) {
                least = suggest_distance(name, word);
                near = word;
            }
        }
    }
    return near;
}

bool catalog_advise(const Catalog *catalog, CardKind kind, const char *name, Error *err)
{
    return suggest_add(err, catalog_suggest(catalog, kind, name),
                       kind == CARD_PROBLEM  ? ", see `pendula list problems`"
                       : kind == CARD_METHOD ? ", see `pendula list methods`"
                                             : ", see `pendula list metrics`");
}

void catalog_free(Catalog *catalog)
{
    arena_free(&catalog->arena);
    *catalog = (Catalog){0};
}
