//===- WinogradRules.h - the contractions of Winograd's algorithm ---------===//
#ifndef TG_DIALECTS_TG_OPS_WINDOWS_WINOGRADRULES_H
#define TG_DIALECTS_TG_OPS_WINDOWS_WINOGRADRULES_H

#include "dialects/tg/ops/structured/Contraction.h"

namespace tg::winograd {

/// The numbers of positions of a tile along an axis: F(4x4, 3x3) and F(2x2,
/// 3x3).
inline constexpr int64_t kTileSizes[] = {4, 2};
/// The number of taps of a filter along an axis.
inline constexpr int64_t kTaps = 3;
/// The size in bytes of elements and sums, f32: more bits than the rounding
/// errors of the transforms leave would be lost.
inline constexpr int64_t kElementBytes = 4;

/// Returns true if the contraction is a convolution, or the gradient of its
/// input, that Winograd tiles can compute: two axes of 3 taps with stride 1,
/// f32, static channels and columns.
bool isConvolution(const Contraction &contraction);
/// Returns true if the contraction is the gradient of the filter of such a
/// convolution.
bool isFilterGradient(const Contraction &contraction);

} // namespace tg::winograd

#endif // TG_DIALECTS_TG_OPS_WINDOWS_WINOGRADRULES_H
