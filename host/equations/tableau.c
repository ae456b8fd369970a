// tableau -- rows of numbers as statements.
#include "equations/tableau.h"

#include <string.h>

enum { MOST_STATEMENTS = 96, LONGEST_ROW = 512 };

typedef struct Writing {
    const Card     *card;
    Arena          *arena;
    Error          *err;
    const YamlNode *row;
    YamlNode      **items;
    size_t          count;
    bool            fine;
} Writing;

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

// A copy without spaces at its ends.
static char *copy(Writing *writing, const char *from, size_t length)
{
    for (; length > 0 && *from == ' '; --length)
        ++from;
    for (; length > 0 && from[length - 1] == ' '; --length)
        ;
    char *text = arena_format(writing->arena, writing->err, "%.*s", (int)length, from);
    writing->fine = writing->fine && text;
    return text;
}

// " + h*(w1*SLOPE_1 + w2*SLOPE_2 ...)" of the weights that are not 0.
static const char *weighted(Writing *writing, const char *weights, const char *first, const char *slope)
{
    const char *sum = "";
    for (size_t k = 1; *weights; ++k) {
        const size_t length = strcspn(weights, ",");
        const char  *weight = copy(writing, weights, length);
        weights += length + (weights[length] == ',');
        if (!weight || strcmp(weight, "0") == 0)
            continue;
        const char *name = k == 1 ? first : arena_format(writing->arena, writing->err, "%s_%zu", slope, k);
        sum = arena_format(writing->arena, writing->err, "%s%s%s*%s", sum, *sum ? " + " : "", weight, name ? name : "");
        if (!sum)
            return "";
    }
    return *sum ? arena_format(writing->arena, writing->err, "h*(%s)", sum) : "";
}

static size_t count_weights(const char *weights)
{
    size_t count = *weights != '\0';
    for (; *weights; ++weights)
        count += *weights == ',';
    return count;
}

// x_k, v_k and the slope there.
static void write_stage(Writing *writing, size_t k, const char *c, const char *weights, const char *first)
{
    Arena       *arena = writing->arena;
    Error       *err = writing->err;
    const char  *x = weighted(writing, weights, "v", "v"), *v = weighted(writing, weights, first, "k");
    const size_t count = count_weights(weights);
    if (count > k)
        writing->fine = yaml_fail(writing->row, err, "tableau: stage %zu has %zu numbers, at most %zu", k, count, k);
    if (count == k && k > 1)
        add(writing, arena_format(arena, err, "solve v_%zu", k));
    add(writing, arena_format(arena, err, "x_%zu = x%s%s", k, *x ? " + " : "", x));
    if (count == k && k > 1)
        add(writing, arena_format(arena, err, "k_%zu = accel(t + (%s)*h, x_%zu, v_%zu)", k, c, k, k));
    add(writing, arena_format(arena, err, "v_%zu = v%s%s", k, *v ? " + " : "", v));
    if (count != k)
        add(writing, arena_format(arena, err, "k_%zu = accel(t + (%s)*h, x_%zu, v_%zu)", k, c, k, k));
}

static void write_row(Writing *writing, size_t *stage, const char *first)
{
    Arena       *arena = writing->arena;
    Error       *err = writing->err;
    const char  *text = writing->row->text, *bar = strchr(text, '|');
    const size_t length = bar ? (size_t)(bar - text) : strlen(text);
    const char  *c = copy(writing, text, length), *weights = bar ? copy(writing, bar + 1, strlen(bar + 1)) : "";
    if (!writing->fine)
        return;
    if (strcmp(c, "x1") == 0) {
        add(writing, arena_format(arena, err, "x1 = x + %s", weighted(writing, weights, "v", "v")));
        add(writing, arena_format(arena, err, "v1 = v + %s", weighted(writing, weights, first, "k")));
        if (!card_lists(writing->card->state, writing->card->state_count, "a"))
            return;
        // The slope at the end of the step is the first of the next.
        ++*stage;
        add(writing, "a1 = accel(t + h, x1, v1)");
        add(writing, arena_format(arena, err, "k_%zu = 1*a1", *stage));
        add(writing, arena_format(arena, err, "v_%zu = 1*v1", *stage));
    } else if (strcmp(c, "error") == 0) {
        add(writing, arena_format(arena, err, "error_x = %s", weighted(writing, weights, "v", "v")));
        add(writing, arena_format(arena, err, "error_v = %s", weighted(writing, weights, first, "k")));
    } else if (++*stage > 1 || *weights) {
        write_stage(writing, *stage, c, weights, first);
    } else if (strcmp(first, "k_1") == 0) {
        add(writing, "k_1 = accel(t, x, v)");
    }
}

bool tableau_write(const Card *card, Arena *arena, YamlNode **list, Error *err)
{
    const YamlNode *rows = card->tableau;
    Writing         writing = {.card = card, .arena = arena, .err = err, .fine = true};
    writing.items = arena_take(arena, MOST_STATEMENTS, sizeof *writing.items, err);
    *list = arena_take(arena, 1, sizeof **list, err);
    if (!writing.items || !*list)
        return false;
    const char *first = card_lists(card->state, card->state_count, "a") ? "a" : "k_1";
    size_t      stage = 0;
    for (size_t i = 0; writing.fine && i < rows->count; ++i) {
        const char *text;
        writing.row = rows->items[i];
        if (!yaml_text(writing.row, "tableau", &text, err))
            return false;
        write_row(&writing, &stage, first);
    }
    **list = *rows;
    (*list)->items = writing.items;
    (*list)->count = writing.count;
    return writing.fine;
}
