// speed -- the regression gate: the workloads of `pendula bench`, briefly, each with a floor of its ratio to the C
// loop.
//
// Kernel and loop share the machine and the minute: what else runs there slows both, and the ratio stands. What moves
// it is the processor, since half the lanes are half the rate and the loop stays as it is. Floors are for a device with
// 16 lanes of double precision and shrink with fewer. They are six tenths of what an AMD Zen 4 shows, whose vector unit
// takes such lanes in halves; one that takes them whole is faster still. So a kernel half as fast fails and a noisy
// neighbour does not: and a workload below its floor is measured once more, for longer, before it counts.
#include "analysis/bench/bench.h"

#include <stdio.h>
#include <string.h>

typedef struct Floor {
    const char *workload;
    double      ratio;
} Floor;

static const Floor floors[] = {
    {"W1", 3.6},  {"W2", 3.0},  {"W3", 5.4},  {"W5", 3.4},    {"W4n4", 2.0},  {"W4n8", 1.9},
    {"W1a", 3.7}, {"W2a", 3.2}, {"W5a", 3.0}, {"W4n4a", 1.9}, {"W4n8a", 1.4}, {"W1s", 4.2},
};
enum { FLOORS = sizeof floors / sizeof *floors, FULL_LANES = 16 };

typedef struct Gate {
    bool        final;                  // a workload below its floor fails
    size_t      below_count, reported;  // workloads below their floors
    const char *below[FLOORS];
} Gate;

static bool judge(const BenchResult *result, void *user, Error *err)
{
    Gate        *gate = user;
    const Floor *floor = floors;
    while (floor < floors + FLOORS && strcmp(floor->workload, result->workload) != 0)
        ++floor;
    if (floor == floors + FLOORS)
        return fail(err, ERROR_INTERNAL, "workload %s has no floor", result->workload);
    const double least = floor->ratio * result->device->lanes_double / FULL_LANES;
    const bool   good = result->race.ratio.median >= least;
    printf("%-6s %2d lanes %9.3g steps/s, plain C %9.3g, ratio %6.2f (%.2f to %.2f), floor %.2f%s\n", result->workload,
           result->race.lanes, result->race.steps_per_s.median, result->race.plain_steps_per_s.median,
           result->race.ratio.median, result->race.ratio.lower, result->race.ratio.upper, least,
           good          ? ""
           : gate->final ? ": TOO SLOW"
                         : ": once more");
    fflush(stdout);
    if (!good)
        gate->below[gate->below_count++] = floor->workload;
    ++gate->reported;
    return true;
}

int main(void)
{
    const char *const device[] = {"cpu"};
    Gate              gate = {0}, again = {.final = true};
    Error             err = {0};
    BenchRequest      request = {.devices = device,
                                 .device_count = 1,
                                 .steps = 200,
                                 .repetitions = 5,
                                 .seconds = 0.05,
                                 .report = judge,
                                 .user = &gate};
    bool              ok = bench_run(&request, &err);
    if (ok && gate.reported != FLOORS)
        ok = fail(&err, ERROR_INTERNAL, "%zu workloads were measured, and there are %d floors", gate.reported, FLOORS);
    if (ok && gate.below_count) {
        request.workloads = gate.below;
        request.workload_count = gate.below_count;
        request.repetitions = 9;
        request.seconds = 0.3;
        request.user = &again;
        ok = bench_run(&request, &err);
    }
    if (!ok)
        fprintf(stderr, "speed: %s\n", err.message);
    return ok && again.below_count == 0 ? 0 : 1;
}
