// compiler -- the system's C compilers, which make shared libraries of the kernels' text.
//
// A compiler is called by its name, and NULL is that of the environment variable PENDULA_CC.
#pragma once

#include "base/text.h"

// The name of a compiler; "": there is none.
const char *compiler_name(const char *compiler);

// Lists the compilers that are there, the first by preference: that of PENDULA_CC, where it is set (an empty one, or
// one that is not there, is none), else clang, gcc, and zig, which may be that of Python's package `ziglang`.
//   compilers  written: their names
// Returns how many there are.
enum { COMPILER_MOST = 3 };
size_t compiler_list(const char *compilers[COMPILER_MOST]);

// Whether it is clang, which has vector types with OpenCL's meaning for C, and options of its own. Where its name does
// not say so, as `cc`, it is asked.
bool compiler_has_vectors(const char *compiler);

// Adds the compiler's identity, by its file: to ask it for its version would take as long as to compile a kernel.
void compiler_describe(const char *compiler, Text *about);

// Compiles a C text to the bytes of a shared library. driver_prepare() was called.
//   options   OpenCL's
//   messages  added: the compiler's output, or why it failed
bool compiler_compile(const char *compiler, const char *options, const Text *text, Text *library, Text *messages);

// Outcome of a program that was compiled with sanitizers and run.
typedef struct CompilerTried {
    bool compiler;  // there is one
    bool built;     // it has sanitizers, and compiles the text
    int  status;    // as of child_run(); the program's output is in the messages
} CompilerTried;

// Compiles a C text with a main() as a program with address and undefined-behaviour sanitizers, and runs it. gcc comes
// first where PENDULA_CC is not set: its sanitizers know lines without another program's help.
//   messages  added: the program's output, or else the compiler's
// Errors: ERROR_IO (the program cannot be started), ERROR_INTERNAL.
bool compiler_try(const Text *text, CompilerTried *tried, Text *messages, Error *err);

// Loads such a library, as dlopen() does. NULL: messages say why.
void *compiler_load(const Text *library, Text *messages);
