//===- BrainTumorBlocks.h - what networks of brain tumours consist of -----===//
#ifndef TG_COMPILER_FRONTEND_MODELS_BRAINTUMORBLOCKS_H
#define TG_COMPILER_FRONTEND_MODELS_BRAINTUMORBLOCKS_H

#include "ModelParts.h"
#include "tg/models/BrainTumor.h"

namespace tg::models {

/// The sizes of windows, or the distances between them: depth, height and
/// width.
using Extents = std::array<int64_t, 3>;

/// A level on the way down.
struct SegmentLevel {
  enum Kind {
    /// Two convolutions.
    twice,
    /// One, normalized behind it, without activation.
    once,
    /// One, which moves by the strides itself; normalized before it.
    strided
  };
  int64_t filters;
  /// The sizes of its convolutions.
  Extents first, second;
  /// The windows of the maximum pooling behind them, and its strides.
  Extents window, strides;
  Kind kind = twice;
};

/// A dense block and what is pooled behind it.
struct DenseLevel {
  int64_t filters;
  Extents size, window, strides;
  /// The windows of the maximum pooling that brings the segments to the same
  /// places.
  Extents maskWindow;
};

/// The parts of a dense block.
struct DenseKind {
  int64_t steps = 3;
  /// A step is a convolution with normalization, else two convolutions.
  bool isNormalized = false;
};

/// Makes the blocks of a network.
class BrainTumorBlocks {
public:
  BrainTumorBlocks(const BrainTumorOptions &chosen, bool normalizesBefore)
      : options(chosen), isBefore(normalizesBefore) {}

  Layer down(const SegmentLevel &level) const;
  /// As many places as before the level.
  Layer up(int64_t filters, const Extents &strides) const;
  /// Logits of places.
  Layer segments(int64_t filters) const;
  Layer dense(const DenseLevel &level, const DenseKind &kind) const;
  /// Logits of fine classes, through hidden layers of so many units.
  Layer fineClasses(const std::vector<int64_t> &units) const;
  /// Computes logits of coarse classes from logits of fine ones, by a weight
  /// times the matrix or by the matrix itself.
  Layer coarseClasses(bool hasWeight) const;

  Layer convolution(int64_t filters, const Extents &size,
                    const Extents &strides = {1, 1, 1}) const;

private:
  Layer normalization() const;
  Layer dropout() const;
  std::vector<Layer> convolvedTwice(int64_t filters, const Extents &first,
                                    const Extents &second) const;
  /// The layers, normalized before or behind them, and what follows.
  Layer normalized(std::vector<Layer> layers,
                   const std::vector<Layer> &behind = {}) const;

  const BrainTumorOptions &options;
  bool isBefore;
};

/// Maxima of such windows, at so many times fewer places, rounded up.
Layer maxima(const Extents &window, const Extents &strides);

} // namespace tg::models

#endif // TG_COMPILER_FRONTEND_MODELS_BRAINTUMORBLOCKS_H
