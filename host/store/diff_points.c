// diff_points -- points of B looked for in A a slab at a time, and their stored rows in both files.
#include "store/sides.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// So many points of B are looked for at a time, and fewer where the stored rows of a slab would take more than
// SLAB_BYTES. Stored rows of A are read in windows of at most WINDOW_BYTES without gaps of more than GAP_BYTES.
enum { SLAB_POINTS = 1 << 18, SLAB_BYTES = 1 << 25, WINDOW_BYTES = 1 << 22, GAP_BYTES = 1 << 16 };

// A point in both files, or its stored rows of a variable.
typedef struct Couple {
    uint64_t a, b;
    size_t   point;  // of rows: index of their point's couple
} Couple;

#define NOT_RUN UINT64_MAX

typedef struct Comparison {
    FileSides           *pair;
    const DiffTolerance *tolerance;
    DiffGroup           *group;
    Match                match;          // where points of B do not stand at their places in A
    double              *values;         // [quantity_count]
    unsigned char       *met;            // [points of A / 8] a bit for each that B has; NULL where all stand in place
    Couple              *points, *rows;  // [SLAB_POINTS]
    size_t               count;          // of points
    unsigned char       *bytes[DIFF_SIDES];
    size_t               capacity[DIFF_SIDES];
} Comparison;

static const Group *group_of(const Comparison *all, int side)
{
    return &all->pair->sides[side].content.group;
}

static double number_at(const unsigned char *bytes, VariableType type, size_t i)
{
    switch (type) {
    case TYPE_I8: return ((const int8_t *)bytes)[i];
    case TYPE_I32: return ((const int32_t *)(const void *)bytes)[i];
    case TYPE_I64: return (double)((const int64_t *)(const void *)bytes)[i];
    case TYPE_F32: return (double)((const float *)(const void *)bytes)[i];
    case TYPE_F64: break;
    }
    return ((const double *)(const void *)bytes)[i];
}

// Stored rows first .. last of a variable of a side.
static bool read_rows(Comparison *all, int side, size_t variable, uint64_t first, uint64_t last, Error *err)
{
    const DiffSide    *of = &all->pair->sides[side];
    const BlockColumn *column = &of->content.columns[variable];
    const size_t       bytes = (size_t)((last - first + 1) * column->row_bytes);
    if (all->capacity[side] < bytes) {
        free(all->bytes[side]);
        all->capacity[side] = bytes;
        all->bytes[side] = malloc(bytes);
    }
    if (!all->bytes[side]) {
        all->capacity[side] = 0;
        return fail(err, ERROR_INTERNAL, "out of memory");
    }
    return blocks_read(of->descriptor, of->file->path, column, first * column->row_bytes, bytes, all->bytes[side], err);
}

// Looks at the stored rows of a couple.
typedef void SeeRows(Comparison *all, DiffVariable *found, const Variable *const variables[DIFF_SIDES],
                     const unsigned char *const rows[DIFF_SIDES], Couple *point);

// The couples from `begin` on whose stored rows of A are read together.
static size_t window_end(const Couple *rows, size_t begin, size_t count, uint64_t row_bytes)
{
    size_t end = begin + 1;
    while (end < count && (rows[end].a - rows[end - 1].a) * row_bytes <= GAP_BYTES + row_bytes &&
           (rows[end].a - rows[begin].a + 1) * row_bytes <= WINDOW_BYTES)
        end++;
    return end;
}

// Shows the stored rows of a variable that both files have, in the order of A.
static bool see_rows(Comparison *all, const size_t variables[DIFF_SIDES], const Couple *rows, size_t count,
                     SeeRows *see, DiffVariable *found, Error *err)
{
    uint64_t least = UINT64_MAX, most = 0;
    for (size_t i = 0; i < count; i++) {
        least = rows[i].b < least ? rows[i].b : least;
        most = rows[i].b > most ? rows[i].b : most;
    }
    if (count == 0)
        return true;
    if (!read_rows(all, SIDE_B, variables[SIDE_B], least, most, err))
        return false;
    const Variable *const of[] = {&group_of(all, SIDE_A)->variables[variables[SIDE_A]],
                                  &group_of(all, SIDE_B)->variables[variables[SIDE_B]]};
    const uint64_t        bytes_a = all->pair->sides[SIDE_A].content.columns[variables[SIDE_A]].row_bytes,
                   bytes_b = all->pair->sides[SIDE_B].content.columns[variables[SIDE_B]].row_bytes;
    for (size_t begin = 0, end; begin < count; begin = end) {
        end = window_end(rows, begin, count, bytes_a);
        if (!read_rows(all, SIDE_A, variables[SIDE_A], rows[begin].a, rows[end - 1].a, err))
            return false;
        for (size_t i = begin; i < end; i++) {
            const unsigned char *const both[] = {all->bytes[SIDE_A] + (rows[i].a - rows[begin].a) * bytes_a,
                                                 all->bytes[SIDE_B] + (rows[i].b - least) * bytes_b};
            see(all, found, of, both, &all->points[rows[i].point]);
        }
    }
    return true;
}

// Notes in the couple which points both files have computed: `b` of the others becomes NOT_RUN.
static void see_status(Comparison *all, DiffVariable *found, const Variable *const variables[DIFF_SIDES],
                       const unsigned char *const rows[DIFF_SIDES], Couple *point)
{
    const double a = number_at(rows[SIDE_A], variables[SIDE_A]->type, 0),
                 b = number_at(rows[SIDE_B], variables[SIDE_B]->type, 0);
    if (a == 0.0 || b == 0.0) {
        all->group->not_run++;
        point->b = NOT_RUN;
        return;
    }
    found->compared++;
    found->differ += a != b;
}

static void note_worst(DiffWorst *worst, double difference, const Couple *point)
{
    if (difference > worst->difference) {
        worst->found = true;
        worst->difference = difference;
        worst->a = point->a;
        worst->b = point->b;
    }
}

// Whether two numbers differ beyond the tolerance.
static bool see_number(const DiffTolerance *tolerance, DiffVariable *found, double a, double b, bool *unbounded,
                       const Couple *point)
{
    if (memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b)))
        return false;
    const double difference = fabs(a - b), size = fmax(fabs(a), fabs(b)),
                 allowed = tolerance->relative * size + tolerance->absolute;
    if (!isfinite(difference))
        return *unbounded = true;
    note_worst(&found->absolute, difference, point);
    note_worst(&found->relative, size > 0.0 ? difference / size : 0.0, point);
    return difference > allowed || allowed == 0.0;
}

// Trajectories end where the longest of their group does: behind the last sample of a point is NaN.
static void see_numbers(Comparison *all, DiffVariable *found, const Variable *const variables[DIFF_SIDES],
                        const unsigned char *const rows[DIFF_SIDES], Couple *point)
{
    const Variable *a = variables[SIDE_A], *b = variables[SIDE_B];
    const size_t    width = a->width > b->width ? a->width : b->width;
    bool            differs = false, unbounded = false;
    found->compared++;
    if (a->type == b->type && a->width == b->width &&
        memcmp(rows[SIDE_A], rows[SIDE_B], width * group_type_bytes(a->type)) == 0)
        return;
    for (size_t i = 0; i < width; i++) {
        const double in_a = i < a->width ? number_at(rows[SIDE_A], a->type, i) : (double)NAN,
                     in_b = i < b->width ? number_at(rows[SIDE_B], b->type, i) : (double)NAN;
        differs |= see_number(all->tolerance, found, in_a, in_b, &unbounded, point);
    }
    found->differ += differs;
    found->unbounded += unbounded;
}

static int by_place(const void *a, const void *b)
{
    const Couple *x = a, *y = b;
    return (x->a > y->a) - (x->a < y->a);
}

// Finds the points first .. end - 1 of B in A, and orders them as A does.
static void find_couples(Comparison *all, uint64_t first, uint64_t end)
{
    bool sorted = true;
    all->count = 0;
    for (uint64_t point = first; point < end; point++) {
        uint64_t a = point;
        if (all->met && !match_place(&all->match, point, all->values, &a))
            continue;
        if (all->met)
            all->met[a / 8] |= (unsigned char)(1U << a % 8);
        sorted = sorted && (all->count == 0 || all->points[all->count - 1].a <= a);
        all->points[all->count++] = (Couple){.a = a, .b = point};
    }
    if (!sorted)
        qsort(all->points, all->count, sizeof *all->points, by_place);
    all->group->common += all->count;
}

// The stored rows of a variable: points, or the trajectories that both files store.
static size_t list_rows(Comparison *all, bool trajectory)
{
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++) {
        const Couple *point = &all->points[i];
        Couple        rows = {point->a, point->b, i};
        bool          in_a = true, in_b = true;
        if (trajectory) {
            rows.a = group_slot(group_of(all, SIDE_A), point->a, &in_a);
            rows.b = group_slot(group_of(all, SIDE_B), point->b, &in_b);
        }
        if (in_a && in_b)
            all->rows[count++] = rows;
    }
    return count;
}

static size_t place_of(const Group *group, const char *name)
{
    size_t i = 0;
    while (i < group->variable_count && strcmp(group->variables[i].name, name) != 0)
        i++;
    return i;
}

static bool compare_slab(Comparison *all, uint64_t first, uint64_t end, Error *err)
{
    find_couples(all, first, end);
    size_t rows = list_rows(all, false), computed = 0;
    if (!see_rows(all, (const size_t[]){0, 0}, all->rows, rows, see_status, all->group->variables, err))
        return false;
    for (size_t i = 0; i < all->count; i++)
        if (all->points[i].b != NOT_RUN)
            all->points[computed++] = all->points[i];
    all->count = computed;
    for (size_t v = 1; v < all->group->variable_count; v++) {
        DiffVariable *found = &all->group->variables[v];
        const size_t  places[] = {place_of(group_of(all, SIDE_A), found->name),
                                  place_of(group_of(all, SIDE_B), found->name)};
        if (found->apart)
            continue;
        rows = list_rows(all, group_of(all, SIDE_A)->variables[places[SIDE_A]].trajectory);
        if (!see_rows(all, places, all->rows, rows, see_numbers, found, err))
            return false;
    }
    return true;
}

// Points of a slab: as many as fit with their longest stored rows.
static uint64_t slab_points(const Comparison *all)
{
    uint64_t longest = 1;
    for (size_t i = 0; i < group_of(all, SIDE_B)->variable_count; i++)
        if (all->pair->sides[SIDE_B].content.columns[i].row_bytes > longest)
            longest = all->pair->sides[SIDE_B].content.columns[i].row_bytes;
    const uint64_t fit = SLAB_BYTES / longest;
    return fit < 1 ? 1 : fit < SLAB_POINTS ? fit : SLAB_POINTS;
}

static bool make_match(Comparison *all, Arena *arena, Error *err)
{
    FileSides *pair = all->pair;
    if (pair->in_place)
        return true;
    all->match = (Match){.old = group_of(all, SIDE_A),
                         .new = group_of(all, SIDE_B),
                         .pairs = pair->quantities,
                         .pair_count = pair->quantity_count};
    all->values = arena_take(arena, pair->quantity_count, sizeof *all->values, err);
    all->met = arena_take(arena, (size_t)(group_of(all, SIDE_A)->point_count / 8 + 1), 1, err);
    return all->values && all->met && content_read_axes(&pair->sides[SIDE_A].content, err) &&
           content_read_axes(&pair->sides[SIDE_B].content, err) && match_tables(&all->match, arena, err);
}

static uint64_t count_met(const Comparison *all)
{
    uint64_t met = all->met ? 0 : all->group->common;
    for (uint64_t i = 0; all->met && i < group_of(all, SIDE_A)->point_count; i++)
        met += (unsigned)all->met[i / 8] >> i % 8 & 1U;
    return met;
}

bool diff_points(FileSides *pair, const DiffTolerance *tolerance, DiffGroup *group, Error *err)
{
    Arena          arena SCOPED(arena_free) = {0};
    Comparison     all = {.pair = pair, .tolerance = tolerance, .group = group};
    const uint64_t points = group_of(&all, SIDE_B)->point_count, slab = slab_points(&all);
    bool           ok = make_match(&all, &arena, err) &&
              (all.points = arena_take(&arena, (size_t)slab, sizeof *all.points, err)) &&
              (all.rows = arena_take(&arena, (size_t)slab, sizeof *all.rows, err));
    for (uint64_t first = 0; ok && first < points; first += slab)
        ok = compare_slab(&all, first, points - first < slab ? points : first + slab, err);
    group->only[SIDE_A] = group_of(&all, SIDE_A)->point_count - (ok ? count_met(&all) : 0);
    group->only[SIDE_B] = points - group->common;
    free(all.bytes[SIDE_A]);
    free(all.bytes[SIDE_B]);
    return ok;
}
