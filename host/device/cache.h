// cache -- compiled programs on disk, so that the next run need not compile them again.
//
// An entry is one file: a header, the key, the binary. The key spells out everything that decides the binary; the
// file's name is its hash. A reader compares the whole key and a checksum of all the file holds, so neither a damaged
// file nor two keys of one hash give a wrong kernel: such an entry is as good as none, and the next write replaces it.
// Writers make a file of their own and rename it, so that readers see the old entry or the new one, whole.
//
// A binary is code that will run with our rights. It is read only from a directory that nobody else can change (see
// base/directory.h). The cache never fails a run: an entry that cannot be read is compiled again, one that cannot be
// written is not kept.
#pragma once

#include "base/text.h"

#include <stdint.h>

enum { CACHE_NOTICE_SIZE = 512 };

typedef struct Cache {
    int      directory;  // open descriptor, or -1: there is no cache
    uint64_t limit;      // bytes that all entries may take together; the least recently used go first
} Cache;

// The path of the cache's directory: $PENDULA_CACHE_DIR, else `otherwise`, else $XDG_CACHE_HOME/pendula, else
// $HOME/.cache/pendula; nothing where there is none of them, or no `otherwise` and PENDULA_CACHE_DIR is empty or
// "none".
//   otherwise  may be NULL
//   path       added to
void cache_find(const char *otherwise, Text *path);

// Opens the directory of cache_find(), and makes it where it is missing. There is no cache where it cannot be had.
//   notice  written: one line saying why a directory that is there is not used, or ""
void cache_open(Cache *cache, const char *otherwise, char notice[CACHE_NOTICE_SIZE]);
void cache_close(Cache *cache);

// The binary of a key, added to `binary`, and noted as used now. False: there is none, or it is damaged.
bool cache_read(const Cache *cache, const Text *key, Text *binary);

// Keeps a key's binary, and removes the entries that then exceed the limit.
void cache_write(const Cache *cache, const Text *key, const void *binary, size_t bytes);
