// report_cells -- the cells of gnuplot's maps in a tenth of their text: neighbours of one colour are one path.
#include "analysis/report/report_cells.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A cell as gnuplot writes it: a polygon of four corners in a group of its own, then the same outline as a path of the
// same colour.
typedef struct PictureCell {
    char   colour[32];
    double left, top, right, bottom;
} PictureCell;

// Moves past a text that is there; false where it is not.
static bool take(const char **at, const char *expected)
{
    const size_t length = strlen(expected);
    if (strncmp(*at, expected, length) != 0)
        return false;
    *at += length;
    return true;
}

static bool take_number(const char **at, double *number)
{
    char *end = NULL;
    *number = strtod(*at, &end);
    const bool some = end != *at;
    *at = end;
    return some;
}

// Moves past "rgb( 33, 145, 140)'".
static bool take_colour(const char **at, char colour[32])
{
    static const char letters[] = "rgb(), 0123456789";
    const size_t      length = strspn(*at, letters);
    if (length == 0 || length >= 32 || (*at)[length] != '\'')
        return false;
    memcpy(colour, *at, length);
    colour[length] = '\0';
    *at += length + 1;
    return true;
}

// The corners come around the rectangle: left and bottom, right and bottom, right and top, left and top.
static bool take_corners(const char **at, PictureCell *cell)
{
    double x[4], y[4];
    for (size_t i = 0; i < 4; ++i)
        if (!take_number(at, &x[i]) || !take(at, ",") || !take_number(at, &y[i]))
            return false;
    cell->left = x[0];
    cell->right = x[1];
    cell->bottom = y[0];
    cell->top = y[2];
    return x[2] == x[1] && x[3] == x[0] && y[1] == y[0] && y[3] == y[2];
}

// Moves past a cell; leaves `at` as it is where there is none.
static bool take_cell(const char **at, PictureCell *cell)
{
    const char *next = *at;
    char        border[32];
    next += strspn(next, "\n\t");
    if (!take(&next, "<g stroke='none' shape-rendering='crispEdges'>\n\t\t<polygon fill = '") ||
        !take_colour(&next, cell->colour) || !take(&next, " points = '") || !take_corners(&next, cell) ||
        !take(&next, " '/>\n\t</g>\n\t<path stroke='") || !take_colour(&next, border) ||
        strcmp(border, cell->colour) != 0 || !take(&next, "  d='M"))
        return false;
    next += strspn(next, "-0123456789., LZ");
    if (!take(&next, "'/>"))
        return false;
    *at = next;
    return true;
}

// Adds the way around a cell, in steps from its corner, to a tenth of a pixel.
static void add_way(Text *svg, const PictureCell *cell)
{
    text_add(svg, "M%.5g,%.5gH%.5gV%.5gH%.5gz", cell->left, cell->top, cell->right, cell->bottom, cell->left);
}

void report_cells(Text *packed, const char *svg)
{
    PictureCell cell = {0}, last = {0};
    bool        open = false;
    while (*svg) {
        if (take_cell(&svg, &cell)) {
            if (open && strcmp(cell.colour, last.colour) != 0)
                text_add(packed, "'/>");
            if (!open || strcmp(cell.colour, last.colour) != 0)
                text_add(packed, "\n<path class='cells' color='%s' d='", cell.colour);
            add_way(packed, &cell);
            last = cell;
            open = true;
            continue;
        }
        if (open)
            text_add(packed, "'/>");
        open = false;
        const size_t plain = strcspn(svg + 1, "\n\t<") + 1;
        text_add_bytes(packed, svg, plain);
        svg += plain;
    }
    if (open)
        text_add(packed, "'/>");
}
