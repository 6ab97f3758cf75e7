//===- WinogradRules.h - the contractions of Winograd's algorithm ---------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADRULES_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADRULES_H

#include "dialects/tg/ops/structured/Contraction.h"

namespace tg::winograd {

/// Returns true if the contraction is a convolution, or the gradient of its
/// input, that Winograd tiles can compute: two axes of 3 taps with stride 1,
/// f32 or narrower, static channels and columns.
bool isConvolution(const Contraction &contraction);
/// Returns true if the contraction is the gradient of the filter of such a
/// convolution.
bool isFilterGradient(const Contraction &contraction);

} // namespace tg::winograd

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADRULES_H
