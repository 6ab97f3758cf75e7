//===- NestedBlocks.h - nested blocks -------------------------------------===//
#ifndef TG_COMPILER_TRANSFORMS_LOOPS_NESTEDBLOCKS_H
#define TG_COMPILER_TRANSFORMS_LOOPS_NESTEDBLOCKS_H

#include "dialects/tg/Tg.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tg {

/// Calls `visit` for the blocks of branches and loops in a function, inner ones
/// first, then for its body.
void forEachBlock(mlir::func::FuncOp function,
                  llvm::function_ref<void(mlir::Block &)> visit);

/// Returns the values that an op uses: its operands, and the values from
/// outside that its regions use, each once.
llvm::SmallVector<mlir::Value> usedValues(mlir::Operation *op);

/// Returns the ops of the block of `op` that define the values it uses.
llvm::SmallVector<mlir::Operation *> producersInBlock(mlir::Operation *op);

/// Returns true if an op, or an op in its regions, is a host op with an effect.
/// Such ops keep the order of the program.
bool hasHostEffects(mlir::Operation *op);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_LOOPS_NESTEDBLOCKS_H
