//===- WinogradChoice.h - which convolutions transform their tiles --------===//
#ifndef TG_COMPILER_TRANSFORMS_LAYOUT_WINOGRADCHOICE_H
#define TG_COMPILER_TRANSFORMS_LAYOUT_WINOGRADCHOICE_H

#include "dialects/tg/ops/structured/Contraction.h"

namespace tg {

/// How a convolution, or a gradient of one, is computed by transformed tiles.
struct WinogradChoice {
  /// Of F(m x m, 3x3).
  int64_t positions;
  /// Whether the filter is transformed before; else its kernel transforms it,
  /// block by block.
  bool isPacked;
};

/// What is known of a contraction beside itself.
struct WinogradUse {
  /// Whether its filter is transformed once per change of the weights: that
  /// costs nothing then, but for reading the factors from memory.
  bool isAhead = false;
  /// Whether rows of the result are reduced beside, which those of a filter's
  /// gradient cannot be.
  bool reducesRows = false;
  /// Whether it is to be computed so wherever that can be done.
  bool isForced = false;
};

/// How a contraction takes the least time, for images of known extents: a
/// convolution, the gradient of its input or of its filter, with two axes of 3
/// taps in steps of one, f32, known channels and columns. None where sums as
/// they stand take less, and for others.
std::optional<WinogradChoice> chooseWinograd(const Contraction &contraction,
                                             WinogradUse use);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_LAYOUT_WINOGRADCHOICE_H
