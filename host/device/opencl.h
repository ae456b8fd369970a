// opencl -- inside of the device layer: handles, the names of OpenCL's errors, and memory.
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "device/cache.h"
#include "device/device.h"

// Verdict on a device's arithmetic in one precision.
typedef struct Arithmetic {
    bool asked;
    Text verdict;  // the rules it does not keep; empty: it keeps all
} Arithmetic;

struct Device {
    DeviceInfo       info;
    cl_device_id     id;
    size_t           number;  // in the list of device_list()
    cl_context       context;
    cl_command_queue queue;      // kernels and their input
    cl_command_queue transfers;  // their output
    bool             limited;    // device_limit()
    bool             pocl;       // keeps files, not binaries: see device/driver.h
    Cache            cache;
    char             notice[CACHE_NOTICE_SIZE];
    Arithmetic       arithmetic[2];  // in double and single precision
};

// The name of an OpenCL error code, e.g. "CL_OUT_OF_RESOURCES".
const char *opencl_error(cl_int code);

// What keeps clang's warning about vectors wider than the processor's from a user: kernels/real.h says why.
#define OPENCL_WIDE_VECTORS "#ifdef __clang__\n#pragma clang diagnostic ignored \"-Wpsabi\"\n#endif\n"

// True when code is CL_SUCCESS; else false with err filled, its code included: "DEVICE: WHAT failed: CL_NAME".
bool opencl_check(const Device *device, cl_int code, const char *what, Error *err);

// Releases a program and a kernel of it, where they are not NULL, and makes them NULL.
void opencl_release(cl_program *program, cl_kernel *kernel);

// Whether the verdict on a device's arithmetic is there, or in the cache.
bool arithmetic_is_known(const Device *device, Precision precision);

// PoCL's folder is shared by its devices: what one writes there while another compiles would be listed as the other's.
// So they compile one after the other. Both do nothing for other drivers.
void opencl_lock(const Device *device);
void opencl_unlock(const Device *device);

// Puts in front of a message about wrong results that the device or its driver is broken. Always false.
bool opencl_distrust(const Device *device, Error *err);

// Device memory that grows, and that the host maps.
typedef struct Buffer {
    cl_mem memory;
    size_t bytes;  // its present size
} Buffer;

// Makes a buffer hold at least that many bytes; its content is lost where it grows.
// Errors: ERROR_DEVICE.
bool buffer_reserve(const Device *device, Buffer *buffer, size_t bytes, Error *err);
void buffer_free(Buffer *buffer);

// Writes `count` columns from `column` on of a buffer that holds device rows of `stride` columns, waiting until it is
// done.
//   row   the first of `rows` rows
//   from  [rows][count] numbers of number_bytes
// Errors: ERROR_DEVICE.
bool buffer_write_columns(const Device *device, const Buffer *buffer, size_t row, size_t rows, size_t stride,
                          size_t column, size_t count, size_t number_bytes, const void *from, Error *err);

// Writes the same number into these columns of one row, behind the device's earlier commands; it is copied at once.
// Errors: ERROR_DEVICE.
bool buffer_fill_columns(const Device *device, const Buffer *buffer, size_t row, size_t stride, size_t column,
                         size_t count, size_t number_bytes, const void *number, Error *err);

// Maps the first bytes, after the device's earlier commands. NULL on failure. Errors: ERROR_DEVICE.
void *buffer_map(const Device *device, const Buffer *buffer, cl_map_flags flags, size_t bytes, Error *err);
bool  buffer_unmap(const Device *device, const Buffer *buffer, void *data, Error *err);
