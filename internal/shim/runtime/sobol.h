// Direction vectors of Sobol sequences in up to 20,000 dimensions.
#pragma once

namespace warpgrind::sobol {

// What NVIDIA's tables have as well.
constexpr unsigned kDimensions = 20000;

// The vectors of all dimensions, one after the other, of 32 or 64 bits each; scrambled ones are multiplied by
// a random triangular matrix of their dimension.
const unsigned *vectors32(bool scrambled);
const unsigned long long *vectors64(bool scrambled);

// A random number for each dimension, which is added to the elements of a scrambled sequence.
unsigned *constants32();
unsigned long long *constants64();

} // namespace warpgrind::sobol
