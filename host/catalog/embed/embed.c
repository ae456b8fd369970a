// embed -- build-time program: kernel files and other texts into the program, one C file per problem for the reference.
//
// Usage: embed NAME ROOT OUT_DIR FILE... with FILE relative to ROOT. Writes OUT_DIR/NAMEs.c: the files as `const
// TextFile NAMEs[]`, sorted by path, and their number, `NAME_count`. Of `kernel_file` it also writes
// OUT_DIR/problem_NAME.c for every problem, and OUT_DIR/reference_problems.c (the table of reference/problem.h). A
// problem whose card leaves `dofs` to a parameter becomes problem_NAME_1.c and so on, one for each number. A wrong card
// stops the build.
#include "base/file.h"
#include "catalog/problem_c.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_FILE = 1 << 24 };

// One C file for the reference: a problem with a number of degrees of freedom.
typedef struct Unit {
    const Card *card;
    size_t      dofs;
    const char *symbol;  // problem_NAME, or problem_NAME_DOFS where a parameter says how many
} Unit;

typedef struct Embed {
    const char  *table, *root, *out;  // NAME; the folder that the paths are relative to; the folder of the files made
    const char **paths;               // [count] relative, sorted
    const char **texts;               // [count]
    size_t       count;
    Unit        *units;  // [unit_count]
    size_t       unit_count;
    Arena        arena;
} Embed;

static int compare_paths(const void *a, const void *b)
{
    const char *const *left = a, *const *right = b;
    return strcmp(*left, *right);
}

static bool read_files(Embed *embed, char **files, size_t count, Error *err)
{
    embed->paths = arena_take(&embed->arena, count, sizeof *embed->paths, err);
    embed->texts = embed->paths ? arena_take(&embed->arena, count, sizeof *embed->texts, err) : NULL;
    if (!embed->texts)
        return false;
    embed->count = count;
    for (size_t i = 0; i < count; ++i)
        embed->paths[i] = files[i];
    qsort(embed->paths, count, sizeof *embed->paths, compare_paths);
    for (size_t i = 0; i < count; ++i) {
        const char *path = arena_format(&embed->arena, err, "%s/%s", embed->root, embed->paths[i]);
        char       *text;
        size_t      length;
        if (!path || !file_read(path, LARGEST_FILE, &embed->arena, &text, &length, err))
            return false;
        if (strlen(text) != length)
            return fail(err, ERROR_INPUT, "%s: a NUL byte", path);
        embed->texts[i] = text;
    }
    return true;
}

// Writes a text as string literals, one per line. Everything but plain ASCII goes as octal; ? too, which C17 reads in
// trigraphs.
static void write_literal(FILE *file, const char *text)
{
    fputs("        \"", file);
    for (const char *c = text; *c; ++c) {
        if (*c == '\n')
            fputs(c[1] ? "\\n\"\n        \"" : "\\n", file);
        else if (*c == '"' || *c == '\\')
            fprintf(file, "\\%c", *c);
        else if (*c < ' ' || *c > '~' || *c == '?')
            fprintf(file, "\\%03o", (unsigned)(unsigned char)*c);
        else
            fputc(*c, file);
    }
    fputs("\"", file);
}

static void write_texts(FILE *file, const Embed *embed, const Unit *unit)
{
    const char *table = embed->table;
    (void)unit;
    fprintf(file, "// %ss.c -- made by embed: files as texts.\n#include \"catalog/catalog.h\"\n\n", table);
    fprintf(file, "extern const TextFile %ss[];\nextern const size_t %s_count;\n", table, table);
    fprintf(file, "const TextFile %ss[] = {\n", table);
    for (size_t i = 0; i < embed->count; ++i) {
        fprintf(file, "    {\"%s\",\n", embed->paths[i]);
        write_literal(file, embed->texts[i]);
        fputs("},\n", file);
    }
    fprintf(file, "};\nconst size_t %s_count = %zu;\n", table, embed->count);
}

static void write_problem(FILE *file, const Embed *embed, const Unit *unit)
{
    const Card *card = unit->card;
    Text        params = {0}, calls = {0};
    problem_c_params(card, unit->dofs, &params);
    problem_c_calls(card, "static ", "call", &calls);
    fprintf(file, "// %s.c -- made by embed from kernels/%s: the problem as C, for the reference.\n", unit->symbol,
            card->path);
    fputs("#include \"reference/problem.h\"\n\ntypedef double real;\n#pragma GCC diagnostic push\n", file);
    // Kernel functions have a common signature, so some arguments go unused, and a problem calls few of the elementary
    // functions; literals there are plain for either precision, and a #pragma unroll means nothing.
    for (size_t i = 0; i < 5; ++i)
        fprintf(file, "#pragma GCC diagnostic ignored \"-W%s\"\n",
                ((const char *const[]){"unused-parameter", "unused-function", "conversion", "shadow",
                                       "unknown-pragmas"})[i]);
    fprintf(file, "%s\n%s\n#include \"%s/%s\"\n", problem_c_words, params.text, embed->root, card->path);
    if (card->first_order)
        fprintf(file, "#include \"%s/first_order.h\"\n", embed->root);
    fputs("#pragma GCC diagnostic pop\n\n", file);
    // A function that the card promises and the file lacks is an error that names the kernel file.
    fprintf(file, "#pragma GCC diagnostic error \"-Wimplicit-function-declaration\"\n#line 1 \"%s/%s\"\n%s",
            embed->root, card->path, calls.text);
    fprintf(file, "\nextern const ReferenceProblem %s;\nconst ReferenceProblem %s = {\n", unit->symbol, unit->symbol);
    fprintf(file,
            "    .name = \"%s\",\n    .dofs = DOF,\n    .load = call_load,\n    .params_bytes = sizeof(Params),\n",
            card->name);
    if (card->first_order)
        fputs("    .first_order = true,\n", file);
    for (size_t i = 0; i < PROBLEM_C_MOST; ++i)
        if (problem_c_promises(card, &problem_c_functions[i]))
            fprintf(file, "    .%s = call_%s,\n", problem_c_functions[i].name, problem_c_functions[i].name);
    fputs("};\n", file);
    text_free(&params);
    text_free(&calls);
}

static bool is_problem(const char *path)
{
    return strncmp(path, "problems/", strlen("problems/")) == 0;
}

static void write_table(FILE *file, const Embed *embed, const Unit *unit)
{
    (void)unit;
    fputs("// reference_problems.c -- made by embed: all problems.\n#include \"reference/problem.h\"\n\n", file);
    for (size_t i = 0; i < embed->unit_count; ++i)
        fprintf(file, "extern const ReferenceProblem %s;\n", embed->units[i].symbol);
    fputs("\nconst ReferenceProblem *const reference_problems[] = {\n", file);
    for (size_t i = 0; i < embed->unit_count; ++i)
        fprintf(file, "    &%s,\n", embed->units[i].symbol);
    fprintf(file, "%s};\nconst size_t reference_problem_count = %zu;\n", embed->unit_count == 0 ? "    0,\n" : "",
            embed->unit_count);
}

// Opens OUT_DIR/<name>.c and lets `write` fill it.
static bool write_file(Embed *embed, const char *name, void (*write)(FILE *, const Embed *, const Unit *),
                       const Unit *unit, Error *err)
{
    const char *path = arena_format(&embed->arena, err, "%s/%s.c", embed->out, name);
    FILE       *file = path ? fopen(path, "w") : NULL;
    if (!path)
        return false;
    if (!file)
        return fail(err, ERROR_IO, "%s: cannot be created", path);
    write(file, embed, unit);
    const bool wrong = ferror(file) != 0;
    if (fclose(file) != 0 || wrong)
        return fail(err, ERROR_IO, "%s: cannot be written", path);
    return true;
}

static bool read_cards(Embed *embed, Card **cards, Error *err)
{
    *cards = arena_take(&embed->arena, embed->count, sizeof **cards, err);
    if (!*cards)
        return false;
    for (size_t i = 0; i < embed->count; ++i)
        if (strchr(embed->paths[i], '/')) {
            if (!card_read(embed->paths[i], embed->texts[i], &embed->arena, &(*cards)[i], err))
                return within(err, "%s", embed->root);
            if (is_problem(embed->paths[i]) != ((*cards)[i].kind == CARD_PROBLEM))
                return fail(err, ERROR_INPUT, "%s/%s: lies in the wrong folder for its kind", embed->root,
                            embed->paths[i]);
        }
    return true;
}

static bool list_units(Embed *embed, const Card *cards, Error *err)
{
    size_t most = 0;
    for (size_t i = 0; i < embed->count; ++i)
        most += is_problem(embed->paths[i]) ? cards[i].dofs_parameter ? cards[i].dofs : 1 : 0;
    embed->units = arena_take(&embed->arena, most, sizeof *embed->units, err);
    if (!embed->units)
        return false;
    for (size_t i = 0; i < embed->count; ++i) {
        if (!is_problem(embed->paths[i]))
            continue;
        const bool open = cards[i].dofs_parameter != NULL;
        for (size_t dofs = open ? 1 : cards[i].dofs; dofs <= cards[i].dofs; ++dofs) {
            const char *symbol = open ? arena_format(&embed->arena, err, "problem_%s_%zu", cards[i].name, dofs)
                                      : arena_format(&embed->arena, err, "problem_%s", cards[i].name);
            if (!symbol)
                return false;
            embed->units[embed->unit_count++] = (Unit){&cards[i], dofs, symbol};
        }
    }
    return true;
}

static bool write_problems(Embed *embed, Error *err)
{
    Card *cards;
    if (!read_cards(embed, &cards, err) || !list_units(embed, cards, err) ||
        !write_file(embed, "reference_problems", write_table, NULL, err))
        return false;
    for (size_t i = 0; i < embed->unit_count; ++i)
        if (!write_file(embed, embed->units[i].symbol, write_problem, &embed->units[i], err))
            return false;
    return true;
}

int main(int argc, char **argv)
{
    Error err = {0};
    if (argc < 4) {
        fputs("usage: embed NAME ROOT OUT_DIR FILE...\n", stderr);
        return ERROR_USAGE;
    }
    Embed       embed = {.table = argv[1], .root = argv[2], .out = argv[3]};
    const char *name = arena_format(&embed.arena, &err, "%ss", embed.table);
    const bool  fine = name && read_files(&embed, argv + 4, (size_t)(argc - 4), &err) &&
                      write_file(&embed, name, write_texts, NULL, &err) &&
                      (strcmp(embed.table, "kernel_file") != 0 || write_problems(&embed, &err));
    if (!fine)
        fprintf(stderr, "embed: %s\n", err.message);
    arena_free(&embed.arena);
    return fine ? 0 : (int)err.kind;
}
