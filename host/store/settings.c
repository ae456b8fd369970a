// settings -- compares two canonical texts down to the first value that differs.
#include "store/settings.h"

#include <stdio.h>
#include <string.h>

enum { MOST_SHOWN = 60 };

// A piece of a text.
typedef struct Piece {
    const char *text;
    size_t      length;
} Piece;

// The way to a value, `parameters.eps`, cut where it is too long.
typedef struct SettingsWay {
    char   text[200];
    size_t length;
} SettingsWay;

static bool same(Piece a, Piece b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

static Piece trim(Piece piece)
{
    while (piece.length > 0 && piece.text[0] == ' ') {
        piece.text++;
        piece.length--;
    }
    return piece;
}

static void go(SettingsWay *way, const char *before, Piece name)
{
    const int made = snprintf(way->text + way->length, sizeof way->text - way->length, "%s%.*s",
                              way->length ? before : "", (int)(name.length < 80 ? name.length : 80), name.text);
    way->length = strlen(way->text);
    (void)made;
}

// Takes the next entry off the inside of a list or a map: the text before a comma outside of brackets and quotes.
static bool next_entry(Piece *rest, Piece *entry)
{
    size_t depth = 0, i = 0;
    char   quote = '\0';
    if (rest->length == 0)
        return false;
    for (; i < rest->length; i++) {
        const char c = rest->text[i];
        if (quote)
            quote = c == quote ? '\0' : quote;
        else if (c == '"' || c == '\'')
            quote = c;
        else if (c == '[' || c == '{')
            depth++;
        else if ((c == ']' || c == '}') && depth > 0)
            depth--;
        else if (c == ',' && depth == 0)
            break;
    }
    *entry = trim((Piece){rest->text, i});
    const size_t taken = i < rest->length ? i + 1 : i;
    *rest = (Piece){rest->text + taken, rest->length - taken};
    return true;
}

static Piece inside(Piece value)
{
    return value.length >= 2 ? (Piece){value.text + 1, value.length - 2} : (Piece){value.text, 0};
}

static size_t count_entries(Piece rest)
{
    size_t count = 0;
    for (Piece entry; next_entry(&rest, &entry);)
        count++;
    return count;
}

// Splits "key: value"; the value of a key alone is empty.
static void split(Piece entry, Piece *key, Piece *value)
{
    const char  *colon = memchr(entry.text, ':', entry.length);
    const size_t length = colon ? (size_t)(colon - entry.text) : entry.length;
    *key = (Piece){entry.text, length};
    *value = colon ? trim((Piece){colon + 1, entry.length - length - 1}) : (Piece){entry.text + entry.length, 0};
}

static bool begins(Piece piece, char c)
{
    return piece.length > 0 && piece.text[0] == c;
}

// The length to which a piece is shown.
static int shown(Piece piece)
{
    return piece.length < MOST_SHOWN ? (int)piece.length : MOST_SHOWN;
}

static bool fail_of_values(const SettingsWay *way, Piece a, Piece b, Error *err)
{
    if (a.length == 0 || b.length == 0)
        return fail(err, ERROR_INPUT, "of another sweep: %s is only in the %s", way->text, a.length ? "file" : "sweep");
    return fail(err, ERROR_INPUT, "of another sweep: %s is %.*s%s in the file, %.*s%s in the sweep", way->text,
                shown(a), a.text, a.length > MOST_SHOWN ? "..." : "", shown(b), b.text,
                b.length > MOST_SHOWN ? "..." : "");
}

static bool fail_of_keys(const SettingsWay *way, Piece a, Piece b, Error *err)
{
    const char *colon = way->length ? ": " : "";
    const Piece one = a.length ? a : b;
    if (a.length == 0 || b.length == 0)
        return fail(err, ERROR_INPUT, "of another sweep: %s%s'%.*s' is only in the %s", way->text, colon, shown(one),
                    one.text, a.length ? "file" : "sweep");
    return fail(err, ERROR_INPUT, "of another sweep: %s%sthe file has '%.*s' where the sweep has '%.*s'", way->text,
                colon, shown(a), a.text, shown(b), b.text);
}

// Goes into the first entry that differs.
static bool fail_of(SettingsWay *way, Piece a, Piece b, Error *err)
{
    const bool lists = begins(a, '[') && begins(b, '['), maps = begins(a, '{') && begins(b, '{');
    if (!lists && !maps)
        return fail_of_values(way, a, b, err);
    Piece        rest_a = inside(a), rest_b = inside(b), entry_a, entry_b, key_a, key_b, value_a, value_b;
    const size_t count_a = count_entries(rest_a), count_b = count_entries(rest_b);
    if (lists && count_a != count_b)
        return fail(err, ERROR_INPUT, "of another sweep: %s has %zu value%s in the file, %zu in the sweep", way->text,
                    count_a, count_a == 1 ? "" : "s", count_b);
    for (size_t i = 0;; i++) {
        const bool more_a = next_entry(&rest_a, &entry_a), more_b = next_entry(&rest_b, &entry_b);
        entry_a = more_a ? entry_a : (Piece){"", 0};
        entry_b = more_b ? entry_b : (Piece){"", 0};
        if (!more_a && !more_b)
            return fail_of_values(way, a, b, err);
        if (same(entry_a, entry_b))
            continue;
        if (lists) {
            char number[32];
            snprintf(number, sizeof number, "%zu", i);
            go(way, " at index ", (Piece){number, strlen(number)});
            return fail_of(way, entry_a, entry_b, err);
        }
        split(entry_a, &key_a, &value_a);
        split(entry_b, &key_b, &value_b);
        if (!same(key_a, key_b))
            return fail_of_keys(way, key_a, key_b, err);
        go(way, ".", key_a);
        return fail_of(way, value_a, value_b, err);
    }
}

static bool next_line(const char **text, Piece *line)
{
    const bool more = **text != '\0';
    line->text = *text;
    line->length = strcspn(*text, "\n");
    *text += line->length + ((*text)[line->length] == '\n');
    return more;
}

// Each group begins with a dash and its label.
static Piece without_dash(Piece line)
{
    line = trim(line);
    return line.length > 1 && line.text[0] == '-' ? trim((Piece){line.text + 1, line.length - 1}) : line;
}

bool settings_fail(const char *stored, const char *wanted, Error *err)
{
    Piece label = {0};
    for (;;) {
        Piece      a, b, key_a, key_b, value_a, value_b;
        const bool more_a = next_line(&stored, &a), more_b = next_line(&wanted, &b);
        if (!more_a && !more_b)
            return fail(err, ERROR_INPUT, "same settings, but the kernels have changed since the file was made");
        split(without_dash(a), &key_a, &value_a);
        split(without_dash(b), &key_b, &value_b);
        if (same(a, b)) {
            label = key_a.length == 5 && memcmp(key_a.text, "label", 5) == 0 ? value_a : label;
            continue;
        }
        SettingsWay way = {0};
        if (label.text)
            snprintf(way.text, sizeof way.text, "group '%.*s'", (int)(label.length < 80 ? label.length : 80),
                     label.text);
        way.length = strlen(way.text);
        if (!same(key_a, key_b))
            return fail_of_keys(&way, key_a, key_b, err);
        go(&way, ": ", key_a);
        return fail_of(&way, value_a, value_b, err);
    }
}
