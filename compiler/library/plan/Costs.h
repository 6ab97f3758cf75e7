//===- Costs.h - arithmetic and memory traffic of functions ---------------===//
#ifndef TG_COMPILER_LIBRARY_PLAN_COSTS_H
#define TG_COMPILER_LIBRARY_PLAN_COSTS_H

#include "dialects/tgx/Tgx.h"

namespace tg {

/// A lower bound on the cost of one run, over the symbols of a kernel or
/// function.
struct Cost {
  /// Floating-point operations: two per multiply-add of a contraction, one per
  /// element of other results.
  mlir::AffineExpr flops;
  /// The bytes of the distinct arguments and of the results.
  mlir::AffineExpr traffic;
};

/// Returns the cost of one launch, over the symbols of the kernel.
llvm::FailureOr<Cost> costOf(tgx::KernelOp kernel);

/// Returns the total cost of all launches, copies and host steps, over the
/// symbols of the function.
llvm::FailureOr<Cost> costOf(tgx::FunctionOp function);

/// Replaces the symbols of a kernel in `expr` by the extents of a launch, which
/// are expressions over the symbols of the function.
mlir::AffineExpr substitute(mlir::AffineExpr expr, mlir::AffineMap extents);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_PLAN_COSTS_H
