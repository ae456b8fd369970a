// spread -- goes over the points of a study, a cell or all cells at a time, and finds the spreads of an output.
#include "analysis/distribution/spread.h"
#include "analysis/distribution/moments.h"
#include "analysis/distribution/selection.h"
#include "analysis/sensitivity/sample.h"
#include "base/scoped.h"
#include "base/sort.h"

#include <math.h>
#include <string.h>

const char *const spread_rules[SPREAD_RULES] = {"drop", "worst", "refuse"};

// Numbers of memory for counts of order statistics, over all places.
enum { MOST_COUNTS = 1 << 24 };

// Numbers of one cell, over time at one sample.
typedef struct SpreadPlace {
    uint64_t         points, failed, point;
    Moments          moments;
    double           least, most;
    uint64_t        *hits;  // [above.count]
    double          *kept;  // [kept_count]; NULL: they are read again
    size_t           kept_count;
    uint64_t        *ranks;    // [rank_count] ascending
    double          *numbers;  // [rank_count] of the ranks
    size_t           rank_count;
    Selection        selection;
    DensityEstimate *density;  // NULL: not wanted, or the numbers are constant
} SpreadPlace;

typedef struct Gather {
    const SpreadRequest *request;
    const Study         *study;
    const StudyOutput   *output;
    uint64_t             row;
    size_t               width, roles, cells;
    size_t               dims[POINTS_AXES], dim_count;  // of the cells of points that are no random design
    size_t               quantile_count;                // and behind them those of a density
    SpreadPlace         *places;                        // [cells][width]
    void (*visit)(struct Gather *gather, SpreadPlace *place, double number);
    Arena arena;
} Gather;

size_t spread_roles(const Study *study)
{
    return study->random && study->kind == SAMPLING_SALTELLI ? 2 : study->roles;
}

static const PointsAxis *find_axis(const Study *study, const char *name)
{
    for (size_t i = 0; i < study->points.axis_count; ++i)
        if (strcmp(study->points.axes[i].name, name) == 0)
            return &study->points.axes[i];
    return NULL;
}

static bool check_by(const SpreadRequest *request, const Study *study, Error *err)
{
    const char *path = study->points.file->path, *label = study->label;
    if (request->by.count > 0 && study->random)
        return fail(err, ERROR_USAGE,
                    "%s: group '%s': the axes around its design make the cells: leave out --by, or give the sweep "
                    "`inside: grid`",
                    path, label);
    for (size_t i = 0; i < request->by.count; ++i) {
        const PointsAxis *axis = find_axis(study, request->by.items[i]);
        if (!axis)
            return fail(err, ERROR_USAGE, "%s: --by: group '%s' has no axis '%.60s'", path, label,
                        request->by.items[i]);
        if (study->points.dims[axis->dim].together)
            return fail(err, ERROR_USAGE,
                        "%s: --by: '%.60s' of group '%s' goes with other columns, so that each point would be a cell: "
                        "give it an axis of its own",
                        path, axis->name, label);
    }
    return true;
}

bool spread_check(const SpreadRequest *request, const Study *study, Error *err)
{
    const bool moves = study->random && (study->kind == SAMPLING_MORRIS || study->kind == SAMPLING_LOCAL ||
                                         study->kind == SAMPLING_ONE_AT_A_TIME);
    if (moves)
        return fail(err, ERROR_USAGE,
                    "%s: group '%s': its points move one factor at a time, and are no sample of the factors: design: "
                    "{sobol: {samples: 1024}} is one",
                    study->points.file->path, study->label);
    if (request->over && !study->times)
        return fail(err, ERROR_USAGE,
                    "%s: group '%s' has no times that all of its points share: add `trajectory: {samples: 100}` to the "
                    "sweep, and keep its step",
                    study->points.file->path, study->label);
    return check_by(request, study, err);
}

bool spread_is_around(const SpreadRequest *request, const Study *study, const PointsAxis *axis)
{
    if (study->random)
        return axis->values && axis->dim + 1 < study->points.dim_count;
    return card_lists(request->by.items, request->by.count, axis->name);
}

const char *spread_words(const Study *study)
{
    if (study_is_grid(study))
        return "the points are a grid, each of equal weight: intervals hold where its values are a random sample, as "
               "those of records are";
    if (!study->random)
        return "the points are a list, each of equal weight: intervals hold where they are independent";
    if (study_is_net(study))
        return study->kind == SAMPLING_SALTELLI
                   ? "the points are those of the matrices A and B, Sobol' sequences, which are more even than "
                     "independent points: intervals are rather too wide"
                   : "the points are a Sobol' sequence, which is more even than independent points: intervals are "
                     "rather too wide";
    return study->kind == SAMPLING_LHS
               ? "the points are a Latin hypercube, which is more even than independent points: "
                 "intervals are rather too wide"
               : "the points are independent, as intervals ask";
}

// The place of a point's first number.
static SpreadPlace *place_of(const Gather *gather, uint64_t sample)
{
    const Points *points = &gather->study->points;
    size_t        cell = 0;
    for (size_t i = 0; i < gather->dim_count; ++i)
        cell = cell * points->dims[gather->dims[i]].count + points_index(points, gather->dims[i], sample);
    return &gather->places[cell * gather->width];
}

// A point that failed has NaN; by the rule `worst` it is infinite from then on.
static void see_sample(uint64_t sample, const double *numbers, void *user)
{
    Gather      *gather = user;
    SpreadPlace *places = place_of(gather, sample);
    const bool   worst = gather->request->failed == SPREAD_WORST;
    for (size_t i = 0; i < gather->roles * gather->width; ++i) {
        SpreadPlace *place = &places[i % gather->width];
        if (place->points == 0)
            place->point = gather->study->random ? gather->row * gather->study->row_points : sample;
        gather->visit(gather, place, worst && isnan(numbers[i]) ? INFINITY : numbers[i]);
    }
}

static size_t place_count(const Gather *gather)
{
    return gather->cells * gather->width;
}

// Shows each number again, from memory or from the file.
static bool show_again(Gather *gather, void (*visit)(Gather *gather, SpreadPlace *place, double number), Error *err)
{
    StudyTally tally = {0};
    gather->visit = visit;
    if (!gather->places->kept)
        return study_scan(gather->study, gather->output, gather->row, STUDY_EACH, see_sample, gather, &tally, err);
    for (size_t i = 0; i < place_count(gather); ++i)
        for (size_t k = 0; k < gather->places[i].kept_count; ++k)
            visit(gather, &gather->places[i], gather->places[i].kept[k]);
    return true;
}

static void visit_first(Gather *gather, SpreadPlace *place, double number)
{
    const Numbers *above = &gather->request->above;
    ++place->points;
    if (isfinite(number)) {
        moments_add(&place->moments, number);
        place->least = fmin(place->least, number);
        place->most = fmax(place->most, number);
    } else {
        ++place->failed;
    }
    for (size_t i = 0; i < above->count; ++i)
        place->hits[i] += number > above->items[i];
    if (place->kept && !isnan(number))
        place->kept[place->kept_count++] = number;
}

static void visit_moments(Gather *gather, SpreadPlace *place, double number)
{
    (void)gather;
    if (isfinite(number) && place->moments.shift != 0)
        moments_add(&place->moments, number);
}

static void visit_selection(Gather *gather, SpreadPlace *place, double number)
{
    (void)gather;
    if (!isnan(number) && place->selection.rank_count > 0)
        selection_add(&place->selection, number);
}

static void visit_density(Gather *gather, SpreadPlace *place, double number)
{
    (void)gather;
    if (place->density)
        density_add(place->density, number);
}

// The numbers whose order statistics are wanted.
static uint64_t ranked(const Gather *gather, const SpreadPlace *place)
{
    return gather->request->failed == SPREAD_WORST ? place->points : place->moments.count;
}

static double probability_of(const Gather *gather, size_t quantile)
{
    const Numbers *wanted = &gather->request->quantiles;
    return quantile < wanted->count ? wanted->items[quantile] : density_quantiles[quantile - wanted->count];
}

static int ascending(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Each quantile lies between two order statistics, and its interval between two others.
static bool list_ranks(Gather *gather, SpreadPlace *place, Error *err)
{
    const uint64_t n = ranked(gather, place);
    place->ranks = arena_take(&gather->arena, 4 * gather->quantile_count, sizeof *place->ranks, err);
    place->numbers = arena_take(&gather->arena, 4 * gather->quantile_count, sizeof *place->numbers, err);
    if (!place->ranks || !place->numbers)
        return false;
    for (size_t q = 0; n > 0 && q < gather->quantile_count; ++q) {
        const double probability = probability_of(gather, q);
        uint64_t     low, high, below = (uint64_t)((double)(n - 1) * probability);
        interval_ranks(n, probability, &low, &high);
        if (low > 0)
            place->ranks[place->rank_count++] = low - 1;
        place->ranks[place->rank_count++] = below;
        if (below + 1 < n)
            place->ranks[place->rank_count++] = below + 1;
        if (high <= n)
            place->ranks[place->rank_count++] = high - 1;
    }
    qsort(place->ranks, place->rank_count, sizeof *place->ranks, ascending);
    return true;
}

// The order statistics of places first .. end - 1, some bits of their keys each time that the numbers are read.
static bool select_numbers(Gather *gather, size_t first, size_t end, unsigned bits, Error *err)
{
    Arena arena SCOPED(arena_free) = {0};
    for (size_t i = first; i < end; ++i) {
        SpreadPlace *place = &gather->places[i];
        if (!selection_begin(&place->selection, bits, place->ranks, place->rank_count, &arena, err))
            return false;
    }
    for (unsigned known = 0; known < SELECTION_KEY; known += bits) {
        if (!show_again(gather, visit_selection, err))
            return false;
        for (size_t i = first; i < end; ++i)
            selection_narrow(&gather->places[i].selection);
    }
    for (size_t i = first; i < end; ++i) {
        SpreadPlace *place = &gather->places[i];
        for (size_t k = 0; k < place->rank_count; ++k)
            place->numbers[k] = selection_number(&place->selection, k);
        place->selection = (Selection){0};
    }
    return true;
}

// Of all places together as many bits at a time as memory has room for; of too many some places after the other.
static bool select_all(Gather *gather, Error *err)
{
    const size_t count = place_count(gather), ranks = 4 * gather->quantile_count;
    unsigned     bits = 16;
    while (bits > 4 && count * ranks > (size_t)MOST_COUNTS >> bits)
        bits /= 2;
    const size_t most = ((size_t)MOST_COUNTS >> bits) / ranks;
    for (size_t first = 0; first < count; first += most)
        if (!select_numbers(gather, first, count - first < most ? count : first + most, bits, err))
            return false;
    return true;
}

static bool find_numbers(Gather *gather, Error *err)
{
    for (size_t i = 0; i < place_count(gather); ++i)
        if (!list_ranks(gather, &gather->places[i], err))
            return false;
    if (!gather->places->kept)
        return select_all(gather, err);
    for (size_t i = 0; i < place_count(gather); ++i) {
        SpreadPlace *place = &gather->places[i];
        sort_numbers(place->kept, place->kept_count);
        for (size_t k = 0; k < place->rank_count; ++k)
            place->numbers[k] = place->kept[place->ranks[k]];
    }
    return true;
}

// The number of a rank that is listed.
static double number_at(const SpreadPlace *place, uint64_t rank)
{
    size_t low = 0, high = place->rank_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (place->ranks[middle] < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return place->numbers[low];
}

// Between order statistics on a straight line: R. J. Hyndman and Y. Fan, Sample quantiles in statistical packages, The
// American Statistician 50 (1996) 361-365, definition 7, that of R and numpy.
static IntervalEstimate quantile_of(const Gather *gather, const SpreadPlace *place, size_t quantile)
{
    const uint64_t n = ranked(gather, place);
    const double   probability = probability_of(gather, quantile);
    uint64_t       low, high;
    if (n == 0)
        return (IntervalEstimate){(double)NAN, (double)NAN, (double)NAN};
    const double   at = (double)(n - 1) * probability, part = at - floor(at);
    const uint64_t below = (uint64_t)at;
    const double   a = number_at(place, below), b = below + 1 < n ? number_at(place, below + 1) : a;
    interval_ranks(n, probability, &low, &high);
    return (IntervalEstimate){part == 0.0 || a == b ? a
                              : isfinite(b)         ? a * (1.0 - part) + b * part
                                                    : b,
                              low > 0 ? number_at(place, low - 1) : (double)NAN,
                              high <= n ? number_at(place, high - 1) : (double)NAN};
}

static bool find_densities(Gather *gather, Error *err)
{
    bool any = false;
    for (size_t i = 0; i < place_count(gather); ++i) {
        SpreadPlace *place = &gather->places[i];
        DensityShape shape = {.count = place->moments.count,
                              .least = place->least,
                              .most = place->most,
                              .deviation = moments_deviation(&place->moments),
                              .whole = gather->output->variable->type < TYPE_F32};
        for (size_t q = 0; q < DENSITY_QUANTILES; ++q)
            shape.quantiles[q] = quantile_of(gather, place, gather->request->quantiles.count + q).value;
        DensityEstimate *density = arena_take(&gather->arena, 1, sizeof *density, err);
        if (!density)
            return false;
        place->density = density_begin(density, &shape) ? density : NULL;
        any = any || place->density;
    }
    return !any || show_again(gather, visit_density, err);
}

// Once more, where fourth powers do not fit into a double.
static bool mend_moments(Gather *gather, Error *err)
{
    bool any = false;
    for (size_t i = 0; i < place_count(gather); ++i) {
        SpreadPlace *place = &gather->places[i];
        const int    shift = place->moments.count > 0 ? moments_shift(fmax(fabs(place->least), fabs(place->most))) : 0;
        if (shift != 0)
            place->moments = (Moments){.shift = shift};
        any = any || shift != 0;
    }
    return !any || show_again(gather, visit_moments, err);
}

static bool make_places(Gather *gather, Error *err)
{
    const Study   *study = gather->study;
    const uint64_t points = study->random ? study->samples * gather->roles : study->points.count / gather->cells;
    const size_t   count = place_count(gather);
    const bool     kept = points <= gather->request->kept / count;
    gather->places = arena_take(&gather->arena, count, sizeof *gather->places, err);
    for (size_t i = 0; gather->places && i < count; ++i) {
        SpreadPlace *place = &gather->places[i];
        *place = (SpreadPlace){.least = INFINITY, .most = -INFINITY};
        place->hits = arena_take(&gather->arena, gather->request->above.count, sizeof *place->hits, err);
        if (kept)
            place->kept = arena_take(&gather->arena, (size_t)points, sizeof *place->kept, err);
        if (!place->hits || (kept && !place->kept))
            return false;
    }
    return gather->places != NULL;
}

static bool check_failed(const Gather *gather, Error *err)
{
    uint64_t failed = 0;
    for (size_t i = 0; i < gather->cells; ++i)
        failed += gather->places[i * gather->width].failed;
    return failed == 0 || gather->request->failed != SPREAD_REFUSE ||
           fail(err, ERROR_INPUT, "%s: group '%s': %llu points have no '%s', and --failed is refuse",
                gather->study->points.file->path, gather->study->label, (unsigned long long)failed,
                gather->output->name);
}

static bool show_place(Gather *gather, size_t number, IntervalEstimate *room, SpreadSee *see, void *user, Error *err)
{
    const SpreadRequest *request = gather->request;
    SpreadPlace         *place = &gather->places[number];
    const Moments       *moments = &place->moments;
    const bool           none = request->failed == SPREAD_WORST && place->failed > 0;
    const double         deviation = none ? (double)NAN : moments_deviation(moments);
    OutputSpread         spread = {.study = gather->study,
                                   .output = gather->output,
                                   .point = place->point,
                                   .time = request->over ? gather->study->times[number % gather->width] : (double)NAN,
                                   .points = place->points,
                                   .failed = place->failed,
                                   .least = moments->count > 0 ? place->least : (double)NAN,
                                   .most = none                 ? INFINITY
                                           : moments->count > 0 ? place->most
                                                                : (double)NAN,
                                   .quantiles = room,
                                   .above = room + request->quantiles.count,
                                   .density = place->density};
    spread.mean = interval_mean(moments->count, none ? (double)NAN : moments_mean(moments), deviation);
    spread.deviation = interval_deviation(moments->count, deviation, moments_kurtosis(moments));
    for (size_t i = 0; i < request->quantiles.count; ++i)
        spread.quantiles[i] = quantile_of(gather, place, i);
    for (size_t i = 0; i < request->above.count; ++i)
        spread.above[i] = interval_share(place->hits[i], ranked(gather, place));
    return see(&spread, user, err);
}

static bool find_cells(Gather *gather, SpreadSee *see, void *user, Error *err)
{
    const SpreadRequest *request = gather->request;
    StudyTally           tally = {0};
    gather->visit = visit_first;
    IntervalEstimate *room =
        arena_take(&gather->arena, request->quantiles.count + request->above.count, sizeof *room, err);
    bool ok = room && make_places(gather, err) &&
              study_scan(gather->study, gather->output, gather->row, STUDY_EACH, see_sample, gather, &tally, err) &&
              check_failed(gather, err) && mend_moments(gather, err) && find_numbers(gather, err) &&
              (!request->density || find_densities(gather, err));
    for (size_t i = 0; ok && i < place_count(gather); ++i)
        ok = show_place(gather, i, room, see, user, err);
    arena_free(&gather->arena);
    return ok;
}

// The axes of the cells, and how many cells these make.
static void choose_cells(Gather *gather)
{
    const Study *study = gather->study;
    gather->cells = 1;
    for (size_t i = 0; !study->random && i < study->points.axis_count; ++i) {
        const PointsAxis *axis = &study->points.axes[i];
        if (!spread_is_around(gather->request, study, axis))
            continue;
        gather->dims[gather->dim_count++] = axis->dim;
        gather->cells *= study->points.dims[axis->dim].count;
    }
}

bool spread_find(const SpreadRequest *request, Study *study, SpreadSee *see, void *user, Error *err)
{
    const size_t names = request->metrics.count > 0 ? request->metrics.count : 1;
    if (!spread_check(request, study, err))
        return false;
    for (size_t i = 0; i < names; ++i) {
        StudyOutput *outputs = NULL;
        size_t       count = 0;
        if (!study_outputs(study, request->metrics.count > 0 ? request->metrics.items[i] : NULL, request->over,
                           &outputs, &count, err))
            return false;
        for (size_t k = 0; k < count; ++k)
            for (uint64_t row = 0; row < (study->random ? study->row_count : 1); ++row) {
                Gather gather = {.request = request,
                                 .study = study,
                                 .output = &outputs[k],
                                 .row = row,
                                 .roles = spread_roles(study),
                                 .width = study_width(&outputs[k]),
                                 .quantile_count =
                                     request->quantiles.count + (request->density ? DENSITY_QUANTILES : 0)};
                choose_cells(&gather);
                if (!find_cells(&gather, see, user, err))
                    return false;
            }
    }
    return true;
}

bool spread_open(const SpreadRequest *request, const StoreFile *file, Study *studies, size_t *count, Error *err)
{
    if (!study_open_all(file, request->labels.items, request->labels.count, studies, count, err))
        return false;
    for (size_t i = 0; i < *count; ++i)
        if (!spread_check(request, &studies[i], err))
            return false;
    return true;
}
