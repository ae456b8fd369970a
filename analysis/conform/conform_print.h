// conform_print -- reports of a check: text for people, JSON for programs, JUnit for test servers.
#pragma once

#include "analysis/conform/conform.h"
#include "terminal/table.h"

// Adds a group's lines.
void conform_print_text(const Conformance *conformance, Text *text);

// Adds a group's object to a table in JSON.
void conform_print_json(const Conformance *conformance, Table *json);

// Adds a group's test case, and writes the report of all test cases.
void conform_print_junit(const Conformance *conformance, Text *cases);
void conform_print_junit_suite(const char *sweep, size_t groups, size_t failed, double seconds, const Text *cases,
                               Text *xml);
