// ledger -- reads the claims.
#include "analysis/claims/ledger.h"

#include "base/file.h"

#include <string.h>

enum { DEEPEST_WORD = 8, LONGEST_WORD = 48, MOST_CLAIMS = 1024, MOST_FUNCTIONS = 64 };

// The context of a claim while it is read.
typedef struct Row {
    Arena          *arena;
    const YamlNode *file, *own, *shared;  // shared: NULL where it is like no other
    Error          *err;
} Row;

// The text of a scalar as it stands there.
static bool read_plain(const YamlNode *node, const char *key, const char **text, Error *err)
{
    *text = node->text;
    return node->kind == YAML_SCALAR || yaml_fail(node, err, "'%s': one that begins with [ stands in quotes", key);
}

static const YamlNode *find_word(const Row *row, const char *name)
{
    const YamlNode *word = yaml_find(yaml_find(row->own, "with"), name);
    if (!word)
        word = yaml_find(yaml_find(row->shared, "with"), name);
    return word ? word : yaml_find(yaml_find(row->file, "words"), name);
}

// Adds a text with the texts of its $words.
static bool add_expanded(const Row *row, const char *text, int depth, Text *out)
{
    while (*text) {
        char         name[LONGEST_WORD] = "";
        const size_t plain = strcspn(text, "$");
        text_add_bytes(out, text, plain);
        text += plain;
        if (!*text)
            return true;
        const size_t length = strspn(++text, "abcdefghijklmnopqrstuvwxyz_0123456789");
        if (length < LONGEST_WORD)
            memcpy(name, text, length);
        const YamlNode *word = find_word(row, name);
        if (!word || word->kind != YAML_SCALAR || depth == DEEPEST_WORD)
            return yaml_fail(row->own, row->err, "no word for '$%.30s'", text);
        if (!add_expanded(row, word->text, depth + 1, out))
            return false;
        text += length;
    }
    return true;
}

// The text of a scalar, expanded.
static bool read_text(const Row *row, const YamlNode *node, const char *key, const char **text)
{
    Text out = {0};
    if (!read_plain(node, key, text, row->err))
        return false;
    const bool ok = add_expanded(row, *text, 0, &out);
    *text = text_keep(&out, row->arena, row->err);
    return ok && *text;
}

static const YamlNode *find_key(const Row *row, const char *key)
{
    const YamlNode *own = yaml_find(row->own, key);
    return own ? own : yaml_find(row->shared, key);
}

static bool read_formulas(const Row *row, const char *key, ClaimRole role, Claim *claim)
{
    const YamlNode *node = find_key(row, key);
    if (node && !yaml_is_mapping(node, key, row->err))
        return false;
    for (size_t i = 0; node && i < node->count; ++i) {
        if (claim->formula_count == CLAIM_FORMULAS)
            return yaml_fail(row->own, row->err, "more than %d formulas", (int)CLAIM_FORMULAS);
        ClaimFormula *formula = &claim->formulas[claim->formula_count++];
        *formula = (ClaimFormula){.role = role, .name = node->keys[i]->text};
        if (!read_text(row, node->items[i], formula->name, &formula->text))
            return false;
    }
    return true;
}

static bool read_names(const Row *row, Claim *claim)
{
    const YamlNode *node = find_key(row, "names");
    if (!node)
        return true;
    claim->name_count = node->kind == YAML_SEQUENCE ? node->count : 1;
    if (claim->name_count > CLAIM_NAMES)
        return yaml_fail(node, row->err, "more than %d names", (int)CLAIM_NAMES);
    for (size_t i = 0; i < claim->name_count; ++i)
        if (!read_text(row, node->kind == YAML_SEQUENCE ? node->items[i] : node, "names", &claim->names[i]))
            return false;
    return true;
}

static bool read_keys(const Row *row, Claim *claim)
{
    const struct {
        const char  *key;
        const char **text;
        bool         optional;
    } texts[] = {{"place", &claim->place, false}, {"claim", &claim->claim, false}, {"run", &claim->run, false},
                 {"rule", &claim->rule, false},   {"say", &claim->say, false},     {"holds", &claim->holds, false},
                 {"when", &claim->when, true},    {"if", &claim->condition, true}};
    const YamlNode *mostly = find_key(row, "mostly");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        const YamlNode *node = find_key(row, texts[i].key);
        if (!node && !texts[i].optional)
            return yaml_fail(row->own, row->err, "the claim has no '%s'", texts[i].key);
        if (node && !read_text(row, node, texts[i].key, texts[i].text))
            return false;
    }
    if (!read_names(row, claim) || (mostly && !yaml_truth(mostly, "mostly", &claim->mostly, row->err)) ||
        !read_formulas(row, "given", CLAIM_GIVEN, claim) || !read_formulas(row, "from", CLAIM_FROM, claim) ||
        !read_formulas(row, "measure", CLAIM_MEASURE, claim))
        return false;
    if ((claim->condition != NULL) != (claim->when || claim->name_count > 0))
        return yaml_fail(row->own, row->err, "'if' stands with 'when' or with 'names'");
    return true;
}

// Measures and judges without a device: a formula that cannot be read is found before anything is run.
static bool check_claim(const Row *row, Lab *lab, Claim *claim)
{
    Error       none = {0};
    Finding     finding = {0};
    const bool  ok = claim_measure(claim, lab, row->arena, row->err) && claim_judge(claim, &finding, row->err);
    const char *place = yaml_place(row->own, row->arena, &none);
    claim_free_finding(&finding);
    return ok || within(row->err, "%s", place ? place : "the ledger");
}

static bool check_keys(const YamlNode *row, const char *where, Error *err)
{
    static const char *const keys[] = {"like", "with",    "place", "claim", "run",    "rule", "given", "from",
                                       "say",  "measure", "holds", "names", "mostly", "when", "if"};
    return yaml_is_mapping(row, where, err) && yaml_check_keys(row, where, keys, sizeof keys / sizeof *keys, err);
}

static bool read_row(Ledger *ledger, Lab *lab, const YamlNode *file, const YamlNode *own, Error *err)
{
    Claim      *claim = &ledger->claims[ledger->count];
    Row         row = {.arena = &ledger->arena, .file = file, .own = own, .err = err};
    const char *like = NULL;
    if (ledger->count == MOST_CLAIMS)
        return yaml_fail(own, err, "more than %d claims", (int)MOST_CLAIMS);
    *claim = (Claim){.functions = &ledger->functions};
    if (!check_keys(own, "a claim", err) ||
        !yaml_text(yaml_find(file, "document"), "document", &claim->document, err) ||
        (yaml_find(own, "like") && !yaml_text(yaml_find(own, "like"), "like", &like, err)))
        return false;
    row.shared = like ? yaml_find(yaml_find(file, "like"), like) : NULL;
    if (like && !row.shared)
        return yaml_fail(own, err, "the file has no '%s' under 'like'", like);
    if ((like && !check_keys(row.shared, like, err)) || !read_keys(&row, claim) || !check_claim(&row, lab, claim))
        return false;
    ++ledger->count;
    return true;
}

// The formulas under a key of a function, which may be missing.
static bool read_named(const YamlNode *function, const char *key, Formula *formulas, size_t *count, Error *err)
{
    const YamlNode *node = yaml_find(function, key);
    if (!node)
        return true;
    if (!yaml_is_mapping(node, key, err))
        return false;
    for (; *count < node->count; ++*count) {
        if (*count == FUNCTION_FORMULAS)
            return yaml_fail(node, err, "more than %d formulas", (int)FUNCTION_FORMULAS);
        formulas[*count].name = node->keys[*count]->text;
        if (!read_plain(node->items[*count], key, &formulas[*count].text, err))
            return false;
    }
    return true;
}

static bool read_function(const char *name, const YamlNode *node, ClaimFunction *function, Error *err)
{
    static const char *const keys[] = {"of", "start", "while", "step", "gives"};
    *function = (ClaimFunction){.name = name};
    if (!yaml_is_mapping(node, name, err) || !yaml_check_keys(node, name, keys, sizeof keys / sizeof *keys, err) ||
        !read_named(node, "start", function->start, &function->start_count, err) ||
        !read_named(node, "step", function->step, &function->step_count, err))
        return false;
    const YamlNode *of = yaml_find(node, "of"), *repeat = yaml_find(node, "while"), *gives = yaml_find(node, "gives");
    if (!gives || (repeat != NULL) != (function->step_count > 0) || (of && of->count > FUNCTION_FORMULAS))
        return yaml_fail(node, err, "'gives' is missing, or one of 'while' and 'step', or 'of' has too many names");
    if ((of && !yaml_is_sequence(of, "of", err)) || !read_plain(gives, "gives", &function->gives, err) ||
        (repeat && !read_plain(repeat, "while", &function->repeat, err)))
        return false;
    for (; of && function->parameter_count < of->count; ++function->parameter_count)
        if (!read_plain(of->items[function->parameter_count], "of", &function->parameters[function->parameter_count],
                        err))
            return false;
    return true;
}

// Adds the sweeps of a file to the lab: of each its path and the changes.
static bool read_sweeps(Ledger *ledger, Lab *lab, const YamlNode *node, Error *err)
{
    if (node && !yaml_is_mapping(node, "sweeps", err))
        return false;
    for (size_t i = 0; node && i < node->count; ++i) {
        const YamlNode *words = node->items[i];
        const char    **texts = arena_take(&ledger->arena, words->count, sizeof *texts, err);
        if (!texts || !yaml_is_sequence(words, node->keys[i]->text, err))
            return false;
        for (size_t k = 0; k < words->count; ++k)
            if (!yaml_text(words->items[k], node->keys[i]->text, &texts[k], err))
                return false;
        if (words->count == 0 || !lab_add_sweep(lab, node->keys[i]->text, texts[0], texts + 1, words->count - 1, err))
            return yaml_fail(words, err, "no sweep, or too many");
    }
    return true;
}

static bool read_file(Ledger *ledger, ClaimFunction *functions, Lab *lab, const TextFile *text, Error *err)
{
    static const char *const keys[] = {"document", "sweeps", "words", "functions", "like", "claims"};
    YamlOrigin              *origin = arena_take(&ledger->arena, 1, sizeof *origin, err);
    YamlNode                *file;
    if (!origin)
        return false;
    origin->name = text->path;
    if (!yaml_read(text->text, strlen(text->text), origin, &ledger->arena, &file, err) ||
        !yaml_is_mapping(file, "the ledger", err) ||
        !yaml_check_keys(file, "the ledger", keys, sizeof keys / sizeof *keys, err))
        return false;
    const YamlNode *claims = yaml_find(file, "claims"), *defined = yaml_find(file, "functions");
    if (!claims || !yaml_find(file, "document"))
        return yaml_fail(file, err, "'document' or 'claims' is missing");
    bool ok = yaml_is_sequence(claims, "claims", err) && read_sweeps(ledger, lab, yaml_find(file, "sweeps"), err) &&
              (!defined || yaml_is_mapping(defined, "functions", err));
    for (size_t i = 0; ok && defined && i < defined->count; ++i)
        ok = (ledger->functions.count < MOST_FUNCTIONS || yaml_fail(defined, err, "too many functions")) &&
             read_function(defined->keys[i]->text, defined->items[i], &functions[ledger->functions.count++], err);
    for (size_t i = 0; ok && i < claims->count; ++i)
        ok = read_row(ledger, lab, file, claims->items[i], err);
    return ok;
}

bool ledger_read(Ledger *ledger, Lab *lab, const char *path, Error *err)
{
    static const char folder[] = "analysis/claims/ledger/";
    *ledger = (Ledger){0};
    ClaimFunction *functions = arena_take(&ledger->arena, MOST_FUNCTIONS, sizeof *functions, err);
    ledger->claims = arena_take(&ledger->arena, MOST_CLAIMS, sizeof *ledger->claims, err);
    ledger->functions.items = functions;
    bool ok = functions && ledger->claims;
    for (size_t i = 0; ok && i < claims_file_count; ++i)
        if (strncmp(claims_files[i].path, folder, strlen(folder)) == 0)
            ok = read_file(ledger, functions, lab, &claims_files[i], err);
    if (ok && path) {
        char *text;
        ledger->count = 0;
        ok = file_read(path, YAML_LARGEST, &ledger->arena, &text, NULL, err) &&
             read_file(ledger, functions, lab, &(TextFile){path, text}, err);
    }
    if (!ok)
        ledger_free(ledger);
    return ok;
}

void ledger_free(Ledger *ledger)
{
    arena_free(&ledger->arena);
    *ledger = (Ledger){0};
}
