// formula -- reads a formula of a node, and places its fault.
#include "expression/formula.h"

#include <string.h>

// Where a formula is wrong: its node, moved to the character, so that the message has this column.
static YamlNode place_of(const YamlNode *node, size_t where)
{
    YamlNode place = *node;
    if (!node->block && !strchr(node->text, '\n'))
        place.column += where + (node->quoted ? 1 : 0);
    return place;
}

const Node *formula_read(Expressions *table, const YamlNode *node, const char *what, Error *err)
{
    size_t      where = 0;
    const char *why = NULL, *text = NULL;
    if (!what || !yaml_text(node, what, &text, err))
        return NULL;
    const Node *formula = expression_read(table, text, &where, &why);
    if (!formula && why) {
        const YamlNode place = place_of(node, where);
        yaml_fail(&place, err, "%s: %s", what, why);
    }
    return formula;
}

const Node *formula_read_of(Expressions *table, const YamlNode *node, const char *what, unsigned never, Error *err)
{
    static const char *const leaves[] = {[NODE_COORDINATE] = "a coordinate",
                                         [NODE_VELOCITY] = "a velocity",
                                         [NODE_PARAMETER] = "a parameter",
                                         [NODE_TIME] = "the time"};
    const Node              *formula = formula_read(table, node, what, err);
    for (NodeKind kind = NODE_COORDINATE; formula && kind <= NODE_TIME; ++kind)
        if (never & 1U << kind && expression_uses(formula, kind)) {
            yaml_fail(node, err, "%s cannot depend on %s", what, leaves[kind]);
            return NULL;
        }
    return formula;
}
