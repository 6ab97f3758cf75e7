//===- WinogradProducts.h - convolutions by Winograd's algorithm ----------===//
#ifndef TG_COMPILER_REFERENCE_WINOGRADPRODUCTS_H
#define TG_COMPILER_REFERENCE_WINOGRADPRODUCTS_H

#include "dialects/tg/Tg.h"
#include "dialects/tg/evaluation/HostTensor.h"
#include "dialects/tg/ops/structured/Contraction.h"

namespace tg {

/// Computes a convolution, or a gradient of one, whose order has Winograd
/// tiles. `factors` are the lhs and the rhs.
void multiplyTiles(const Contraction &space, OrderAttr order,
                   llvm::ArrayRef<HostTensor> factors, HostTensor &result);

} // namespace tg

#endif // TG_COMPILER_REFERENCE_WINOGRADPRODUCTS_H
