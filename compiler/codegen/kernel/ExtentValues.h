//===- ExtentValues.h - extents as values ---------------------------------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_EXTENTVALUES_H
#define TG_COMPILER_CODEGEN_KERNEL_EXTENTVALUES_H

#include "dialects/tg/elements/IntegerOps.h"
#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/DenseMap.h"

namespace tg {

/// Computes expressions over a kernel's symbols as i64 values at the entry of a
/// function. Each back end defines where the symbols are.
class ExtentValues {
public:
  /// New code goes to the insertion point of `builder`, which must dominate all
  /// uses.
  ExtentValues(mlir::OpBuilder builder, mlir::Location loc)
      : builder(builder), loc(loc) {}
  virtual ~ExtentValues() = default;

  /// Returns the value of an expression over the kernel's symbols. Computes
  /// each expression once.
  mlir::Value get(mlir::AffineExpr expression);
  /// Returns a builder of integer arithmetic at the entry.
  IntegerOps integers() { return IntegerOps(builder, loc); }

  mlir::OpBuilder builder;

protected:
  /// Returns the value of a symbol as an i64.
  virtual mlir::Value symbol(unsigned position) = 0;

  mlir::Location loc;

private:
  mlir::Value compute(mlir::AffineExpr expression);

  llvm::DenseMap<mlir::AffineExpr, mlir::Value> known;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_EXTENTVALUES_H
