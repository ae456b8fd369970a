// pairs_print -- one table row per pair; names and values of the columns, and the phrase for the criterion.
#include "analysis/pairs/pairs.h"
#include "base/json.h"

#include <math.h>
#include <string.h>

// Reasons that are printed below the table, each once.
enum { MOST_NOTES = 6 };

// Further roots and the reason stand behind the first columns in csv, and behind all in json.
static void add_roots(Table *table, const Pair *pair)
{
    Text roots = {0};
    table_open(table, "roots", "[");
    for (size_t r = 0; r < pair->root_count; ++r) {
        if (table->format == FORMAT_JSON)
            table_number(table, NULL, pair->roots[r].at);
        text_add(&roots, "%s", r ? ";" : "");
        json_number(&roots, pair->roots[r].at);
    }
    table_close(table, "]");
    if (table->format == FORMAT_CSV)
        table_word(table, "roots", roots.text);
    table_word(table, "reason", pair->reason);
    text_free(&roots);
}

static void print_pairs(Text *text, Format format, const Pairs *pairs)
{
    TableColumn columns[PAIR_SIDES + PAIRS_COLUMNS + 2] = {{.name = pairs->columns[PAIR_FROM]},
                                                           {.name = pairs->columns[PAIR_TO]}};
    Table       table = {TABLE(text, format, columns)};
    for (size_t k = 0, c = PAIR_SIDES; k < PAIRS_COLUMNS; ++k) {
        if (k == PAIRS_COLUMNS_FIRST) {
            columns[c++].name = "roots";
            columns[c++].name = "reason";
        }
        columns[c++].name = pairs_words_columns[k].name;
    }
    table_begin(&table);
    for (size_t i = 0; i < pairs->count; ++i) {
        const Pair *pair = &pairs->pairs[i];
        table_row(&table);
        table_number(&table, pairs->columns[PAIR_FROM], pair->from);
        table_number(&table, pairs->columns[PAIR_TO], pair->to);
        for (size_t k = 0; k < PAIRS_COLUMNS; ++k) {
            if (k == PAIRS_COLUMNS_FIRST && format == FORMAT_CSV)
                add_roots(&table, pair);
            table_number(&table, pairs_words_columns[k].name, pairs_words_number(pairs, pair, k));
        }
        if (format == FORMAT_JSON)
            add_roots(&table, pair);
        table_end_row(&table);
    }
    table_end(&table);
}

static void add_two(Table *object, const char *key, double first, double second)
{
    table_open(object, key, "[");
    table_number(object, NULL, first);
    table_number(object, NULL, second);
    table_close(object, "]");
}

// Two numbers; null where both are 0, which means that there are none.
static void add_two_or_none(Table *object, const char *key, const double *two)
{
    if (two[0] == 0.0 && two[1] == 0.0)
        table_word(object, key, NULL);
    else
        add_two(object, key, two[0], two[1]);
}

static void print_json(Text *text, const Pairs *pairs)
{
    Table object = {.text = text, .format = FORMAT_JSON};
    text_add(text, "{");
    table_word(&object, "from", pairs->families[PAIR_FROM].method->name);
    table_word(&object, "to", pairs->families[PAIR_TO].method->name);
    table_word(&object, "criterion", criterion_names[pairs->criterion]);
    table_word(&object, "definition", criterion_about[pairs->criterion]);
    add_two_or_none(&object, "omega_h", pairs->omega_h);
    add_two_or_none(&object, "band", pairs->band);
    table_word(&object, "problem", pairs->problem);
    table_word(&object, "metric", pairs->metric);
    table_number(&object, "step", pairs->step);
    table_number(&object, "steps", pairs->steps);
    table_words(&object, "columns", pairs->columns, PAIR_SIDES);
    table_open(&object, "ranges", "[");
    for (size_t i = 0; i < pairs->range_count; ++i)
        add_two(&object, NULL, pairs->ranges[i].low, pairs->ranges[i].high);
    table_close(&object, "]");
    json_member(text, "pairs");
    print_pairs(text, FORMAT_JSON, pairs);
    text_add(text, "}\n");
}

// "FROM  generalized_alpha, rho_inf"
static void add_family(Text *text, const char *side, const Family *family)
{
    const Card *method = family->method;
    text_add(text, "%-6s %s, %s", side, method->name, family_parameter(family)->name);
    for (size_t i = 0; i < method->parameter_count; ++i) {
        const CardParameter *parameter = &method->parameters[i];
        if (i == family->tied)
            text_add(text, "; %s = (%s + 1/2)^2/4", parameter->name, family_parameter(family)->name);
        else if (i != family->free && parameter->choices)
            text_add(text, "; %s = %s", parameter->name, parameter->choices[(size_t)family->parameters[i]]);
        else if (i != family->free && !isnan(family->parameters[i]))
            text_add(text, "; %s = %.6g", parameter->name, family->parameters[i]);
    }
    text_add(text, "\n");
}

static void add_heading(Text *text, const Pairs *pairs)
{
    add_family(text, "FROM", &pairs->families[PAIR_FROM]);
    add_family(text, "TO", &pairs->families[PAIR_TO]);
    text_add(text, "%-6s ", "equal");
    pairs_words_equal(text, pairs);
    text_add(text, "\n");
    if (pairs->problem)
        text_add(text, "%-6s %s", "runs", pairs->problem);
    if (pairs->problem && isfinite(pairs->steps))
        text_add(text, ", %.0f steps of %.6g", pairs->steps, pairs->step);
    text_add(text, "%s", pairs->problem ? "\n" : "");
    if (isfinite(pairs->physical))
        text_add(text, "%-6s %.9g without numerical damping\n", "", pairs->physical);
    text_add(text, "\n");
}

// Columns of the text behind the parameters; a column of FROM and the one of TO behind it stand below one line.
static const TableColumn shown[] = {
    {"residual", .above = "", .gap = 1, .width = 8, .digits = 2},
    {"period_error_from", "FROM", .gap = 1, .width = 9, .digits = 3},
    {"period_error_to", "TO", .above = "period error", .gap = 1, .width = 8, .digits = 3},
    {"radius_infinity_from", "FROM", .gap = 1, .width = 8, .digits = 3},
    {"radius_infinity_to", "TO", .above = "radius at inf", .gap = 1, .width = 7, .digits = 3},
    {"updates_from", "FROM", .gap = 1, .width = 8, .digits = 15},
    {"updates_to", "TO", .above = "updates", .gap = 1, .width = 7, .digits = 15},
    {"cost_ratio", "TO/FROM", .above = "cost", .gap = 1, .width = 8, .digits = 3},
    {"by_eye", "(Wu)", .above = "by eye", .gap = 1, .width = 7, .digits = 3},
};
enum { SHOWN = sizeof shown / sizeof *shown };

// The value of TO that Wu found by eye beside one of FROM.
static double seen_by_eye(const Pairs *pairs, double from)
{
    ByEye        list[BY_EYE];
    const size_t count = pairs_words_by_eye(pairs, list);
    for (size_t i = 0; i < count; ++i)
        if (fabs(from - list[i].from) <= 1e-12)
            return list[i].to;
    return (double)NAN;
}

// The number of a column; NaN where it is not finite.
static double shown_number(const Pairs *pairs, const Pair *pair, const char *name)
{
    double number = seen_by_eye(pairs, pair->from);
    for (size_t k = 0; k < PAIRS_COLUMNS; ++k)
        if (strcmp(pairs_words_columns[k].name, name) == 0)
            number = pairs_words_number(pairs, pair, k);
    return isfinite(number) ? number : (double)NAN;
}

static bool has_numbers(const Pairs *pairs, const TableColumn *column)
{
    for (size_t i = 0; i < pairs->count; ++i)
        if (!isnan(shown_number(pairs, &pairs->pairs[i], column->name)))
            return true;
    return false;
}

// Below the table, each once.
typedef struct Notes {
    const char *reasons[MOST_NOTES];
    size_t      count;
    bool        more;  // there was no room for one
} Notes;

// The number of a reason's note from 1 on, 0 where there is no room for it.
static size_t find_note(Notes *notes, const char *reason)
{
    for (size_t i = 0; i < notes->count; ++i)
        if (strcmp(notes->reasons[i], reason) == 0)
            return i + 1;
    notes->more = notes->more || notes->count == MOST_NOTES;
    if (notes->count == MOST_NOTES)
        return 0;
    notes->reasons[notes->count++] = reason;
    return notes->count;
}

static void add_remark(Table *table, const Pair *pair, Notes *notes)
{
    const size_t note = isnan(pair->to) ? find_note(notes, pair->reason) : 0;
    Text         roots = {0};
    for (size_t r = 0; r < pair->root_count; ++r)
        text_add(&roots, "%s %.6g", r ? "," : "", pair->roots[r].at);
    if (note)
        table_format(table, "remark", "none (%zu)", note);
    else if (isnan(pair->to))
        table_word(table, "remark", "none");
    else
        table_format(table, "remark", "%s%s", roots.text ? "also" : "unique", roots.text ? roots.text : "");
    text_free(&roots);
}

// Columns without numbers are left out.
static void print_table(Text *text, const Pairs *pairs, Notes *notes)
{
    const char *from = family_parameter(&pairs->families[PAIR_FROM])->name;
    const char *to = family_parameter(&pairs->families[PAIR_TO])->name;
    TableColumn columns[PAIR_SIDES + SHOWN + 1] = {{"from", from, .above = "FROM", .gap = 1, .width = 9, .digits = 7},
                                                   {"to", to, .above = "TO", .gap = 1, .width = 11, .digits = 8}};
    Table       table = {.text = text, .columns = columns, .column_count = PAIR_SIDES};
    for (size_t k = 0, last; k < SHOWN; k = last + 1) {
        last = shown[k].above ? k : k + 1;
        if (has_numbers(pairs, &shown[k]) || has_numbers(pairs, &shown[last]))
            for (size_t c = k; c <= last; ++c)
                columns[table.column_count++] = shown[c];
    }
    columns[table.column_count++] = (TableColumn){"remark", "", .gap = 2, .left = true};
    table_heading(&table);
    for (const Pair *pair = pairs->pairs; pair < pairs->pairs + pairs->count; ++pair) {
        table_row(&table);
        table_number(&table, "from", pair->from);
        table_number(&table, "to", pair->to);
        for (size_t k = 0; k < SHOWN; ++k)
            table_number(&table, shown[k].name, shown_number(pairs, pair, shown[k].name));
        add_remark(&table, pair, notes);
        table_end_row(&table);
    }
}

static void print_text(Text *text, const Pairs *pairs)
{
    Notes       notes = {0};
    const char *from = family_parameter(&pairs->families[PAIR_FROM])->name;
    add_heading(text, pairs);
    print_table(text, pairs, &notes);
    text_add(text, "%s", notes.count || pairs->range_count ? "\n" : "");
    for (size_t i = 0; i < notes.count; ++i)
        text_add(text, "(%zu) %s\n", i + 1, notes.reasons[i]);
    text_add(text, "%s", notes.more ? "The other reasons are in csv and json.\n" : "");
    for (size_t i = 0; i < pairs->range_count; ++i) {
        if (i == 0)
            text_add(text, "Equivalents exist for %s", from);
        text_add(text, "%s from %.6g to %.6g", i ? " and" : "", pairs->ranges[i].low, pairs->ranges[i].high);
    }
    text_add(text, "%s", pairs->range_count ? ".\n" : "");
}

void pairs_print(Text *text, Format format, const Pairs *pairs)
{
    if (format == FORMAT_CSV)
        print_pairs(text, format, pairs);
    else if (format == FORMAT_JSON)
        print_json(text, pairs);
    else
        print_text(text, pairs);
}

const PairsColumn pairs_words_columns[PAIRS_COLUMNS] = {
    {"residual", "1", "|number of TO/number of FROM - 1|; in a band the largest |logarithm of the ratio|"},
    {"low", "1", "lower end of the bracket"},
    {"high", "1", "upper end of the bracket"},
    {"period_error_from", "1", "relative period error of FROM"},
    {"period_error_to", "1", "relative period error of TO"},
    {"radius_infinity_from", "1", "spectral radius of FROM as Omega goes to infinity"},
    {"radius_infinity_to", "1", "spectral radius of TO as Omega goes to infinity"},
    {"updates_from", "1", "Newton updates of FROM on the problem"},
    {"updates_to", "1", "Newton updates of TO on the problem"},
    {"evaluations_from", "1", "evaluations of residual or acceleration by FROM on the problem"},
    {"evaluations_to", "1", "evaluations of residual or acceleration by TO on the problem"},
    {"condition_max_from", "1", "largest condition number of FROM's Jacobians on the problem"},
    {"condition_max_to", "1", "largest condition number of TO's Jacobians on the problem"},
    {"cost_ratio", "1", "evaluations of TO over those of FROM"},
    {"number_from", "1", "the criterion's number of FROM"},
    {"number_to", "1", "the criterion's number of TO"},
    {"physical", "1", "the metric of a companion without numerical damping"},
};

double pairs_words_number(const Pairs *pairs, const Pair *pair, size_t column)
{
    const PairEffects *from = &pair->effects[PAIR_FROM], *to = &pair->effects[PAIR_TO];
    const double       numbers[PAIRS_COLUMNS] = {
              pair->residual,        pair->low,           pair->high,        from->period_error, to->period_error,
              from->radius_infinity, to->radius_infinity, from->updates,     to->updates,        from->evaluations,
              to->evaluations,       from->condition_max, to->condition_max, pair->cost_ratio,   pair->number[PAIR_FROM],
              pair->number[PAIR_TO], pairs->physical};
    return numbers[column];
}

void pairs_words_equal(Text *text, const Pairs *pairs)
{
    const double *at = pairs->omega_h;
    if (pairs->metric && pairs->problem)
        text_add(text, "%s of %s, as it is run", pairs->metric, pairs->problem);
    else
        text_add(text, "%s", criterion_about[pairs->criterion]);
    if (pairs->band[1] > 0.0)
        text_add(text, ", Omega from %.6g to %.6g", pairs->band[0], pairs->band[1]);
    else if (!criterion_takes_omega(pairs->criterion))
        return;
    else if (at[PAIR_FROM] == at[PAIR_TO])
        text_add(text, ", at Omega = %.6g", at[PAIR_FROM]);
    else
        text_add(text, ", at Omega = %.6g of FROM and %.6g of TO", at[PAIR_FROM], at[PAIR_TO]);
}

size_t pairs_words_by_eye(const Pairs *pairs, ByEye *list)
{
    static const double rho_inf[BY_EYE] = {0.9, 0.6, 0.5, 0.3}, theta[BY_EYE] = {0.001, 0.07, 0.15, 0.45};
    const char         *from = pairs->families[PAIR_FROM].method->name, *to = pairs->families[PAIR_TO].method->name;
    const bool          forth = strcmp(from, "generalized_alpha") == 0 && strcmp(to, "theta2") == 0;
    const bool          back = strcmp(from, "theta2") == 0 && strcmp(to, "generalized_alpha") == 0;
    for (size_t i = 0; i < BY_EYE; ++i)
        list[i] = forth ? (ByEye){rho_inf[i], theta[i]} : (ByEye){theta[i], rho_inf[i]};
    return forth || back ? BY_EYE : 0;
}
