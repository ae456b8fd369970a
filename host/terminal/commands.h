// commands -- the commands of the program: host/cli has a file for each of its own, a room of analysis a file
// command.c.
//
// A command gets its own name as argv[0], prints its results to stdout and its logs to stderr, and returns false with
// err filled when it fails. Wrong options and arguments are ERROR_USAGE; --help prints and succeeds. Its usage, a table
// too, is NAME_command_usage; host/cli/command.c makes the table of all commands of them.
#pragma once

#include "base/text.h"
#include "terminal/options.h"

// host/cli.
bool run_command(int argc, char **argv, Error *err);
bool plan_command(int argc, char **argv, Error *err);
bool list_command(int argc, char **argv, Error *err);
bool source_command(int argc, char **argv, Error *err);
bool new_command(int argc, char **argv, Error *err);
bool info_command(int argc, char **argv, Error *err);
bool verify_command(int argc, char **argv, Error *err);
bool merge_command(int argc, char **argv, Error *err);
bool diff_command(int argc, char **argv, Error *err);
bool export_command(int argc, char **argv, Error *err);
bool pack_command(int argc, char **argv, Error *err);
bool doctor_command(int argc, char **argv, Error *err);
bool help_command(int argc, char **argv, Error *err);
bool complete_command(int argc, char **argv, Error *err);  // not listed: completion of shells calls it

extern const Usage run_command_usage, plan_command_usage, list_command_usage, source_command_usage, new_command_usage,
    info_command_usage, verify_command_usage, merge_command_usage, diff_command_usage, export_command_usage,
    pack_command_usage, show_command_usage, help_command_usage, doctor_command_usage;

// The rooms of analysis.
bool check_command(int argc, char **argv, Error *err);
bool conform_command(int argc, char **argv, Error *err);
bool replay_command(int argc, char **argv, Error *err);
bool plot_command(int argc, char **argv, Error *err);
bool report_command(int argc, char **argv, Error *err);
bool linear_command(int argc, char **argv, Error *err);
bool pairs_command(int argc, char **argv, Error *err);
bool pareto_command(int argc, char **argv, Error *err);
bool sensitivity_command(int argc, char **argv, Error *err);
bool distribution_command(int argc, char **argv, Error *err);
bool rare_command(int argc, char **argv, Error *err);
bool fit_command(int argc, char **argv, Error *err);
bool predict_command(int argc, char **argv, Error *err);
bool refine_command(int argc, char **argv, Error *err);
bool advise_command(int argc, char **argv, Error *err);
bool bench_command(int argc, char **argv, Error *err);
bool claims_command(int argc, char **argv, Error *err);

extern const Usage check_command_usage, conform_command_usage, replay_command_usage, plot_command_usage,
    report_command_usage, linear_command_usage, pairs_command_usage, pareto_command_usage, sensitivity_command_usage,
    distribution_command_usage, rare_command_usage, fit_command_usage, predict_command_usage, refine_command_usage,
    advise_command_usage, bench_command_usage, claims_command_usage;

// `show METHOD --rho-inf R` asks `conventions`, which adds the table: linear theory is above this layer.
//   radius, setting, json  as convention_print() in analysis/linear
typedef bool ShowConventions(Text *text, const char *method, double radius, const NamedValue *setting, bool json,
                             Error *err);
bool         show_command(int argc, char **argv, ShowConventions *conventions, Error *err);
