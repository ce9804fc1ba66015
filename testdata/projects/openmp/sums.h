#pragma once

// The sum of the squares of 0 to n-1, modulo 2^32, by host threads.
unsigned sumOnHost(unsigned n);

// How many host threads worked on the last sum.
int threadsUsed();
