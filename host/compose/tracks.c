// tracks -- collects the tracks of a group's metrics and writes their lists.
#include "compose/tracks.h"

#include "catalog/card.h"

static const struct Needed {
    const char *need, *word;
    Observed    of;
} needed[] = {
    {"energy", "ENERGY", OBSERVED_ENERGY}, {"kinetic", "KINETIC", OBSERVED_KINETIC}, {"fast", "FAST", OBSERVED_FAST}};
enum { NEEDED = sizeof needed / sizeof *needed };

static void add_formula(Text *out, const ObservedQuantity *quantity, Observed of, size_t dof)
{
    static const char *const functions[] = {[OBSERVED_SLOW] = "slow((o)->s->x, (o)->p)",
                                            [OBSERVED_FAST] = "fast((o)->s->x, (o)->p)",
                                            [OBSERVED_ENERGY] = "energy((o)->s->x, (o)->s->v, (o)->p)",
                                            [OBSERVED_KINETIC] = "kinetic((o)->s->x, (o)->s->v, (o)->p)"};
    if (of == OBSERVED_X || of == OBSERVED_V)
        text_add(out, "((o)->s->%c[%zu])", of == OBSERVED_X ? 'x' : 'v', dof);
    else if (of == OBSERVED_FORMULA)
        text_add(out, "observed_%s((o)->t, (o)->s->x, (o)->s->v, (o)->p)", quantity->name);
    else
        text_add(out, "%s", functions[of]);
}

// The tangents of a quantity at a state, by a macro of that name.
static void add_tangents(Text *out, const char *name, const ObservedQuantity *quantity, Observed of, size_t dof)
{
    static const char *const names[] = {[OBSERVED_SLOW] = "slow",
                                        [OBSERVED_FAST] = "fast",
                                        [OBSERVED_ENERGY] = "energy",
                                        [OBSERVED_KINETIC] = "kinetic"};
    text_add(out, "#define %s_TANGENTS(o, d) ", name);
    if (of == OBSERVED_X || of == OBSERVED_V)
        text_add(out, "element_tangents((o)->s->%c, %zu, d)\n", of == OBSERVED_X ? 'x' : 'v', dof);
    else if (of == OBSERVED_FORMULA)
        text_add(out, "observed_%s_tangents((o)->t, (o)->s->x, (o)->s->v, (o)->p, d)\n", quantity->name);
    else
        text_add(out, "%s_tangents((o)->s->x, (o)->s->v, (o)->p, d)\n", names[of]);
}

static size_t find_track(const Tracks *tracks, Observed of, size_t dof)
{
    size_t i = 0;
    while (i < tracks->count && !(tracks->list[i].of == of && tracks->list[i].of_dof == dof))
        ++i;
    return i;
}

static void add_track(Tracks *tracks, Observed of, size_t dof, const ObservedQuantity *quantity, const Card *card,
                      bool bent)
{
    const size_t i = find_track(tracks, of, dof), past = (size_t)card->past;
    if (i == tracks->count)
        tracks->list[tracks->count++] = (ObservedTrack){.of = of, .of_dof = dof, .quantity = quantity};
    ObservedTrack *track = &tracks->list[i];
    track->past = past > track->past ? past : track->past;
    track->bent = track->bent || bent;
    tracks->past = past > tracks->past ? past : tracks->past;
}

Tracks tracks_of(const Group *group)
{
    Tracks tracks = {.past = 1};
    for (size_t i = 0; i < group->instance_count; ++i) {
        const MetricInstance *instance = &group->instances[i];
        const Card           *card = instance->card;
        const bool            of_state = instance->of == OBSERVED_X || instance->of == OBSERVED_V;
        if (card_state_rows(card, 1) == 0 || group_shows_arcs(group, instance))
            continue;
        // A coordinate of which no past is asked for is as near in the state.
        if (card_takes(card, "of") && (!of_state || card->past > 0))
            add_track(&tracks, instance->of, instance->of_dof, instance->quantity, card, card->after_turn > 0);
        for (size_t k = 0; k < NEEDED; ++k)
            if (card_needs(card, needed[k].need))
                add_track(&tracks, needed[k].of, 0, NULL, card, false);
    }
    return tracks;
}

size_t tracks_find(const Tracks *tracks, const MetricInstance *instance)
{
    return card_takes(instance->card, "of") ? find_track(tracks, instance->of, instance->of_dof) : tracks->count;
}

size_t tracks_rows(const Tracks *tracks)
{
    size_t rows = 0;
    for (size_t i = 0; i < tracks->count; ++i)
        rows += tracks->list[i].past;
    return rows;
}

void tracks_add(Text *out, const Tracks *tracks)
{
    text_add(out, "#define TRACKS %zu\n#define PAST %zu\n#define TRACK_ROWS %zu\n#define EACH_TRACK(TRACK)",
             tracks->count, tracks->past, tracks_rows(tracks));
    for (size_t i = 0; i < tracks->count; ++i) {
        text_add(out, " TRACK(%zu, ", i);
        add_formula(out, tracks->list[i].quantity, tracks->list[i].of, tracks->list[i].of_dof);
        text_add(out, ", %zu, %d)", tracks->list[i].past, tracks->list[i].bent);
    }
    text_add(out, "\n");
    for (size_t k = 0; k < NEEDED; ++k) {
        const size_t i = find_track(tracks, needed[k].of, 0);
        if (i < tracks->count)
            text_add(out, "#define %s(o) TRACK_BEFORE(o, %zu, 0)\n#define %s_BEFORE(o, n) TRACK_BEFORE(o, %zu, n)\n",
                     needed[k].word, i, needed[k].word, i);
    }
}

void tracks_add_observed(Text *out, const Tracks *tracks, const Group *group, const MetricInstance *instance)
{
    // A metric that is shown arcs finds its quantity at their ends by itself.
    const size_t i = group_shows_arcs(group, instance) ? tracks->count : tracks_find(tracks, instance);
    text_add(out, "#define OF_STATE(o) ");
    add_formula(out, instance->quantity, instance->of, instance->of_dof);
    if (i < tracks->count)
        text_add(out, "\n#define OF(o) TRACK_BEFORE(o, %zu, 0)\n#define OF_BEFORE(o, n) TRACK_BEFORE(o, %zu, n)\n", i,
                 i);
    else
        text_add(out, "\n#define OF(o) OF_STATE(o)\n");
    if (group_has_tangents(group, instance))
        add_tangents(out, "OF", instance->quantity, instance->of, instance->of_dof);
}
