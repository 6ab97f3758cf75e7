//===- ShapeInference.h - queries and requirements of shape rules ---------===//
#ifndef TG_DIALECTS_TG_EXTENTS_SHAPEINFERENCE_H
#define TG_DIALECTS_TG_EXTENTS_SHAPEINFERENCE_H

#include "dialects/tg/extents/Extents.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/Value.h"
#include "mlir/IR/ValueRange.h"

namespace tg {

/// The extents of an operand as broadcasting sees them.
struct BroadcastExtents {
  llvm::SmallVector<mlir::AffineExpr> dims;
  /// True for each extent that broadcasts: the 1s of the type. A `?` never
  /// does, even if its extent is 1 at run time.
  llvm::SmallVector<bool> broadcasts;
};

/// The queries and requirements of a shape rule. This base class answers for
/// type inference: every `?` is a distinct unknown number, and values of
/// operands are not examined.
class ShapeInference {
public:
  /// `opName` and `loc` are used for messages; without `loc` there are no
  /// messages.
  ShapeInference(mlir::MLIRContext *context, llvm::StringRef opName,
                 std::optional<mlir::Location> loc)
      : context(context), opName(opName), loc(loc) {}
  virtual ~ShapeInference() = default;

  mlir::MLIRContext *getContext() const { return context; }

  /// Returns the extents of an operand.
  virtual llvm::SmallVector<mlir::AffineExpr> extentsOf(mlir::Value value);

  /// Returns the value of a rank-0 i64 operand, or a fresh unknown number.
  virtual mlir::AffineExpr sizeOf(mlir::Value value);

  /// Visits the ops of a block of the op whose rule runs, in order, with these
  /// extents of the block arguments. Returns the extents of the yielded values.
  /// Fails if a rule fails.
  virtual llvm::FailureOr<llvm::SmallVector<TensorExtents>>
  visitBlock(mlir::Block &block, llvm::ArrayRef<TensorExtents> arguments) {
    return mlir::failure();
  }

  /// Sets the block in which later requirements must hold; null for the block
  /// of the op whose rule runs.
  virtual void setBlock(mlir::Block *block) {}

  /// Calls `visit`, which visits the body of a loop, until a visit finds
  /// nothing new about the carried values. An outer loop that already repeats
  /// its visits makes this one call. The visits of nested loops therefore add
  /// up and do not multiply.
  virtual llvm::LogicalResult
  repeat(llvm::function_ref<llvm::LogicalResult()> visit) {
    return visit();
  }
  /// Returns true if the extent of a carried value along an axis differs
  /// between iterations. Rules call setVarying() after a visit and varies() in
  /// the next one.
  virtual bool varies(mlir::Value carried, unsigned axis) { return false; }
  virtual void setVarying(mlir::Value carried, unsigned axis) {}
  /// Returns the number for a varying extent in this visit, with its bound;
  /// `what` is its name in messages.
  virtual mlir::AffineExpr varyingExtent(mlir::Value carried, unsigned axis,
                                         const llvm::Twine &what) {
    return unknown();
  }
  /// Bounds a varying extent by the greater one of `first` and `next`.
  virtual void boundVarying(mlir::Value carried, unsigned axis,
                            mlir::AffineExpr number, mlir::AffineExpr first,
                            mlir::AffineExpr next, const llvm::Twine &what) {}

  /// Returns the number for a data-dependent size, which is at most `most`.
  virtual mlir::AffineExpr found(mlir::AffineExpr most) { return unknown(); }
  /// Returns the number of true elements of an operand, a data-dependent size.
  virtual mlir::AffineExpr countTrue(mlir::Value value);
  /// Bounds a number that is not known at entry by `most`. A run with a greater
  /// number fails with a message of `what` and `label`.
  virtual void bound(mlir::AffineExpr number, mlir::AffineExpr most,
                     const llvm::Twine &what, llvm::StringRef label) {}
  /// Bounds any extent. Returns the extent, or a number with this bound in its
  /// place if the extent has another bound.
  virtual mlir::AffineExpr restrict(mlir::AffineExpr extent, int64_t most,
                                    const llvm::Twine &what,
                                    llvm::StringRef label) {
    return extent;
  }
  /// Returns the upper bound of a number over the numbers known at entry, or
  /// null without a bound.
  virtual mlir::AffineExpr upperBoundOf(mlir::AffineExpr number) {
    return number;
  }

  /// Returns the greater of the upper bounds of two extents, or null if one has
  /// no bound. An expression that already is this greater bound stays
  /// unchanged, because bounds of nested loops would grow otherwise.
  mlir::AffineExpr greaterMost(mlir::AffineExpr a, mlir::AffineExpr b);

  /// Records that two numbers are equal where the op stands, because something
  /// checks it.
  virtual void assume(mlir::AffineExpr a, mlir::AffineExpr b) {}
  /// Returns true if two extents are equal where a block has run, because they
  /// always are or because the block or one around it checks that they are.
  virtual bool areEqual(mlir::AffineExpr a, mlir::AffineExpr b,
                        mlir::Block &block) {
    return a == b;
  }

  /// Returns the op that a symbol refers to where `user` stands, or null.
  virtual mlir::Operation *lookUp(mlir::Operation *user,
                                  mlir::SymbolRefAttr symbol);

  /// Adds a requirement that must hold when the function runs. `what` names the
  /// first number: "lhs dim 1". `label` ends the message of a failure.
  virtual void require(mlir::AffineExpr found, ExtentRelation relation,
                       mlir::AffineExpr expected, const llvm::Twine &what,
                       llvm::StringRef label) {}

  /// Returns true if a number is certainly not negative, whatever the extents
  /// are.
  bool isNeverNegative(mlir::AffineExpr number);

  /// Requires that a number is not negative, unless that is certain. Fails if
  /// the number is certainly negative.
  llvm::LogicalResult requireNotNegative(mlir::AffineExpr number,
                                         const llvm::Twine &what);

  /// Returns the extent for a result whose type does not give it: `?` for type
  /// inference, the extent itself for an analysis.
  virtual mlir::AffineExpr forget(mlir::AffineExpr extent) { return unknown(); }

  /// Returns the extent itself, or an unknown number if the extent has too many
  /// parts.
  virtual mlir::AffineExpr keep(mlir::AffineExpr extent);

  /// Return the greater and the lesser of two numbers.
  mlir::AffineExpr greaterOf(mlir::AffineExpr a, mlir::AffineExpr b);
  mlir::AffineExpr lesserOf(mlir::AffineExpr a, mlir::AffineExpr b);

  mlir::AffineExpr constant(int64_t number) const;

  /// Returns a fresh unknown number.
  mlir::AffineExpr unknown();

  /// Merges two extents by the rule a ≈ b: the static one if there is one,
  /// else a. Fails if both are static and differ, with the message
  /// "expected <what> (a) to equal <other> (b) [label]". Extents that only the
  /// run knows are compared at run time.
  llvm::FailureOr<mlir::AffineExpr>
  merge(mlir::AffineExpr a, mlir::AffineExpr b, const llvm::Twine &what,
        const llvm::Twine &other, llvm::StringRef label,
        llvm::StringRef runTimeLabel = "R0");

  /// Returns the extents of an operand except the last `dropped` ones.
  BroadcastExtents broadcastExtentsOf(mlir::Value value, unsigned dropped = 0);

  /// Computes bcast(s, t). Fails with "expected ... to be equal or 1 [label]".
  llvm::FailureOr<BroadcastExtents> broadcast(const BroadcastExtents &a,
                                              const BroadcastExtents &b,
                                              llvm::StringRef label);

  /// Replaces the -1 entries of `list` in order by `dynamic` operands; fails
  /// with G4 when the counts differ.
  llvm::FailureOr<llvm::SmallVector<mlir::AffineExpr>>
  fillList(llvm::ArrayRef<int64_t> list, mlir::ValueRange dynamic,
           llvm::StringRef listName);

  /// Checks that the axis is in [0, rank) [G3].
  llvm::LogicalResult checkAxis(int64_t axis, int64_t rank);
  /// Checks a list of axes in the same way, and that it has no duplicates.
  llvm::LogicalResult checkAxes(llvm::ArrayRef<int64_t> axes, int64_t rank);

  /// Reports `'tg.op' op <message>` and fails.
  llvm::LogicalResult fail(const llvm::Twine &message);

protected:
  /// Returns true if a symbol stands for an extent, which is never negative.
  virtual bool isExtent(mlir::AffineSymbolExpr symbol) { return true; }

  mlir::MLIRContext *context;
  std::string opName;
  std::optional<mlir::Location> loc;
  unsigned nextUnknown = 0;
};

/// Checks G1: returns true if ops accept a type. It must be a ranked tensor
/// without encoding whose element type has kernels.
bool isAdmittedTensor(mlir::Type type);

/// Checks G2, and G1 for the inferred types; `types` are the types of the op.
llvm::LogicalResult checkResultTypes(llvm::StringRef opName,
                                     std::optional<mlir::Location> loc,
                                     mlir::TypeRange inferred,
                                     mlir::TypeRange types);

/// Implements InferTypeOpInterface by an op's `inferResults`.
template <typename ConcreteOp>
llvm::LogicalResult inferTypesFromExtents(
    mlir::MLIRContext *context, std::optional<mlir::Location> loc,
    mlir::ValueRange operands, mlir::DictionaryAttr attributes,
    mlir::OpaqueProperties properties, mlir::RegionRange regions,
    llvm::SmallVectorImpl<mlir::Type> &types) {
  ShapeInference inference(context, ConcreteOp::getOperationName(), loc);
  typename ConcreteOp::Adaptor adaptor(operands, attributes, properties,
                                       regions);
  llvm::SmallVector<TensorExtents> results;
  if (failed(ConcreteOp::inferResults(adaptor, inference, results)))
    return mlir::failure();
  for (const TensorExtents &result : results)
    types.push_back(result.getType());
  return mlir::success();
}

} // namespace tg

#endif // TG_DIALECTS_TG_EXTENTS_SHAPEINFERENCE_H
