// sensitivity_words -- lines on a table of indices: how they were found, what was left out, and how to read them.
#include "analysis/sensitivity/effects.h"
#include "analysis/sensitivity/sensitivity.h"
#include "analysis/sensitivity/shapley_given.h"
#include "analysis/sensitivity/variance.h"

#include <inttypes.h>
#include <math.h>

const char *sensitivity_assumes(const SensitivityTable *table)
{
    const Study *study = table->study;
    const bool   correlated = study->correlation || study->rows.kind == ROWS_CORRELATED;
    switch (table->index) {
    case SENSITIVITY_SOBOL: return "A and B are independent samples, of independent factors";
    case SENSITIVITY_MORRIS: return "each trajectory begins at random, of independent factors";
    case SENSITIVITY_LOCAL: return "the output is smooth about the centre";
    case SENSITIVITY_SWING: return "factors do not act together: each moves while the others stay at the centre";
    case SENSITIVITY_GIVEN:
        return study_is_grid(study)  ? "each combination of the values is as likely, and the factors independent"
               : correlated          ? "rows independent; the factors are not"
               : study_is_net(study) ? "rows of a Sobol' sequence, of independent factors"
                                     : "rows independent, inputs independent";
    case SENSITIVITY_CHAOS:
        return correlated ? "rows of the factors' distributions and correlation; the expansion is the output"
                          : "rows of the factors' distributions, inputs independent; the expansion is the output";
    case SENSITIVITY_DELTA:
        return correlated ? "rows independent; the factors are not: delta counts what a factor shares with others"
                          : "rows independent; the output has a density without peaks that kernels level";
    case SENSITIVITY_SHAPLEY:
        return study->rows.kind == ROWS_MORRIS ? "walks between independent points of independent factors, in random "
                                                 "orders; the output has no noise"
                                               : "rows independent, inputs of any dependence; the output has no noise";
    case SENSITIVITY_DGSM:
        return study_is_net(study) ? "rows of a Sobol' sequence, of independent factors; the output has no jumps, and "
                                     "intervals, those of independent rows, are too wide"
                                   : "rows independent, inputs independent; the output has no jumps";
    case SENSITIVITY_COUNT: break;
    }
    return "";
}

// Factors of few values have fewer slices.
static void say_slices(Text *text, const size_t *slices)
{
    text_add(text, "  pawn is the median of the Kolmogorov-Smirnov distances of ");
    if (slices[0] < slices[1])
        text_add(text, "%zu to ", slices[0]);
    text_add(text, "%zu slices (Pianosi and Wagener 2018); one of 20 factors without influence exceeds pawn_dummy\n",
             slices[1]);
}

// Where an interval would not hold the index in 95 of 100 studies there is none.
static void say_no_intervals(Text *text, const SensitivityTable *table)
{
    const uint64_t used = table->tally.samples - table->tally.dropped;
    const bool     walks = table->study->rows.kind == ROWS_MORRIS;
    if (table->trouble)
        return;
    if (table->index == SENSITIVITY_MORRIS && used < EFFECTS_LEAST)
        text_add(text, "  no intervals: fewer than %d trajectories may have the same effect by chance\n",
                 EFFECTS_LEAST);
    if (table->index == SENSITIVITY_GIVEN && study_is_net(table->study))
        text_add(text,
                 "  no intervals: one Sobol' sequence does not say how far its means are off; design: {saltelli: {..}} "
                 "has intervals, and so has random\n");
    if (table->index == SENSITIVITY_DELTA)
        text_add(text, "  no intervals: kernels take more off a delta than its spread\n");
    if (table->index == SENSITIVITY_SHAPLEY && !walks && used < SHAPLEY_GIVEN_LEAST_INTERVAL)
        text_add(text, "  no intervals: the neighbours of fewer than %d rows are too far away\n",
                 SHAPLEY_GIVEN_LEAST_INTERVAL);
    if (table->index == SENSITIVITY_SHAPLEY && walks && used < SHAPLEY_WALKS_LEAST_INTERVAL)
        text_add(text, "  no intervals: of fewer than %d walks their spread is not known\n",
                 SHAPLEY_WALKS_LEAST_INTERVAL);
}

void sensitivity_say(Text *text, const SensitivityRequest *request, const SensitivityTable *table)
{
    const StudyTally *tally = &table->tally;
    if (!isnan(table->quality) && table->trouble)
        text_add(text, "  the expansion explains %.6g of the variance (Q2)\n", table->quality);
    else if (!isnan(table->quality))
        text_add(text,
                 "  the expansion explains %.6g of the variance (Q2): indices may be off by %.2g beside their conf\n",
                 table->quality, fmax(1.0 - table->quality, 0.0));
    else if (table->estimator && !table->trouble)
        text_add(text, "  %s by %s%s%s\n", sensitivity_numbers[table->index][0], table->estimator,
                 table->reason ? ": " : "", table->reason ? table->reason : "");
    if (table->slices[1] && !table->trouble)
        say_slices(text, table->slices);
    text_add(text, "  assumes: %s\n", sensitivity_assumes(table));
    if (table->study->rows.kind == ROWS_SALTELLI)
        text_add(text, "  the points are rows of Saltelli's design, %s after the other\n",
                 table->study->rows.by_matrix ? "a matrix" : "a base sample");
    else if (table->study->rows.kind == ROWS_MORRIS)
        text_add(text,
                 "  the points are Morris' trajectories: effects are over the range of each factor in the list\n");
    else if (table->study->rows.kind == ROWS_CORRELATED)
        text_add(text,
                 "  '%s' and '%s' are correlated (rank correlation %.3f): S1 counts what a factor shares with others\n",
                 table->study->first, table->study->second, table->study->rows.rank_correlation);
    if (table->study->correlation)
        text_add(text, "  the factors are correlated: %s\n",
                 table->index == SENSITIVITY_CHAOS ? "Shapley effects divide the variance among them"
                                                   : "S1 counts what a factor shares with others");
    if (tally->failed > 0)
        text_add(text, "  %" PRIu64 " points failed or have no number: %s\n", tally->failed,
                 request->failed == STUDY_WORST      ? "they count as the largest number"
                 : request->failed == STUDY_CLASSIFY ? "the output is 1 there and 0 elsewhere"
                                                     : "their samples do not count, which biases the indices");
    say_no_intervals(text, table);
    if (tally->dropped > 0)
        text_add(text, "  %" PRIu64 " samples (%.3g %%) are left out\n", tally->dropped,
                 100.0 * (double)tally->dropped / (double)tally->samples);
    if (table->trouble)
        text_add(text, "  no indices: %s\n",
                 tally->failed > 0 && tally->failed == tally->points ? "every point failed or has no number"
                                                                     : table->trouble);
}

// What the deviation of an output is, and of what.
static void say_spread(Text *text, const SensitivityRequest *request, const SensitivityTable *table)
{
    const double      spread = table->row_count ? table->rows[0].numbers[SENSITIVITY_LOCAL_SPREAD] : (double)NAN;
    const char *const given = request->deviations && request->deviations->count ? "of --deviation, or " : "";
    if (table->trouble)
        return;
    if (isnan(spread))
        text_add(text, "  no deviation of the output: a derivative has no number\n");
    else
        text_add(text,
                 "  deviation of the output %.6g: to first order, linear within the deviations of the parameters (%sof "
                 "their distributions), which are independent\n",
                 spread, given);
}

// Sums and signs may make a reader stumble.
void sensitivity_say_after(Text *text, const SensitivityRequest *request, const SensitivityTable *table)
{
    double sum = 0.0, widest = 0.0, lowest = 0.0;
    if (table->index == SENSITIVITY_LOCAL)
        say_spread(text, request, table);
    if (table->index != SENSITIVITY_SOBOL || table->trouble)
        return;
    for (size_t i = 0; i < table->study->group_count; ++i) {
        const double *numbers = table->rows[i].numbers;
        sum += numbers[0];
        lowest = fmin(lowest, numbers[0]);
        widest = fmax(widest, fmax(numbers[1], numbers[3]));
    }
    text_add(text, "  S1 add up to %.3f%s\n", sum,
             sum > 1.0 ? ": above 1 by the error of the estimates" : ": what is missing to 1 is interaction");
    if (lowest < 0.0)
        text_add(text, "  an S1 below 0 is the error of an index near 0\n");
    if (request->within > 0.0) {
        const uint64_t needed = variance_find_base_count(table->study->samples, widest, request->within);
        if (needed == 0)
            text_add(text, "  half widths are up to %.2g: no number of samples gives %.2g\n", widest, request->within);
        else if (needed == table->study->samples)
            text_add(text, "  enough: half widths are at most %.2g\n", widest);
        else
            text_add(text, "  half widths are up to %.2g: for %.2g go on to samples: %" PRIu64 ", which keeps these\n",
                     widest, request->within, needed);
    }
}
