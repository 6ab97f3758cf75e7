//===- BufferTraffic.h - bytes touched between two uses of memory ---------===//
#ifndef TG_COMPILER_TRANSFORMS_MEMORY_BUFFERTRAFFIC_H
#define TG_COMPILER_TRANSFORMS_MEMORY_BUFFERTRAFFIC_H

#include "dialects/tgx/functions/BufferPlaces.h"

namespace tg {

/// The bytes that the steps of a function touch between two uses of memory, at
/// the planned extents. Kernels access their buffers from front to back,
/// so half of the bytes of both steps, and all bytes of the steps between them,
/// are touched between the write of a cache line and its use in a later step. A
/// loop is one step: it touches the bytes of its inner steps in every
/// iteration, if the number of iterations is known. A branch touches the bytes
/// of both lists of steps.
class BufferTraffic {
public:
  explicit BufferTraffic(tgx::FunctionOp function);

  llvm::ArrayRef<tgx::StepOpInterface> getSteps() const { return steps; }
  /// Returns the bytes of a buffer of the function.
  int64_t bytesOf(mlir::Value buffer) const;
  /// Returns the bytes from a step to the next use of its output `buffer`, or
  /// to the end of the call. Stops counting at `limit`.
  int64_t bytesUntilUse(unsigned step, mlir::Value buffer, int64_t limit) const;
  /// Returns the bytes from the last use of the memory that a step writes to
  /// this step, whichever buffer was there before. Assumes that calls of the
  /// function follow each other. Stops counting at `limit`, and for memory in
  /// the arena at the size of the arena: caches that can hold the arena keep
  /// it, even if many weights pass through them once.
  int64_t bytesSinceUse(unsigned step, mlir::Value buffer, int64_t limit) const;

private:
  /// The location of the elements of a buffer.
  struct MemoryRange {
    /// The root of the memory, and its begin and end: in the arena, or in
    /// memory of its own.
    mlir::Value root;
    bool isInArena = false;
    int64_t begin = 0, end = 0;
    tgx::ElementRange elements;

    bool overlaps(const MemoryRange &other) const;
  };

  /// Adds the accesses of a step in `iterations` iterations to the last of
  /// `steps`.
  void addAccesses(tgx::StepOpInterface step, uint64_t iterations);
  MemoryRange rangeOf(mlir::Value buffer) const;
  bool touches(unsigned step, const MemoryRange &range) const;

  llvm::SmallVector<tgx::StepOpInterface> steps;
  /// For each step, its buffers and their total bytes.
  std::vector<llvm::SmallVector<MemoryRange, 4>> ranges;
  llvm::SmallVector<int64_t> bytes;
  tgx::ArenaPlaces arena;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_MEMORY_BUFFERTRAFFIC_H
