// html -- escaping, and cells of tables.
#include "analysis/report/html.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <math.h>

void html_text(Text *page, const char *string)
{
    Text shown = {0};
    utf8_show(&shown, string ? string : "", true);
    for (const char *c = shown.text; c && *c; ++c)
        switch (*c) {
        case '&': text_add(page, "&amp;"); break;
        case '<': text_add(page, "&lt;"); break;
        case '>': text_add(page, "&gt;"); break;
        case '"': text_add(page, "&quot;"); break;
        case '\'': text_add(page, "&#39;"); break;
        default: text_add_bytes(page, c, 1);
        }
    page->failed = page->failed || shown.failed;
    text_free(&shown);
}

void html_element(Text *page, const char *name, const char *string)
{
    text_add(page, "<%s>", name);
    html_text(page, string);
    text_add(page, "</%s>", name);
}

void html_block(Text *page, const char *string)
{
    text_add(page, "<pre tabindex=\"0\">");
    html_text(page, string);
    text_add(page, "</pre>");
}

void html_table_begin(Text *page, const char *name, const char *const *columns, size_t count)
{
    text_add(page, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"");
    html_text(page, name);
    text_add(page, ", table\"><table class=\"sort\" aria-label=\"");
    html_text(page, name);
    text_add(page, "\">\n<thead><tr>");
    for (size_t i = 0; i < count; ++i) {
        const bool number = *columns[i] == '#';
        text_add(page, number ? "<th class=\"n\" scope=\"col\">" : "<th scope=\"col\">");
        html_text(page, columns[i] + number);
        text_add(page, "</th>");
    }
    text_add(page, "</tr></thead>\n<tbody>\n");
}

void html_table_end(Text *page)
{
    text_add(page, "</tbody></table></div>\n");
}

void html_cell(Text *page, const char *string)
{
    html_element(page, "td", string);
}

void html_number(Text *page, double number)
{
    if (isnan(number))
        text_add(page, "<td class=\"n\">-</td>");
    else
        text_add(page,
                 number == floor(number) && fabs(number) < 1e7 ? "<td class=\"n\" data-v=\"%.17g\">%.0f</td>"
                                                               : "<td class=\"n\" data-v=\"%.17g\">%.4g</td>",
                 number, number);
}

void html_whole(Text *page, uint64_t whole)
{
    text_add(page, "<td class=\"n\" data-v=\"%" PRIu64 "\">%" PRIu64 "</td>", whole, whole);
}
