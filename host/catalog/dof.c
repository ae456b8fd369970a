// dof -- coordinates of cards: read, listed and found by their names.
#include "catalog/dof.h"

#include <stdlib.h>
#include <string.h>

bool dof_reserves(const char *name)
{
    static const char *const words[] = {"slow", "fast", "energy", "kinetic"};
    return card_lists(words, sizeof words / sizeof *words, name);
}

Dof *dof_list(const Card *card, size_t count, Arena *arena, Error *err)
{
    Dof *dofs = arena_take(arena, count, sizeof *dofs, err);
    for (size_t i = 0; dofs && i < count; ++i) {
        const bool            numbered = card->dofs_parameter && card->coordinate_count > 0;
        const CardCoordinate *from = card->coordinate_count ? &card->coordinates[numbered ? 0 : i] : NULL;
        const char           *name =
            from && !numbered ? from->name : arena_format(arena, err, "%s%zu", from ? from->name : "x", i);
        dofs[i] = (Dof){.name = name, .unit = from ? from->unit : "1"};
        if (name)
            dofs[i].velocity = from ? arena_format(arena, err, "v_%s", name) : arena_format(arena, err, "v%zu", i);
        if (dofs[i].velocity)
            dofs[i].velocity_unit = arena_format(arena, err, "%s/s", dofs[i].unit);
        if (!dofs[i].velocity_unit)
            return NULL;
    }
    return dofs;
}

size_t dof_find(const Dof *dofs, size_t count, bool velocity, const char *name)
{
    size_t i = 0;
    while (i < count && strcmp(velocity ? dofs[i].velocity : dofs[i].name, name) != 0)
        ++i;
    return i;
}

size_t dof_find_word(const Dof *dofs, size_t count, bool velocity, const char *word)
{
    const size_t named = dof_find(dofs, count, velocity, word);
    const size_t digits = word[0] == (velocity ? 'v' : 'x') ? strspn(word + 1, "0123456789") : 0;
    if (named < count || digits == 0 || digits > 3 || word[1 + digits] != '\0')
        return named;
    const size_t number = strtoul(word + 1, NULL, 10);
    return number < count ? number : count;
}

void dof_add_names(const Dof *dofs, size_t count, bool velocity, Text *text)
{
    enum { MOST = 4 };
    const size_t last = count - 1;
    for (size_t i = 0; i <= last; i += count > MOST ? last : 1)
        text_add(text, "%s%s", i == 0 ? "" : count > MOST ? " .. " : ", ", velocity ? dofs[i].velocity : dofs[i].name);
}

const char *dof_unit(const Dof *dofs, size_t count, bool velocity)
{
    for (size_t i = 1; i < count; ++i)
        if (strcmp(dofs[i].unit, dofs[0].unit) != 0)
            return "";
    return velocity ? dofs[0].velocity_unit : dofs[0].unit;
}

// In a result file units stand in one text, with a space between them.
bool dof_check_unit(const YamlNode *node, const char *unit, Error *err)
{
    for (const char *c = unit; *c; ++c)
        if ((unsigned char)*c <= ' ')
            return yaml_fail(node, err, "coordinates: unit '%.60s': no spaces, a product is written kg.m", unit);
    return *unit || yaml_fail(node, err, "coordinates: a unit is missing, `1` where there is none");
}

static bool check_name(const YamlNode *node, Error *err)
{
    if (!yaml_spells_name(node->text))
        return yaml_fail(node, err, "coordinate '%.60s': only letters, digits and _ make a name", node->text);
    return !dof_reserves(node->text) ||
           yaml_fail(node, err, "coordinate '%.60s': the word has a meaning under `of`, choose another", node->text);
}

// Checks that a name stands for one thing: a coordinate, the velocity of one, or a parameter.
static bool check_rivals(const YamlNode *node, const Card *card, Arena *arena, Error *err)
{
    const Dof *dofs = dof_list(card, card->dofs, arena, err);
    for (size_t i = 0; dofs && i < card->dofs; ++i) {
        const YamlNode *key = node->keys[card->dofs_parameter ? 0 : i];
        if (card_parameter(card, dofs[i].name) < card->parameter_count)
            return yaml_fail(key, err, "coordinate '%s': a parameter has this name, choose another", dofs[i].name);
        if (card->first_order)
            continue;
        if (card_parameter(card, dofs[i].velocity) < card->parameter_count)
            return yaml_fail(key, err,
                             "coordinate '%s': a parameter has the name of its velocity, '%s', choose another",
                             dofs[i].name, dofs[i].velocity);
        if (dof_find(dofs, card->dofs, false, dofs[i].velocity) < card->dofs)
            return yaml_fail(key, err, "coordinate '%s': another has the name of its velocity, '%s', choose another",
                             dofs[i].name, dofs[i].velocity);
    }
    return dofs != NULL;
}

bool dof_read(const YamlNode *root, Arena *arena, Card *card, Error *err)
{
    const YamlNode *node = yaml_find(root, "coordinates");
    const size_t    wanted = card->dofs_parameter ? 1 : card->dofs;
    if (!node)
        return true;
    if (!yaml_is_mapping(node, "coordinates", err))
        return false;
    if (node->count != wanted)
        return yaml_fail(node, err, "coordinates: %zu name%s for %zu degree%s of freedom%s", node->count,
                         node->count == 1 ? "" : "s", card->dofs, card->dofs == 1 ? "" : "s",
                         card->dofs_parameter ? ", give one, which is numbered" : "");
    card->coordinates = arena_take(arena, wanted, sizeof *card->coordinates, err);
    card->coordinate_count = wanted;
    for (size_t i = 0; card->coordinates && i < wanted; ++i) {
        CardCoordinate *coordinate = &card->coordinates[i];
        coordinate->name = node->keys[i]->text;
        if (!check_name(node->keys[i], err) || !yaml_text(node->items[i], "coordinates", &coordinate->unit, err) ||
            !dof_check_unit(node->items[i], coordinate->unit, err))
            return false;
    }
    return card->coordinates && check_rivals(node, card, arena, err);
}
