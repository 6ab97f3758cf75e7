//===- TiledProduct.h - sums of products in tiles of blocks ---------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_PRODUCT_TILEDPRODUCT_H
#define TG_COMPILER_CODEGEN_CUDA_PRODUCT_TILEDPRODUCT_H

#include "compiler/codegen/cuda/ThreadFrame.h"
#include "compiler/codegen/cuda/product/TileShape.h"

namespace tg {

/// Returns true if the ops of a kernel but the contraction compute each element
/// of the outputs from the result's element at the same position.
bool hasElementwiseOps(KernelContext &context, const ContractionTensor &result);

/// Returns the tile in which blocks of threads compute the contraction of a
/// kernel, or none if they cannot, or if a thread for each element of the
/// outputs is better.
std::optional<TileShape> findProductTile(ThreadFrame &frame,
                                         const ProductMatrix &matrix);

/// Emits a kernel whose blocks of threads compute one tile of a contraction
/// each, and the ops behind it.
llvm::LogicalResult emitTiledProduct(ThreadFrame &frame,
                                     const ProductMatrix &matrix,
                                     TileShape tile);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_PRODUCT_TILEDPRODUCT_H
