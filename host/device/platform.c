// platform -- version of the platform, as its device reports it.
#include "device/platform.h"

#include "device/opencl.h"

void platform_version(const Device *device, char version[PLATFORM_VERSION_SIZE])
{
    cl_platform_id platform;
    version[0] = '\0';
    if (clGetDeviceInfo(device->id, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL) != CL_SUCCESS ||
        clGetPlatformInfo(platform, CL_PLATFORM_VERSION, PLATFORM_VERSION_SIZE, version, NULL) != CL_SUCCESS)
        version[0] = '\0';
}
