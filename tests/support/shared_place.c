// shared_place -- the folder and its making and removal.
#include "support/shared_place.h"

Place place;

Path path_of(const char *name)
{
    Path path;
    snprintf(path.text, sizeof path.text, "%s/%s", place.path, name);
    return path;
}

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
