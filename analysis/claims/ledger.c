// ledger -- reads the rows.
#include "analysis/claims/ledger.h"

#include <math.h>
#include <string.h>

enum { DEEPEST_WORD = 8, LONGEST_WORD = 48, MOST_CLAIMS = 1024, MOST_FUNCTIONS = 64 };

// A row, and where its keys are looked for.
typedef struct Row {
    Ledger         *ledger;
    Lab            *lab;
    const YamlNode *file, *own, *shared;  // shared: NULL where it is like no other
    Error          *err;
} Row;

static const YamlNode *find_word(const Row *row, const char *name)
{
    const YamlNode *const places[] = {yaml_find(row->own, "with"), yaml_find(row->shared, "with"),
                                      yaml_find(row->file, "words")};
    for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
        const YamlNode *word = yaml_find(places[i], name);
        if (word)
            return word;
    }
    return NULL;
}

// Adds a text with what its $words stand for.
static bool add_expanded(const Row *row, const char *text, int depth, Text *out)
{
    while (*text) {
        char         name[LONGEST_WORD];
        const size_t plain = strcspn(text, "$");
        text_add_bytes(out, text, plain);
        text += plain;
        if (!*text)
            return true;
        const size_t    length = strspn(++text, "abcdefghijklmnopqrstuvwxyz_0123456789");
        const YamlNode *word = NULL;
        if (length < LONGEST_WORD) {
            memcpy(name, text, length);
            name[length] = '\0';
            word = find_word(row, name);
        }
        if (!word || word->kind != YAML_SCALAR || depth == DEEPEST_WORD)
            return yaml_fail(row->own, row->err, "no word for '$%.30s'", text);
        if (!add_expanded(row, word->text, depth + 1, out))
            return false;
        text += length;
    }
    return true;
}

static const char *read_expanded(const Row *row, const char *text)
{
    Text        out = {0};
    const bool  ok = add_expanded(row, text, 0, &out) && text_check(&out, row->err);
    const char *copy = ok ? arena_copy(&row->ledger->arena, out.text ? out.text : "", row->err) : NULL;
    text_free(&out);
    return copy;
}

static const YamlNode *find_key(const Row *row, const char *key)
{
    const YamlNode *own = yaml_find(row->own, key);
    return own ? own : yaml_find(row->shared, key);
}

// The text of a key; NULL stays where an `optional` one is missing.
static bool read_text(const Row *row, const char *key, bool optional, const char **text)
{
    const YamlNode *node = find_key(row, key);
    const char     *written;
    *text = NULL;
    if (!node)
        return optional || yaml_fail(row->own, row->err, "the claim has no '%s'", key);
    if (!yaml_text(node, key, &written, row->err))
        return false;
    *text = read_expanded(row, written);
    return *text != NULL;
}

// Puts the place of a node in front of the message of a formula. Always false.
static bool blame(const Row *row, const YamlNode *node)
{
    Error       none = {0};
    const char *place = yaml_place(node, &row->ledger->arena, &none);
    return within(row->err, "%s", place ? place : "the ledger");
}

// The formulas of a key, and of what is given their values, of others their lengths.
static bool read_formulas(const Row *row, const char *key, ClaimRole role, Binding *bindings, Claim *claim)
{
    const YamlNode *node = find_key(row, key);
    Scope           scope = {.lab = role == CLAIM_GIVEN ? NULL : row->lab,
                             .functions = &row->ledger->functions,
                             .bindings = bindings,
                             .element = FORMULA_WHOLE,
                             .arena = &row->ledger->arena};
    if (node && !yaml_is_mapping(node, key, row->err))
        return false;
    for (size_t i = 0; node && i < node->count; ++i) {
        ClaimFormula *formula = &claim->formulas[claim->formula_count];
        if (claim->formula_count == CLAIM_FORMULAS)
            return yaml_fail(row->own, row->err, "more than %d formulas", (int)CLAIM_FORMULAS);
        if (node->items[i]->kind != YAML_SCALAR)
            return yaml_fail(node->items[i], row->err, "a formula that begins with [ stands in quotes");
        *formula =
            (ClaimFormula){.role = role, .name = node->keys[i]->text, .text = read_expanded(row, node->items[i]->text)};
        scope.count = claim->formula_count;
        if (!formula->text)
            return false;
        if (!formula_value(&scope, formula->text, &formula->value, row->err))
            return blame(row, node->items[i]);
        bindings[claim->formula_count++] = (Binding){formula->name, formula->value};
    }
    return true;
}

static bool read_names(const Row *row, Claim *claim)
{
    const YamlNode *node = find_key(row, "names");
    if (!node || node->kind == YAML_SCALAR)
        return claim->name_count = node != NULL, read_text(row, "names", true, &claim->names[0]);
    if (node->kind != YAML_SEQUENCE || node->count > CLAIM_NAMES)
        return yaml_fail(node, row->err, "'names' is a text or a list of at most %d", (int)CLAIM_NAMES);
    for (size_t i = 0; i < node->count; ++i) {
        if (!yaml_text(node->items[i], "names", &claim->names[i], row->err))
            return false;
        claim->names[i] = read_expanded(row, claim->names[i]);
        if (!claim->names[i])
            return false;
    }
    claim->name_count = node->count;
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
    Binding         bindings[CLAIM_FORMULAS];
    const YamlNode *mostly = find_key(row, "mostly");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
        if (!read_text(row, texts[i].key, texts[i].optional, texts[i].text))
            return false;
    if (!read_names(row, claim) || (mostly && !yaml_truth(mostly, "mostly", &claim->mostly, row->err)) ||
        !read_formulas(row, "given", CLAIM_GIVEN, bindings, claim) ||
        !read_formulas(row, "from", CLAIM_FROM, bindings, claim) ||
        !read_formulas(row, "measure", CLAIM_MEASURE, bindings, claim))
        return false;
    if ((claim->condition != NULL) != (claim->when || claim->name_count > 0))
        return yaml_fail(row->own, row->err, "'if' stands with 'when' or with 'names'");
    return true;
}

// Judges numbers that are not there: what cannot be read is found before anything is measured.
static bool check_claim(const Row *row, const Claim *claim)
{
    double  none[CLAIM_NUMBERS];
    Finding finding = {0};
    size_t  numbers = 0;
    for (size_t i = 0; i < CLAIM_NUMBERS; ++i)
        none[i] = (double)NAN;
    for (size_t i = 0; i < claim->formula_count; ++i)
        numbers += claim->formulas[i].role == CLAIM_MEASURE ? claim->formulas[i].value.count : 0;
    if (numbers > CLAIM_NUMBERS)
        return yaml_fail(row->own, row->err, "more than %d numbers", (int)CLAIM_NUMBERS);
    const bool ok = claim_judge(claim, none, &finding, row->err);
    claim_free_finding(&finding);
    return ok || blame(row, row->own);
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
    Row         row = {.ledger = ledger, .lab = lab, .file = file, .own = own, .err = err};
    const char *like = NULL;
    if (ledger->count == MOST_CLAIMS)
        return yaml_fail(own, err, "more than %d claims", (int)MOST_CLAIMS);
    if (!check_keys(own, "a claim", err) ||
        !yaml_text(yaml_find(file, "document"), "document", &claim->document, err) ||
        (yaml_find(own, "like") && !yaml_text(yaml_find(own, "like"), "like", &like, err)))
        return false;
    claim->functions = &ledger->functions;
    row.shared = like ? yaml_find(yaml_find(file, "like"), like) : NULL;
    if (like && !row.shared)
        return yaml_fail(own, err, "the file has no '%s' under 'like'", like);
    if ((like && !check_keys(row.shared, like, err)) || !read_keys(&row, claim) || !check_claim(&row, claim))
        return false;
    ++ledger->count;
    return true;
}

static bool read_named(const YamlNode *node, const char *key, Formula *formulas, size_t *count, Error *err)
{
    const YamlNode *mapping = yaml_find(node, key);
    if (!mapping)
        return true;
    if (!yaml_is_mapping(mapping, key, err))
        return false;
    for (; *count < mapping->count; ++*count) {
        if (*count == FUNCTION_FORMULAS || mapping->items[*count]->kind != YAML_SCALAR)
            return yaml_fail(mapping, err, "'%s' has too many formulas, or one that is a list", key);
        formulas[*count] = (Formula){mapping->keys[*count]->text, mapping->items[*count]->text};
    }
    return true;
}

static bool read_function(const char *name, const YamlNode *node, Function *function, Error *err)
{
    static const char *const keys[] = {"of", "start", "while", "step", "gives"};
    const YamlNode          *of = yaml_find(node, "of"), *repeat = yaml_find(node, "while");
    if (!yaml_is_mapping(node, name, err) || !yaml_check_keys(node, name, keys, sizeof keys / sizeof *keys, err) ||
        (of && !yaml_is_sequence(of, "of", err)))
        return false;
    *function = (Function){.name = name};
    for (size_t i = 0; of && i < of->count && i < FUNCTION_FORMULAS; ++i)
        function->parameters[function->parameter_count++] = of->items[i]->text;
    const YamlNode *gives = yaml_find(node, "gives");
    if (!gives || (repeat != NULL) != (yaml_find(node, "step") != NULL))
        return yaml_fail(node, err, "'gives' is missing, or one of 'while' and 'step'");
    function->gives = gives->text;
    function->repeat = repeat ? repeat->text : NULL;
    return read_named(node, "start", function->start, &function->start_count, err) &&
           read_named(node, "step", function->step, &function->step_count, err);
}

static bool read_functions(Ledger *ledger, Function *functions, const YamlNode *node, Error *err)
{
    if (node && !yaml_is_mapping(node, "functions", err))
        return false;
    for (size_t i = 0; node && i < node->count; ++i) {
        if (ledger->functions.count == MOST_FUNCTIONS)
            return yaml_fail(node, err, "more than %d functions", (int)MOST_FUNCTIONS);
        if (!read_function(node->keys[i]->text, node->items[i], &functions[ledger->functions.count++], err))
            return false;
    }
    return true;
}

static bool read_file(Ledger *ledger, Function *functions, Lab *lab, const TextFile *text, Error *err)
{
    static const char *const keys[] = {"document", "words", "functions", "like", "claims"};
    YamlOrigin              *origin = arena_take(&ledger->arena, 1, sizeof *origin, err);
    YamlNode                *file;
    if (!origin)
        return false;
    origin->name = text->path;
    if (!yaml_read(text->text, strlen(text->text), origin, &ledger->arena, &file, err) ||
        !yaml_is_mapping(file, "the ledger", err) ||
        !yaml_check_keys(file, "the ledger", keys, sizeof keys / sizeof *keys, err))
        return false;
    const YamlNode *claims = yaml_find(file, "claims");
    if (!read_functions(ledger, functions, yaml_find(file, "functions"), err))
        return false;
    if (!claims || !yaml_find(file, "document"))
        return yaml_fail(file, err, "'document' or 'claims' is missing");
    bool ok = yaml_is_sequence(claims, "claims", err);
    for (size_t i = 0; ok && i < claims->count; ++i)
        ok = read_row(ledger, lab, file, claims->items[i], err);
    return ok;
}

bool ledger_read(Ledger *ledger, Lab *lab, Error *err)
{
    static const char folder[] = "analysis/claims/ledger/";
    *ledger = (Ledger){0};
    Function *functions = arena_take(&ledger->arena, MOST_FUNCTIONS, sizeof *functions, err);
    ledger->claims = arena_take(&ledger->arena, MOST_CLAIMS, sizeof *ledger->claims, err);
    ledger->functions.items = functions;
    bool ok = functions && ledger->claims;
    for (size_t i = 0; ok && i < claims_file_count; ++i)
        if (strncmp(claims_files[i].path, folder, strlen(folder)) == 0)
            ok = read_file(ledger, functions, lab, &claims_files[i], err);
    if (!ok)
        ledger_free(ledger);
    return ok;
}

void ledger_free(Ledger *ledger)
{
    arena_free(&ledger->arena);
    *ledger = (Ledger){0};
}
