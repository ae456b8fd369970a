// built_in -- the catalog of what is built in, read once by a test program.
#pragma once

#include "catalog/catalog.h"

const Catalog *built_in(void);

// The card of that kind behind another one, or the first behind NULL; NULL where there is none.
const Card *built_in_next(CardKind kind, const Card *before);

// A parameter of a card; a test fails where there is none of that name.
const CardParameter *built_in_parameter(const Card *card, const char *name);
