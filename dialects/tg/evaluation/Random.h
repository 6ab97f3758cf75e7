// Random samples as the random ops define them: the oracle of compiled kernels.
#ifndef TG_DIALECTS_TG_EVALUATION_RANDOM_H
#define TG_DIALECTS_TG_EVALUATION_RANDOM_H

#include <array>
#include <cstdint>

namespace tg {

/// The key of a tensor of random samples. Each sample is a pure function of a
/// `SampleKey` and an element index, so any sample can be recomputed.
struct SampleKey {
  /// The key of Philox.
  uint64_t seed = 0;
  /// Usually the training step.
  uint64_t counter = 0;
  /// A number that identifies the op that samples.
  uint32_t stream = 0;
};

/// Returns the four words of Philox4x32-10 (Salmon et al., "Parallel random
/// numbers: as easy as 1, 2, 3", SC 2011) for key (low, high half of `seed`)
/// and counter (block, stream, low, high half of `counter`).
std::array<uint32_t, 4> philox(uint64_t seed, uint64_t counter, uint32_t stream,
                               uint32_t block);

/// Returns the 32-bit word of element `index` in row-major order: word number
/// `index % 4` of block number `index / 4`. The block number is taken modulo
/// 2^32.
uint32_t sampleWord32(const SampleKey &key, uint64_t index);

/// Returns the 64-bit word of element `index`. Its low half is word number
/// `2 * (index % 2)` of block number `index / 2`, and its high half is the word
/// after it.
uint64_t sampleWord64(const SampleKey &key, uint64_t index);

/// Returns a sample uniform on [0, 1), exactly (w >> 8)·2^-24 with
/// w = sampleWord32(key, index).
float uniformF32(const SampleKey &key, uint64_t index);

/// Returns a sample uniform on [0, 1), exactly (w >> 11)·2^-53 with
/// w = sampleWord64(key, index).
double uniformF64(const SampleKey &key, uint64_t index);

/// Returns a standard normal sample sqrt(2)·erfInv(2v - 1), rounded once, with
/// v = ((w >> 9) + 1/2)·2^-23 and w = sampleWord32(key, index). If `truncated`
/// is set, returns sqrt(2)·erfInv((2v - 1)·erf(sqrt(2))) instead: a sample of
/// the normal distribution truncated to (-2, 2).
float normalF32(const SampleKey &key, uint64_t index, bool truncated = false);

/// Returns a sample like normalF32(), with v = ((w >> 12) + 1/2)·2^-52 and
/// w = sampleWord64(key, index).
double normalF64(const SampleKey &key, uint64_t index, bool truncated = false);

/// Returns the x with erf(x) = y, to within a few ulps of long double.
/// `complement` is 1 - |y|, which the caller knows more exactly than y near 1.
/// Returns infinity if `complement` is 0, and NaN if it is negative.
long double erfInv(long double y, long double complement);

} // namespace tg

#endif // TG_DIALECTS_TG_EVALUATION_RANDOM_H
