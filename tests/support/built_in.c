// built_in -- the catalog, and the walk over cards of one kind.
#include "support/built_in.h"

#include "support/test.h"

const Catalog *built_in(void)
{
    static Catalog catalog;
    if (!catalog.cards)
        assert_fine(catalog_read(&catalog, &err));
    return &catalog;
}

const Card *built_in_next(CardKind kind, const Card *before)
{
    const Catalog *catalog = built_in();
    for (const Card *card = before ? before + 1 : catalog->cards; card < catalog->cards + catalog->card_count; ++card)
        if (card->kind == kind)
            return card;
    return NULL;
}

const CardParameter *built_in_parameter(const Card *card, const char *name)
{
    for (size_t i = 0; i < card->parameter_count; ++i)
        if (strcmp(card->parameters[i].name, name) == 0)
            return &card->parameters[i];
    fail_msg("%s has no parameter '%s'", card->name, name);
    return NULL;
}
