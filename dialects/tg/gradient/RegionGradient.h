//===- RegionGradient.h - differentiation of ops with regions -------------===//
#ifndef TG_DIALECTS_TG_GRADIENT_REGIONGRADIENT_H
#define TG_DIALECTS_TG_GRADIENT_REGIONGRADIENT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace tg {

/// A flow of values between an op and its regions. `from` is an operand of the
/// op or of the terminator of a region. `to` is an argument of a region or a
/// result of the op. It is equal to the operand, or to an element of it.
struct ValueFlow {
  mlir::OpOperand *from;
  mlir::Value to;
};

/// Cotangents by value, in the order in which the values got them.
using Cotangents = llvm::MapVector<mlir::Value, mlir::Value>;

/// The services that the expansion of a gradient offers to the gradient rules
/// of ops with regions.
///
/// A rule builds backward code. This code may use any value of the forward
/// block that it differentiates, even where the value is not visible. The rule
/// then saves the used values (`ForwardValues`).
class RegionDifferentiator {
public:
  virtual ~RegionDifferentiator() = default;

  /// Returns true if a value depends differentiably on the values whose
  /// gradients are requested.
  virtual bool isActive(mlir::Value value) const = 0;

  /// Differentiates the ops of a block from `last` back to the first: builds
  /// the cotangents of the values that these ops use. If `last` is null, no op
  /// is differentiated. `given` holds the known cotangents of values of the
  /// block. The result contains the cotangents of block arguments and of values
  /// from outside.
  virtual llvm::FailureOr<Cotangents>
  differentiate(mlir::Operation *last, Cotangents given,
                mlir::OpBuilder &builder) = 0;

  /// Returns the values in the regions of an op, and among its operands, that
  /// may get a cotangent if these results have one.
  virtual llvm::DenseSet<mlir::Value> findReached(mlir::Operation *op,
                                                  mlir::ValueRange results) = 0;

  /// Builds the extent of a forward value along an axis, as an i64 of rank 0.
  /// Computes it from the extents of function inputs and of the values in
  /// `available`, which `builder` can use. Returns null if it does not follow
  /// from these extents.
  virtual mlir::Value buildExtent(mlir::OpBuilder &builder, mlir::Location loc,
                                  mlir::Value value, unsigned axis,
                                  mlir::ValueRange available) = 0;

  /// Uses `values` in place of the results of `op`, an op that is being
  /// differentiated. The op is erased when its rule is done.
  virtual void replace(mlir::Operation *op, mlir::ValueRange values) = 0;

  /// Erases an op that nothing uses. Rules do not erase ops themselves, because
  /// facts about the results of an erased op must not apply to new values at
  /// the same addresses.
  virtual void discard(mlir::Operation *op) = 0;

  /// Records that `copies` maps values to copies of them, so that facts about
  /// an original also hold for its copy.
  virtual void addCopies(const mlir::IRMapping &copies) = 0;
};

} // namespace tg

#endif // TG_DIALECTS_TG_GRADIENT_REGIONGRADIENT_H
