// tableau -- rows of a tableau as statements.
#include "equations/forms.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_STATEMENTS = 96, LONGEST_ROW = 1024 };

typedef struct Writing {
    const Card     *card;
    Arena          *arena;
    Error          *err;
    const YamlNode *row;
    YamlNode      **items;
    size_t          count;
    const char     *first_v, *first_k;  // of the first stage
    bool            fine, ended;
} Writing;

// A text in the arena; "" where memory runs out.
static const char *__attribute__((format(printf, 2, 3))) format(Writing *writing, const char *words, ...)
{
    char    text[LONGEST_ROW];
    va_list arguments;
    va_start(arguments, words);
    const int length = vsnprintf(text, sizeof text, words, arguments);
    va_end(arguments);
    if (length >= (int)sizeof text && writing->fine)
        writing->fine = yaml_fail(writing->row, writing->err, "tableau: the row is too long");
    const char *kept = arena_copy(writing->arena, text, writing->err);
    writing->fine = writing->fine && kept;
    return kept ? kept : "";
}

static void add(Writing *writing, const char *text)
{
    YamlNode *item = arena_take(writing->arena, 1, sizeof *item, writing->err);
    writing->fine = writing->fine && item && text && writing->count < MOST_STATEMENTS;
    if (!writing->fine)
        return;
    *item = *writing->row;
    item->text = text;
    writing->items[writing->count++] = item;
}

static char *copy(Writing *writing, const char *from, size_t length)
{
    char *text = forms_trim(from, length, writing->arena, writing->err);
    writing->fine = writing->fine && text;
    return text;
}

// Whether a number stands as a factor without brackets about it.
static bool is_factor(const char *weight)
{
    return strpbrk(weight + 1, "+- ") == NULL;
}

// h times the sum of weights and slopes, but for weights of 0; 0 where they all are.
//   first  the first of the slopes; the others are SLOPE_2, SLOPE_3 ...
static const char *weighted(Writing *writing, const char *weights, const char *first, const char *slope)
{
    const char *sum = "";
    for (size_t k = 1; *weights && writing->fine; ++k) {
        const size_t length = strcspn(weights, ",");
        const char  *weight = copy(writing, weights, length);
        weights += length + (weights[length] == ',');
        if (!writing->fine || strcmp(weight, "0") == 0)
            continue;
        const char *bracket = is_factor(weight) ? "" : "(", *end = is_factor(weight) ? "" : ")";
        const char *name = k == 1 ? first : format(writing, "%s_%zu", slope, k);
        sum = format(writing, "%s%s%s%s%s*%s", sum, *sum ? " + " : "", bracket, weight, end, name);
    }
    return *sum ? format(writing, "h*(%s)", sum) : "0";
}

static const char *velocities(Writing *writing, const char *weights)
{
    return weighted(writing, weights, writing->first_v, "v");
}

static const char *slopes(Writing *writing, const char *weights)
{
    return weighted(writing, weights, writing->first_k, "k");
}

static size_t count_weights(const char *weights)
{
    size_t count = *weights != '\0';
    for (; *weights; ++weights)
        count += *weights == ',';
    return count;
}

// x_k, v_k and the slope there. A stage that weighs its own slope is solved for.
//   end  it is the end of the step
static void write_stage(Writing *writing, size_t k, const char *c, const char *weights, bool end)
{
    const size_t count = count_weights(weights);
    const bool   implicit = count == k;
    const char  *x = end ? "x1" : format(writing, "x_%zu", k), *v = end ? "v1" : format(writing, "v_%zu", k),
               *slope = format(writing, "k_%zu = accel(t + (%s)*h, %s, %s)", k, c, x, v);
    if (count > k)
        writing->fine =
            yaml_fail(writing->row, writing->err, "tableau: stage %zu has %zu numbers, at most %zu", k, count, k);
    if (implicit)
        add(writing, format(writing, "solve %s", v));
    if (implicit && end)
        add(writing, format(writing, "v_%zu = 1*v1", k));
    add(writing, format(writing, "%s = x + %s", x, velocities(writing, weights)));
    if (implicit)
        add(writing, slope);
    add(writing, format(writing, "%s = v + %s", v, slopes(writing, weights)));
    if (!implicit)
        add(writing, slope);
}

// Whether the tableau's row after row i has the same weights and is the end of the step, which an implicit stage then
// is itself.
static bool is_end(const YamlNode *rows, size_t i, const char *weights)
{
    const char *next = i + 1 < rows->count && rows->items[i + 1]->text ? rows->items[i + 1]->text : "",
               *bar = strchr(next, '|');
    return bar && strncmp(next, "x1", 2) == 0 && strcmp(bar + 1 + strspn(bar + 1, " "), weights) == 0;
}

// The first stage is at the beginning of the step, or is one of its own. Where the method keeps the acceleration at the
// end of a step, that is the first slope of the next, and follows the stages of this one.
static void write_row(Writing *writing, const YamlNode *rows, size_t i, size_t *stage)
{
    const char  *text = writing->row->text, *bar = strchr(text, '|');
    const size_t length = bar ? (size_t)(bar - text) : strlen(text);
    const char  *c = copy(writing, text, length), *weights = bar ? copy(writing, bar + 1, strlen(bar + 1)) : "";
    if (!writing->fine)
        return;
    const bool keeps = card_lists(writing->card->state, writing->card->state_count, "a");
    if (strcmp(c, "x1") == 0 && writing->ended)
        return;
    if (strcmp(c, "x1") == 0) {
        add(writing, format(writing, "x1 = x + %s", velocities(writing, weights)));
        add(writing, format(writing, "v1 = v + %s", slopes(writing, weights)));
        if (!keeps)
            return;
        ++*stage;
        add(writing, "a1 = accel(t + h, x1, v1)");
        add(writing, format(writing, "k_%zu = 1*a1", *stage));
        add(writing, format(writing, "v_%zu = 1*v1", *stage));
    } else if (strcmp(c, "error") == 0) {
        add(writing, format(writing, "error_x = %s", velocities(writing, weights)));
        add(writing, format(writing, "error_v = %s", slopes(writing, weights)));
    } else if (strncmp(c, "dense_", strlen("dense_")) == 0) {
        const char *number = c + strlen("dense_");
        add(writing, format(writing, "dense_x_%s = %s", number, velocities(writing, weights)));
        add(writing, format(writing, "dense_v_%s = %s", number, slopes(writing, weights)));
    } else if (++*stage == 1 && !*weights) {
        writing->first_v = "v";
        writing->first_k = keeps ? "a" : "k_1";
        if (!keeps)
            add(writing, "k_1 = accel(t, x, v)");
    } else {
        writing->ended = count_weights(weights) == *stage && is_end(rows, i, weights);
        write_stage(writing, *stage, c, weights, writing->ended);
    }
}

bool tableau_write(const Card *card, Arena *arena, YamlNode **list, Error *err)
{
    const YamlNode *rows = card->tableau;
    Writing writing = {.card = card, .arena = arena, .err = err, .first_v = "v_1", .first_k = "k_1", .fine = true};
    writing.items = arena_take(arena, MOST_STATEMENTS, sizeof *writing.items, err);
    *list = arena_take(arena, 1, sizeof **list, err);
    if (!writing.items || !*list)
        return false;
    size_t stage = 0;
    for (size_t i = 0; writing.fine && i < rows->count; ++i) {
        const char *text;
        writing.row = rows->items[i];
        if (!yaml_text(writing.row, "tableau", &text, err))
            return false;
        write_row(&writing, rows, i, &stage);
    }
    **list = *rows;
    (*list)->items = writing.items;
    (*list)->count = writing.count;
    return writing.fine;
}
