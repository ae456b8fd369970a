// tracks -- quantities that the metrics of a group look at after every step, each computed once for all of them.
//
// A track is a quantity of the state: a quantity that metrics observe by `of`, or an energy or the fast coordinate that
// their cards need. kernels/observation.h keeps its numbers.
#pragma once

#include "plan/group.h"
#include "plan/observe.h"

typedef struct ObservedTrack {
    Observed                of;
    size_t                  of_dof;
    size_t                  past;      // numbers before the last observation that a metric looks at
    bool                    bent;      // a metric asks where it bends
    const ObservedQuantity *quantity;  // of OBSERVED_FORMULA
} ObservedTrack;

enum { TRACKS_MOST = 2 * CARD_DOFS + OBSERVED_COUNT + OBSERVE_MOST };

typedef struct Tracks {
    ObservedTrack list[TRACKS_MOST];
    size_t        count, past;  // past: the most of any track, at least 1
} Tracks;

Tracks tracks_of(const Group *group);

// The number of the track that holds the instance's observed quantity; tracks->count where it reads the state itself.
size_t tracks_find(const Tracks *tracks, const MetricInstance *instance);

// The number of a point's state rows in which the past of the tracks is kept between slices.
size_t tracks_rows(const Tracks *tracks);

// The prologue's lists of tracks, and the names by which metric files read the tracks that cards need.
void tracks_add(Text *out, const Tracks *tracks);

// OF(o) and OF_BEFORE(o, n) of an instance, and OF_STATE(o), computed from the state. Where it has tangents also
// OF_TANGENTS(o, d), which fills d[TANGENTS] with those of OF_STATE(o).
void tracks_add_observed(Text *out, const Tracks *tracks, const Group *group, const MetricInstance *instance);
