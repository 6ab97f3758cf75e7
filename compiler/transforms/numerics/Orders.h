//===- Orders.h - the orders of sums, stated ------------------------------===//
#ifndef TG_COMPILER_TRANSFORMS_NUMERICS_ORDERS_H
#define TG_COMPILER_TRANSFORMS_NUMERICS_ORDERS_H

#include "mlir/IR/Operation.h"

namespace tg {

/// States the order of each sum in `root` that has no order yet, as the
/// attribute `tg.order`. Composed ops get none: their order is that of the ops
/// that replace them. Returns the number of orders that were stated.
unsigned stateOrders(mlir::Operation *root);

/// Returns the first op in `root` that takes a sum in no stated order, or null.
mlir::Operation *findUnordered(mlir::Operation *root);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_NUMERICS_ORDERS_H
