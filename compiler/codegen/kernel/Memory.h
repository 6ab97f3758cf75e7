//===- Memory.h - elements in memory and in registers ---------------------===//
//
// In memory an i1 is a byte, 0 or 1; in registers it is an i1. Integers are
// signless in registers. Offsets count elements.
//
//===----------------------------------------------------------------------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_MEMORY_H
#define TG_COMPILER_CODEGEN_KERNEL_MEMORY_H

#include "mlir/IR/Builders.h"

namespace tg {

/// A contiguous array of elements: `pointer` is an !llvm.ptr of any address
/// space, `elementType` the element type of the tensor.
struct Elements {
  mlir::Value pointer;
  mlir::Type elementType;
};

/// The number of lanes of a vector and the mask of its active lanes. A null
/// mask means that all lanes are active.
struct Lanes {
  unsigned count = 1;
  mlir::Value mask;
};

/// Returns the type of an element of a type in memory.
mlir::Type memoryType(mlir::Type elementType);

/// Returns the address of an element, of the type of the array's pointer.
mlir::Value addressOf(mlir::OpBuilder &builder, mlir::Location loc,
                      const Elements &elements, mlir::Value offset);

/// Loads the element at `offset`, or a vector of `lanes.count` elements from
/// there. Inactive lanes are not read and yield 0.
mlir::Value loadElements(mlir::OpBuilder &builder, mlir::Location loc,
                         const Elements &elements, mlir::Value offset,
                         const Lanes &lanes);

/// Stores a scalar or a vector; inactive lanes are not written. If
/// `nonTemporalAlignment` is not 0, the store is non-temporal, and the address
/// must be a multiple of `nonTemporalAlignment` bytes.
void storeElements(mlir::OpBuilder &builder, mlir::Location loc,
                   const Elements &elements, mlir::Value offset,
                   mlir::Value value, const Lanes &lanes,
                   unsigned nonTemporalAlignment = 0);

/// Prefetches the cache line of an element into L2, for reading or writing.
void prefetchElement(mlir::OpBuilder &builder, mlir::Location loc,
                     const Elements &elements, mlir::Value offset,
                     bool isWritten = false);

/// Returns a mask in which lane i is active if `first` + i < `end`.
mlir::Value buildMask(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value first, mlir::Value end, unsigned lanes);

/// Broadcasts `value` to all lanes; returns `value` itself if `lanes` is 1.
mlir::Value splatTo(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value value, unsigned lanes);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_MEMORY_H
