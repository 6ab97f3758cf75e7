//===- Memory.h - elements in memory and in registers ---------------------===//
//
// i1 is a byte in memory, 0 or 1, and i1 in registers; integers are signless
// in registers. Offsets count elements.
//
//===----------------------------------------------------------------------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_MEMORY_H
#define TG_COMPILER_CODEGEN_KERNEL_MEMORY_H

#include "mlir/IR/Builders.h"

namespace tg {

/// A row of elements: `pointer` is !llvm.ptr, `elementType` the tensor's.
struct Elements {
  mlir::Value pointer;
  mlir::Type elementType;
};

/// The active lanes of a vector; all when `mask` is null.
struct Lanes {
  unsigned count = 1;
  mlir::Value mask;
};

/// The address of an element, an !llvm.ptr.
mlir::Value addressOf(mlir::OpBuilder &builder, mlir::Location loc,
                      const Elements &elements, mlir::Value offset);

/// The element at `offset`, or as many from there as there are lanes.
/// Inactive lanes are not read and give 0.
mlir::Value loadElements(mlir::OpBuilder &builder, mlir::Location loc,
                         const Elements &elements, mlir::Value offset,
                         const Lanes &lanes);

/// Stores a scalar or a vector; inactive lanes are not written. With
/// `streamedAlignment`, of which the address is a multiple, past the caches.
void storeElements(mlir::OpBuilder &builder, mlir::Location loc,
                   const Elements &elements, mlir::Value offset,
                   mlir::Value value, const Lanes &lanes,
                   unsigned streamedAlignment = 0);

/// Asks for the cache line of an element, into the second cache: it is read
/// soon, or written.
void prefetchElement(mlir::OpBuilder &builder, mlir::Location loc,
                     const Elements &elements, mlir::Value offset,
                     bool isWritten = false);

/// Vector lanes `first`, `first + 1`, ... below `end`: a mask.
mlir::Value buildMask(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value first, mlir::Value end, unsigned lanes);

/// `value` in all lanes; itself for one lane.
mlir::Value splatTo(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value value, unsigned lanes);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_MEMORY_H
