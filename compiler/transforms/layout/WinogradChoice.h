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
  /// True if the kernel also reduces rows of the result. Rows of a filter's
  /// gradient cannot be reduced so.
  bool reducesRows = false;
  /// True if the algorithm is to be used wherever it applies.
  bool isForced = false;
};

/// Returns the fastest choice for a contraction on images of known extents: a
/// convolution, or the gradient of its input or filter, with two axes of 3 taps
/// in steps of one, f32, known channels and columns. Returns none for other
/// contractions, and if direct sums are faster.
std::optional<WinogradChoice> chooseWinograd(const Contraction &contraction,
                                             WinogradUse use);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_LAYOUT_WINOGRADCHOICE_H
