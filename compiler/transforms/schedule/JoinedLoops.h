//===- JoinedLoops.h - calls of loops as one call -------------------------===//
#ifndef TG_COMPILER_TRANSFORMS_SCHEDULE_JOINEDLOOPS_H
#define TG_COMPILER_TRANSFORMS_SCHEDULE_JOINEDLOOPS_H

#include "compiler/transforms/schedule/FlatLoop.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace tg {

/// A call of a loop that may share its launch with others.
struct LoopCall {
  tgx::CallOp call;
  tgx::KernelOp kernel;
  /// The flat form of the loop if the call has one. The extents of the outputs
  /// are static then, unless there is one dimension.
  const FlatLoop *flat = nullptr;
  /// The number of elements of an output, over the symbols of the function.
  mlir::AffineExpr count;

  /// Returns the kernel whose body the joined kernel has.
  tgx::KernelOp getBody() const { return flat ? flat->kernel.get() : kernel; }
  /// Returns the values of the symbols of `getBody()`.
  llvm::SmallVector<mlir::AffineExpr> getSymbols() const;
};

/// Some calls of one block that become parts of one kernel.
class JoinedLoops {
public:
  /// Adds a call, unless the argument block of the kernel would have more than
  /// `slots` slots, or one of the loops would read the old content of a
  /// variable that another one writes. Returns true if the call was added.
  bool add(const LoopCall &loop, int64_t slots);

  /// Replaces the calls by one call, at the place of the last of them, and
  /// moves views of results and assigns behind it. The kernel is added to
  /// `kernels`. Does nothing if there is only one call.
  void replace(mlir::SymbolTable &kernels);

  llvm::ArrayRef<LoopCall> getCalls() const { return calls; }

private:
  llvm::SmallVector<LoopCall> calls;
  /// The numbers that flat loops read, and the symbols of all calls, each once.
  llvm::SetVector<mlir::Value> numbers;
  llvm::SetVector<mlir::AffineExpr> symbols;
  /// The number of other inputs, and of outputs.
  int64_t buffers = 0;
  /// The variables that the loops read and write.
  llvm::DenseSet<mlir::Attribute> read, written;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_SCHEDULE_JOINEDLOOPS_H
