//===- Passes.h - the pass that emits kernels -----------------------------===//
#ifndef TG_COMPILER_LIBRARY_PASSES_H
#define TG_COMPILER_LIBRARY_PASSES_H

#include "compiler/codegen/kernel/EmittedKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"

namespace tg {

/// Returns the attributes that `tgx-emit-kernels` attached to `function`, the
/// function that runs the tiles of a kernel, as a record.
EmittedKernel describeEmitted(mlir::func::FuncOp function);

#define GEN_PASS_DECL
#include "compiler/library/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "compiler/library/Passes.h.inc"

} // namespace tg

#endif // TG_COMPILER_LIBRARY_PASSES_H
