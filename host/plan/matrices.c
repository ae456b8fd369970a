// matrices -- reads mass, damping, stiffness and state: rows, diagonals, files, sums of them, and damping by modes.
#include "plan/matrices.h"

#include "base/matrix_market.h"
#include "expression/evaluate.h"
#include "expression/formula.h"
#include "expression/modes.h"
#include "plan/plan_make.h"

#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

enum { LARGEST_MATRIX_FILE = 1 << 22 };

static const char *const second_keys[] = {"stiffness", "mass", "damping"};
static const unsigned    of_parameters = 1U << NODE_COORDINATE | 1U << NODE_VELOCITY | 1U << NODE_TIME;

static YamlNode *find(const MatrixReading *reading, const char *key)
{
    return yaml_said(reading->node, key);
}

bool matrices_given(const YamlNode *node)
{
    for (size_t i = 0; i < LENGTH(second_keys); ++i)
        if (yaml_said(node, second_keys[i]))
            return true;
    return false;
}

bool matrices_given_state(const YamlNode *node)
{
    return yaml_said(node, "state") != NULL;
}

// A path, and not a formula with a division.
static bool is_path(const char *text)
{
    return text[0] == '/' || strncmp(text, "./", 2) == 0 || strncmp(text, "../", 3) == 0;
}

// Where the path begins in a scalar that is one, or a factor times one, as in "p * ./k.mtx"; NULL: it is a formula.
static const char *find_path(const YamlNode *node)
{
    const char *text = node->kind == YAML_SCALAR ? node->text : "";
    if (is_path(text))
        return text;
    for (const char *star = strchr(text, '*'); star; star = strchr(star + 1, '*'))
        if (is_path(star + 1 + strspn(star + 1, " ")))
            return star + 1 + strspn(star + 1, " ");
    return NULL;
}

static bool read_file(const MatrixReading *reading, const YamlNode *node, const char *key, MarketMatrix *matrix)
{
    const char *path = plan_path(reading->plan, find_path(node), reading->err);
    char       *text;
    return path &&
           plan_read_file(reading->plan, path, LARGEST_MATRIX_FILE, node, key, reading->arena, &text, reading->err) &&
           matrix_market_read(path, text, CARD_DOFS, reading->arena, matrix, reading->err);
}

// Counts by a matrix, or by the first of a sum that has a size.
static bool count_by(const MatrixReading *reading, const YamlNode *node, const char *key, size_t *dofs)
{
    MarketMatrix matrix;
    if (find_path(node)) {
        if (!read_file(reading, node, key, &matrix))
            return false;
        *dofs = matrix.rows;
        return true;
    }
    if (node->kind == YAML_SEQUENCE) {
        *dofs = node->count;
        return (*dofs >= 1 && *dofs <= CARD_DOFS) ||
               yaml_fail(node, reading->err, "%s: %zu row%s, 1 to %d are possible", key, *dofs, *dofs == 1 ? "" : "s",
                         CARD_DOFS);
    }
    const YamlNode *sum = node->kind == YAML_MAPPING ? yaml_said(node, "sum") : NULL;
    for (size_t i = 0; sum && sum->kind == YAML_SEQUENCE && i < sum->count && *dofs == 0; ++i)
        if (!count_by(reading, sum->items[i], key, dofs))
            return false;
    return true;
}

bool matrices_count(const MatrixReading *reading, size_t *dofs)
{
    static const char *const keys[] = {"state", "stiffness", "mass", "damping"};
    size_t                   found = 0;
    for (size_t i = 0; i < LENGTH(keys) && found == 0; ++i)
        if (find(reading, keys[i]) && !count_by(reading, find(reading, keys[i]), keys[i], &found))
            return false;
    *dofs = found > 0 ? found : *dofs;
    return true;
}

// A formula of parameters.
static const Node *read_formula(const MatrixReading *reading, const YamlNode *node, const char *what)
{
    return formula_read_of(reading->table, node, what, of_parameters, reading->err);
}

// Adds an element, and keeps the exact text of what stands alone: 0 + a is a.
static bool add(const MatrixReading *reading, const Node **to, const Node *element)
{
    *to = element ? expression_add(reading->table, *to, element) : NULL;
    return *to != NULL;
}

static const Node *element(const MatrixReading *reading, const YamlNode *node, const char *key, size_t i, size_t j)
{
    return read_formula(reading, node, arena_format(reading->arena, reading->err, "%s (%zu, %zu)", key, i + 1, j + 1));
}

// "p * ./k1.mtx": what stands before the last star is a formula.
static const Node *read_factor(const MatrixReading *reading, const YamlNode *node, const char *key)
{
    const char *path = find_path(node), *star = path;
    YamlNode    factor = *node;
    if (path == node->text)
        return expression_number(reading->table, 1.0);
    while (*star != '*')
        --star;
    factor.text = arena_format(reading->arena, reading->err, "%.*s", (int)(star - node->text), node->text);
    return factor.text ? read_formula(reading, &factor, arena_format(reading->arena, reading->err, "%s, a factor", key))
                       : NULL;
}

static bool add_file(const MatrixReading *reading, const YamlNode *node, const char *key, size_t n, const Node **to)
{
    MarketMatrix matrix;
    const Node  *factor;
    if (!read_file(reading, node, key, &matrix) || !(factor = read_factor(reading, node, key)))
        return false;
    if (matrix.rows != n || matrix.columns != n)
        return yaml_fail(node, reading->err, "%s: the file has %zu rows and %zu columns, the system %zu coordinates",
                         key, matrix.rows, matrix.columns, n);
    for (size_t k = 0; k < n * n; ++k) {
        const Node *number = expression_number(reading->table, matrix.values[k]);
        if (!number || !add(reading, &to[k], expression_multiply(reading->table, factor, number)))
            return false;
    }
    return true;
}

// [[a, b], [c, d]], a list that is the diagonal, or one element for each coordinate.
static bool add_rows(const MatrixReading *reading, const YamlNode *node, const char *key, size_t n, const Node **to)
{
    if (node->kind == YAML_SEQUENCE && node->count != n)
        return yaml_fail(node, reading->err, "%s: %zu rows for %zu coordinates", key, node->count, n);
    for (size_t i = 0; i < n; ++i) {
        const YamlNode *row = node->kind == YAML_SEQUENCE ? node->items[i] : node;
        if (row->kind == YAML_SCALAR) {
            if (!add(reading, &to[i * n + i], element(reading, row, key, i, i)))
                return false;
            continue;
        }
        if (row->kind != YAML_SEQUENCE || row->count != n)
            return yaml_fail(row, reading->err, "%s: row %zu is not a list of %zu", key, i + 1, n);
        for (size_t j = 0; j < n; ++j)
            if (!add(reading, &to[i * n + j], element(reading, row->items[j], key, i, j)))
                return false;
    }
    return true;
}

static bool add_matrix(const MatrixReading *reading, const YamlNode *node, const char *key, size_t n, const Node **to)
{
    return find_path(node) ? add_file(reading, node, key, n, to) : add_rows(reading, node, key, n, to);
}

static bool add_sum(const MatrixReading *reading, const YamlNode *sum, const char *key, size_t n, const Node **to)
{
    if (!yaml_is_sequence(sum, key, reading->err))
        return false;
    for (size_t i = 0; i < sum->count; ++i)
        if (!add_matrix(reading, sum->items[i], key, n, to))
            return false;
    return true;
}

// A matrix, or the sum of some.
static bool read_matrix(const MatrixReading *reading, const char *key, size_t n, const Node **to)
{
    static const char *const keys[] = {"sum"};
    const YamlNode          *node = find(reading, key);
    const Node              *zero = expression_number(reading->table, 0.0);
    for (size_t k = 0; k < n * n; ++k)
        to[k] = zero;
    if (!node || !zero)
        return zero != NULL;
    if (node->kind != YAML_MAPPING)
        return add_matrix(reading, node, key, n, to);
    return yaml_check_keys(node, key, keys, LENGTH(keys), reading->err) &&
           (yaml_said(node, "sum") ? add_sum(reading, yaml_said(node, "sum"), key, n, to)
                                   : yaml_fail(node, reading->err, "%s: an empty mapping", key));
}

// `rayleigh: {mass: a, stiffness: b}`: a M + b K.
static bool add_rayleigh(const MatrixReading *reading, const YamlNode *node, LinearSystem *linear, const Node **to)
{
    static const char *const keys[] = {"mass", "stiffness"};
    const Node *const       *matrices[] = {linear->mass, linear->stiffness};
    const size_t             n = linear->dofs;
    if (!yaml_is_mapping(node, "rayleigh", reading->err) ||
        !yaml_check_keys(node, "rayleigh", keys, LENGTH(keys), reading->err))
        return false;
    for (size_t m = 0; m < LENGTH(keys); ++m) {
        const YamlNode *said = yaml_said(node, keys[m]);
        const Node     *factor =
            said ? read_formula(reading, said, arena_format(reading->arena, reading->err, "rayleigh, %s", keys[m]))
                     : expression_number(reading->table, 0.0);
        for (size_t k = 0; k < n * n; ++k)
            if (!factor || !add(reading, &to[k], expression_multiply(reading->table, factor, matrices[m][k])))
                return false;
    }
    return true;
}

// The values of a matrix; NULL where it depends on parameters, or memory ran out.
static double *take_numbers(const MatrixReading *reading, const Node *const *matrix, size_t count)
{
    double *numbers = arena_take(reading->arena, count, sizeof *numbers, reading->err);
    for (size_t k = 0; numbers && k < count; ++k) {
        if (expression_uses(matrix[k], NODE_PARAMETER))
            return NULL;
        numbers[k] = expression_evaluate(matrix[k], 0.0, NULL, NULL);
    }
    return numbers;
}

// `modal: [0.02, 0.05]`: damping ratios of the modes, the lowest first; a single one is that of all.
static bool add_modal(const MatrixReading *reading, const YamlNode *node, LinearSystem *linear, const Node **to)
{
    const size_t  n = linear->dofs;
    const double *mass = take_numbers(reading, linear->mass, n * n),
                 *stiffness = mass ? take_numbers(reading, linear->stiffness, n * n) : NULL;
    double     *modes = arena_take(reading->arena, n * n * n, sizeof *modes, reading->err);
    const char *why = "mass and stiffness must not depend on parameters: modes are found before the run";
    if (reading->err->kind)
        return false;
    if (!stiffness || !modes_damping(n, mass, stiffness, modes, &why))
        return yaml_fail(node, reading->err, "modal: %s", why);
    if (node->kind == YAML_SEQUENCE && (node->count == 0 || node->count > n))
        return yaml_fail(node, reading->err, "modal: %zu ratios for %zu modes", node->count, n);
    for (size_t i = 0; i < (node->kind == YAML_SEQUENCE ? node->count : n); ++i) {
        const YamlNode *ratio = node->kind == YAML_SEQUENCE ? node->items[i] : node;
        const Node     *zeta =
            read_formula(reading, ratio, arena_format(reading->arena, reading->err, "modal, mode %zu", i + 1));
        for (size_t k = 0; k < n * n; ++k) {
            const Node *part = zeta ? expression_number(reading->table, modes[i * n * n + k]) : NULL;
            if (!part || !add(reading, &to[k], expression_multiply(reading->table, zeta, part)))
                return false;
        }
    }
    return true;
}

// A matrix as others, and what is made of mass and stiffness; several of these add up.
static bool read_damping(const MatrixReading *reading, LinearSystem *linear, const Node **to)
{
    static const char *const keys[] = {"sum", "rayleigh", "modal"};
    const YamlNode          *node = find(reading, "damping");
    const size_t             n = linear->dofs;
    if (!node || node->kind != YAML_MAPPING)
        return read_matrix(reading, "damping", n, to);
    const Node *zero = expression_number(reading->table, 0.0);
    for (size_t k = 0; k < n * n; ++k)
        to[k] = zero;
    const YamlNode *sum = yaml_said(node, "sum"), *rayleigh = yaml_said(node, "rayleigh"),
                   *modal = yaml_said(node, "modal");
    return zero && yaml_check_keys(node, "damping", keys, LENGTH(keys), reading->err) &&
           (!sum || add_sum(reading, sum, "damping", n, to)) &&
           (!rayleigh || add_rayleigh(reading, rayleigh, linear, to)) &&
           (!modal || add_modal(reading, modal, linear, to));
}

// The mass matrix is 1 by default.
static bool read_mass(const MatrixReading *reading, size_t n, const Node **to)
{
    if (!read_matrix(reading, "mass", n, to))
        return false;
    for (size_t i = 0; i < n && !find(reading, "mass"); ++i)
        if (!(to[i * n + i] = expression_number(reading->table, 1.0)))
            return false;
    return true;
}

// `base: FORMULA`, the acceleration of the ground, or the name of a table over the time: the force is less M 1 base.
static bool add_base(const MatrixReading *reading, LinearSystem *linear, const Node **force)
{
    YamlNode    *node = find(reading, "base"), called;
    const size_t n = linear->dofs;
    if (!node)
        return true;
    called = *node;
    if (node->kind == YAML_SCALAR && expression_knows_call(reading->table, node->text) &&
        !(called.text = arena_format(reading->arena, reading->err, "%s(t)", node->text)))
        return false;
    const Node *ground =
        formula_read_of(reading->table, &called, "base", 1U << NODE_COORDINATE | 1U << NODE_VELOCITY, reading->err);
    for (size_t i = 0; ground && i < n; ++i) {
        const Node *moved = expression_number(reading->table, 0.0);
        for (size_t j = 0; j < n; ++j)
            moved = expression_add(reading->table, moved, linear->mass[i * n + j]);
        force[i] = expression_subtract(reading->table, force[i], expression_multiply(reading->table, moved, ground));
        if (!force[i])
            return false;
    }
    return ground != NULL;
}

static bool read_second(const MatrixReading *reading, const Node **force, System *system)
{
    const size_t n = system->dofs;
    const Node **mass = arena_take(reading->arena, 3 * n * n, sizeof *mass, reading->err);
    const Node **damping = mass + n * n, **stiffness = damping + n * n;
    size_t       row = 0;
    const char  *why = NULL;
    LinearSystem linear = {n, mass, damping, stiffness, force};
    if (!mass || !read_mass(reading, n, mass) || !read_matrix(reading, "stiffness", n, stiffness) ||
        !read_damping(reading, &linear, damping) || !add_base(reading, &linear, force))
        return false;
    if (linear_make(&linear, reading->table, system, &row, &why))
        return true;
    return why ? yaml_fail(find(reading, "mass"), reading->err, "mass: %s (row %zu)", why, row + 1) : false;
}

static bool read_first(const MatrixReading *reading, const Node **force, System *system)
{
    const size_t n = system->dofs;
    const Node **matrix = arena_take(reading->arena, n * n, sizeof *matrix, reading->err);
    return matrix && read_matrix(reading, "state", n, matrix) &&
           linear_make_rate(n, matrix, force, reading->table, system);
}

bool matrices_read(const MatrixReading *reading, const Node *const *force, System *system)
{
    const size_t n = system->dofs;
    const Node **own = arena_take(reading->arena, n, sizeof *own, reading->err);
    for (size_t i = 0; own && i < n; ++i)
        own[i] = force[i];
    return own &&
           (matrices_given_state(reading->node) ? read_first(reading, own, system) : read_second(reading, own, system));
}
