// apart -- kernels compiled into the cache by processes of their own.
//
// A driver compiles one program at a time in a process. Where several are needed, this program is started anew for each
// but the first, on as many cores as there are; whoever waits for one then finds it in the cache.
//
//   caller    group 1 compiled here               | group 2 from the cache | group 3 from the cache
//   process   group 2 -> the cache | group 3 -> the cache
//
// A process that fails, or cannot be started, leaves nothing in the cache, and the caller compiles for itself.
#pragma once

#include "device/device.h"

// Lets this program's processes compile: its path, kept by reference. To be called by main() alone: a library is in a
// program that cannot do it.
void apart_allow(const char *program);

// The word by which such a process is started, and what it does: it compiles what it reads from standard input.
// Errors: ERROR_USAGE (the input is no request), those of device_open_number() and device_build().
extern const char apart_word[];
bool              apart_serve(Error *err);

// Writes the request for the kernel of a group's composed source, with the lanes of device_build(). Left empty where
// the cache has it, or where no process may compile for the device: a GPU, no cache, no apart_allow().
void apart_ask_kernel(Device *device, const Plan *plan, const Group *group, const char *source, int lanes,
                      Text *request);

// The same for the verdict of device_arithmetic().
void apart_ask_arithmetic(Device *device, Precision precision, Text *request);

typedef struct Apart Apart;

// Starts to serve requests, one less at a time than the machine has cores. The first that is not empty is the caller's.
//   requests  [count] kept until apart_end(); some may be empty
// NULL: less than two are not empty, or there is one core. The functions below take NULL, and then all is the caller's.
Apart *apart_start(const Text *requests, size_t count);

// Whether the caller is to serve a request itself; no process will.
bool apart_take(Apart *apart, size_t number);

// Waits until the process of a request has ended.
void apart_wait(Apart *apart, size_t number);

// Ends what is under way.
void apart_end(Apart *apart);
