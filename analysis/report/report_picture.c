// report_picture -- gnuplot's SVG as a part of the page: names of its own, a size that follows the page, values to
// point at.
#include "analysis/report/html.h"
#include "analysis/report/report.h"
#include "base/json.h"

#include <stdlib.h>
#include <string.h>

enum { LARGEST_PICTURE = 1 << 23 };

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

// Adds an SVG of gnuplot's with the cells of its maps in a tenth of their text. Cells that follow each other and have
// one colour become one path of the class `cells`, which the page's style draws with a border of their colour; whatever
// else it holds stays as it is.
//   svg  NUL-terminated
static void add_packed(Text *packed, const char *svg)
{
    PictureCell cell = {0}, last = {0};
    bool        open = false;
    while (*svg) {
        if (take_cell(&svg, &cell)) {
            if (open && strcmp(cell.colour, last.colour) != 0)
                text_add(packed, "'/>");
            if (!open || strcmp(cell.colour, last.colour) != 0)
                text_add(packed, "\n<path class='cells' color='%s' d='", cell.colour);
            // The way around a cell, in steps from its corner, to a tenth of a pixel.
            text_add(packed, "M%.5g,%.5gH%.5gV%.5gH%.5gz", cell.left, cell.top, cell.right, cell.bottom, cell.left);
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

// Adds an SVG without the text before its element. gnuplot gives every picture the same names: they get the picture's
// number.
static void add_svg(Text *page, const char *svg, size_t number, const char *caption)
{
    static const char *const names[] = {" id=\"", " id='", "href='#", "href=\"#", "url(#"};
    const char              *from = strstr(svg, "<svg"), *width = from ? strstr(from, "width=\"") : NULL;
    if (!width)
        return;
    text_add(page, "<svg role=\"img\" style=\"max-width:%.0fpx\" aria-label=\"", strtod(width + 7, NULL));
    html_text(page, caption);
    text_add(page, "\"");
    bool tag = true;  // not an untrusted text, in which '<' is escaped
    for (from += 4; *from; ++from) {
        text_add_bytes(page, from, 1);
        tag = *from == '<' || (tag && *from != '>');
        for (size_t i = 0; tag && i < sizeof names / sizeof *names; ++i)
            if (*from == *names[i] && strncmp(from, names[i], strlen(names[i])) == 0) {
                text_add(page, "%sp%zu-", names[i] + 1, number);
                from += strlen(names[i]) - 1;
                break;
            }
    }
}

// JSON inside a script: no text of it may end the element.
static void add_json(Text *page, const Text *json)
{
    for (const char *c = json->text; c && *c; ++c)
        if (*c == '<')
            text_add(page, "\\u003c");
        else
            text_add_bytes(page, c, 1);
}

// What a map needs to say which point is under the pointer, and how it is run again.
static void add_maps(Text *json, const FigureSvg *svg, const char *file)
{
    text_add(json, ",\"file\":");
    json_string(json, file);
    text_add(json, ",\"statuses\":[");
    for (int i = 0; i < STATUS_COUNT; ++i) {
        text_add(json, "%s", i ? "," : "");
        json_string(json, plan_status_names[i]);
    }
    text_add(json, "],\"maps\":[%s]", svg->maps.text);
}

static void add_values(Text *page, const FigureSvg *svg, const char *name, const char *file)
{
    Text json = {0};
    text_add(&json, "{\"name\":");
    json_string(&json, name ? name : "");
    text_add(&json, ",\"labels\":[%s],\"panels\":[%s],\"spots\":[%s]", svg->labels.text ? svg->labels.text : "",
             svg->panels.text ? svg->panels.text : "",
             svg->spots.text && svg->spot_count <= FIGURE_SPOTS ? svg->spots.text : "");
    if (svg->map_count > 0)
        add_maps(&json, svg, file);
    text_add(&json, "}");
    text_add(page, "<script type=\"application/json\">");
    add_json(page, &json);
    text_add(page, "</script>\n");
    page->failed = page->failed || json.failed;
    text_free(&json);
}

const char *report_begin_picture(ReportPage *report, Error *err)
{
    figure_free_svg(&report->svg);
    text_free(&report->facts);
    report->svg.folder = &report->folder;
    return arena_format(&report->arena, err, "picture%zu", ++report->pictures);
}

bool report_add_picture(ReportPage *report, bool drawn, const char *caption, const char *name, Error *err)
{
    const FigureSvg *svg = &report->svg;
    Text            *page = &report->page, packed = {0};
    if (drawn)
        add_packed(&packed, svg->text.text ? svg->text.text : "");
    drawn = drawn && text_check(&packed, err);
    if (drawn && packed.length > LARGEST_PICTURE)
        drawn = fail(err, ERROR_INPUT, "it would take %zu MB; `pendula plot` draws it", packed.length >> 20);
    if (!drawn && (err->kind == ERROR_STOPPED || err->kind == ERROR_INTERNAL)) {
        text_free(&packed);
        return false;
    }
    // A narrow window shows a part of the picture, which keys can move.
    text_add(page, "<figure tabindex=\"0\" aria-label=\"");
    html_text(page, caption);
    text_add(page, "\">\n");
    if (drawn) {
        add_svg(page, packed.text ? packed.text : "", report->pictures, caption);
        add_values(page, svg, name, report->request->path);
    }
    text_free(&packed);
    text_add(page, "<figcaption>");
    html_text(page, caption);
    if (!drawn) {
        text_add(page, ": <span class=\"warn\">not drawn. ");
        html_text(page, err->message);
        text_add(page, "</span>");
        if (report->missing_count++ == 0)
            text_add(&report->missing, "a picture is missing: %s", err->message);
    }
    text_add(page, "</figcaption>\n</figure>\n");
    return true;
}

bool report_add_plot(ReportPage *report, PlotRequest request, const char *caption, const char *name, Error *err)
{
    bool drawn = false;
    request.path = report->request->path;
    request.stem = report_begin_picture(report, err);
    request.svg = &report->svg;
    const bool ok = request.stem && plot_svg(&request, &drawn, &report->facts, err);
    return (ok && !drawn) || report_add_picture(report, ok, caption, name, err);
}
