//===- Costs.h - arithmetic and memory traffic of functions ---------------===//
#ifndef TG_COMPILER_LIBRARY_PLAN_COSTS_H
#define TG_COMPILER_LIBRARY_PLAN_COSTS_H

#include "dialects/tgx/Tgx.h"

namespace tg {

/// A lower bound of the cost of one run, over the symbols of a kernel or
/// function.
struct Cost {
  /// Two per product of a contraction, one per element of other results.
  mlir::AffineExpr flops;
  /// Bytes of the distinct arguments and of the results.
  mlir::AffineExpr traffic;
};

/// The cost of one launch over the kernel's symbols.
llvm::FailureOr<Cost> costOf(tgx::KernelOp kernel);

/// The sum over all launches and copies, over the function's symbols.
llvm::FailureOr<Cost> costOf(tgx::FunctionOp function);

/// `expr` over the symbols of a kernel, over those of the function that passes
/// `extents` to it.
mlir::AffineExpr substitute(mlir::AffineExpr expr, mlir::AffineMap extents);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_PLAN_COSTS_H
