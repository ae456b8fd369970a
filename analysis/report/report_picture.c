// report_picture -- gnuplot's SVG as a part of the page: names of its own, a size that follows the page, values to
// point at.
#include "analysis/report/html.h"
#include "analysis/report/report.h"
#include "analysis/report/report_cells.h"
#include "base/json.h"

#include <stdlib.h>
#include <string.h>

enum { LARGEST_PICTURE = 1 << 23 };

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
    bool tag = true;  // not the text of a stranger, in which '<' is escaped
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

static void add_values(Text *page, const FigureSvg *svg, const char *name)
{
    Text json = {0};
    text_add(&json, "{\"name\":");
    json_string(&json, name ? name : "");
    text_add(&json, ",\"labels\":[%s],\"panels\":[%s],\"spots\":[%s]}", svg->labels.text ? svg->labels.text : "",
             svg->panels.text ? svg->panels.text : "",
             svg->spots.text && svg->spot_count <= FIGURE_SPOTS ? svg->spots.text : "");
    text_add(page, "<script type=\"application/json\">");
    add_json(page, &json);
    text_add(page, "</script>\n");
    page->failed = page->failed || json.failed;
    text_free(&json);
}

const char *report_stem(ReportPage *report, Error *err)
{
    return arena_format(&report->arena, err, "picture%zu", ++report->pictures);
}

bool report_add_picture(ReportPage *report, FigureSvg *svg, bool drawn, const char *caption, const char *name,
                        Error *err)
{
    Text *page = &report->page, packed = {0};
    if (drawn)
        report_cells(&packed, svg->text.text ? svg->text.text : "");
    drawn = drawn && text_check(&packed, err);
    if (drawn && packed.length > LARGEST_PICTURE)
        drawn = fail(err, ERROR_INPUT, "it would take %zu MB; `pendula plot` draws it", packed.length >> 20);
    if (!drawn && (err->kind == ERROR_STOPPED || err->kind == ERROR_INTERNAL)) {
        text_free(&packed);
        return false;
    }
    text_add(page, "<figure>\n");
    if (drawn) {
        add_svg(page, packed.text ? packed.text : "", report->pictures, caption);
        add_values(page, svg, name);
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
