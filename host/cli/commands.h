// commands -- the commands of the program, one file each.
//
// A command gets its own name as argv[0], prints its results to stdout and its logs to stderr, and returns false with
// err filled when it fails. Wrong options and arguments are ERROR_USAGE; --help prints and succeeds.
#pragma once

#include "base/error.h"

bool run_command(int argc, char **argv, Error *err);
bool plan_command(int argc, char **argv, Error *err);
bool list_command(int argc, char **argv, Error *err);
bool show_command(int argc, char **argv, Error *err);
bool source_command(int argc, char **argv, Error *err);
bool info_command(int argc, char **argv, Error *err);
bool conform_command(int argc, char **argv, Error *err);
bool plot_command(int argc, char **argv, Error *err);
bool spectrum_command(int argc, char **argv, Error *err);
bool pairs_command(int argc, char **argv, Error *err);
bool pareto_command(int argc, char **argv, Error *err);
bool bench_command(int argc, char **argv, Error *err);
bool claims_command(int argc, char **argv, Error *err);
