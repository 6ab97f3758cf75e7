//===- RegionGradient.h - how ops with regions are differentiated ---------===//
#ifndef TG_DIALECTS_TG_GRADIENT_REGIONGRADIENT_H
#define TG_DIALECTS_TG_GRADIENT_REGIONGRADIENT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace tg {

/// One way that values go between an op and its regions: what the operand has,
/// of the op or of the end of a region, or an element of it, is what the
/// argument of a region or the result has.
struct ValueFlow {
  mlir::OpOperand *from;
  mlir::Value to;
};

/// Cotangents by value, in the order in which the values got one.
using Cotangents = llvm::MapVector<mlir::Value, mlir::Value>;

/// The services that whoever expands a gradient offers to the rules of ops with
/// regions.
///
/// A rule builds backward code. This code may use any value of the forward
/// block that it differentiates, wherever the code stands. The rule then hands
/// over the used values (`ForwardValues`).
class RegionDifferentiator {
public:
  virtual ~RegionDifferentiator() = default;

  /// Returns true if a value depends differentiably on the values whose
  /// gradients are wanted.
  virtual bool isActive(mlir::Value value) const = 0;

  /// Builds the cotangents of what the ops up to `last` (none when null) of its
  /// block use, from `given` ones of values of the block: all there are, those
  /// of arguments of the block and of values from outside among them.
  virtual llvm::FailureOr<Cotangents>
  differentiate(mlir::Operation *last, Cotangents given,
                mlir::OpBuilder &builder) = 0;

  /// The values that a cotangent may reach in the regions of an op, from
  /// cotangents of these results; its operands are among them.
  virtual llvm::DenseSet<mlir::Value> findReached(mlir::Operation *op,
                                                  mlir::ValueRange results) = 0;

  /// The extent of a forward value on an axis, rank 0, i64, made of extents of
  /// inputs of the function and of the values `around`; null where it does not
  /// follow from them.
  virtual mlir::Value buildExtent(mlir::OpBuilder &builder, mlir::Location loc,
                                  mlir::Value value, unsigned axis,
                                  mlir::ValueRange around) = 0;

  /// Lets `values` stand for the results of an op that is differentiated. It
  /// goes away when its rule is done.
  virtual void replace(mlir::Operation *op, mlir::ValueRange values) = 0;

  /// Takes out an op that nothing uses. Rules erase none themselves: what is
  /// known of its results must not be said of others at their addresses.
  virtual void discard(mlir::Operation *op) = 0;

  /// Says that the values are copies: what is known of the one is known of the
  /// other.
  virtual void addCopies(const mlir::IRMapping &copies) = 0;
};

} // namespace tg

#endif // TG_DIALECTS_TG_GRADIENT_REGIONGRADIENT_H
