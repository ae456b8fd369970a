// own -- kernel files of the user's: problems, methods and metrics that a sweep file names by their paths.
#include "plan/plan_make.h"
#include "plan/curves.h"
#include "equations/equations.h"

#include <string.h>

enum { LARGEST_KERNEL_FILE = 1 << 20 };

static const char *const kinds[] = {"problem", "method", "metric"};

static const Card *find(const Plan *plan, const char *path)
{
    for (size_t i = 0; i < plan->own_count; ++i)
        if (strcmp(plan->own[i].card->path, path) == 0)
            return plan->own[i].card;
    return NULL;
}

static bool keep(Plan *plan, const char *word, const Card *card, Error *err)
{
    OwnFile *longer = arena_grow(&plan->arena, plan->own, plan->own_count, sizeof *longer, err);
    if (!longer)
        return false;
    longer[plan->own_count++] = (OwnFile){word, card};
    plan->own = longer;
    return true;
}

// Whether a card read is of use here. No result may have the name of a variable that a result file holds anyway: two
// metrics would be one. A method's equations are read by whoever needs them; here only whether they can be.
static bool check(Plan *plan, const Card *card, Error *err)
{
    Equations equations;
    for (size_t i = 0; i < card->result_count; ++i)
        if (catalog_reserves(plan->catalog, card->results[i].name))
            return fail(err, ERROR_INPUT, "%s: result '%s': the name is taken, choose another", card->path,
                        card->results[i].name);
    return !equations_given(card) || equations_read(card, &plan->arena, &equations, err);
}

static Card *read_file(Plan *plan, const YamlNode *node, const char *path, const char *what, Error *err)
{
    Card *card = arena_take(&plan->arena, 1, sizeof *card, err);
    char *text;
    if (!card)
        return NULL;
    if (plan->own_count == PLAN_OWN) {
        yaml_fail(node, err, "%s: more than %d kernel files of your own in a sweep", what, PLAN_OWN);
        return NULL;
    }
    return plan_read_file(plan, path, LARGEST_KERNEL_FILE, node, what, &plan->arena, &text, err) &&
                   card_read(path, text, &plan->arena, card, err) && catalog_check_card(plan->catalog, card, err) &&
                   check(plan, card, err) && curves_choose(plan, node, card, err) && keep(plan, node->text, card, err)
               ? card
               : NULL;
}

const Card *own_read(Plan *plan, const YamlNode *node, CardKind kind, Error *err)
{
    static const char *const keys[] = {"problem", "methods", "metrics"};
    const char              *path = plan_path(plan, node->text, err);
    const Card              *card = path ? find(plan, path) : NULL;
    if (path && !card)
        card = read_file(plan, node, path, keys[kind], err);
    if (card && card->kind != kind) {
        yaml_fail(node, err, "%s: %s is a %s's file, not a %s's", keys[kind], path, kinds[card->kind], kinds[kind]);
        return NULL;
    }
    return card;
}

const Card *own_find(Plan *plan, const YamlNode *node, CardKind kind, Error *err)
{
    if (entry_is_path(node->text))
        return own_read(plan, node, kind, err);
    const Card *card = catalog_find(plan->catalog, kind, node->text);
    if (!card && !yaml_fail(node, err, "unknown %s '%.60s'", kinds[kind], node->text))
        catalog_advise(plan->catalog, kind, node->text, err);
    return card;
}
