// messages -- messages of gcc, clang, linkers and sanitizers, line by line.
#include "analysis/check/check.h"
#include "analysis/check/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 8 };

// A compiler reports an unclosed brace in the text that the program writes behind the file.
static size_t last_line(const Card *card)
{
    size_t lines = 0;
    for (const char *c = card->text; *c; ++c)
        lines += *c == '\n';
    return lines ? lines : 1;
}

// The line number behind "PATH:" where a message names the file; the rest of it is at *rest.
static size_t find_place(const Check *check, const char *message, size_t length, const char **rest)
{
    const size_t path = strlen(check->path);
    for (const char *at = message; at + path + 1 < message + length; ++at) {
        if (strncmp(at, check->path, path) != 0 || at[path] != ':')
            continue;
        char        *end;
        const size_t line = strtoul(at + path + 1, &end, 10);
        if (line == 0)
            continue;
        *rest = end + (*end == ':');
        if (strtoul(*rest, &end, 10) > 0)  // the column
            *rest = end + (*end == ':');
        *rest += **rest == ' ';
        return line < last_line(&check->card) ? line : last_line(&check->card);
    }
    return 0;
}

// The first line that has one of these words.
static const char *find_line(const char *messages, const char *word)
{
    const char *at = strstr(messages, word);
    while (at && at > messages && at[-1] != '\n')
        --at;
    return at;
}

// A function that no file defines is found when the library is loaded.
static size_t find_undefined(const Check *check, const char *messages)
{
    char        name[64];
    const char *at = strstr(messages, "undefined symbol: ");
    if (!at)
        return 0;
    at += strlen("undefined symbol: ");
    const size_t length = strcspn(at, " \n'");
    snprintf(name, sizeof name, "%.*s", (int)length, at);
    return lines_call(&check->card, name);
}

bool check_blames(const Check *check, const char *messages)
{
    const char *rest;
    return strstr(messages, "error") && find_place(check, messages, strlen(messages), &rest) > 0;
}

bool check_braces(Check *check)
{
    const size_t line = lines_unclosed(&check->card);
    if (line && !findings_has(&check->findings, line))
        findings_add(&check->findings, FINDING_WRONG, line, "a brace of this line is not closed, or closes nothing");
    return line > 0;
}

void check_messages(Check *check, const char *where, const char *messages)
{
    static const char hint[] = "a comparison is a mask";
    const char       *remedy = strstr(messages, hint);
    const int         words = remedy ? (int)strcspn(remedy, "\n") : 0;
    size_t            found = 0;
    check->broken = true;
    if (check_braces(check))
        return;
    for (const char *line = messages; *line && found < MOST_LINES;) {
        const size_t length = strcspn(line, "\n");
        const char  *rest = line;
        const size_t number = find_place(check, line, length, &rest);
        const bool   wrong = memmem(line, length, "error", 5) || memmem(line, length, "undefined reference", 19);
        if (number && wrong) {
            ++found;
            if (!findings_has(&check->findings, number))
                findings_add(&check->findings, FINDING_WRONG, number, "does not compile %s: %.*s%s%.*s", where,
                             (int)(line + length - rest), rest, remedy ? "; " : "", words, remedy ? remedy : "");
        }
        line += length + (line[length] == '\n');
    }
    const char *first = find_line(messages, "error");
    first = first ? first : find_line(messages, "undefined");
    first = first ? first : messages;
    if (found == 0)
        findings_add(&check->findings, FINDING_WRONG,
                     find_undefined(check, messages) ? find_undefined(check, messages) : 1, "does not compile %s: %.*s",
                     where, (int)strcspn(first, "\n"), first);
}
