//===- KernelContext.h - the state of a kernel during emission ------------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_KERNELCONTEXT_H
#define TG_COMPILER_CODEGEN_KERNEL_KERNELCONTEXT_H

#include "compiler/codegen/kernel/Memory.h"
#include "compiler/target/TargetDescription.h"
#include "dialects/tg/elements/IntegerOps.h"
#include "dialects/tgx/Tgx.h"

namespace tg {

/// An element that fails a check: its linear index, the index of the violated
/// predicate among those of the check (null for 0), and the value that the
/// check reports (null for none). All are i64.
struct FailingElement {
  mlir::Value element, predicate, value;
};

/// The target-independent state of a kernel during emission: its values with
/// their extents and memory, and the insertion point. Each back end derives a
/// class that defines the emitted functions, and how a launch passes the
/// operands.
class KernelContext {
public:
  virtual ~KernelContext() = default;

  /// Returns the extents of all values in the kernel's body as functions of its
  /// symbols.
  const ExtentAnalysis &getAnalysis() const { return analysis; }
  llvm::ArrayRef<mlir::AffineExpr> extentsOf(mlir::Value tensor) const {
    return analysis.extentsOf(tensor);
  }
  /// Returns the stride, in elements, along an axis of an argument or output.
  mlir::AffineExpr strideOf(mlir::Value tensor, unsigned axis) const;
  /// Returns the value of a rank-0 i64 tensor as an expression over the
  /// kernel's symbols if it can be computed at the entry of the kernel,
  /// otherwise null.
  mlir::AffineExpr sizeOf(mlir::Value tensor) const;

  /// Returns the value of an expression over the kernel's symbols, computed at
  /// the entry.
  virtual mlir::Value extent(mlir::AffineExpr expression) = 0;
  /// Returns the memory of an argument or output of the kernel.
  virtual Elements argument(mlir::BlockArgument tensor) = 0;
  virtual Elements output(unsigned index) = 0;
  /// Emits code that reports the element which `describe` emits, if `fails` is
  /// true. The error cell of the violated predicate is set to the minimum of
  /// the cell and the element's index. The element's value is stored only if
  /// the cell already holds this index: a first run of the kernel finds the
  /// lowest index, and a second run stores the value of that element.
  virtual void report(mlir::Value fails, tgx::ElementCheckOpInterface check,
                      llvm::function_ref<FailingElement()> describe) = 0;
  /// Returns the loop around the whole computation of a launch, which may run
  /// zero iterations. Null if there is none.
  virtual mlir::Operation *outermostLoop() = 0;

  IntegerOps integers() { return IntegerOps(builder, loc); }
  /// Returns the arithmetic of numbers that are at most the number of elements
  /// of a value in the body: of linear indices, their quotients and remainders.
  IntegerOps indices() { return IntegerOps(builder, loc, indexWidth); }

  tgx::KernelOp kernel;
  /// The properties of the target.
  TargetDescription target;
  mlir::Location loc;
  /// The insertion point of emitted code.
  mlir::OpBuilder builder;

protected:
  KernelContext(tgx::KernelOp kernel, const TargetDescription &target,
                mlir::OpBuilder builder);

  /// Computes the extents of all values from the kernel's symbols. The verifier
  /// of the kernel guarantees that this is possible.
  llvm::LogicalResult analyze();

  /// Emits the code of `report` for the memory of the report and the error
  /// cells at `errors`.
  void reportTo(mlir::Value errors, mlir::Value fails,
                tgx::ElementCheckOpInterface check,
                llvm::function_ref<FailingElement()> describe);

  /// The width of `indices`.
  IndexWidth indexWidth = IndexWidth::wide;

private:
  ExtentAnalysis analysis;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_KERNELCONTEXT_H
