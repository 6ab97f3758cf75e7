/// SHA-256 as in FIPS 180-4.
#include "Sha256.h"

#include <algorithm>
#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

using namespace tg;

/// The first 32 bits of the fractional parts of the cube roots of the first 64
/// primes (FIPS 180-4, 4.2.2).
alignas(16) static constexpr uint32_t roundConstants[64] = {
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

/// Hashes one block into the state.
static void compress(std::array<uint32_t, 8> &state, const uint8_t *block) {
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

#if defined(__x86_64__)

/// Returns true if the CPU has instructions for SHA-256, and the vectors of
/// their operands.
static bool hasInstructions() {
  constexpr unsigned sha = 1u << 29, sse41 = 1u << 19;
  unsigned a, b, c, d;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & sha) &&
         __get_cpuid(1, &a, &b, &c, &d) && (c & sse41);
}

/// Hashes blocks into the state, as compress() does, by instructions of the
/// CPU. They keep the state as the words f, e, b, a and h, g, d, c.
__attribute__((target("sha,sse4.1"))) static void
compressFast(std::array<uint32_t, 8> &state, const uint8_t *at, size_t blocks) {
  const auto load = [](const void *from) __attribute__((target("sse4.1"))) {
    return _mm_loadu_si128(static_cast<const __m128i *>(from));
  };
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const __m128i badc = _mm_shuffle_epi32(load(&state[0]), 0xb1);
  const __m128i hgfe = _mm_shuffle_epi32(load(&state[4]), 0x1b);
  __m128i feba = _mm_alignr_epi8(badc, hgfe, 8);
  __m128i hgdc = _mm_blend_epi16(hgfe, badc, 0xf0);
  for (; blocks; --blocks, at += 64) {
    const __m128i feba0 = feba, hgdc0 = hgdc;
    __m128i words[4];
    for (int i = 0; i < 4; ++i)
      words[i] = _mm_shuffle_epi8(load(at + 16 * i), swap);
    for (int i = 0; i < 16; i += 4)
      for (int j = 0; j < 4; ++j) {
        // Four rounds with words[j], which then become the words of the four
        // rounds that are 16 rounds later.
        const __m128i added =
            _mm_add_epi32(words[j], load(roundConstants + 4 * (i + j)));
        hgdc = _mm_sha256rnds2_epu32(hgdc, feba, added);
        feba =
            _mm_sha256rnds2_epu32(feba, hgdc, _mm_shuffle_epi32(added, 0x0e));
        const __m128i last = words[(j + 3) % 4];
        const __m128i sum =
            _mm_add_epi32(_mm_sha256msg1_epu32(words[j], words[(j + 1) % 4]),
                          _mm_alignr_epi8(last, words[(j + 2) % 4], 4));
        words[j] = _mm_sha256msg2_epu32(sum, last);
      }
    feba = _mm_add_epi32(feba, feba0);
    hgdc = _mm_add_epi32(hgdc, hgdc0);
  }
  const __m128i abef = _mm_shuffle_epi32(feba, 0x1b);
  const __m128i dchg = _mm_shuffle_epi32(hgdc, 0xb1);
  _mm_storeu_si128(reinterpret_cast<__m128i *>(&state[0]),
                   _mm_blend_epi16(abef, dchg, 0xf0));
  _mm_storeu_si128(reinterpret_cast<__m128i *>(&state[4]),
                   _mm_alignr_epi8(dchg, abef, 8));
}

#endif // __x86_64__

void Sha256::compressAll(const uint8_t *blocks, size_t count) {
#if defined(__x86_64__)
  static const bool isFast = hasInstructions();
  if (isFast && !isPlain)
    return compressFast(state, blocks, count);
#endif
  for (size_t i = 0; i < count; ++i)
    compress(state, blocks + 64 * i);
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
    compressAll(pending.data(), 1);
  }
  compressAll(at, bytes / 64);
  at += bytes / 64 * 64, bytes %= 64;
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
