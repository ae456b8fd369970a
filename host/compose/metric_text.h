// metric_text -- a group's metrics in its text: arguments, files, states and results.
#pragma once

#include "compose/included.h"
#include "compose/tracks.h"

// The struct of the metrics' arguments, and the list that loads it: a parameter row each, in the order of the
// instances.
void metric_text_arguments(Text *out, const Group *group);

// The file of an instance, between the names that it is written by. Errors: those of included_add().
bool metric_text_instance(Text *out, const Group *group, const Tracks *tracks, size_t number, Included *included,
                          Error *err);

// The struct of all metrics' states, and the lists that start, observe, keep and save them. The files are there.
void metric_text_lists(Text *out, const Group *group, const Tracks *tracks);

// The number of state rows that hold samples of the first instances.
size_t metric_text_kept(const Group *group, size_t instances);
