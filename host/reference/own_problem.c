// own_problem -- text of a problem as C, and the functions of the compiled library.
#include "reference/own_problem.h"

#include "base/scoped.h"
#include "catalog/catalog.h"
#include "catalog/problem_c.h"
#include "device/library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Where a function of problem_c_functions[] is kept.
#define PLACE(feature, name, result, signature, call) offsetof(ReferenceProblem, name),
static const size_t places[PROBLEM_C_MOST] = {PROBLEM_FUNCTIONS(PLACE)};

// Problems that were loaded, the last one first.
typedef struct Loaded {
    ReferenceProblem problem;
    char            *text;  // that was compiled
    struct Loaded   *next;
} Loaded;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static Loaded         *all;

static void write_text(const Card *card, size_t dofs, Text *text)
{
    text_add(text, "typedef double real;\n%s", problem_c_words);
    problem_c_params(card, dofs, text);
    text_add(text, "const unsigned long own_bytes = sizeof(Params);\n#line 1 \"%s\"\n%s\n", card->path, card->text);
    if (card->first_order)
        text_add(text, "%s", catalog_file("first_order.h"));
    problem_c_calls(card, "", "own", text);
}

// A function pointer of a library; dlsym() returns a pointer that C does not convert to one.
static void find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
}

static void fill(ReferenceProblem *problem, const Card *card, size_t dofs, void *library)
{
    *problem = (ReferenceProblem){.name = card->name, .dofs = dofs, .first_order = card->first_order};
    problem->params_bytes = *(const unsigned long *)dlsym(library, "own_bytes");
    find(library, "own_load", &problem->load);
    find(library, "own_curves", &problem->curves);
    for (size_t i = 0; i < PROBLEM_C_MOST; ++i) {
        char name[64];
        if (!problem_c_promises(card, &problem_c_functions[i]))
            continue;
        snprintf(name, sizeof name, "own_%s", problem_c_functions[i].name);
        find(library, name, (char *)problem + places[i]);
    }
}

// A function that the card promises and the file lacks is found when the library is loaded.
//   text  of the C file; taken over
static Loaded *load(const Card *card, size_t dofs, Text *text, Error *err)
{
    void   *library = NULL;
    Loaded *loaded = calloc(1, sizeof *loaded);
    bool    ok = loaded || fail(err, ERROR_INTERNAL, "out of memory for problem '%s'", card->path);
    ok = ok && (library_load(text, "", &library, err) || within(err, "problem '%s' for the reference", card->path));
    if (!ok) {
        free(loaded);
        return NULL;
    }
    fill(&loaded->problem, card, dofs, library);
    loaded->text = text->text;
    *text = (Text){0};
    return loaded;
}

const ReferenceProblem *own_problem(const Card *card, size_t dofs, Error *err)
{
    Text    text SCOPED(text_free) = {0};
    Loaded *found = NULL;
    write_text(card, dofs, &text);
    if (!text_check(&text, err))
        return NULL;
    pthread_mutex_lock(&mutex);
    for (found = all; found && strcmp(found->text, text.text) != 0;)
        found = found->next;
    if (!found && (found = load(card, dofs, &text, err))) {
        found->next = all;
        all = found;
    }
    pthread_mutex_unlock(&mutex);
    return found ? &found->problem : NULL;
}
