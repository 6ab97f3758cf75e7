//===- InvariantWork.h - loop-invariant code motion -----------------------===//
#ifndef TG_COMPILER_TRANSFORMS_LOOPS_INVARIANTWORK_H
#define TG_COMPILER_TRANSFORMS_LOOPS_INVARIANTWORK_H

#include "compiler/transforms/shapes/FunctionSymbols.h"
#include "dialects/tg/ops/control/ControlOps.h"

namespace tg {

/// Moves loop-invariant work before the loops of a function, if it takes longer
/// to compute than to read: products and sums with no more bytes than their
/// operands, loops that are invariant as a whole, and the ops that these depend
/// on. Called for inner loops first, it moves work out of all loops in which
/// the work is invariant.
///
/// Work that may fail at run time moves out of a scan only if the length of the
/// scan is known and not 0. Work of a branch moves, under the condition of the
/// branch, if the condition is invariant.
class InvariantWork {
public:
  explicit InvariantWork(mlir::func::FuncOp function) : function(function) {}

  /// Return the number of moved ops.
  unsigned move(ScanOp loop);
  /// The condition region of a `while` runs at least once, so its work moves
  /// directly. The work of the body moves into a branch before the loop, under
  /// a copy of the condition of the first iteration: a loop without iterations
  /// computes nothing. This copy, and the conditions of other such branches,
  /// are always computed. If the condition has effects, the body stays as it
  /// is.
  unsigned move(WhileOp loop);

  /// Drops the results of analyses, because the function was changed by others.
  void forget();

private:
  struct Permissions;
  using Ops = llvm::SmallVector<mlir::Operation *>;
  using OpSet = llvm::DenseSet<mlir::Operation *>;

  bool canMove(mlir::Operation *op, const Permissions &allowed);
  bool isWorthMoving(mlir::Operation *op) const;
  void findInvariant(mlir::Block &block, mlir::Region *loop,
                     const Permissions &allowed, OpSet &invariant);
  Ops selectWork(mlir::Block &block, const OpSet &invariant) const;
  Ops findWork(mlir::Block &block, const Permissions &allowed);

  unsigned moveOutOfBranches(mlir::Block &block, const Permissions &allowed);
  unsigned moveOutOfBranches(mlir::Block &block, mlir::Region *loop,
                             OpSet &invariant);
  unsigned moveOutOfBranch(IfOp branch, mlir::Region *loop, OpSet &invariant);
  unsigned moveWork(mlir::Block &block, mlir::Operation *loop,
                    const Permissions &allowed);

  void moveUnderCondition(llvm::ArrayRef<mlir::Operation *> work,
                          mlir::Operation *before, mlir::Value condition);
  void buildBranch(llvm::ArrayRef<mlir::Operation *> work,
                   mlir::Operation *before, mlir::Value condition);
  mlir::Value buildUnused(mlir::OpBuilder &builder, mlir::Value value);

  /// Returns true if extents are compared at run time before an op.
  bool checksExtents(mlir::Operation *op);
  /// Returns the symbols of the function; null if it has none.
  FunctionSymbols *getSymbols();

  mlir::func::FuncOp function;
  std::optional<FunctionSymbols> symbols;
  OpSet checking;
  /// Branches built by this pass. They exist only for the users of their
  /// results.
  OpSet guards;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_LOOPS_INVARIANTWORK_H
