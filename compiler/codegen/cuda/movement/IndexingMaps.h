//===- IndexingMaps.h - the elements of values that outputs read ----------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_MOVEMENT_INDEXINGMAPS_H
#define TG_COMPILER_CODEGEN_CUDA_MOVEMENT_INDEXINGMAPS_H

#include "compiler/codegen/kernel/KernelContext.h"

namespace tg {

/// A value of a kernel's body with the position of its element that an output
/// reads: a function of the position in the output. Each result of the map is a
/// dimension or 0.
struct IndexedValue {
  mlir::Value value;
  mlir::AffineMap map;

  bool operator==(const IndexedValue &other) const = default;
};

/// Returns the values of a kernel whose outputs have equal extents, outputs
/// included, once for each position that is read. Asks the element rules of the
/// ops. Returns none if an op neither computes an element from those of its
/// operands at the same position nor returns an operand's element at permuted
/// indices. Emits no code that stays.
std::optional<llvm::SmallVector<IndexedValue>>
findIndexingMaps(KernelContext &context);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_MOVEMENT_INDEXINGMAPS_H
