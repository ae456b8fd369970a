// buffer -- allocation and mapping of device memory.
#include "device/opencl.h"

bool buffer_reserve(const Device *device, Buffer *buffer, size_t bytes, Error *err)
{
    cl_int code;
    if (bytes == 0)
        bytes = 16;
    if (buffer->bytes >= bytes)
        return true;
    buffer_free(buffer);
    // On a CPU device the host then maps the memory itself; on a GPU it would stand at the far end of the bus.
    const cl_mem_flags flags = CL_MEM_READ_WRITE | (device->info.gpu ? 0 : CL_MEM_ALLOC_HOST_PTR);
    buffer->memory = clCreateBuffer(device->context, flags, bytes, NULL, &code);
    if (code == CL_SUCCESS)
        buffer->bytes = bytes;
    else
        buffer->memory = NULL;
    return opencl_check(device, code, "allocating memory", err);
}

void buffer_free(Buffer *buffer)
{
    if (buffer->memory)
        clReleaseMemObject(buffer->memory);
    *buffer = (Buffer){0};
}

bool buffer_write_columns(const Device *device, const Buffer *buffer, size_t row, size_t rows, size_t stride,
                          size_t column, size_t count, size_t number_bytes, const void *from, Error *err)
{
    const size_t to[3] = {column * number_bytes, row, 0}, start[3] = {0, 0, 0},
                 region[3] = {count * number_bytes, rows, 1};
    return opencl_check(device,
                        clEnqueueWriteBufferRect(device->queue, buffer->memory, CL_TRUE, to, start, region,
                                                 stride * number_bytes, 0, count * number_bytes, 0, from, 0, NULL,
                                                 NULL),
                        "writing memory", err);
}

bool buffer_fill_columns(const Device *device, const Buffer *buffer, size_t row, size_t stride, size_t column,
                         size_t count, size_t number_bytes, const void *number, Error *err)
{
    return opencl_check(device,
                        clEnqueueFillBuffer(device->queue, buffer->memory, number, number_bytes,
                                            (row * stride + column) * number_bytes, count * number_bytes, 0, NULL,
                                            NULL),
                        "writing memory", err);
}

void *buffer_map(const Device *device, const Buffer *buffer, cl_map_flags flags, size_t bytes, Error *err)
{
    cl_int code;
    void  *data = clEnqueueMapBuffer(device->queue, buffer->memory, CL_TRUE, flags, 0, bytes, 0, NULL, NULL, &code);
    return opencl_check(device, code, "mapping memory", err) ? data : NULL;
}

bool buffer_unmap(const Device *device, const Buffer *buffer, void *data, Error *err)
{
    return opencl_check(device, clEnqueueUnmapMemObject(device->queue, buffer->memory, data, 0, NULL, NULL),
                        "unmapping memory", err);
}
