//===- Order.h - the orders of sums ---------------------------------------===//
//
// The order of the additions of a sum decides the bits of its result. It is an
// attribute of the op (see OrderAttr in TgBase.td). The phase `numerics` states
// it before the target is known; everything after it keeps it.
//
//===----------------------------------------------------------------------===//
#ifndef TG_DIALECTS_TG_ORDER_H
#define TG_DIALECTS_TG_ORDER_H

#include "mlir/IR/Operation.h"

namespace tg {

class OrderAttr;

/// The name of the attribute.
inline constexpr char kOrderAttr[] = "tg.order";

/// Returns the order of an op with OrderedOpInterface: the one it states, or
/// else the one that it chooses.
OrderAttr orderOf(mlir::Operation *op);

/// Returns the order of the elements of a reduction over `axes`, ascending, of
/// a tensor of the rank.
///
/// The elements of a line use 16 lanes: a register of the widest CPUs, half of
/// a warp. 4 accumulators hide the latency of additions. Blocks keep errors of
/// long sums small, and a block of the second kind, 32 Ki elements, is the unit
/// of work of a thread. Lines are added in blocks of 24, a multiple of the rows
/// of every register tile, so that a kernel can sum the rows of a product that
/// it has just computed.
OrderAttr chooseReductionOrder(mlir::MLIRContext *context,
                               llvm::ArrayRef<int64_t> axes, int64_t rank);
/// Returns the number of axes at the end of the list that are the last axes of
/// a tensor of the rank: those of a line.
unsigned countLineAxes(llvm::ArrayRef<int64_t> axes, int64_t rank);
/// Verifies an order of such a reduction.
llvm::LogicalResult verifyReductionOrder(mlir::Operation *op, OrderAttr order,
                                         llvm::ArrayRef<int64_t> axes,
                                         int64_t rank);

/// Returns the order of products of matrices. A block has 512 products, which
/// is the depth that kernels keep in the caches, and 16 blocks form a block of
/// their own, which one thread computes.
OrderAttr chooseProductOrder(mlir::MLIRContext *context);
/// Returns the order that adds one element after the other.
OrderAttr getSequentialOrder(mlir::MLIRContext *context);
/// Verifies that an order has one lane, one accumulator, and neither lines nor
/// Winograd tiles.
llvm::LogicalResult verifySequentialOrder(mlir::Operation *op, OrderAttr order);

/// Returns the order of running sums along an axis of a tensor of the rank.
/// Along the last axis a step has 16 neighbouring elements.
OrderAttr chooseRunningOrder(mlir::MLIRContext *context, int64_t axis,
                             int64_t rank);
/// Verifies an order of running sums: it has no accumulators, blocks or lines,
/// and one lane unless the axis is the last one.
llvm::LogicalResult verifyRunningOrder(mlir::Operation *op, OrderAttr order,
                                       int64_t axis, int64_t rank);

/// Verifies the attribute `tg.order` of an op.
llvm::LogicalResult verifyOrderAttribute(mlir::Operation *op,
                                         mlir::Attribute value);

} // namespace tg

#endif // TG_DIALECTS_TG_ORDER_H
