// library -- a C text as a shared library: from the cache, or from the compiler.
#include "device/library.h"

#include "base/hash.h"
#include "base/stop.h"
#include "device/cache.h"
#include "device/compiler.h"
#include "device/driver.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void library_processor(char name[64], uint64_t *abilities)
{
    static const char *const deciding[] = {"model name", "flags", "Features", "CPU part", "isa"};
    char                    *line = NULL;
    size_t                   capacity = 0;
    FILE                    *file = fopen("/proc/cpuinfo", "re");
    *abilities = hash_start;
    snprintf(name, 64, "this processor");
    while (file && getline(&line, &capacity, file) > 1)
        for (size_t i = 0; i < sizeof deciding / sizeof *deciding; ++i)
            if (strncmp(line, deciding[i], strlen(deciding[i])) == 0) {
                *abilities = hash_text(*abilities, line);
                const char *colon = i == 0 ? strstr(line, ": ") : NULL;
                if (colon)
                    snprintf(name, 64, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            }
    free(line);
    if (file)
        fclose(file);
}

// Compiles a text, or takes its library from the cache. Its key is all that decides the bytes: compiler, processor,
// options, text.
static bool make_library(const char *compiler, const char *options, const Text *text, Text *bytes, Text *messages)
{
    char     processor[64], notice[CACHE_NOTICE_SIZE];
    uint64_t abilities;
    Cache    cache;
    Text     key = {0};
    library_processor(processor, &abilities);
    compiler_describe(compiler, &key);
    text_add(&key, "\n%s %016" PRIx64 "\n%s\n%s", processor, abilities, options, text->text);
    cache_open(&cache, NULL, notice);
    bool made = !key.failed && cache_read(&cache, &key, bytes);
    if (!made) {
        made = compiler_compile(compiler, options, text, bytes, messages);
        if (made && !key.failed)
            cache_write(&cache, &key, bytes->text, bytes->length);
    }
    cache_close(&cache);
    text_free(&key);
    return made;
}

bool library_load(const Text *text, const char *options, void **library, Error *err)
{
    const char *compilers[COMPILER_MOST];
    Text        bytes = {0}, messages = {0};
    *library = NULL;
    if (compiler_list(compilers) == 0)
        return fail(err, ERROR_DEVICE, "no C compiler on this machine; install one, e.g. the package gcc");
    if (!driver_prepare(err))
        return false;
    if (make_library(*compilers, options, text, &bytes, &messages))
        *library = compiler_load(&bytes, &messages);
    if (!*library && stop_came())
        fail(err, ERROR_STOPPED, "stopped by a signal");
    else if (!*library)
        fail(err, ERROR_KERNEL, "%s does not compile it:\n%s", compiler_name(*compilers), messages.text);
    text_free(&bytes);
    text_free(&messages);
    return *library != NULL;
}
