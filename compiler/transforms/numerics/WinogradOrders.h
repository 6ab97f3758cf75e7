//===- WinogradOrders.h - convolutions by Winograd's algorithm ------------===//
#ifndef TG_COMPILER_TRANSFORMS_NUMERICS_WINOGRADORDERS_H
#define TG_COMPILER_TRANSFORMS_NUMERICS_WINOGRADORDERS_H

#include "dialects/tg/extents/ExtentAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tg {

/// States the order of each convolution of a function, and of each gradient of
/// one, that Winograd's algorithm computes: where it is faster or, if
/// `isForced`, wherever it is possible. Returns the number of stated orders.
unsigned stateWinogradOrders(mlir::func::FuncOp function,
                             const ExtentAnalysis &extents, bool isForced);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_NUMERICS_WINOGRADORDERS_H
