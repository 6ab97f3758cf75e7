//===- BrainTumorBlocks.h - blocks of the brain tumour networks -----------===//
#ifndef TG_COMPILER_FRONTEND_MODELS_BRAINTUMORBLOCKS_H
#define TG_COMPILER_FRONTEND_MODELS_BRAINTUMORBLOCKS_H

#include "ModelParts.h"
#include "tg/models/BrainTumor.h"

namespace tg::models {

/// Window sizes or strides: depth, height and width.
using Extents = std::array<int64_t, 3>;

/// A level of the encoder.
struct SegmentLevel {
  enum Kind {
    /// Two convolutions, then max pooling.
    twice,
    /// One convolution, then normalization without activation, then max
    /// pooling.
    once,
    /// Normalization, then one strided convolution, without pooling.
    strided
  };
  int64_t filters;
  /// The kernel sizes of the convolutions.
  Extents first, second = {};
  /// The window and the strides of the max pooling after them.
  Extents window = {}, strides;
  Kind kind = twice;
};

/// A dense block and the max pooling after it.
struct DenseLevel {
  int64_t filters;
  Extents size, window, strides;
  /// The window of the max pooling that reduces the segments to the same
  /// positions.
  Extents maskWindow;
};

/// The structure of a dense block.
struct DenseKind {
  int64_t steps = 3;
  /// True if a step is a convolution with normalization, otherwise it consists
  /// of two convolutions.
  bool isNormalized = false;
};

/// A builder of the blocks of a network.
class BrainTumorBlocks {
public:
  BrainTumorBlocks(const BrainTumorOptions &chosen, bool normalizesBefore)
      : options(chosen), isBefore(normalizesBefore) {}

  Layer down(const SegmentLevel &level) const;
  /// Returns a decoder level, which restores the extents before the encoder
  /// level.
  Layer up(int64_t filters, const Extents &strides) const;
  /// Returns the layers that compute the logits of positions.
  Layer segments(int64_t filters) const;
  Layer dense(const DenseLevel &level, const DenseKind &kind) const;
  /// Returns the layers that compute the logits of fine classes, with hidden
  /// layers of the given units.
  Layer fineClasses(const std::vector<int64_t> &units) const;
  /// Returns the layer that computes the logits of coarse classes from the
  /// logits of fine classes. It multiplies by the class matrix, or by a weight
  /// times the class matrix.
  Layer coarseClasses(bool hasWeight) const;

  Layer convolution(int64_t filters, const Extents &size,
                    const Extents &strides = {1, 1, 1}) const;

private:
  Layer normalization() const;
  Layer dropout() const;
  std::vector<Layer> convolvedTwice(int64_t filters, const Extents &first,
                                    const Extents &second) const;
  /// Returns the layers with a normalization before or after them, followed by
  /// `last`.
  Layer normalized(std::vector<Layer> layers,
                   const std::vector<Layer> &last = {}) const;

  const BrainTumorOptions &options;
  /// True if the normalization precedes the layers of a block.
  bool isBefore;
};

/// Returns max pooling with padding, which divides the extents by the strides
/// and rounds up.
Layer maxPooling(const Extents &window, const Extents &strides);

} // namespace tg::models

#endif // TG_COMPILER_FRONTEND_MODELS_BRAINTUMORBLOCKS_H
