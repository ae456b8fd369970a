// binary -- key of a binary: everything it depends on; then the cache, or the compiler.
#include "device/binary.h"

#include "base/stop.h"
#include "catalog/catalog.h"
#include "device/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

enum { INFO_SIZE = 1024 };

// With its length, so that no two lists of fields make the same key.
static void add_field(Text *key, const char *name, const char *value)
{
    text_add(key, "%s %zu %s\n", name, strlen(value), value);
}

// Settings of OpenCL implementations that may change the compiled code. PoCL's folder and messages do not.
static void add_environment(Text *key)
{
    static const char *const prefixes[] = {"POCL_", "CL_",  "CUDA_", "NVIDIA_", "IGC_",     "NEO", "AMD_",   "GPU_",
                                           "ROC",   "HIP_", "HSA_",  "MESA_",   "RUSTICL_", "LP_", "LIBCLC_"};
    for (char **variable = environ; *variable; ++variable)
        for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; ++i)
            if (strncmp(*variable, prefixes[i], strlen(prefixes[i])) == 0 &&
                strncmp(*variable, "POCL_CACHE_DIR=", 15) != 0 && strncmp(*variable, "POCL_DEBUG=", 11) != 0)
                add_field(key, "environment", *variable);
}

void binary_key(const Device *device, const char *source, const char *options, Text *key)
{
    static const cl_device_info facts[] = {CL_DEVICE_NAME, CL_DEVICE_VENDOR, CL_DEVICE_VERSION, CL_DRIVER_VERSION,
                                           CL_DEVICE_OPENCL_C_VERSION};
    char                        about[INFO_SIZE];
    add_field(key, "pendula", PENDULA_VERSION);
    add_field(key, "platform", device->info.platform_version);
    cl_int code = *device->info.platform_version ? CL_SUCCESS : CL_INVALID_PLATFORM;
    for (size_t i = 0; code == CL_SUCCESS && i < sizeof facts / sizeof *facts; ++i) {
        code = clGetDeviceInfo(device->id, facts[i], sizeof about, about, NULL);
        if (code == CL_SUCCESS)
            add_field(key, "device", about);
    }
    add_environment(key);
    add_field(key, "options", options);
    add_field(key, "source", source);
    if (strcmp(device->info.platform, "native") == 0)
        add_field(key, "before it", catalog_file("native.h"));
    if (code != CL_SUCCESS || key->failed)
        text_free(key);
}

// A driver may refuse its own binary; then there is the source.
static bool load(const Device *device, const Text *binary, const char *options, cl_program *program, cl_kernel *kernel)
{
    const unsigned char *bytes = (const unsigned char *)binary->text;
    cl_int               code, status = CL_SUCCESS;
    *program = clCreateProgramWithBinary(device->context, 1, &device->id, &binary->length, &bytes, &status, &code);
    if (code == CL_SUCCESS && status == CL_SUCCESS &&
        clBuildProgram(*program, 1, &device->id, options, NULL, NULL) == CL_SUCCESS) {
        *kernel = clCreateKernel(*program, "sweep", &code);
        if (code == CL_SUCCESS)
            return true;
    }
    opencl_release(program, kernel);
    return false;
}

// A branch on numbers compiles with one lane and does not with more; each compiler has its own message for it.
static const char *hint_of(const char *log)
{
    return strstr(log, "expression of scalar type") || strstr(log, "used vector type where scalar is required")
               ? "a comparison is a mask with an answer for each lane: choose(mask, a, b) takes the place of a branch, "
                 "if (any_lane(mask)) may stand before one\n"
               : "";
}

// Puts the compiler's log behind the message.
static bool build_failed(const Device *device, const char *group, cl_program program, cl_int code, Error *err)
{
    size_t size = 0;
    if (stop_came())
        return fail(err, ERROR_STOPPED, "stopped by a signal");
    fail(err, ERROR_KERNEL, "kernel of group '%s' does not compile on '%s' (%s)", group, device->info.name,
         opencl_error(code));
    clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    char *log = size ? calloc(1, size + 1) : NULL;
    if (log && clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, size, log, NULL) == CL_SUCCESS) {
        const size_t length = strlen(err->message);
        snprintf(err->message + length, sizeof err->message - length, ":\n%s%s", hint_of(log), log);
    }
    free(log);
    return false;
}

static bool compile(Device *device, const char *group, const char *source, const char *options, cl_program *program,
                    cl_kernel *kernel, Error *err)
{
    cl_int code;
    *program = clCreateProgramWithSource(device->context, 1, &source, NULL, &code);
    bool ok = opencl_check(device, code, "loading a kernel", err);
    if (ok) {
        code = clBuildProgram(*program, 1, &device->id, options, NULL, NULL);
        ok = code == CL_SUCCESS || build_failed(device, group, *program, code, err);
    }
    if (ok) {
        *kernel = clCreateKernel(*program, "sweep", &code);
        ok = opencl_check(device, code, "creating the kernel", err);
    }
    if (!ok)
        opencl_release(program, kernel);
    return ok;
}

// Takes the program of the cache's entry. PoCL finds the files in its folder when the source is compiled, and has
// nothing to do.
static bool take(const Device *device, const char *options, const Text *entry, cl_program *program, cl_kernel *kernel,
                 Kept *kept)
{
    const bool taken =
        device->pocl ? driver_unpack(entry, &kept->folders) : load(device, entry, options, program, kernel);
    if (taken)
        kept->bytes = entry->length;
    else
        text_free(&kept->folders);
    return taken;
}

bool binary_build(Device *device, const char *group, const char *source, const char *options, cl_program *program,
                  cl_kernel *kernel, Kept *kept, Error *err)
{
    Text entry = {0}, before = {0};
    bool taken = false;
    *program = NULL;
    *kernel = NULL;
    if (device->cache.directory >= 0) {
        binary_key(device, source, options, &kept->key);
        taken = kept->key.length > 0 && cache_read(&device->cache, &kept->key, &entry) &&
                take(device, options, &entry, program, kernel, kept);
    }
    text_free(&entry);
    const bool listed = device->pocl && !taken && kept->key.length > 0;
    opencl_lock(device);
    if (listed)
        driver_list(NULL, &before);
    const bool built = *kernel || compile(device, group, source, options, program, kernel, err);
    if (built && listed && !before.failed)
        driver_list(&before, &kept->folders);
    opencl_unlock(device);
    text_free(&before);
    return built;
}

static void keep_files(const Device *device, const Kept *kept)
{
    Text packed = {0};
    // Another number of points may have made PoCL compile one more variant.
    if (driver_pack(&kept->folders, &packed) && packed.length != kept->bytes)
        cache_write(&device->cache, &kept->key, packed.text, packed.length);
    text_free(&packed);
}

static void keep_binary(const Device *device, cl_program program, const Kept *kept)
{
    size_t     bytes = 0;
    const bool told = kept->bytes == 0 &&
                      clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL) == CL_SUCCESS;
    unsigned char *binary = told && bytes > 0 ? malloc(bytes) : NULL;
    if (binary && clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) == CL_SUCCESS)
        cache_write(&device->cache, &kept->key, binary, bytes);
    free(binary);
}

void binary_keep(const Device *device, cl_program program, const Kept *kept)
{
    if (kept->key.length == 0)
        return;
    if (device->pocl)
        keep_files(device, kept);
    else
        keep_binary(device, program, kept);
}

void binary_free(Kept *kept)
{
    text_free(&kept->key);
    text_free(&kept->folders);
    *kept = (Kept){0};
}
