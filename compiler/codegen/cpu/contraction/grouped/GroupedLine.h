//===- GroupedLine.h - windows along a line, several at a time ------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDLINE_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDLINE_H

#include "compiler/codegen/cpu/KernelFrame.h"
#include "dialects/tg/ops/structured/Contraction.h"
#include <map>

namespace tg {

/// One phase of a line: positions that are `positionStep` apart and read the
/// same taps, because their indices have the same phase modulo the divisor of
/// the axis. Position u of the phase is position
///   firstPosition + u * positionStep
/// of the line. Each of its taps reads element
///   firstElement + u * elementStep + shift
/// of the lhs.
struct LinePhase {
  /// A tap: its index in the op, and the shift of the element that it reads.
  struct Tap {
    int64_t index, shift;
  };
  /// The taps, in ascending order of `shift`.
  llvm::SmallVector<Tap> taps;
  int64_t positionStep, elementStep;
  mlir::Value firstPosition, count, firstElement;

  /// Returns the position in the line of position `index` of the phase.
  mlir::Value positionOf(IntegerOps ops, mlir::Value index) const {
    return ops.add(firstPosition, ops.mul(index, ops.constant(positionStep)));
  }
};

/// Returns all phases of an axis of `positions` positions.
llvm::SmallVector<LinePhase> findPhases(KernelFrame &frame,
                                        const WindowAxis &axis, int64_t taps,
                                        mlir::Value positions);

/// The taps of an axis that read elements inside the lhs for one position. Tap
/// firstTap + m * tapStep reads element firstElement + m * elementStep, for m
/// in [begin, end).
struct TapRange {
  mlir::Value begin, end, firstTap, firstElement;
  int64_t tapStep, elementStep;
};

TapRange findTaps(KernelFrame &frame, const WindowAxis &axis, int64_t taps,
                  mlir::Value extent, mlir::Value position);

/// Returns the extents of a tensor [n, s, c] that count its lines: all but the
/// last two.
inline llvm::ArrayRef<mlir::AffineExpr>
lineExtentsOf(const ContractionTensor &tensor) {
  return llvm::ArrayRef(tensor.extents).drop_back(2);
}

/// Returns the indices of line `number` of a tensor.
llvm::SmallVector<mlir::Value> lineIndexOf(KernelFrame &frame,
                                           const ContractionTensor &tensor,
                                           mlir::Value number);

/// A line of the result, the offset of the image of the lhs that it reads, and
/// the taps that it reads along each axis but the last one.
struct ResultLine {
  llvm::SmallVector<mlir::Value> index;
  mlir::Value lhsBegin;
  llvm::SmallVector<TapRange, 2> ranges;
};

/// Returns line `number` of the result. `taps` holds the number of taps of each
/// axis. Images of the lhs are `imageStride` elements apart.
ResultLine findLine(KernelFrame &frame, const Contraction &contraction,
                    const WindowedLhs &windows, llvm::ArrayRef<int64_t> taps,
                    mlir::Value imageStride, mlir::Value number);

/// The compile-time knowledge about an element that a window reads: it is
/// inside the lhs, or outside in the padding, or the kernel tests this when it
/// runs.
enum class Presence { inside, outside, unknown };

/// A tile of `size` neighbouring positions of a phase, from position `first`
/// on.
struct LineTile {
  const LinePhase &phase;
  mlir::Value first;
  unsigned size;
  /// The extent of the lhs.
  mlir::Value extent;
  /// True if all windows lie inside the lhs.
  bool isInner;

  /// A position of the tile and the tap, an index into `phase.taps`, with
  /// which it reads an element.
  struct Read {
    unsigned position, tap;
  };
  /// Maps each element that the windows of the tile read to the positions and
  /// taps that read it. The key is the distance of the element from element
  /// firstElement + first * elementStep.
  std::map<int64_t, llvm::SmallVector<Read>> findReads() const;
  /// Returns the lhs index of the element at a distance, as a key of
  /// findReads().
  mlir::Value elementAt(IntegerOps ops, int64_t distance) const;
  Presence presenceOf(int64_t distance) const;
};

/// Emits tiles of at most `maxPositions` positions for all positions of a phase
/// in order, and returns the values carried from tile to tile. If extents are
/// static, a loop computes whole inner tiles, and tiles at the borders are
/// emitted one by one. Otherwise, positions at the borders are computed one by
/// one in loops.
llvm::SmallVector<mlir::Value> emitLineTiles(
    KernelFrame &frame, const LinePhase &phase, mlir::Value extent,
    unsigned maxPositions, mlir::ValueRange initial,
    llvm::function_ref<llvm::SmallVector<mlir::Value>(const LineTile &tile,
                                                      mlir::ValueRange carried)>
        build);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDLINE_H
