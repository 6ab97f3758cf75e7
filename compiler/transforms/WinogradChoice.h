//===- WinogradChoice.h - which convolutions transform their tiles --------===//
#ifndef TG_COMPILER_TRANSFORMS_WINOGRADCHOICE_H
#define TG_COMPILER_TRANSFORMS_WINOGRADCHOICE_H

#include "dialects/tg/Contraction.h"

namespace tg {

/// Whether a contraction is a convolution, or the gradient of its input, that
/// Winograd's F(4x4, 3x3) can compute: two axes of 3 taps in steps of one, f32,
/// known channels and columns.
bool canUseWinograd(const Contraction &contraction);

/// Whether that takes less time than the sum as it stands, for images of known
/// extents. `transformsFilter`: the function transforms the filter whenever it
/// runs, which counts, too.
bool isFasterByWinograd(const Contraction &contraction, bool transformsFilter);

/// The same of the gradient of such a convolution's filter, whose positions are
/// summed over.
bool canUseWinogradGradient(const Contraction &contraction);
bool isGradientFasterByWinograd(const Contraction &contraction);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_WINOGRADCHOICE_H
