// same_results -- whether two results of the library are the same.
#pragma once

#include "pendula.h"

// Every array of one result is one of the other's, with its shape, names and all numbers, to the last bit; and so is
// every message. Fails the test where they differ; returns the number of arrays.
size_t same_results(const PendulaResult *a, const PendulaResult *b);
