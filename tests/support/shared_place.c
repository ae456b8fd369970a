// shared_place -- the folder and its making and removal.
#include "support/shared_place.h"

Place place;

int make_place(void **state)
{
    (void)state;
    place_make(&place);
    return 0;
}

int remove_place(void **state)
{
    (void)state;
    place_remove(&place);
    return 0;
}
