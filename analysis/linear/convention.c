// convention -- formulas from a spectral radius to the parameters of papers and programs, and their table.
#include "analysis/linear/convention.h"
#include "base/json.h"
#include "catalog/catalog.h"
#include "terminal/table.h"

#include <math.h>
#include <string.h>

#define FORMULA(name, formula)     \
    static double name(double rho) \
    {                              \
        return formula;            \
    }

FORMULA(same, rho)

// Chung and Hulbert's. gamma = 1/2 - alpha_m + alpha_f = 1/2 + d is that of every method of the family here, and so is
// beta = (gamma + 1/2)^2/4: HHT, WBZ and Newmark's method differ in where they put d.
FORMULA(alpha_m, (2.0 * rho - 1.0) / (1.0 + rho))
FORMULA(alpha_f, rho / (1.0 + rho))
FORMULA(gamma_of, 0.5 + (1.0 - rho) / (1.0 + rho))
FORMULA(beta_of, 1.0 / (1.0 + rho) * (1.0 / (1.0 + rho)))
FORMULA(alpha, (rho - 1.0) / (1.0 + rho))  // -d

// By the new state.
FORMULA(new_alpha_m, (2.0 - rho) / (1.0 + rho))
FORMULA(new_alpha_f, 1.0 / (1.0 + rho))
FORMULA(new_alpha, 2.0 * rho / (1.0 + rho))

// The others.
FORMULA(theta1, 1.0 / (1.0 + rho))
FORMULA(theta2, 3.0 * (1.0 - rho) / (3.0 + rho))

const Convention conventions[] = {
    {"generalized_alpha", "pendula", "rho_inf", same, ""},
    {"generalized_alpha", "Chung and Hulbert 1993", "alpha_m", alpha_m, "weight of the old acceleration"},
    {"generalized_alpha", "Chung and Hulbert 1993", "alpha_f", alpha_f, "weight of the old state in the force"},
    {"generalized_alpha", "Chung and Hulbert 1993", "beta", beta_of, ""},
    {"generalized_alpha", "Chung and Hulbert 1993", "gamma", gamma_of, ""},
    {"generalized_alpha", "PETSc TSALPHA2", "radius", same, "TSAlpha2SetRadius alone sets the four"},
    {"generalized_alpha", "PETSc TSALPHA2", "alpha_m", new_alpha_m, "weight of the new acceleration"},
    {"generalized_alpha", "PETSc TSALPHA2", "alpha_f", new_alpha_f, "weight of the new state in the force"},
    {"generalized_alpha", "PETSc TSALPHA2", "gamma", gamma_of, ""},
    {"generalized_alpha", "PETSc TSALPHA2", "beta", beta_of, ""},
    {"generalized_alpha", "OpenSees GeneralizedAlpha", "alphaM", new_alpha_m, "weight of the new acceleration"},
    {"generalized_alpha", "OpenSees GeneralizedAlpha", "alphaF", new_alpha_f, "weight of the new state in the force"},
    {"generalized_alpha", "OpenSees GeneralizedAlpha", "gamma", gamma_of, "the default: leave it out"},
    {"generalized_alpha", "OpenSees GeneralizedAlpha", "beta", beta_of, "the default: leave it out"},
    {"hht_alpha", "pendula", "alpha", alpha, ""},
    {"hht_alpha", "Hilber, Hughes, Taylor 1977", "alpha", alpha, "-alpha_f of Chung and Hulbert"},
    {"hht_alpha", "Hilber, Hughes, Taylor 1977", "beta", beta_of, ""},
    {"hht_alpha", "Hilber, Hughes, Taylor 1977", "gamma", gamma_of, ""},
    {"hht_alpha", "OpenSees HHT", "alpha", new_alpha, "1 + alpha of the paper"},
    {"hht_alpha", "Abaqus *DYNAMIC", "ALPHA", alpha, ""},
    {"hht_alpha", "Abaqus *DYNAMIC", "BETA", beta_of, "the default: leave it out"},
    {"hht_alpha", "Abaqus *DYNAMIC", "GAMMA", gamma_of, "the default: leave it out"},
    {"hht_alpha", "CalculiX *DYNAMIC", "ALPHA", alpha, ""},
    {"hht_alpha", "Chrono ChTimestepperHHT", "alpha", alpha, ""},
    {"wbz_alpha", "pendula", "alpha", alpha, ""},
    {"wbz_alpha", "Wood, Bossak, Zienkiewicz 1980", "alpha", alpha, "alpha_m of Chung and Hulbert"},
    {"wbz_alpha", "Wood, Bossak, Zienkiewicz 1980", "beta", beta_of, ""},
    {"wbz_alpha", "Wood, Bossak, Zienkiewicz 1980", "gamma", gamma_of, ""},
    {"wbz_alpha", "Kratos bossak", "damp_factor_m", alpha, "with newmark_beta 0.25"},
    {"newmark", "pendula", "gamma", gamma_of, "order 1 unless 0.5"},
    {"newmark", "pendula", "beta", beta_of, "(gamma + 1/2)^2/4"},
    {"theta1", "pendula", "theta1", theta1, "order 1 unless 0.5"},
    {"theta2", "pendula", "theta", theta2, ""},
    {"bathe", "pendula", "rho_inf", same, ""},
};
const size_t convention_count = sizeof conventions / sizeof *conventions;

const Convention *convention_find(const char *method)
{
    for (size_t i = 0; i < convention_count; ++i)
        if (strcmp(conventions[i].method, method) == 0)
            return &conventions[i];
    return NULL;
}

double convention_least(const Convention *convention)
{
    return strcmp(convention->method, "hht_alpha") == 0 ? 0.5 : 0.0;
}

// Every formula grows or falls over the radii that its method has.
double convention_radius(const Convention *convention, double value)
{
    double     low = convention_least(convention), high = 1.0;
    const bool grows = convention->value(high) > convention->value(low);
    for (double at = 0.5 * (low + high); low < at && at < high; at = 0.5 * (low + high))
        *((convention->value(at) < value) == grows ? &low : &high) = at;
    return fabs(convention->value(low) - value) < fabs(convention->value(high) - value) ? low : high;
}

double convention_value(const Convention *convention, double rho_inf)
{
    // A radius that comes from a parameter has its rounding: that of newmark's gamma = 5/6 is an ulp below 1/2.
    const double least = convention_least(convention);
    return rho_inf >= least - 1e-12 ? convention->value(fmax(rho_inf, least)) : (double)NAN;
}

const char *convention_note(const Convention *convention, double rho_inf)
{
    return isnan(convention_value(convention, rho_inf)) ? "exists for rho_inf from 1/2 on only" : convention->note;
}

// The error for a name without conventions: the reason, and the names that have some.
static bool refuse(const Catalog *catalog, const char *name, Error *err)
{
    const Card *card = catalog_find(catalog, CARD_METHOD, name);
    if (!card)
        return fail(err, ERROR_USAGE, "no method '%.100s'", name) || catalog_advise(catalog, CARD_METHOD, name, err);
    if (!*card->rho_infinity)
        return fail(err, ERROR_USAGE, "method '%s' %s: it has no spectral radius at infinity to translate", name,
                    card->adaptive ? "chooses its substeps" : "is explicit");
    Text methods = {0};
    for (size_t i = 0; i < convention_count; ++i)
        if (convention_find(conventions[i].method) == &conventions[i])
            text_add(&methods, "%s%s", i ? ", " : "", conventions[i].method);
    fail(err, ERROR_USAGE, "method '%s' has no parameter for its spectral radius at infinity (%s); these have: %s",
         name, card->rho_infinity, methods.text ? methods.text : "");
    text_free(&methods);
    return false;
}

static bool check_radius(const Convention *convention, double radius, Error *err)
{
    return (radius >= convention_least(convention) && radius <= 1.0) ||
           fail(err, ERROR_USAGE, "--rho-inf: %.10g is out of range: %s has it from %.10g to 1", radius,
                convention->method, convention_least(convention));
}

// The radius that a setting makes.
static bool find_radius(const Convention *convention, const NamedValue *setting, double *rho_inf, Error *err)
{
    const double value = setting->value, least = convention_least(convention);
    const double one = convention_value(convention, 1.0), other = convention_value(convention, least);
    if (strcmp(setting->name, convention->quantity) != 0)
        return fail(err, ERROR_USAGE, "-p %.100s: it is '%s' that sets the spectral radius at infinity of %s",
                    setting->name, convention->quantity, convention->method);
    *rho_inf = fmin(fmax(convention_radius(convention, value), least), 1.0);
    return (value >= fmin(one, other) && value <= fmax(one, other)) ||
           fail(err, ERROR_USAGE,
                "-p %s: %.10g is out of range: for %s it goes from %.10g to %.10g, where each has a radius of its own",
                setting->name, value, convention->method, fmin(one, other), fmax(one, other));
}

// The table's rows of the method, or of all others. In text a method and a program stand where they begin.
static void add_rows(Table *table, const Convention *convention, bool its, double rho_inf)
{
    const char *method = "", *software = "";
    for (const Convention *row = conventions; row < conventions + convention_count; ++row) {
        const bool next = strcmp(row->method, method) != 0;
        if ((strcmp(row->method, convention->method) == 0) != its)
            continue;
        if (table->format == FORMAT_TEXT && next)
            text_add(table->text, "\n%s\n", row->method);
        table_row(table);
        table_word(table, "method", row->method);
        table_word(table, "software", row->software);
        table_word(table, "program", next || strcmp(row->software, software) != 0 ? row->software : "");
        table_word(table, "quantity", row->quantity);
        table_number(table, "number", convention_value(row, rho_inf));
        table_word(table, "note", convention_note(row, rho_inf));
        table_number(table, "value", convention_value(row, rho_inf));
        table_end_row(table);
        method = row->method;
        software = row->software;
    }
}

// The widest number has 21 characters.
static void print_table(Text *text, Format format, const Convention *convention, double rho_inf)
{
    static const TableColumn columns[] = {
        {"program", .formats = TABLE_TEXT, .gap = 2, .width = 31, .left = true},
        {"quantity", .gap = 1, .width = 14, .left = true},
        {"number", .formats = TABLE_TEXT, .gap = 1, .width = 21, .digits = 15, .left = true},
        {"note", .gap = 1, .left = true}};
    Table table = {TABLE(text, format, columns)};
    table_begin(&table);
    add_rows(&table, convention, true, rho_inf);
    add_rows(&table, convention, false, rho_inf);
    table_end(&table);
}

bool convention_print(Text *text, const char *method, double radius, const NamedValue *setting, bool json, Error *err)
{
    const Convention *convention = convention_find(method);
    double            rho_inf = radius;
    if (!convention) {
        Catalog    catalog = {0};
        const bool ok = catalog_read(&catalog, err) && refuse(&catalog, method, err);
        catalog_free(&catalog);
        return ok;
    }
    if (!(setting ? find_radius(convention, setting, &rho_inf, err) : check_radius(convention, radius, err)))
        return false;
    if (json) {
        text_add(text, "{\"method\": \"%s\", \"rho_inf\": ", method);
        json_number(text, rho_inf);
        text_add(text, ", \"conventions\": ");
    } else {
        text_add(text, "%s with a spectral radius at infinity of %.15g, and what has the same\n", method, rho_inf);
    }
    print_table(text, json ? FORMAT_JSON : FORMAT_TEXT, convention, rho_inf);
    text_add(text, "%s", json ? "}\n" : "");
    return true;
}
