//===- Loops.h - counting loops -------------------------------------------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_LOOPS_H
#define TG_COMPILER_CODEGEN_KERNEL_LOOPS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tg {

/// for index in [begin, end) by `step`: calls `build` inside. The builder
/// stands behind the loop afterwards.
mlir::scf::ForOp buildFor(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value begin, mlir::Value end, int64_t step,
                          llvm::function_ref<void(mlir::Value)> build);

/// The same carrying values, at least one, from one round to the next; returns
/// the last.
llvm::SmallVector<mlir::Value>
buildFor(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value begin,
         mlir::Value end, int64_t step, mlir::ValueRange initial,
         llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value,
                                                           mlir::ValueRange)>
             build);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_LOOPS_H
