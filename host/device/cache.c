// cache -- reads, writes and trims the directory of compiled programs.
#include "device/cache.h"

#include "base/directory.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { NAME_SIZE = 64, TEMPORARY_SECONDS = 3600 };

static const uint64_t default_limit = UINT64_C(256) << 20;
static const char     entry_ending[] = ".program", temporary_ending[] = ".tmp";
static const char     magic[16] = "pendula cache 1";  // with the version of this layout

typedef struct Hash {
    uint64_t half[2];
} Hash;

typedef struct Header {
    char     magic[sizeof magic];
    uint64_t key_bytes, binary_bytes;
    Hash     sum;  // of key and binary
} Header;

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 32)) * UINT64_C(0xd6e8feb86659fd93);
    x = (x ^ (x >> 32)) * UINT64_C(0xd6e8feb86659fd93);
    return x ^ (x >> 32);
}

static const Hash hash_start = {{UINT64_C(0x243f6a8885a308d3), UINT64_C(0x13198a2e03707344)}};

// Takes in a run of bytes and its length. Both halves see every byte, each in its own way.
static Hash hash_add(Hash hash, const void *bytes, size_t count)
{
    const char *next = bytes;
    for (size_t left = count; left > 0;) {
        const size_t taken = left < sizeof(uint64_t) ? left : sizeof(uint64_t);
        uint64_t     word = 0;
        memcpy(&word, next, taken);
        hash.half[0] = mix(hash.half[0] ^ word);
        hash.half[1] = mix(hash.half[1] + word * UINT64_C(0x9e3779b97f4a7c15));
        next += taken;
        left -= taken;
    }
    hash.half[0] = mix(hash.half[0] ^ count);
    hash.half[1] = mix(hash.half[1] + count);
    return hash;
}

static void entry_name(const Text *key, char name[NAME_SIZE])
{
    const Hash hash = hash_add(hash_start, key->text, key->length);
    snprintf(name, NAME_SIZE, "%016llx%016llx%s", (unsigned long long)hash.half[0], (unsigned long long)hash.half[1],
             entry_ending);
}

void cache_find(const char *otherwise, Text *path)
{
    const char *own = getenv("PENDULA_CACHE_DIR"), *shared = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const bool  off = own && (!*own || strcmp(own, "none") == 0);
    if (own && !off)
        text_add(path, "%s", own);
    else if (otherwise && *otherwise)
        text_add(path, "%s", otherwise);
    else if (off)
        return;
    else if (shared && *shared == '/')
        text_add(path, "%s/pendula", shared);
    else if (home && *home)
        text_add(path, "%s/.cache/pendula", home);
}

void cache_open(Cache *cache, const char *otherwise, char notice[CACHE_NOTICE_SIZE])
{
    Text path = {0};
    bool refused = false;
    *cache = (Cache){.directory = -1, .limit = default_limit};
    *notice = '\0';
    cache_find(otherwise, &path);
    if (path.length > 0 && !path.failed)
        cache->directory = directory_open(path.text, &refused);
    if (refused)
        snprintf(notice, CACHE_NOTICE_SIZE,
                 "compiled kernels are not kept: '%.300s' must be a folder of yours to which, and to those above it, "
                 "nobody else can write; correct it, or set PENDULA_CACHE_DIR to another, or to none",
                 path.text);
    text_free(&path);
}

void cache_close(Cache *cache)
{
    if (cache->directory >= 0)
        close(cache->directory);
    cache->directory = -1;
}

// The header of an entry that is whole and of this key.
static bool check_entry(const Text *entry, const Text *key, Header *header)
{
    if (entry->length < sizeof *header + key->length)
        return false;
    memcpy(header, entry->text, sizeof *header);
    const char *body = entry->text + sizeof *header;
    const Hash  sum = hash_add(hash_start, body, entry->length - sizeof *header);
    return memcmp(header->magic, magic, sizeof magic) == 0 && header->key_bytes == key->length &&
           header->binary_bytes == entry->length - sizeof *header - key->length &&
           memcmp(&header->sum, &sum, sizeof sum) == 0 && memcmp(body, key->text, key->length) == 0;
}

bool cache_read(const Cache *cache, const Text *key, Text *binary)
{
    char        name[NAME_SIZE];
    Text        entry = {0};
    Header      header;
    Error       unsaid;
    struct stat about;
    if (cache->directory < 0)
        return false;
    entry_name(key, name);
    // Not blocking, so that nothing but a file can hold us up.
    const int file = openat(cache->directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0)
        return false;
    const bool found = fstat(file, &about) == 0 && S_ISREG(about.st_mode) && directory_ours_only(&about) &&
                       file_read_open(file, name, cache->limit, &entry, &unsaid) && check_entry(&entry, key, &header);
    if (found) {
        text_add_bytes(binary, entry.text + sizeof header + key->length, (size_t)header.binary_bytes);
        futimens(file, NULL);
    }
    text_free(&entry);
    close(file);
    return found && !binary->failed;
}

static bool has_ending(const char *name, const char *ending)
{
    const size_t length = strlen(name), wanted = strlen(ending);
    return length > wanted && strcmp(name + length - wanted, ending) == 0;
}

typedef struct CacheEntry {
    char            name[NAME_SIZE];
    uint64_t        bytes;
    struct timespec used;
} CacheEntry;

static int by_use(const void *left, const void *right)
{
    const struct timespec *a = &((const CacheEntry *)left)->used, *b = &((const CacheEntry *)right)->used;
    return a->tv_sec != b->tv_sec ? (a->tv_sec > b->tv_sec) - (a->tv_sec < b->tv_sec)
                                  : (a->tv_nsec > b->tv_nsec) - (a->tv_nsec < b->tv_nsec);
}

// Lists the entries, and removes files that a writer left unfinished.
//   entries  added to: CacheEntry after CacheEntry
static bool list_entries(const Cache *cache, Text *entries)
{
    DIR                 *folder = directory_list(cache->directory, ".");
    const time_t         now = time(NULL);
    const struct dirent *found;
    struct stat          about;
    while (folder && (found = readdir(folder))) {
        if (strlen(found->d_name) >= NAME_SIZE ||
            fstatat(cache->directory, found->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(about.st_mode))
            continue;
        if (has_ending(found->d_name, entry_ending)) {
            CacheEntry entry = {.bytes = (uint64_t)about.st_size, .used = about.st_mtim};
            snprintf(entry.name, sizeof entry.name, "%s", found->d_name);
            text_add_bytes(entries, (const char *)&entry, sizeof entry);
        } else if (has_ending(found->d_name, temporary_ending) && now - about.st_mtim.tv_sec > TEMPORARY_SECONDS) {
            unlinkat(cache->directory, found->d_name, 0);
        }
    }
    if (folder)
        closedir(folder);
    return folder != NULL && !entries->failed;
}

static void trim(const Cache *cache)
{
    Text entries = {0};
    if (list_entries(cache, &entries)) {
        CacheEntry  *list = (CacheEntry *)(void *)entries.text;
        const size_t count = entries.length / sizeof *list;
        uint64_t     bytes = 0;
        for (size_t i = 0; i < count; ++i)
            bytes += list[i].bytes;
        if (bytes > cache->limit)
            qsort(list, count, sizeof *list, by_use);
        for (size_t i = 0; i < count && bytes > cache->limit; ++i) {
            unlinkat(cache->directory, list[i].name, 0);
            bytes -= list[i].bytes;
        }
    }
    text_free(&entries);
}

void cache_write(const Cache *cache, const Text *key, const void *binary, size_t bytes)
{
    Header header = {.key_bytes = key->length, .binary_bytes = bytes};
    char   name[NAME_SIZE], temporary[NAME_SIZE + 32];
    if (cache->directory < 0 || sizeof header + key->length + bytes > cache->limit)
        return;
    Text body = {0};
    text_add_bytes(&body, key->text, key->length);
    text_add_bytes(&body, binary, bytes);
    entry_name(key, name);
    snprintf(temporary, sizeof temporary, "%.32s.%ld%s", name, (long)getpid(), temporary_ending);
    const int file =
        body.failed ? -1
                    : openat(cache->directory, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file >= 0) {
        memcpy(header.magic, magic, sizeof magic);
        header.sum = hash_add(hash_start, body.text, body.length);
        bool written = file_write_open(file, &header, sizeof header) && file_write_open(file, body.text, body.length);
        written = close(file) == 0 && written;
        if (written && renameat(cache->directory, temporary, cache->directory, name) == 0)
            trim(cache);
        else
            unlinkat(cache->directory, temporary, 0);
    }
    text_free(&body);
}
