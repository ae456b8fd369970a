// buffer -- inside of the device layer: device memory that grows, and that the host maps.
#pragma once

#include "device/opencl.h"

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
//   from  [rows][count] numbers of number_bytes
// Errors: ERROR_DEVICE.
bool buffer_write_columns(const Device *device, const Buffer *buffer, size_t rows, size_t stride, size_t column,
                          size_t count, size_t number_bytes, const void *from, Error *err);

// Maps the first bytes, after the device's earlier commands. NULL on failure. Errors: ERROR_DEVICE.
void *buffer_map(const Device *device, const Buffer *buffer, cl_map_flags flags, size_t bytes, Error *err);
bool  buffer_unmap(const Device *device, const Buffer *buffer, void *data, Error *err);
