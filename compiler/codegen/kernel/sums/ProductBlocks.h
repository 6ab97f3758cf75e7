//===- ProductBlocks.h - the blocks of a sum of products ------------------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_SUMS_PRODUCTBLOCKS_H
#define TG_COMPILER_CODEGEN_KERNEL_SUMS_PRODUCTBLOCKS_H

#include "dialects/tg/ops/structured/Contraction.h"

namespace tg {

/// Returns true if the blocks of a sum count lines, all products along the last
/// reduced dimension: in the gradient of a filter with groups.
bool blocksCountLines(const Contraction &contraction);

/// Returns the lengths of the nested blocks into which the order of a
/// contraction's sums divides the products, the smallest first. Leaves out
/// blocks that hold all products (or lines), if their number is static. Without
/// blocks, each sum is one chain.
llvm::SmallVector<int64_t> findProductBlocks(const Contraction &contraction);

/// Returns the number of products (or lines) in a block of the largest kind.
int64_t countProducts(llvm::ArrayRef<int64_t> blocks);

/// Returns the vector or scalar to which the results of blocks are added: -0,
/// because -0 + x is x for every x, even for -0.
mlir::Value buildEmptyTotal(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Type type);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_SUMS_PRODUCTBLOCKS_H
