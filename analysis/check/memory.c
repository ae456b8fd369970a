// memory -- a problem's C with a main() around it, compiled with the compiler's sanitizers and run on its own.
//
// Arrays are of exactly DOF numbers, so that a write beside them is seen; all functions that the card promises are
// called, at drawn parameters and states. A function that never ends is ended by alarm().
#include "analysis/check/check.h"
#include "analysis/check/lines.h"

#include "catalog/problem_c.h"
#include "device/compiler.h"
#include "device/driver.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 16, SECONDS = 10, SIGNALLED = 128 };

static void add_sets(const Card *card, Text *text)
{
    uint64_t seed = 1;
    text_add(text, "static const double own_values[%d][%zu] = {\n", CHECK_SETS, card->parameter_count + 1);
    for (int set = 0; set < CHECK_SETS; ++set) {
        text_add(text, "{");
        for (size_t i = 0; i < card->parameter_count; ++i)
            text_add(text, "%.17g, ", check_value(&card->parameters[i], set, &seed));
        text_add(text, "0},\n");
    }
    text_add(text, "};\n");
}

// A call of own_NAME() with the arguments of its signature.
static void add_call(const ProblemFunction *function, Text *text)
{
    const bool of_t = strstr(function->signature, "real t") != NULL;
    text_add(text, "own_%s(", function->name);
    if (strstr(function->signature, "dadx"))
        text_add(text, "t, x, v, &p, dadx, dadv");
    else if (strcmp(function->name, "slopes") == 0)
        text_add(text, "t, x, v, &p, (real *)&by");
    else if (strcmp(function->name, "start_slopes") == 0)
        text_add(text, "&p, (real *)&by, (real *)&by_v");
    else if (strncmp(function->name, "limit_", 6) == 0)
        text_add(text, of_t ? "t, angle, rate, &p, pull" : "&p, angle, rate");
    else if (strcmp(function->name, "exact") == 0)
        text_add(text, "t, &p, x1, v1");
    else if (strcmp(function->name, "initial_state") == 0)
        text_add(text, "&p, x, v");
    else
        text_add(text, "%s%s%s&p%s", of_t ? "t, " : "", strstr(function->signature, "*x") ? "x, " : "",
                 strstr(function->signature, "*v") ? "v, " : "", strcmp(function->result, "void") == 0 ? ", out" : "");
    text_add(text, ");\n");
}

static void write_program(const Card *card, size_t dofs, Text *text)
{
    text_add(text, "typedef double real;\n%s", problem_c_words);
    problem_c_params(card, dofs, text);
    text_add(text, "#line 1 \"%s\"\n%s\n#line 1 \"main\"\n", card->path, card->text);
    if (card->first_order)
        text_add(text, "%s", catalog_file("first_order.h"));
    problem_c_calls(card, "static ", "own", text);
    add_sets(card, text);
    text_add(text,
             "unsigned alarm(unsigned seconds);\n"
             "int main(void)\n{\n"
             "alarm(%d);\n"
             "for (int set = 0; set < %d; ++set)\n"
             "for (int state = 0; state < %d; ++state) {\n"
             "Params p;\n"
             "real t = 0.37 * state, x[DOF], v[DOF], x1[DOF], v1[DOF], out[DOF], dadx[DOF * DOF], dadv[DOF * DOF];\n"
             "real angle[1] = {0.5}, rate[1] = {0.25}, pull[1];\n%s"
             "own_load(&p, own_values[set]);\n"
             "own_initial_state(&p, x, v);\n%s"
             "for (int i = 0; i < DOF; ++i) {\n"
             "x[i] += state * 0.013 * (1 + (x[i] < 0 ? -x[i] : x[i]));\n"
             "v[i] += state * 0.017 * (1 + (v[i] < 0 ? -v[i] : v[i]));\n}\n",
             SECONDS, CHECK_SETS, STATES, card_provides(card, "slopes") ? "Slopes by, by_v;\n" : "",
             card->first_order ? "for (int i = 0; i < DOF; ++i)\nv[i] = x[i];\n" : "");
    for (size_t i = 0; i < PROBLEM_C_MOST; ++i)
        if (problem_c_promises(card, &problem_c_functions[i]) &&
            strcmp(problem_c_functions[i].name, "initial_state") != 0)
            add_call(&problem_c_functions[i], text);
    text_add(text, "}\nreturn 0;\n}\n");
}

// The line of a frame of the file's: "#0 0x... in acceleration PATH:12", or of the function where it has no line.
static size_t find_frame(const Check *check, const char *messages, const char **what)
{
    size_t line = 0;
    *what = strstr(messages, "AddressSanitizer: ");
    const char *at = *what ? strstr(*what, " in ") : NULL;
    for (; at && !line; at = strstr(at + 1, " in ")) {
        char         name[64];
        const size_t length = strcspn(at + 4, " \n");
        snprintf(name, sizeof name, "%.*s", (int)length, at + 4);
        const char *colon = strchr(at + 4 + length, ':'), *end = strchr(at + 4, '\n');
        const bool  known = colon && end && colon < end;
        if (lines_function(&check->card, name))
            line = known ? strtoul(colon + 1, NULL, 10) : lines_function(&check->card, name);
    }
    return line;
}

// Undefined behaviour is said in lines of its own, and the program goes on.
static void find_undefined(Check *check, const char *messages)
{
    static const char mark[] = ": runtime error: ";
    for (const char *at = messages; (at = strstr(at, mark)); ++at) {
        const char *begin = at;
        while (begin > messages && begin[-1] != '\n')
            --begin;
        const char  *colon = memchr(begin, ':', (size_t)(at - begin));
        const size_t line = colon ? strtoul(colon + 1, NULL, 10) : 1, path = colon ? (size_t)(colon - begin) : 0;
        if (path == strlen(check->path) && strncmp(begin, check->path, path) == 0)
            findings_add(&check->findings, FINDING_WRONG, line, "undefined behaviour: %.*s",
                         (int)strcspn(at + strlen(mark), "\n"), at + strlen(mark));
    }
}

static void judge(Check *check, int status, const char *messages)
{
    const size_t before = findings_count(&check->findings, FINDING_WRONG);
    const char  *what;
    const size_t line = find_frame(check, messages, &what);
    if (what && !findings_has(&check->findings, line)) {
        what += strlen("AddressSanitizer: ");
        findings_add(&check->findings, FINDING_WRONG, line ? line : 1,
                     "reads or writes beside an array (%.*s): vectors are [DOF], loops go to DOF",
                     (int)strcspn(what, " \n"), what);
    }
    find_undefined(check, messages);
    if (status == SIGNALLED + SIGALRM)
        findings_add(&check->findings, FINDING_WRONG, 1,
                     "a function does not end within %d s: loops end at DOF, or at "
                     "a number of turns",
                     SECONDS);
    else if (status != 0 && findings_count(&check->findings, FINDING_WRONG) == before)
        findings_add(&check->findings, FINDING_WRONG, 1, "its C ends with status %d: %.300s", status, messages);
    check->broken = check->broken || findings_count(&check->findings, FINDING_WRONG) > before;
    if (!check->broken)
        findings_add(&check->findings, FINDING_RIGHT, 0,
                     "memory: as C, %d calls of each function under address and undefined-behaviour sanitizers",
                     CHECK_SETS * STATES);
}

bool check_memory(Check *check, Error *err)
{
    Text          text = {0}, messages = {0};
    CompilerTried tried = {0};
    const Card   *card = &check->card;
    write_program(card, check_dofs(card), &text);
    const bool ok = text_check(&text, err) && driver_prepare(err) && compiler_try(&text, &tried, &messages, err);
    if (ok && tried.built)
        judge(check, tried.status, messages.text ? messages.text : "");
    else if (ok && messages.text && check_blames(check, messages.text))
        check_messages(check, "as C", messages.text);
    else if (ok)
        findings_add(&check->findings, FINDING_NOTE, 0, "memory: not examined: %s",
                     tried.compiler ? "the C compiler has no address and undefined-behaviour sanitizers"
                                    : "there is no C compiler on this machine; install gcc or clang");
    text_free(&text);
    text_free(&messages);
    return ok;
}
