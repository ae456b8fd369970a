// directory -- folders that nobody else can change: checked, made, emptied.
//
// They hold code that will run with our rights. A folder is used only where no other user could have put anything: it
// is not a symbolic link, belongs to us, and nobody else can write to it or exchange one of its parents.
#pragma once

#include "base/error.h"

#include <dirent.h>
#include <sys/stat.h>

// Whether the file with this status belongs to us and nobody else can write to it.
bool directory_ours_only(const struct stat *about);

// Opens a folder that nobody else can change; makes it and its parents where they are missing. An open descriptor, or
// -1.
//   refused  written: the folder is there, and others can change it
int directory_open(const char *path, bool *refused);

// Whether nobody else can exchange an open folder or one above it: each belongs to us or root, and others can write to
// it only where it is sticky.
bool directory_is_safe(int directory);

// Opens a folder below another for reading its entries; NULL where that fails, or it is a symbolic link. Release with
// closedir().
DIR *directory_list(int parent, const char *name);

// Makes a folder of a name of its own, for as long as this process needs it. An open descriptor that holds its lock, or
// -1 with errno.
//   path  ends with XXXXXX, in place of which the name gets letters
int directory_make_held(char *path);

// Removes the folders that killed processes left: ours, made by directory_make_held(), whose lock nobody holds.
//   prefix  how their names begin
void directory_remove_left(int parent, const char *prefix);

// Removes a folder with all that is in it; does as much as it can.
void directory_remove(int parent, const char *name);
