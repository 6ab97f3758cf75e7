//===- NestedBlocks.h - blocks that nest ----------------------------------===//
#ifndef TG_COMPILER_TRANSFORMS_LOOPS_NESTEDBLOCKS_H
#define TG_COMPILER_TRANSFORMS_LOOPS_NESTEDBLOCKS_H

#include "dialects/tg/Tg.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tg {

/// Calls `visit` for the blocks of branches and loops in a function, inner ones
/// first, then for its body.
void forEachBlock(mlir::func::FuncOp function,
                  llvm::function_ref<void(mlir::Block &)> visit);

/// The values that an op uses: its operands, and those from outside that its
/// regions use, each once.
llvm::SmallVector<mlir::Value> usedValues(mlir::Operation *op);

/// The ops of a block that make what `op`, which stands in it, uses.
llvm::SmallVector<mlir::Operation *> producersInBlock(mlir::Operation *op);

/// Whether an op, or one in its regions, turns to the host with an effect: such
/// ops keep the order of the program.
bool hasHostEffects(mlir::Operation *op);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_LOOPS_NESTEDBLOCKS_H
