// stop -- waits for signals, counts them, and ends a process that does not end by itself.
#include "base/stop.h"

#include "base/clock.h"
#include "base/thread.h"

#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

// The grace ends in time for finished work to reach the disk before `after_first` has passed. Seconds.
static const double          grace_seconds = 1.5;
static const struct timespec after_first = {.tv_sec = 2}, after_second = {.tv_nsec = 250000000};

static const int signal_numbers[] = {SIGINT, SIGTERM, SIGHUP};
enum { SIGNALS = sizeof signal_numbers / sizeof *signal_numbers };

// Signals belong to the process, and so does their state.
static volatile sig_atomic_t count;
static atomic_bool           caught, released;
static sigset_t              awaited;
static void (*clean_up)(void);
static const char *advice = "";

static void end_process(void)
{
    // On a terminal the line of progress ends first.
    dprintf(STDERR_FILENO, "%spendula: stopped by a signal, and what was under way is abandoned%s\n",
            isatty(STDERR_FILENO) ? "\n" : "", advice);
    if (clean_up)
        clean_up();
    _exit(ERROR_STOPPED);
}

static void *wait_for_signals(void *unused)
{
    int number;
    (void)unused;
    if (sigwait(&awaited, &number) == 0) {
        count = 1;
        if (sigtimedwait(&awaited, NULL, &after_first) > 0) {
            count = 2;
            sigtimedwait(&awaited, NULL, &after_second);
        }
        if (!atomic_load(&released))
            end_process();
    }
    return NULL;
}

static void read_signals(sigset_t *all)
{
    struct sigaction action;
    sigemptyset(all);
    sigemptyset(&awaited);
    for (int i = 0; i < SIGNALS; ++i) {
        sigaddset(all, signal_numbers[i]);
        if (sigaction(signal_numbers[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(&awaited, signal_numbers[i]);
    }
}

bool stop_catch(void (*clean)(void), Error *err)
{
    sigset_t  all;
    pthread_t thread;
    clean_up = clean;
    read_signals(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    atomic_store(&caught, true);
    return thread_start(&thread, wait_for_signals, NULL, "waiting for signals", err) && pthread_detach(thread) == 0;
}

void stop_advise(const char *text)
{
    advice = text;
}

bool stop_came(void)
{
    static const struct timespec soon = {.tv_nsec = 5000000};
    sigset_t                     pending;
    for (int turn = 0; turn < 10 && atomic_load(&caught) && !atomic_load(&released) && count == 0; ++turn) {
        for (int i = 0; sigpending(&pending) == 0 && i < SIGNALS; ++i)
            if (sigismember(&awaited, signal_numbers[i]) == 1 && sigismember(&pending, signal_numbers[i]) == 1)
                return true;
        nanosleep(&soon, NULL);
    }
    return count > 0;
}

void stop_release(void)
{
    atomic_store(&released, true);
    // One that came late must not keep the process from saying how it was stopped.
    if (count == 0)
        pthread_sigmask(SIG_UNBLOCK, &awaited, NULL);
}

const volatile sig_atomic_t *stop_count(void)
{
    return &count;
}

bool stop_due(const volatile sig_atomic_t *signals, double *deadline)
{
    const int seen = signals ? (int)*signals : 0;
    if (seen == 0)
        return false;
    if (*deadline == 0)
        *deadline = clock_seconds() + grace_seconds;
    return seen > 1 || clock_seconds() > *deadline;
}
