// monitor -- calls the caller back, a thread at a time.
#include "run/monitor.h"

void monitor_say(const char *line, void *monitor)
{
    Monitor *told = monitor;
    if (!told->request->say)
        return;
    pthread_mutex_lock(&told->mutex);
    told->request->say(line, told->request->user);
    pthread_mutex_unlock(&told->mutex);
}

void monitor_wait(const ProgressCompile *compile, void *monitor)
{
    Monitor *told = monitor;
    pthread_mutex_lock(&told->mutex);
    told->request->wait(compile, told->request->user);
    pthread_mutex_unlock(&told->mutex);
}

void monitor_show(Monitor *monitor)
{
    if (monitor->request->progress)
        monitor->request->progress(&monitor->progress, monitor->request->user);
}
