//===- InvariantWork.h - what is the same in all steps of a loop ----------===//
#ifndef TG_COMPILER_TRANSFORMS_LOOPS_INVARIANTWORK_H
#define TG_COMPILER_TRANSFORMS_LOOPS_INVARIANTWORK_H

#include "compiler/transforms/shapes/FunctionSymbols.h"
#include "dialects/tg/ops/control/ControlOps.h"

namespace tg {

/// Moves before the loops of a function what no step of them changes and what
/// takes longer to compute than to read: products and sums of no more bytes
/// than they take, loops that are the same as a whole, and what these are made
/// of. Asked for inner loops first, it takes work out of all loops that do not
/// change it.
///
/// What may fail at run time moves out of a scan where its length is known, and
/// not 0. Work of a branch moves where its condition is the same in all steps,
/// and under that.
class InvariantWork {
public:
  explicit InvariantWork(mlir::func::FuncOp function) : function(function) {}

  /// Give the number of ops that moved.
  unsigned move(ScanOp loop);
  /// The condition of a `while` runs once at least. What its body computes
  /// stands in a branch before it, under a copy of the condition of the first
  /// trip: a loop without trips computes nothing. That copy, and what other
  /// such branches are decided by, is computed anyway. Where the condition has
  /// effects, the body stays as it is.
  unsigned move(WhileOp loop);

  /// Says that others changed the function: what is known of it is asked anew.
  void forget();

private:
  struct Freedom;
  using Ops = llvm::SmallVector<mlir::Operation *>;
  using OpSet = llvm::DenseSet<mlir::Operation *>;

  bool canMove(mlir::Operation *op, const Freedom &freedom);
  bool isWorthKeeping(mlir::Operation *op) const;
  void findSame(mlir::Block &block, mlir::Region *loop, const Freedom &freedom,
                OpSet &same);
  Ops findWanted(mlir::Block &block, const OpSet &same) const;
  Ops findWork(mlir::Block &block, const Freedom &freedom);

  unsigned openBranches(mlir::Block &block, const Freedom &freedom);
  unsigned openBranches(mlir::Block &block, mlir::Region *loop, OpSet &same);
  unsigned openBranch(IfOp branch, mlir::Region *loop, OpSet &same);
  unsigned moveWork(mlir::Block &block, mlir::Operation *loop,
                    const Freedom &freedom);

  void moveUnderCondition(llvm::ArrayRef<mlir::Operation *> work,
                          mlir::Operation *before, mlir::Value condition);
  void buildBranch(llvm::ArrayRef<mlir::Operation *> work,
                   mlir::Operation *before, mlir::Value condition);
  mlir::Value buildUnused(mlir::OpBuilder &builder, mlir::Value value);

  /// Whether extents are compared at run time before an op.
  bool checksExtents(mlir::Operation *op);
  /// The extents of the function; null where it has none.
  FunctionSymbols *getSymbols();

  mlir::func::FuncOp function;
  std::optional<FunctionSymbols> symbols;
  OpSet checking;
  /// Branches made here: without them, nothing uses what they give.
  OpSet guards;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_LOOPS_INVARIANTWORK_H
