// course -- calls that may take long, most in a thread of their own, beside which the caller's thread reports.
//
// A run that compiles nothing is short or reports after each launch: it stays in the caller's thread, which saves the
// time of making one. A compiler cannot be interrupted, and a driver may call one at any launch. A course that is to
// end and is held up there is abandoned: its caller gets what is done, and its thread releases the rest after the
// compiler.
#include "library/library.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

// Seconds between two looks at a course; and from its cancellation until it is abandoned, a little longer than a
// running batch is given to end (base/stop.h).
static const double glance_seconds = 0.05, patience_seconds = 1.8;

void library_keep_line(const char *line, void *user)
{
    Course *course = user;
    pthread_mutex_lock(&course->thread.mutex);
    text_add(&course->said, "%s\n", line);
    pthread_mutex_unlock(&course->thread.mutex);
}

void library_free_course(Course *course)
{
    if (course->release)
        course->release(course);
    library_cool(&course->warm);
    pendula_result_free(course->result);
    library_drop_planned(course->planned);
    text_free(&course->said);
    arena_free(&course->arena);
    free(course);
}

static void *work(void *given)
{
    Course    *course = given;
    Error      err = {0};
    const bool fine = course->work(course, &err);
    pthread_mutex_lock(&course->thread.mutex);
    course->fine = fine;
    course->err = err;
    course->ended = true;
    const bool abandoned = course->abandoned;
    pthread_cond_broadcast(&course->thread.changed);
    pthread_mutex_unlock(&course->thread.mutex);
    if (abandoned) {
        thread_release(&course->thread);
        library_free_course(course);
    }
    return NULL;
}

static void say_lines(const PendulaRunOptions *options, char *lines)
{
    char *rest = NULL;
    for (char *line = strtok_r(lines, "\n", &rest); line && options->say; line = strtok_r(NULL, "\n", &rest))
        options->say(line, options->user);
}

// Tells the caller how far the course is, and finds whether it is to end. Called with the mutex held, and without it
// around the caller's functions.
static void report(Course *course)
{
    const PendulaRunOptions *options = &course->options;
    const PendulaProgress    progress = course->progress;
    Text                     said = course->said;
    course->said = (Text){0};
    pthread_mutex_unlock(&course->thread.mutex);
    if (said.length > 0)
        say_lines(options, said.text);
    text_free(&said);
    if ((options->progress && !options->progress(&progress, options->user)) ||
        (course->cancelled && *course->cancelled) ||
        (options->seconds > 0 && clock_seconds() - course->begin > options->seconds))
        course->stop = 1;
    pthread_mutex_lock(&course->thread.mutex);
}

void library_report(Course *course)
{
    if (!course->here || clock_seconds() < course->reported + glance_seconds)
        return;
    pthread_mutex_lock(&course->thread.mutex);
    report(course);
    pthread_mutex_unlock(&course->thread.mutex);
    course->reported = clock_seconds();
}

// Waits for the end of the course, which is reported, or until it is to be abandoned. Called with the mutex held.
static void watch(Course *course)
{
    double deadline = 0;
    bool   ended;
    do {
        if (!course->ended)
            thread_wait_until(&course->thread, clock_seconds() + glance_seconds);
        ended = course->ended;
        report(course);
        if (course->stop && deadline == 0)
            deadline = clock_seconds() + patience_seconds;
    } while (!ended && (deadline == 0 || clock_seconds() < deadline));
}

static void work_here(Course *course)
{
    course->thread.mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    course->fine = course->work(course, &course->err);
    pthread_mutex_lock(&course->thread.mutex);
    report(course);
    pthread_mutex_unlock(&course->thread.mutex);
    pthread_mutex_destroy(&course->thread.mutex);
}

bool library_follow(Course *course, const volatile sig_atomic_t *cancelled)
{
    course->cancelled = cancelled;
    course->begin = course->reported = clock_seconds();
    course->progress.size = sizeof course->progress;
    if (course->here) {
        work_here(course);
        return true;
    }
    if (!thread_begin(&course->thread, work, course, "a run", &course->err))
        return true;
    pthread_mutex_lock(&course->thread.mutex);
    watch(course);
    if (!course->ended)
        return false;
    pthread_mutex_unlock(&course->thread.mutex);
    thread_end(&course->thread);
    return true;
}

void library_leave(Course *course)
{
    course->abandoned = true;
    library_abandon(course->thread.id);
    pthread_mutex_unlock(&course->thread.mutex);
}
