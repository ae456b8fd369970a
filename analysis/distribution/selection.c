// selection -- keys of doubles, counted by some of their bits at a time.
#include "analysis/distribution/selection.h"

#include <string.h>

static const uint64_t sign = UINT64_C(1) << 63;

// Negative numbers descend with their bits.
static uint64_t key_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits & sign ? ~bits : bits | sign;
}

static double number_of(uint64_t key)
{
    const uint64_t bits = key & sign ? key & ~sign : ~key;
    double         number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

// Gives each prefix a table of its own, all of them empty.
static void make_tables(Selection *selection)
{
    selection->table_count = 0;
    for (size_t i = 0; i < selection->rank_count; ++i) {
        SelectionRank *rank = &selection->ranks[i];
        if (i == 0 || rank->prefix != selection->prefixes[selection->table_count - 1])
            selection->prefixes[selection->table_count++] = rank->prefix;
        rank->table = selection->table_count - 1;
    }
    memset(selection->counts, 0, (selection->table_count << selection->bits) * sizeof *selection->counts);
}

bool selection_begin(Selection *selection, unsigned bits, const uint64_t *ranks, size_t rank_count, Arena *arena,
                     Error *err)
{
    *selection = (Selection){.bits = bits,
                             .rank_count = rank_count,
                             .ranks = arena_take(arena, rank_count, sizeof *selection->ranks, err),
                             .prefixes = arena_take(arena, rank_count, sizeof *selection->prefixes, err),
                             .counts = arena_take(arena, rank_count << bits, sizeof *selection->counts, err)};
    if (!selection->ranks || !selection->prefixes || !selection->counts)
        return false;
    for (size_t i = 0; i < rank_count; ++i)
        selection->ranks[i].rank = ranks[i];
    make_tables(selection);
    return true;
}

void selection_add(Selection *selection, double number)
{
    const uint64_t key = key_of(number), prefix = selection->known ? key >> (SELECTION_KEY - selection->known) : 0;
    const uint64_t digit =
        key >> (SELECTION_KEY - selection->known - selection->bits) & ((UINT64_C(1) << selection->bits) - 1);
    size_t low = 0, high = selection->table_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (selection->prefixes[middle] < prefix)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < selection->table_count && selection->prefixes[low] == prefix)
        ++selection->counts[(low << selection->bits) + digit];
}

bool selection_narrow(Selection *selection)
{
    for (size_t i = 0; i < selection->rank_count; ++i) {
        SelectionRank  *rank = &selection->ranks[i];
        const uint64_t *counts = selection->counts + (rank->table << selection->bits);
        uint64_t        digit = 0;
        while (rank->rank >= counts[digit])
            rank->rank -= counts[digit++];
        rank->prefix = rank->prefix << selection->bits | digit;
    }
    selection->known += selection->bits;
    if (selection->known == SELECTION_KEY)
        return true;
    make_tables(selection);
    return false;
}

double selection_number(const Selection *selection, size_t rank)
{
    return number_of(selection->ranks[rank].prefix);
}
