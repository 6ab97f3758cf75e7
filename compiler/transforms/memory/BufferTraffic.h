//===- BufferTraffic.h - what passes the caches between two uses ----------===//
#ifndef TG_COMPILER_TRANSFORMS_MEMORY_BUFFERTRAFFIC_H
#define TG_COMPILER_TRANSFORMS_MEMORY_BUFFERTRAFFIC_H

#include "dialects/tgx/Tgx.h"

namespace tg {

/// The bytes that the steps of a function touch between two uses of memory, at
/// the extents for which memory is planned. Kernels pass over their buffers
/// from front to back: between the write of a line and its use in a later step
/// lie half of each of these two steps, and all steps between. A loop is one
/// step: it touches what the steps in it do, as often as it has trips where
/// that is known; a branch what both lists of steps do.
class BufferTraffic {
public:
  explicit BufferTraffic(tgx::FunctionOp function);

  llvm::ArrayRef<tgx::StepOpInterface> getSteps() const { return steps; }
  /// The bytes of a buffer of the function.
  int64_t bytesOf(mlir::Value buffer) const;
  /// From a step to the next use of what it writes to `buffer`, or to the end
  /// of the call; counted up to `enough`.
  int64_t bytesUntilUse(unsigned step, mlir::Value buffer,
                        int64_t enough) const;
  /// To a step from the last use of the memory that it writes, whatever lay
  /// there; calls follow each other. Counted up to `enough`, and in the arena
  /// up to its size: caches that hold it keep it, however many weights pass
  /// once.
  int64_t bytesSinceUse(unsigned step, mlir::Value buffer,
                        int64_t enough) const;

private:
  /// Where the elements of a buffer lie.
  struct Place {
    /// What has the memory, and where that begins and ends: in the arena, or
    /// in memory of its own.
    mlir::Value memory;
    bool isInArena = false;
    int64_t begin = 0, end = 0;
    /// Of a part, the elements of each row of the memory that it has.
    int64_t rowBegin = 0, rowEnd = 0;

    bool meets(const Place &other) const;
  };

  /// Adds what a step touches in so many trips to the last of `steps`.
  void addAccesses(tgx::StepOpInterface step, uint64_t trips);
  Place placeOf(mlir::Value buffer) const;
  bool touches(unsigned step, const Place &place) const;

  llvm::SmallVector<tgx::StepOpInterface> steps;
  /// Per step, its buffers and the bytes of all.
  std::vector<llvm::SmallVector<Place, 4>> places;
  llvm::SmallVector<int64_t> bytes;
  /// Offsets of workspaces, and the end of the last.
  llvm::DenseMap<mlir::Value, int64_t> offsets;
  int64_t arenaBytes = 0;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_MEMORY_BUFFERTRAFFIC_H
