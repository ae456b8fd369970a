// check -- a kernel file of the user's, examined before it is used.
//
//   FILE.cl --card_read--> Card --promises--> memory --> laws --> kernels --> certificates, order, windows
//                                                |
//                                    Findings: file, line, the fault and its remedy
//
// Each examination is a file here. It adds what it finds to the list and lets the next one go on, except examinations
// that would run a function known to be broken. A finding is data and no error; an error is what keeps the program from
// looking.
#pragma once

#include "device/device.h"
#include "engine/notice.h"
#include "terminal/options.h"

// The results: a list of lines, a kind and a text each. Examinations add to the list and go on; nothing is printed
// before the end. A property that was examined and is right is listed too, so that a file without a fault is seen to
// have been examined.
typedef enum FindingKind {
    FINDING_WRONG,  // the file must be changed
    FINDING_NOTE,   // could not be examined, or the author should know it
    FINDING_RIGHT,  // examined, and right
    FINDING_KINDS
} FindingKind;

typedef struct CheckFinding {
    FindingKind kind;
    size_t      line;  // of the file, from 1; 0: of no line
    const char *text;
} CheckFinding;

// Zero-initialise it; release with findings_free().
typedef struct Findings {
    CheckFinding *list;  // [count] owned by the arena
    size_t        count, capacity;
    bool          failed;  // memory ran out: findings_check() reports it
    Arena         arena;
} Findings;

// Adds a finding, once.
void findings_add(Findings *findings, FindingKind kind, size_t line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

size_t findings_count(const Findings *findings, FindingKind kind);

// Whether something wrong was found in a line.
bool findings_has(const Findings *findings, size_t line);

// False, with err filled (ERROR_INTERNAL), when an addition ran out of memory.
bool findings_check(const Findings *findings, Error *err);
void findings_free(Findings *findings);

enum { CHECK_DEVICES = 3, CHECK_SETS = 6, CHECK_PARAMETERS = 64 };

typedef struct Check {
    const char                  *path;   // as messages show it
    const char                  *word;   // as a sweep names it: with a slash
    Words                        asked;  // devices; none: all that there are
    const volatile sig_atomic_t *signals;
    Notice                      *notice;  // of kernels being compiled; or NULL

    Catalog  catalog;
    Card     card;
    Findings findings;
    Device  *devices[CHECK_DEVICES];
    size_t   device_count;
    Device  *native;         // one of them; NULL: there is no C compiler
    double   step;           // of a problem: a share of its fastest time
    size_t   built, builds;  // kernels of a precision: that have been built, and all
    bool     broken;         // it does not compile, or must not be run
    Arena    arena;          // of the card
} Check;

// Examines a file from its card on.
//   check  its first part filled, else zeroed; release with check_free()
// Errors: ERROR_IO (no such file), ERROR_DEVICE, ERROR_STOPPED, ERROR_INTERNAL. A fault of the file is not an error.
bool check_file(Check *check, Error *err);
void check_free(Check *check);

// Functions that the card promises and the file lacks, and the other way round; options of a metric that it never asks.
void check_promises(Check *check);

// A problem as C, run under sanitizers in a process of its own.
bool check_memory(Check *check, Error *err);

// A problem's functions beside each other, in long double: they must follow from one another.
bool check_laws(Check *check, Error *err);

// Kernels of the file: they compile in both precisions, on all devices and for several lanes, and give the same bits.
bool check_kernels(Check *check, Error *err);

// Steps put into the methods' equations, or the order of a method that is the file's; double precision.
bool check_certificates(Check *check, Error *err);

// The largest stable step of an explicit method, where its card has it as a number; of an adaptive one, whether its
// error falls with its tolerance.
bool check_stability(Check *check, Error *err);

// Whether a compiler found an error in the file.
bool check_blames(const Check *check, const char *messages);

// Whether a brace of the file is not closed, or closes nothing: a finding.
bool check_braces(Check *check);

// Turns a compiler's messages into findings in the file's lines.
//   where  "at 16 lanes in double precision"
void check_messages(Check *check, const char *where, const char *messages);

// A number of a sequence in [0, 1) that depends on the seed alone.
double check_draw(uint64_t *seed);

// The value of a problem's parameter in a set: the default, or the middle of its range, in set 0; in others half to
// twice as much, or between -1 and 1 where it is 0. Choices and whole numbers stay as they are.
double check_value(const CardParameter *parameter, int set, uint64_t *seed);

// The function of a problem's equation: of a first-order system its rate.
const char *check_motion(const Card *card);

// The degrees of freedom that a problem has by default.
size_t check_dofs(const Card *card);

// Adds the sweep that the examinations of a kind run: of a problem two methods, of a method or a metric a problem that
// provides what it needs. False where there is no such problem.
//   which   of a method: 0 swings freely, 1 is driven; else 0
bool check_sweep(const Check *check, int which, Precision precision, Text *text);
