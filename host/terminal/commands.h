// commands -- the commands of the program: host/cli has a file for each of its own, a room of analysis a file
// command.c.
//
// A command gets its own name as argv[0], prints its results to stdout and its logs to stderr, and returns false with
// err filled when it fails. Wrong options and arguments are ERROR_USAGE; --help prints and succeeds.
#pragma once

#include "base/text.h"
#include "terminal/coordinates.h"

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
bool predict_command(int argc, char **argv, Error *err);
bool refine_command(int argc, char **argv, Error *err);
bool advise_command(int argc, char **argv, Error *err);
bool bench_command(int argc, char **argv, Error *err);
bool claims_command(int argc, char **argv, Error *err);

// `show METHOD --rho-inf R` asks `conventions`, which adds the table: linear theory is above this layer.
//   radius, setting, json  as convention_print() in analysis/linear
typedef bool ShowConventions(Text *text, const char *method, double radius, const NamedValue *setting, bool json,
                             Error *err);
bool         show_command(int argc, char **argv, ShowConventions *conventions, Error *err);
