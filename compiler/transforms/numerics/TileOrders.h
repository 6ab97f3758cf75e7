//===- TileOrders.h - reductions of the results of convolutions -----------===//
#ifndef TG_COMPILER_TRANSFORMS_NUMERICS_TILEORDERS_H
#define TG_COMPILER_TRANSFORMS_NUMERICS_TILEORDERS_H

#include "dialects/tg/Tg.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tg {

/// Returns the order of a reduction over all positions of values that follow
/// elementwise from a contraction, such that the kernel of the contraction can
/// also compute the reduction.
OrderAttr orderOfRows(ContractionOpInterface op, const ExtentAnalysis &extents);

/// States the order of each reduction over all positions of values that follow
/// elementwise from a convolution whose kernel computes positions tile by tile:
/// Winograd tiles, or lines of a convolution with groups. The kernel of the
/// convolution can then also compute the reduction. The orders of convolutions
/// by Winograd's algorithm have been stated. Returns the number of stated
/// orders.
unsigned stateTileOrders(mlir::func::FuncOp function,
                         const ExtentAnalysis &extents);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_NUMERICS_TILEORDERS_H
