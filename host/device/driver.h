// driver -- private folder of this process, in which PoCL keeps its compiled kernels.
//
// PoCL runs whatever lies in its folder: it checks neither whose it is nor whether a file is whole. So it never works
// in one that another process can reach. It gets a folder of this process, private, made before OpenCL is first used
// and removed at the end; where the process was killed, the next one removes it. An entry of our own cache, which is
// checked, is kept from run to run: the files of a program's folder, packed, and unpacked before it is built again.
//
//     cache entry --driver_unpack--> DRIVER/AB/PROGRAM/program.bc, sweep/.../sweep.so --driver_pack--> cache entry
//                                          ^ PoCL reads, and writes missing files
#pragma once

#include "base/text.h"

// Makes the folder and names it to PoCL by POCL_CACHE_DIR, the first time it is called. To be called before anything of
// OpenCL, and not by two threads at once. Errors: ERROR_IO (there is no place for a private folder).
bool driver_prepare(Error *err);

// The folder's path, once it is made.
const char *driver_folder(void);

// Removes the folder; exit() does so by itself.
void driver_remove(void);

// Value of POCL_CACHE_DIR before driver_prepare(): the user's choice, or NULL.
const char *driver_users_folder(void);

// Adds the folders of programs in the driver's folder that are not in `known`, a line each. known: may be NULL.
void driver_list(const Text *known, Text *folders);

// Adds the files of these folders to an entry; false where one cannot be read.
bool driver_pack(const Text *folders, Text *packed);

// Puts an entry's missing files back, and adds the folders of all its files to `folders`. False: the entry is none of
// driver_pack(), or there is no room.
bool driver_unpack(const Text *packed, Text *folders);
