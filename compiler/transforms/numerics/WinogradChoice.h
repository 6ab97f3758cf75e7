//===- WinogradChoice.h - the choice of Winograd tiles --------------------===//
#ifndef TG_COMPILER_TRANSFORMS_NUMERICS_WINOGRADCHOICE_H
#define TG_COMPILER_TRANSFORMS_NUMERICS_WINOGRADCHOICE_H

#include "dialects/tg/ops/structured/Contraction.h"

namespace tg {

/// The context of a convolution or of a gradient of one.
struct WinogradUse {
  /// True if the filter is transformed once per change of the weights. The
  /// transform is then free, apart from reading the factors from memory.
  bool isAhead = false;
  /// True if the algorithm is to be used wherever it applies.
  bool isForced = false;
};

/// Returns the m of the tiles F(m x m, 3x3) that are fastest for a contraction
/// that Winograd's algorithm can compute: a convolution, or the gradient of its
/// input or filter. Returns 0 if direct sums are faster or the extents of the
/// images are dynamic. Assumes a usual number of images, so that the choice
/// does not depend on the size of a batch.
int64_t chooseWinogradTile(const Contraction &contraction, WinogradUse use);

/// Returns true if it is faster to transform the filter of a convolution, or of
/// the gradient of its input, for these tiles beforehand than in the kernel.
bool isWorthTransforming(const Contraction &contraction, int64_t positions,
                         bool isAhead);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_NUMERICS_WINOGRADCHOICE_H
