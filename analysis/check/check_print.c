// check_print -- lines that an editor can follow.
#include "analysis/check/check_print.h"

#include "terminal/table.h"

static const char *const kinds[FINDING_KINDS] = {"finding", "note", "right"};

void check_print_text(const Check *check, double seconds, Text *text)
{
    const Findings *findings = &check->findings;
    for (int kind = 0; kind < FINDING_KINDS; ++kind)
        for (size_t i = 0; i < findings->count; ++i) {
            const CheckFinding *finding = &findings->list[i];
            if ((int)finding->kind != kind)
                continue;
            if (finding->line > 0)
                text_add(text, "%s:%zu: ", check->path, finding->line);
            else if (kind != FINDING_RIGHT)
                text_add(text, "%s: ", check->path);
            text_add(text, "%s%s\n",
                     kind == FINDING_WRONG  ? ""
                     : kind == FINDING_NOTE ? "note: "
                                            : "  right: ",
                     finding->text);
        }
    const size_t wrong = findings_count(findings, FINDING_WRONG), notes = findings_count(findings, FINDING_NOTE);
    text_add(text, "%s: %zu %s, %zu %s, %zu examined and right, in %.1f s\n", check->path, wrong,
             wrong == 1 ? "finding" : "findings", notes, notes == 1 ? "note" : "notes",
             findings_count(findings, FINDING_RIGHT), seconds);
}

void check_print_json(const Check *check, Text *text)
{
    Table table = {.text = text, .format = FORMAT_JSON};
    table_begin(&table);
    for (size_t i = 0; i < check->findings.count; ++i) {
        const CheckFinding *finding = &check->findings.list[i];
        table_row(&table);
        table_word(&table, "file", check->path);
        if (finding->line > 0)
            table_whole(&table, "line", (int64_t)finding->line);
        else
            table_word(&table, "line", NULL);
        table_word(&table, "kind", kinds[finding->kind]);
        table_word(&table, "text", finding->text);
        table_end_row(&table);
    }
    table_end(&table);
}
