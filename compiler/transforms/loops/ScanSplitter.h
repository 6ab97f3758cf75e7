//===- ScanSplitter.h - work of a scan outside of its loop ----------------===//
#ifndef TG_COMPILER_TRANSFORMS_LOOPS_SCANSPLITTER_H
#define TG_COMPILER_TRANSFORMS_LOOPS_SCANSPLITTER_H

#include "dialects/tg/ops/control/ControlOps.h"
#include "llvm/ADT/SetVector.h"

namespace tg {

/// Splits one scan: moves contractions of its body before or after its loop,
/// where one op computes them for all steps.
class ScanSplitter {
public:
  explicit ScanSplitter(ScanOp scan);

  /// Moves all ops that can be moved. Returns their number.
  unsigned run();

private:
  bool isInside(mlir::Value value) const {
    return value.getParentBlock() == &body;
  }
  /// Returns, for each operand, true if it differs from step to step.
  llvm::SmallVector<bool> findStepped(mlir::Operation *op) const;

  /// Moves contractions whose operands are elements of inputs before the loop.
  void moveBefore();
  void moveBefore(BatchableOpInterface op);

  /// Chooses carried sums that are computed after the loop. With `isOfProducts`
  /// these are sums for which it is worth saving operands of all steps, such as
  /// sums of contractions, otherwise sums of values that are stacked in any
  /// case.
  void chooseSums(bool isOfProducts);
  bool isLinear(mlir::Operation *op) const;
  bool keepsLess(mlir::Value result);
  bool canSum(mlir::Value term, bool isOfProducts);
  void needSum(mlir::Value term);
  /// Chooses stacked contractions that are computed after the loop.
  void chooseStacked();

  /// Returns true if the values of all steps are available, as an input or
  /// stacked.
  bool isStacked(mlir::Value value) const;
  void need(mlir::Operation *op);

  /// Builds the scan of the remaining ops.
  void rebuild();
  /// Returns the values of all steps, or the value itself if it is defined
  /// outside of the loop.
  mlir::Value wholeOf(mlir::Value value) const;
  mlir::Value buildSum(mlir::Value term);
  void replaceResults(ScanOp old);

  ScanOp scan;
  mlir::Block &body;
  mlir::OpBuilder builder;
  unsigned carries;
  llvm::SmallVector<mlir::Value> inputs;
  /// The values that the body yielded; null for a value that is computed after
  /// the loop.
  llvm::SmallVector<mlir::Value> yielded;
  llvm::DenseSet<unsigned> behind;
  /// Values that are stacked for the ops after the loop.
  llvm::SetVector<mlir::Value> needed;
  /// The values of all steps, once they are built.
  llvm::DenseMap<mlir::Value, mlir::Value> wholes;
  unsigned moved = 0;
  /// True if the body has loops. The values of its steps take much memory, so
  /// they are saved for all steps only if they take no more bytes than the sum
  /// that is computed from them.
  bool isOuter = false;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_LOOPS_SCANSPLITTER_H
