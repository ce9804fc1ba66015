// Direction vectors of Sobol sequences (Bratley and Fox, "Algorithm 659", 1988): a dimension
// has a primitive polynomial over GF(2), in the order of their numbers, and as many odd initial
// numbers as its degree; the others follow from these. The first 21 dimensions have those of Joe and Kuo
// ("Constructing Sobol sequences with better two-dimensional projections", 2008), the others numbers of our
// own: each dimension is a Sobol sequence all the same. The random numbers by which sequences are scrambled are
// our own as well.
#include "sobol.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpgrind::sobol {
namespace {

uint64_t mixed(uint64_t x) { // SplitMix64 (Steele and others, 2014)
  x += 0x9E3779B97F4A7C15;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  return x ^ x >> 31;
}

// A product of polynomials modulo p, of degree s.
uint32_t product(uint32_t a, uint32_t b, uint32_t p, unsigned s) {
  uint32_t r = 0;
  for (; b; b >>= 1, a <<= 1) {
    if (a >> s & 1) a ^= p;
    if (b & 1) r ^= a;
  }
  return r;
}

uint32_t power(uint32_t n, uint32_t p, unsigned s) { // of the polynomial x
  uint32_t r = 1, square = s == 1 ? 1 : 2;
  for (; n; n >>= 1, square = product(square, square, p, s))
    if (n & 1) r = product(r, square, p, s);
  return r;
}

// Whether the powers of x modulo p are all polynomials but 0.
bool isPrimitive(uint32_t p, unsigned s) {
  const uint32_t order = (1u << s) - 1;
  if (power(order, p, s) != 1) return false;
  uint32_t rest = order;
  for (uint32_t q = 3; rest > 1; q += 2) {
    if (q * q > rest) q = rest;
    if (rest % q) continue;
    if (q < order && power(order / q, p, s) == 1) return false;
    while (rest % q == 0) rest /= q;
  }
  return s == 1 || order != 1;
}

constexpr unsigned char kJoeKuo[][7] = {{1}, {1, 3}, {1, 3, 1}, {1, 1, 1}, {1, 1, 3, 3}, {1, 3, 5, 13}, {1, 1, 5, 5, 17}, {1, 1, 5, 5, 5},
                                        {1, 1, 7, 11, 19}, {1, 1, 5, 1, 1}, {1, 1, 1, 3, 11}, {1, 3, 5, 5, 31}, {1, 3, 3, 9, 7, 49},
                                        {1, 1, 1, 15, 21, 21}, {1, 3, 1, 13, 27, 49}, {1, 1, 1, 15, 7, 5}, {1, 3, 1, 15, 13, 25},
                                        {1, 1, 5, 5, 19, 61}, {1, 3, 7, 11, 23, 15, 103}, {1, 3, 7, 13, 13, 15, 69}};
constexpr unsigned kKnown = sizeof kJoeKuo / sizeof kJoeKuo[0]; // from the second dimension on

template <class W> std::vector<W> plain() {
  constexpr unsigned bits = 8 * sizeof(W);
  std::vector<W> all;
  all.reserve(static_cast<std::size_t>(kDimensions) * bits);
  for (unsigned k = 0; k < bits; k++) all.push_back(W(1) << (bits - 1 - k)); // the first has no polynomial
  unsigned dimension = 1;
  for (unsigned s = 1; dimension < kDimensions; s++)
    for (uint32_t inner = 0; inner < 1u << (s - 1) && dimension < kDimensions; inner++) {
      const uint32_t p = 1u << s | inner << 1 | 1;
      if (!isPrimitive(p, s)) continue;
      const std::size_t first = all.size();
      for (unsigned k = 0; k < bits; k++) {
        W v = 0;
        if (k < s) {
          const W number = dimension <= kKnown ? kJoeKuo[dimension - 1][k] : (mixed(uint64_t(dimension) << 8 | k) & ((W(2) << k) - 1)) | 1;
          v = number << (bits - 1 - k);
        } else {
          v = all[first + k - s] ^ all[first + k - s] >> s;
          for (unsigned i = 1; i < s; i++)
            if (p >> (s - i) & 1) v ^= all[first + k - i];
        }
        all.push_back(v);
      }
      dimension++;
    }
  return all;
}

// Multiplies the vectors of a dimension by a lower triangular matrix with ones on its diagonal, as Owen's scrambling by
// Matousek ("On the L2-discrepancy for anchored boxes", 1998).
template <class W> std::vector<W> scrambled(std::vector<W> all) {
  constexpr unsigned bits = 8 * sizeof(W);
  for (std::size_t at = 0; at < all.size(); at++) {
    const uint64_t dimension = at / bits;
    W v = 0;
    for (unsigned row = 0; row < bits; row++) { // from the highest bit
      const W above = row ? W(mixed(dimension << 8 | row | 1ull << 40)) << (bits - row) : 0;
      const W mask = above | W(1) << (bits - 1 - row);
      v |= W(__builtin_parityll(all[at] & mask)) << (bits - 1 - row);
    }
    all[at] = v;
  }
  return all;
}

template <class W> const W *vectors(bool scramble) {
  static const std::vector<W> simple = plain<W>();
  if (!scramble) return simple.data();
  static const std::vector<W> other = scrambled(simple);
  return other.data();
}

template <class W> W *constants() {
  static std::vector<W> all = [] {
    std::vector<W> c(kDimensions);
    for (unsigned i = 0; i < kDimensions; i++) c[i] = static_cast<W>(mixed(i | 1ull << 41));
    return c;
  }();
  return all.data();
}

} // namespace

const unsigned *vectors32(bool scrambled) { return vectors<unsigned>(scrambled); }
const unsigned long long *vectors64(bool scrambled) { return vectors<unsigned long long>(scrambled); }
unsigned *constants32() { return constants<unsigned>(); }
unsigned long long *constants64() { return constants<unsigned long long>(); }

} // namespace warpgrind::sobol
