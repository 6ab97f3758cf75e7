//===- KernelContext.h - a kernel while it is emitted, for any target -----===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_KERNELCONTEXT_H
#define TG_COMPILER_CODEGEN_KERNEL_KERNELCONTEXT_H

#include "compiler/codegen/kernel/Memory.h"
#include "compiler/target/TargetDescription.h"
#include "dialects/tg/elements/IntegerOps.h"
#include "dialects/tgx/Tgx.h"

namespace tg {

/// A kernel while it is emitted, as far as all targets agree: its values with
/// their extents and memory, and where code goes. What a kernel becomes, and
/// how a launch passes these, each back end says in a class of its own.
class KernelContext {
public:
  virtual ~KernelContext() = default;

  /// The extents of all values of the kernel's body, over its symbols.
  const ExtentAnalysis &getAnalysis() const { return analysis; }
  llvm::ArrayRef<mlir::AffineExpr> extentsOf(mlir::Value tensor) const {
    return analysis.extentsOf(tensor);
  }
  /// Returns the stride, in elements, along an axis of an argument or an
  /// output.
  mlir::AffineExpr strideOf(mlir::Value tensor, unsigned axis) const;
  /// The value of a rank-0 i64 tensor when it is known at entry; else null.
  mlir::AffineExpr sizeOf(mlir::Value tensor) const;

  /// The value of an expression over the kernel's symbols, computed at the
  /// entry.
  virtual mlir::Value extent(mlir::AffineExpr expression) = 0;
  /// The memory of an argument or of an output of the kernel.
  virtual Elements argument(mlir::BlockArgument tensor) = 0;
  virtual Elements output(unsigned number) = 0;
  /// Pointer to the i64 that keeps the lowest linear index of an element whose
  /// check failed.
  virtual mlir::Value errorCell() = 0;
  /// The loop around all that a launch computes, which may have no round; null
  /// where there is none.
  virtual mlir::Operation *outermostLoop() = 0;

  IntegerOps integers() { return IntegerOps(builder, loc); }

  tgx::KernelOp kernel;
  /// The description of the target.
  TargetDescription target;
  mlir::Location loc;
  /// The insertion point of the emitter.
  mlir::OpBuilder builder;

protected:
  KernelContext(tgx::KernelOp kernel, const TargetDescription &target,
                mlir::OpBuilder builder);

  /// Finds the extents of all values, which follow from the kernel's symbols:
  /// its verifier saw to that.
  llvm::LogicalResult analyze();

private:
  ExtentAnalysis analysis;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_KERNELCONTEXT_H
