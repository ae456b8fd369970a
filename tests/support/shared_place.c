// shared_place -- the folder and its making and removal.
#include "support/shared_place.h"

Place place;

Path path_of(const char *name)
{
    Path path;
    snprintf(path.text, sizeof path.text, "%s/%s", place.path, name);
    return path;
}

void make_result(const char *name, const char *sweep, const char *device)
{
    char yaml[64];
    snprintf(yaml, sizeof yaml, "%s.yaml", name);
    place_write(&place, yaml, sweep);
    ENDED(&place, 0, "run", yaml, "-d", device, "--progress", "none");
}

void assert_png(const char *name)
{
    unsigned char head[8] = {0};
    FILE         *file = fopen(path_of(name).text, "rb");
    if (!file || fread(head, 1, 8, file) != 8 || memcmp(head, "\x89PNG\r\n\x1a\n", 8) != 0)
        fail_msg("%s is no PNG", name);
    fclose(file);
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
