//===- WinogradChoice.h - the choice of Winograd tiles --------------------===//
#ifndef TG_COMPILER_TRANSFORMS_LAYOUT_WINOGRADCHOICE_H
#define TG_COMPILER_TRANSFORMS_LAYOUT_WINOGRADCHOICE_H

#include "dialects/tg/ops/structured/Contraction.h"

namespace tg {

/// The choice of Winograd tiles for a convolution or a gradient of one.
struct WinogradChoice {
  /// The m of F(m x m, 3x3).
  int64_t positions;
  /// True if the filter is transformed beforehand; otherwise the kernel
  /// transforms it, block by block.
  bool isPacked;
};

/// The context of a contraction.
struct WinogradUse {
  /// True if the filter is transformed once per change of the weights. The
  /// transform is then free, apart from reading the factors from memory.
  bool isAhead = false;
  /// True if the algorithm is to be used wherever it applies.
  bool isForced = false;
};

/// Returns the fastest choice for a contraction that Winograd's algorithm can
/// compute: a convolution, or the gradient of its input or filter. Returns none
/// if direct sums are faster or the extents of the images are dynamic.
std::optional<WinogradChoice> chooseWinograd(const Contraction &contraction,
                                             WinogradUse use);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_LAYOUT_WINOGRADCHOICE_H
