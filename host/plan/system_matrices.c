// system_matrices -- reads a problem that is given by the matrices of M x'' + D x' + K x = f.
#include "plan/system.h"
#include "base/file.h"
#include "base/matrix_market.h"
#include "plan/plan_make.h"

#include <string.h>

enum { LARGEST_MATRIX_FILE = 1 << 20 };

static const unsigned all = 1U << NODE_COORDINATE | 1U << NODE_VELOCITY | 1U << NODE_TIME;

static const YamlNode *find(const SystemReading *reading, const char *key)
{
    const YamlNode *node = yaml_find(reading->node, key);
    return node && !yaml_is_null(node) ? node : NULL;
}

// A path, and not a formula with a division.
static bool is_file(const YamlNode *node)
{
    return node->kind == YAML_SCALAR &&
           (node->text[0] == '/' || strncmp(node->text, "./", 2) == 0 || strncmp(node->text, "../", 3) == 0);
}

static bool read_file(SystemReading *reading, const YamlNode *node, const char *key, MarketMatrix *matrix)
{
    const char *path = plan_path(reading->plan, node->text, reading->err);
    char       *text;
    if (!path)
        return false;
    if (!file_read(path, LARGEST_MATRIX_FILE, &reading->arena, &text, NULL, reading->err)) {
        const Error why = *reading->err;
        yaml_fail(node, reading->err, "%s: %.4000s", key, why.message);
        reading->err->kind = why.kind;
        return false;
    }
    return matrix_market_read(path, text, CARD_DOFS, &reading->arena, matrix, reading->err);
}

bool system_count_matrices(SystemReading *reading, size_t *dofs)
{
    static const char *const keys[] = {"stiffness", "mass", "damping"};
    for (size_t i = 0; i < 3; ++i) {
        const YamlNode *node = find(reading, keys[i]);
        MarketMatrix    matrix;
        if (node && is_file(node)) {
            if (!read_file(reading, node, keys[i], &matrix))
                return false;
            *dofs = matrix.rows;
            return true;
        }
        if (node && node->kind == YAML_SEQUENCE) {
            *dofs = node->count;
            return (*dofs >= 1 && *dofs <= CARD_DOFS) ||
                   yaml_fail(node, reading->err, "%s: %zu row%s, 1 to %d are possible", keys[i], *dofs,
                             *dofs == 1 ? "" : "s", CARD_DOFS);
        }
    }
    return true;  // numbers only, which are for each coordinate
}

static const Node *element(SystemReading *reading, const YamlNode *node, const char *key, size_t i, size_t j)
{
    const char *what = arena_format(&reading->arena, reading->err, "%s (%zu, %zu)", key, i + 1, j + 1);
    return system_formula(reading, node, what, all);
}

// [[a, b], [c, d]], a list that is the diagonal, one element for each coordinate, or a file.
static bool read_matrix(SystemReading *reading, const char *key, const Node **to)
{
    const YamlNode *node = find(reading, key);
    const size_t    n = reading->system.dofs;
    const Node     *zero = expression_number(reading->table, 0.0);
    MarketMatrix    matrix;
    for (size_t k = 0; k < n * n; ++k)
        to[k] = zero;
    if (!node || !zero)
        return zero != NULL;
    if (node->kind == YAML_MAPPING)
        return yaml_fail(node, reading->err, "%s: expected rows, a diagonal or a file, found a mapping", key);
    if (is_file(node)) {
        if (!read_file(reading, node, key, &matrix))
            return false;
        if (matrix.rows != n || matrix.columns != n)
            return yaml_fail(node, reading->err,
                             "%s: the file has %zu rows and %zu columns, the system %zu coordinates", key, matrix.rows,
                             matrix.columns, n);
        for (size_t k = 0; k < n * n; ++k)
            if (!(to[k] = expression_number(reading->table, matrix.values[k])))
                return false;
        return true;
    }
    if (node->kind == YAML_SEQUENCE && node->count != n)
        return yaml_fail(node, reading->err, "%s: %zu rows for %zu coordinates", key, node->count, n);
    for (size_t i = 0; i < n; ++i) {
        const YamlNode *row = node->kind == YAML_SEQUENCE ? node->items[i] : node;
        if (row->kind == YAML_SCALAR) {
            if (!(to[i * n + i] = element(reading, row, key, i, i)))
                return false;
            continue;
        }
        if (row->kind != YAML_SEQUENCE || row->count != n)
            return yaml_fail(row, reading->err, "%s: row %zu is not a list of %zu", key, i + 1, n);
        for (size_t j = 0; j < n; ++j)
            if (!(to[i * n + j] = element(reading, row->items[j], key, i, j)))
                return false;
    }
    return true;
}

static bool read_force(SystemReading *reading, const Node **to)
{
    const YamlNode *node = find(reading, "force");
    const size_t    n = reading->system.dofs, count = node && node->kind == YAML_SEQUENCE ? node->count : 1;
    if (node && count != n)
        return yaml_fail(node, reading->err, "force: %zu formula%s for %zu coordinate%s", count, count == 1 ? "" : "s",
                         n, n == 1 ? "" : "s");
    for (size_t i = 0; i < n; ++i) {
        const char *what = arena_format(&reading->arena, reading->err, "force on '%s'", reading->system.coordinates[i]);
        to[i] = !node ? expression_number(reading->table, 0.0)
                      : system_formula(reading, node->kind == YAML_SEQUENCE ? node->items[i] : node, what, 0);
        if (!to[i])
            return false;
    }
    return true;
}

bool system_read_matrices(SystemReading *reading)
{
    const size_t n = reading->system.dofs;
    const Node **mass = arena_take(&reading->arena, 3 * n * n + n, sizeof *mass, reading->err);
    const Node **damping = mass + n * n, **stiffness = damping + n * n, **force = stiffness + n * n;
    size_t       row = 0;
    const char  *why = NULL;
    if (!mass || !read_matrix(reading, "mass", mass) || !read_matrix(reading, "damping", damping) ||
        !read_matrix(reading, "stiffness", stiffness) || !read_force(reading, force))
        return false;
    if (!find(reading, "mass"))
        for (size_t i = 0; i < n; ++i)
            if (!(mass[i * n + i] = expression_number(reading->table, 1.0)))
                return false;
    const LinearSystem linear = {n, mass, damping, stiffness, force};
    if (linear_make(&linear, reading->table, &reading->system, &row, &why))
        return true;
    return why ? yaml_fail(find(reading, "mass"), reading->err, "mass: %s (row %zu)", why, row + 1) : false;
}
