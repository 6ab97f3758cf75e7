//===- Loops.h - counting loops -------------------------------------------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_LOOPS_H
#define TG_COMPILER_CODEGEN_KERNEL_LOOPS_H

#include "compiler/codegen/kernel/KernelContext.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tg {

/// Emits `for index in [begin, end) step step` and calls `build` to emit the
/// body. On return the builder's insertion point is after the loop.
mlir::scf::ForOp buildFor(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value begin, mlir::Value end, int64_t step,
                          llvm::function_ref<void(mlir::Value)> build);

/// Same, for a loop with iteration arguments, of which there is at least one.
/// Returns the results of the loop.
llvm::SmallVector<mlir::Value>
buildFor(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value begin,
         mlir::Value end, int64_t step, mlir::ValueRange initial,
         llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value,
                                                           mlir::ValueRange)>
             build);

/// Emits the body of a loop with iteration arguments, of which there may be
/// none. Returns their next values.
using CarryStep = llvm::function_ref<llvm::SmallVector<mlir::Value>(
    mlir::Value index, mlir::ValueRange carried)>;

/// Emits `for index in [begin, end) step step`, where the range is a multiple
/// of `step`. Emits nothing if the range is empty, and no loop if it is a
/// single iteration.
llvm::SmallVector<mlir::Value>
emitCarryLoop(KernelContext &context, mlir::Value begin, mlir::Value end,
              int64_t step, mlir::ValueRange initial, CarryStep build);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_LOOPS_H
