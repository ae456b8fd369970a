// measurements -- columns of the file named after the sweep, then its lines.
#include "analysis/fit/measurements.h"

#include "base/csv.h"
#include "base/sort.h"
#include "base/suggest.h"
#include "plan/observe.h"

#include <math.h>
#include <string.h>

static const char sigma_end[] = "_sigma";

// A file that is being read.
typedef struct MeasurementsReading {
    Csv           csv;
    const Plan   *plan;
    const Group  *group;
    Measurements *data;
    size_t        time;   // column
    double       *times;  // [count] of the measurements
    Error        *err;
} MeasurementsReading;

static bool fail_column(const MeasurementsReading *reading, size_t column, const char *what)
{
    return fail(reading->err, ERROR_INPUT, "%s:1:%zu: column '%.60s' %s", reading->data->path,
                reading->csv.names[column].column, reading->csv.names[column].text, what);
}

static bool fail_field(const MeasurementsReading *reading, size_t column, const char *what)
{
    return fail(reading->err, ERROR_INPUT, "%s:%llu:%zu: column '%.60s': %.60s %s", reading->data->path,
                (unsigned long long)reading->csv.line, reading->csv.fields[column].column,
                reading->csv.names[column].text, reading->csv.fields[column].text, what);
}

static size_t find_column(const Csv *csv, const char *name, size_t length)
{
    for (size_t i = 0; i < csv->count; ++i)
        if (!csv->passed[i] && strlen(csv->names[i].text) == length && strncmp(csv->names[i].text, name, length) == 0)
            return i;
    return csv->count;
}

// The column whose deviations a column has: NAME of NAME_sigma; the count where it is another one.
static size_t find_measured(const Csv *csv, size_t column)
{
    const char  *name = csv->names[column].text;
    const size_t length = strlen(name), end = sizeof sigma_end - 1;
    if (length <= end || strcmp(name + length - end, sigma_end) != 0)
        return csv->count;
    return find_column(csv, name, length - end);
}

// The field of a trajectory in which a quantity is; NULL: it is none.
static const char *find_field(const MeasurementsReading *reading, const char *name, size_t *component)
{
    const Group *group = reading->group;
    const Card  *problem = group->problem;
    *component = 0;
    if (group->observing && observe_find(group->observing, name) < group->observing->count)
        return name;
    if ((*component = dof_find(group->coordinates, group->dofs, false, name)) < group->dofs)
        return "x";
    if (!problem->first_order && (*component = dof_find(group->coordinates, group->dofs, true, name)) < group->dofs)
        return "v";
    *component = 0;
    return dof_reserves(name) && card_provides(problem, name) ? name : NULL;
}

static bool add_quantity(MeasurementsReading *reading, size_t column, const char *field, size_t component)
{
    Measurements *data = reading->data;
    if (data->quantity_count == MEASUREMENTS_QUANTITIES)
        return fail_column(reading, column, "is one too many: a file has at most 32 quantities");
    data->quantities[data->quantity_count++] = (MeasuredQuantity){.name = reading->csv.names[column].text,
                                                                  .field = field,
                                                                  .component = component,
                                                                  .column = column,
                                                                  .sigma = SIZE_MAX};
    reading->csv.gaps[column] = true;
    return true;
}

// A column that is nothing of the sweep.
static bool fail_unknown(const MeasurementsReading *reading, size_t column)
{
    const Group *group = reading->group;
    const char  *name = reading->csv.names[column].text, *near = NULL;
    for (size_t i = 0; i < group->dofs && !near; ++i)
        near = suggest(name, &group->coordinates[i].name, 1);
    for (size_t i = 0; group->observing && i < group->observing->count && !near; ++i)
        near = suggest(name, &group->observing->list[i].name, 1);
    for (size_t i = 0; i < group->axis_count && !near; ++i)
        near = suggest(name, &group->axes[i].name, 1);
    return fail_column(reading, column, "is neither a quantity nor an axis of the sweep") ||
           suggest_add(reading->err, near, ": name a quantity under `observe:`, or choose columns by --columns");
}

// What a column is. An axis with a distribution or a range is a condition where no quantity has its name.
static bool take_column(MeasurementsReading *reading, size_t column)
{
    Csv          *csv = &reading->csv;
    Measurements *data = reading->data;
    const Group  *group = reading->group;
    const char   *name = csv->names[column].text;
    const Axis   *axis = group_axis(group, name);
    size_t        component;
    if (!csv_check_name(csv, column, reading->err))
        return false;
    if (strcmp(name, "t") == 0 || strcmp(name, "time") == 0) {
        if (reading->time != csv->count)
            return fail_column(reading, column, "is a second column of times");
        reading->time = column;
        return true;
    }
    if (find_measured(csv, column) < csv->count) {
        csv->gaps[column] = true;
        return true;
    }
    const char *field = find_field(reading, name, &component);
    if (axis && (!field || axis->form == FORM_LIST)) {
        data->axes[data->axis_count] = axis->name;
        data->axis_columns[data->axis_count++] = column;
        return true;
    }
    return field ? add_quantity(reading, column, field, component) : fail_unknown(reading, column);
}

static bool choose_columns(MeasurementsReading *reading, const char *const *columns, size_t count)
{
    Csv *csv = &reading->csv;
    for (size_t i = 0; i < csv->count && count > 0; ++i)
        csv->passed[i] = true;
    for (size_t k = 0; k < count; ++k) {
        size_t i = 0;
        while (i < csv->count && strcmp(csv->names[i].text, columns[k]) != 0)
            ++i;
        if (i == csv->count)
            return fail(reading->err, ERROR_INPUT, "%s:1: there is no column '%.60s'", csv->path, columns[k]);
        csv->passed[i] = false;
    }
    return true;
}

static bool take_columns(MeasurementsReading *reading)
{
    Csv          *csv = &reading->csv;
    Measurements *data = reading->data;
    reading->time = csv->count;
    data->quantities = arena_take(&data->arena, MEASUREMENTS_QUANTITIES, sizeof *data->quantities, reading->err);
    data->axes = arena_take(&data->arena, csv->count, sizeof *data->axes, reading->err);
    data->axis_columns = arena_take(&data->arena, csv->count, sizeof *data->axis_columns, reading->err);
    if (!data->quantities || !data->axes || !data->axis_columns)
        return false;
    for (size_t i = 0; i < csv->count; ++i)
        if (!csv->passed[i] && !take_column(reading, i))
            return false;
    if (reading->time == csv->count)
        return fail(reading->err, ERROR_INPUT, "%s:1: there is no column of times: name it 't' or 'time'", data->path);
    if (data->quantity_count == 0)
        return fail(reading->err, ERROR_INPUT, "%s:1: no column is a quantity of the sweep", data->path);
    for (size_t q = 0; q < data->quantity_count; ++q) {
        MeasuredQuantity *quantity = &data->quantities[q];
        for (size_t i = 0; i < csv->count; ++i)
            if (!csv->passed[i] && find_measured(csv, i) == quantity->column)
                quantity->sigma = i;
        data->weighted = data->weighted || quantity->sigma != SIZE_MAX;
        quantity->name = arena_copy(&data->arena, quantity->name, reading->err);
        if (!quantity->name)
            return false;
        quantity->field = strcmp(quantity->field, quantity->name) == 0 ? quantity->name : quantity->field;
    }
    for (size_t i = 0; i < csv->count; ++i)
        if (!csv->passed[i] && csv->gaps[i] && find_measured(csv, i) < csv->count && !csv->gaps[find_measured(csv, i)])
            return fail_column(reading, i, "has deviations of a column that is no quantity");
    return true;
}

// The condition of the line, a new one where no line before had it.
static bool find_condition(MeasurementsReading *reading, size_t *found)
{
    Measurements *data = reading->data;
    const size_t  width = data->axis_count;
    double        values[CSV_COLUMNS];
    for (size_t k = 0; k < width; ++k) {
        const Axis  *axis = group_axis(reading->group, data->axes[k]);
        const double value = reading->csv.numbers[data->axis_columns[k]];
        bool         is = !axis->values;
        values[k] = value;
        for (size_t i = 0; !is && i < axis->count; ++i)
            if (fabs(axis->values[i] - value) <= 1e-9 * fabs(value)) {
                values[k] = axis->values[i];
                is = true;
            }
        if (!is)
            return fail_field(reading, data->axis_columns[k], "is no value of this axis of the sweep");
    }
    for (*found = 0; *found < data->condition_count; ++*found)
        if (width == 0 || memcmp(data->conditions + *found * width, values, width * sizeof *values) == 0)
            return true;
    if (data->condition_count == MEASUREMENTS_CONDITIONS)
        return fail(reading->err, ERROR_INPUT, "%s:%llu: more than %d conditions", data->path,
                    (unsigned long long)reading->csv.line, MEASUREMENTS_CONDITIONS);
    if (width > 0 && data->condition_count == 0)
        data->conditions = arena_take(&data->arena, MEASUREMENTS_CONDITIONS, width * sizeof *values, reading->err);
    if (width > 0 && !data->conditions)
        return false;
    if (width > 0)
        memcpy(data->conditions + data->condition_count * width, values, width * sizeof *values);
    ++data->condition_count;
    return true;
}

static bool check_time(const MeasurementsReading *reading, double t)
{
    for (size_t g = 0; g < reading->plan->group_count; ++g) {
        const Group *group = &reading->plan->groups[g];
        const double last = group_first_end(group);
        double       first, begin;
        group_find_begins(group, &first, &begin);
        if (t < begin)
            return fail_field(reading, reading->time, "lies before the begin of the sweep's run");
        if (t > last + 1e-9 * (last - begin))
            return fail_field(reading, reading->time, "lies behind the end of the sweep's run");
    }
    return true;
}

// A measured value of the line.
static bool add_measurement(MeasurementsReading *reading, size_t q, size_t condition)
{
    Measurements           *data = reading->data;
    const MeasuredQuantity *quantity = &data->quantities[q];
    const double           *numbers = reading->csv.numbers;
    MeasuredValue           made = {.quantity = q,
                                    .condition = condition,
                                    .value = numbers[quantity->column],
                                    .sigma = 1.0,
                                    .line = reading->csv.line};
    if (isnan(made.value)) {
        ++data->gaps;
        return true;
    }
    if (quantity->sigma != SIZE_MAX)
        made.sigma = numbers[quantity->sigma];
    if (!(made.sigma > 0.0))
        return fail_field(reading, quantity->sigma, "is no standard deviation: it must be greater than 0");
    if (data->count == MEASUREMENTS_MOST)
        return fail(reading->err, ERROR_INPUT, "%s: more than %d measured values", data->path, MEASUREMENTS_MOST);
    double *times = arena_grow(&data->arena, reading->times, data->count, sizeof *times, reading->err);
    data->list = arena_grow(&data->arena, data->list, data->count, sizeof *data->list, reading->err);
    if (!times || !data->list)
        return false;
    reading->times = times;
    times[data->count] = numbers[reading->time];
    data->list[data->count++] = made;
    return true;
}

static bool read_lines(MeasurementsReading *reading)
{
    for (bool more = true;;) {
        size_t condition;
        if (!csv_next(&reading->csv, &more, reading->err))
            return false;
        if (!more)
            return reading->data->count > 0 ||
                   fail(reading->err, ERROR_INPUT, "%s: nothing is measured in it", reading->data->path);
        if (!check_time(reading, reading->csv.numbers[reading->time]) || !find_condition(reading, &condition))
            return false;
        for (size_t q = 0; q < reading->data->quantity_count; ++q)
            if (!add_measurement(reading, q, condition))
                return false;
    }
}

// The different times in order, and the number of each measurement's.
static bool sort_times(MeasurementsReading *reading)
{
    Measurements *data = reading->data;
    double       *sorted = arena_take(&data->arena, data->count, sizeof *sorted, reading->err);
    if (!sorted)
        return false;
    memcpy(sorted, reading->times, data->count * sizeof *sorted);
    sort_numbers(sorted, data->count);
    for (size_t i = 0; i < data->count; ++i)
        if (i == 0 || sorted[i] != sorted[data->time_count - 1])
            sorted[data->time_count++] = sorted[i];
    data->times = sorted;
    if (data->time_count > MEASUREMENTS_TIMES)
        return fail(reading->err, ERROR_INPUT, "%s: %zu different times, at most %d are possible", data->path,
                    data->time_count, MEASUREMENTS_TIMES);
    for (size_t i = 0; i < data->count; ++i) {
        size_t low = 0, high = data->time_count;
        while (high - low > 1) {
            const size_t middle = low + (high - low) / 2;
            *(sorted[middle] <= reading->times[i] ? &low : &high) = middle;
        }
        data->list[i].time = low;
    }
    return true;
}

// Squares of what is measured must fit into a number. A unit that is nearer makes them; so do standard deviations, by
// which differences are divided first.
static bool check_sizes(const Measurements *data, Error *err)
{
    static const double  most = 1e140;
    const MeasuredValue *largest = &data->list[0];
    for (size_t i = 1; i < data->count; ++i)
        if (fabs(data->list[i].value) / data->list[i].sigma > fabs(largest->value) / largest->sigma)
            largest = &data->list[i];
    const double size = fabs(largest->value) / largest->sigma;
    return size == 0.0 || (size >= 1.0 / most && size <= most) ||
           fail(err, ERROR_INPUT,
                "%s:%llu: column '%s': squares of %.6g, the largest value, do not fit into a number: take another "
                "unit, or give standard deviations in a column '%s_sigma'",
                data->path, (unsigned long long)largest->line, data->quantities[largest->quantity].name, largest->value,
                data->quantities[largest->quantity].name);
}

bool measurements_read(const char *path, const char *const *columns, size_t column_count, const Plan *plan,
                       Measurements *data, Error *err)
{
    MeasurementsReading reading = {.plan = plan, .group = &plan->groups[0], .data = data, .err = err};
    *data = (Measurements){.path = path};
    const bool ok = csv_open(path, &reading.csv, err) && choose_columns(&reading, columns, column_count) &&
                    take_columns(&reading) && read_lines(&reading) && sort_times(&reading) && check_sizes(data, err);
    csv_close(&reading.csv);
    return ok;
}

size_t measurements_axis(const Measurements *data, const char *name)
{
    size_t k = 0;
    while (k < data->axis_count && strcmp(data->axes[k], name) != 0)
        ++k;
    return k;
}

void measurements_free(Measurements *data)
{
    arena_free(&data->arena);
    *data = (Measurements){0};
}
