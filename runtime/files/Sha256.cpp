/// SHA-256 as in FIPS 180-4.
#include "Sha256.h"

#include <algorithm>
#include <bit>
#include <cstring>

using namespace tg;

/// The first 32 bits of the fractional parts of the cube roots of the first 64
/// primes (FIPS 180-4, 4.2.2).
static constexpr uint32_t roundConstants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/// Loads a big-endian word of a block.
static uint32_t loadWord(const uint8_t *at) {
  uint32_t word;
  std::memcpy(&word, at, sizeof(word));
  return __builtin_bswap32(word);
}

/// Runs one round. Instead of moving all eight words, the caller rotates the
/// arguments by one for the next round; only d and h change.
static inline void runRound(uint32_t a, uint32_t b, uint32_t c, uint32_t &d,
                            uint32_t e, uint32_t f, uint32_t g, uint32_t &h,
                            uint32_t added) {
  h += (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
       (g ^ (e & (f ^ g))) + added;
  d += h;
  h += (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) +
       ((a & b) | (c & (a | b)));
}

/// Computes words i .. i + 15 of the message schedule from the 16 words before.
static inline void extend(uint32_t (&words)[16]) {
  for (int i = 0; i < 16; ++i) {
    const uint32_t early = words[(i + 1) % 16];
    const uint32_t late = words[(i + 14) % 16];
    words[i] += words[(i + 9) % 16] +
                (std::rotr(early, 7) ^ std::rotr(early, 18) ^ early >> 3) +
                (std::rotr(late, 17) ^ std::rotr(late, 19) ^ late >> 10);
  }
}

void Sha256::compress(const uint8_t *block) {
  uint32_t words[16];
  for (int i = 0; i < 16; ++i)
    words[i] = loadWord(block + 4 * i);
  auto [a, b, c, d, e, f, g, h] = state;
  for (int at = 0; at < 64; at += 16) {
    if (at)
      extend(words);
    for (int i = 0; i < 16; i += 8) {
      const uint32_t *k = roundConstants + at + i;
      runRound(a, b, c, d, e, f, g, h, k[0] + words[i]);
      runRound(h, a, b, c, d, e, f, g, k[1] + words[i + 1]);
      runRound(g, h, a, b, c, d, e, f, k[2] + words[i + 2]);
      runRound(f, g, h, a, b, c, d, e, k[3] + words[i + 3]);
      runRound(e, f, g, h, a, b, c, d, k[4] + words[i + 4]);
      runRound(d, e, f, g, h, a, b, c, k[5] + words[i + 5]);
      runRound(c, d, e, f, g, h, a, b, k[6] + words[i + 6]);
      runRound(b, c, d, e, f, g, h, a, k[7] + words[i + 7]);
    }
  }
  const uint32_t added[8] = {a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; ++i)
    state[i] += added[i];
}

void Sha256::update(const void *data, size_t bytes) {
  const uint8_t *at = static_cast<const uint8_t *>(data);
  const size_t used = total % 64;
  total += bytes;
  if (used) {
    const size_t take = std::min(bytes, 64 - used);
    if (take)
      std::memcpy(pending.data() + used, at, take);
    at += take, bytes -= take;
    if (used + take < 64)
      return;
    compress(pending.data());
  }
  for (; bytes >= 64; at += 64, bytes -= 64)
    compress(at);
  if (bytes)
    std::memcpy(pending.data(), at, bytes);
}

Digest Sha256::finish() {
  const uint64_t bits = __builtin_bswap64(total * 8);
  static constexpr uint8_t padding[64] = {0x80};
  const size_t used = total % 64;
  update(padding, used < 56 ? 56 - used : 120 - used);
  update(&bits, sizeof(bits));
  Digest digest;
  for (int i = 0; i < 8; ++i) {
    const uint32_t word = __builtin_bswap32(state[i]);
    std::memcpy(digest.data() + 4 * i, &word, sizeof(word));
  }
  return digest;
}

Digest tg::sha256(const void *data, size_t bytes) {
  Sha256 hash;
  hash.update(data, bytes);
  return hash.finish();
}
