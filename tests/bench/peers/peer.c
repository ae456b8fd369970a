// peer -- the main program of every C and C++ peer.
//
// Usage: PEER MODE POINTS STEPS H SETTING WORKERS START FINAL. START holds the systems as Job has them, of doubles. The
// peer answers "ready", then each line of input with the seconds that a run took; where the input ends it writes FINAL.
#include "peer.h"
#include "physics.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_WORKERS = 256 };

typedef struct Worker {
    int     orders, replies;  // pipes, the parent's ends
    size_t  points;
    double *start, *final;
} Worker;

typedef struct Crew {
    Worker workers[MOST_WORKERS];
    size_t count, points;
} Crew;

void peer_must(int fine, const char *what)
{
    if (fine)
        return;
    fprintf(stderr, "peer: %s failed\n", what);
    _exit(1);
}

static void *shared(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    peer_must(memory != MAP_FAILED, "memory");
    return memory;
}

// Deals the systems out like cards, so that slow ones, which are neighbours, do not all fall to one worker.
static void deal(Crew *crew, const char *path)
{
    FILE *file = fopen(path, "rb");
    peer_must(file != NULL, "opening the start");
    for (size_t w = 0; w < crew->count; ++w) {
        Worker *worker = &crew->workers[w];
        worker->points = crew->points / crew->count + (w < crew->points % crew->count);
        worker->start = shared((worker->points + 1) * ROW * sizeof(double));
        worker->final = shared((worker->points + 1) * STATE * sizeof(double));
    }
    for (size_t i = 0; i < crew->points; ++i) {
        double *row = crew->workers[i % crew->count].start + i / crew->count * ROW;
        peer_must(fread(row, sizeof(double), ROW, file) == ROW, "reading the start");
    }
    fclose(file);
}

static void collect(const Crew *crew, const char *path)
{
    FILE *file = fopen(path, "wb");
    peer_must(file != NULL, "opening the result");
    for (size_t i = 0; i < crew->points; ++i) {
        const double *row = crew->workers[i % crew->count].final + i / crew->count * STATE;
        peer_must(fwrite(row, sizeof(double), STATE, file) == STATE, "writing the result");
    }
    peer_must(fclose(file) == 0, "writing the result");
}

static void work(Job job, int orders, int replies)
{
    char  order = 0;
    void *peer = peer_make(&job);
    do {
        if (order != 0)
            peer_run(peer, &job);
        peer_must(write(replies, "d", 1) == 1, "replying");
    } while (read(orders, &order, 1) == 1);
    peer_end(peer);
    _exit(0);
}

static void wait_for(const Worker *worker)
{
    char reply;
    peer_must(read(worker->replies, &reply, 1) == 1, "a worker");
}

// Workers are set up, and end, one after the other: MPI does not like to be started twice at once.
static void hire(Crew *crew, Job job)
{
    for (size_t w = 0; w < crew->count; ++w) {
        Worker *worker = &crew->workers[w];
        int     orders[2], replies[2];
        peer_must(pipe(orders) == 0 && pipe(replies) == 0, "a pipe");
        const pid_t child = fork();
        peer_must(child >= 0, "a process");
        if (child == 0) {
            for (size_t before = 0; before < w; ++before)
                close(crew->workers[before].orders);
            close(orders[1]);
            close(replies[0]);
            job.points = worker->points;
            job.start = worker->start;
            job.final = worker->final;
            work(job, orders[0], replies[1]);
        }
        close(orders[0]);
        close(replies[1]);
        worker->orders = orders[1];
        worker->replies = replies[0];
        wait_for(worker);
    }
}

static double run_all(const Crew *crew)
{
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (size_t w = 0; w < crew->count; ++w)
        peer_must(write(crew->workers[w].orders, "r", 1) == 1, "an order");
    for (size_t w = 0; w < crew->count; ++w)
        wait_for(&crew->workers[w]);
    clock_gettime(CLOCK_MONOTONIC, &end);
    return (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
}

int main(int argc, char **argv)
{
    static Crew crew;
    char        line[16];
    peer_must(argc == 9, "reading MODE POINTS STEPS H SETTING WORKERS START FINAL");
    crew.points = strtoul(argv[2], NULL, 10);
    crew.count = strtoul(argv[6], NULL, 10);
    peer_must(crew.points > 0 && crew.count > 0 && crew.count <= MOST_WORKERS, "counting points and workers");
    if (crew.count > crew.points)
        crew.count = crew.points;
    deal(&crew, argv[7]);
    hire(&crew, (Job){.mode = argv[1],
                      .h = strtod(argv[4], NULL),
                      .setting = strtod(argv[5], NULL),
                      .steps = strtoul(argv[3], NULL, 10)});
    puts("ready");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        printf("%.9g\n", run_all(&crew));
        fflush(stdout);
    }
    collect(&crew, argv[8]);
    for (size_t w = 0; w < crew.count; ++w) {
        close(crew.workers[w].orders);
        wait(NULL);
    }
    return 0;
}
