// part -- the part of a sweep that one process computes: a run of whole blocks.
//
// Shard I of N has the blocks B I/N up to B (I + 1)/N of B, rounded down: as many as any other, or one less. With more
// shards than blocks some are empty.
#pragma once

#include "plan/plan.h"

enum { PART_MOST = 65536 };  // shards

// Reads "I/N", I from 0.
//   index, count  written
// False where the text is not of that form, or I is not below N, or N is above PART_MOST.
bool part_read(const char *text, uint64_t *index, uint64_t *count);

// The first block of shard `index` of `count`, of so many blocks; that of shard `count` is the end.
uint64_t part_begin(uint64_t index, uint64_t count, uint64_t blocks);

// Makes a plan that of one shard. Nothing but `part` and its blocks change.
// Errors: ERROR_INTERNAL.
bool part_take(Plan *plan, uint64_t index, uint64_t count, Error *err);

// Makes a plan that of one of several processes which share all blocks among them as they go: its file has the
// structure of all, and room for the blocks that it computes.
void              part_share(Plan *plan);
extern const char part_shared[];  // "shared", which `part` is then

// The blocks that are to be computed; all, but for a shard.
void part_range(const Plan *plan, uint64_t *first, uint64_t *end);

// The points of a group, and the blocks, that are the part's; of a whole plan all.
void part_points(const Plan *plan, const Group *group, uint64_t *first, uint64_t *end);
void part_blocks(const Plan *plan, const Group *group, uint64_t *first, uint64_t *end);
