// Philox4x32-10, uniforms and normals in plain C++.
#include "dialects/tg/evaluation/Random.h"

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace tg;

std::array<uint32_t, 4> tg::philox(uint64_t seed, uint64_t counter,
                                   uint32_t stream, uint32_t block) {
  std::array<uint32_t, 4> words = {block, stream, uint32_t(counter),
                                   uint32_t(counter >> 32)};
  uint32_t key0 = uint32_t(seed);
  uint32_t key1 = uint32_t(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    uint64_t product0 = uint64_t(0xD2511F53u) * words[0];
    uint64_t product1 = uint64_t(0xCD9E8D57u) * words[2];
    words = {uint32_t(product1 >> 32) ^ words[1] ^ key0, uint32_t(product1),
             uint32_t(product0 >> 32) ^ words[3] ^ key1, uint32_t(product0)};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return words;
}

uint32_t tg::sampleWord32(const SampleKey &key, uint64_t index) {
  return philox(key.seed, key.counter, key.stream,
                uint32_t(index / 4))[index % 4];
}

uint64_t tg::sampleWord64(const SampleKey &key, uint64_t index) {
  std::array<uint32_t, 4> words =
      philox(key.seed, key.counter, key.stream, uint32_t(index / 2));
  uint64_t first = 2 * (index % 2);
  return uint64_t(words[first + 1]) << 32 | words[first];
}

float tg::uniformF32(const SampleKey &key, uint64_t index) {
  return std::ldexp(float(sampleWord32(key, index) >> 8), -24);
}

double tg::uniformF64(const SampleKey &key, uint64_t index) {
  return std::ldexp(double(sampleWord64(key, index) >> 11), -53);
}

long double tg::erfInv(long double y, long double complement) {
  if (!(complement > 0))
    return complement == 0 ? std::copysign(INFINITY, y) : NAN;
  if (y == 0)
    return y;
  // Winitzki's closed form starts within 0.4 percent.
  long double logTerm = std::log(complement) + std::log(2 - complement);
  long double half =
      2 / (std::numbers::pi_v<long double> * 0.147L) + logTerm / 2;
  long double x = std::sqrt(
      std::max(0.0L, std::sqrt(half * half - logTerm / 0.147L) - half));
  x = std::max(x, std::abs(y) / 2);
  // Halley's iteration triples the number of correct digits. For |y| above 1/2,
  // the residual follows more exactly from the complement.
  for (int step = 0; step < 4; ++step) {
    long double residual = complement > 0.5L ? std::erf(x) - std::abs(y)
                                             : complement - std::erfc(x);
    long double newton = residual * std::exp(x * x) *
                         (std::sqrt(std::numbers::pi_v<long double>) / 2);
    x -= newton / (1 + x * newton);
  }
  return std::copysign(x, y);
}

/// Returns sqrt(2)·erfInv of the odd number `position` / 2^`bits`, or with
/// `truncated` of its product with erf(sqrt(2)).
static long double normalAt(int64_t position, int bits, bool truncated) {
  const long double root2 = std::numbers::sqrt2_v<long double>;
  long double y = std::ldexp((long double)position, -bits);
  if (truncated)
    y *= std::erf(root2);
  return root2 * erfInv(y, 1 - std::abs(y));
}

float tg::normalF32(const SampleKey &key, uint64_t index, bool truncated) {
  // 2v - 1 = (2(w >> 9) + 1 - 2^23) / 2^23.
  int64_t position =
      2 * int64_t(sampleWord32(key, index) >> 9) + 1 - (int64_t(1) << 23);
  return float(normalAt(position, 23, truncated));
}

double tg::normalF64(const SampleKey &key, uint64_t index, bool truncated) {
  int64_t position =
      2 * int64_t(sampleWord64(key, index) >> 12) + 1 - (int64_t(1) << 52);
  return double(normalAt(position, 52, truncated));
}
