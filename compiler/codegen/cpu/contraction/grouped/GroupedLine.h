//===- GroupedLine.h - the windows along a line, several at once ----------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDLINE_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDLINE_H

#include "compiler/codegen/cpu/KernelFrame.h"
#include "dialects/tg/ops/structured/Contraction.h"
#include <map>

namespace tg {

/// The positions of a line that are `positionStep` apart and meet the same
/// taps: those of one residue. Position number u is
///   firstPosition + u * positionStep
/// and its tap meets element
///   firstElement + u * elementStep + shift
/// of the lhs.
struct LineResidue {
  struct Tap {
    int64_t number, shift;
  };
  /// The taps, those of the smallest shift first.
  llvm::SmallVector<Tap> taps;
  int64_t positionStep, elementStep;
  mlir::Value firstPosition, count, firstElement;

  mlir::Value positionOf(IntegerOps ops, mlir::Value number) const {
    return ops.add(firstPosition, ops.mul(number, ops.constant(positionStep)));
  }
};

/// All residues of the axis; `positions` is the extent of its positions.
llvm::SmallVector<LineResidue> findResidues(KernelFrame &frame,
                                            const WindowAxis &axis,
                                            int64_t taps,
                                            mlir::Value positions);

/// The taps of an axis that one of its positions meets inside of the lhs: tap
/// firstTap + m * tapStep, for m in [begin, end), meets element
/// firstElement + m * elementStep.
struct TapRange {
  mlir::Value begin, end, firstTap, firstElement;
  int64_t tapStep, elementStep;
};

TapRange findTaps(KernelFrame &frame, const WindowAxis &axis, int64_t taps,
                  mlir::Value extent, mlir::Value position);

/// The dimensions of a tensor [n, s, c] that count its lines.
inline llvm::ArrayRef<mlir::AffineExpr>
lineExtentsOf(const ContractionTensor &tensor) {
  return llvm::ArrayRef(tensor.extents).drop_back(2);
}

/// A line of a tensor by its indices, from its number.
llvm::SmallVector<mlir::Value> lineIndexOf(KernelFrame &frame,
                                           const ContractionTensor &tensor,
                                           mlir::Value number);

/// A line of the result and what of the lhs it meets: the image, and the taps
/// of all axes but that of lines.
struct ResultLine {
  llvm::SmallVector<mlir::Value> index;
  mlir::Value lhsBegin;
  llvm::SmallVector<TapRange, 2> ranges;
};

/// Line `number`; `taps` has those of each axis, and images of the lhs are
/// `imageStride` elements apart.
ResultLine findLine(KernelFrame &frame, const Contraction &contraction,
                    const WindowedLhs &windows, llvm::ArrayRef<int64_t> taps,
                    mlir::Value imageStride, mlir::Value number);

/// The presence of an element of the lhs.
enum class Presence { inside, outside, unknown };

/// `size` neighbouring positions of a residue from number `first` on.
struct LineTile {
  const LineResidue &residue;
  mlir::Value first;
  unsigned size;
  /// The extent of the lhs.
  mlir::Value extent;
  /// True if all windows lie inside.
  bool isInner;

  /// Which position of the tile meets which tap.
  struct Meeting {
    unsigned position, tap;
  };
  /// The elements that the windows of the tile meet, from the first one on:
  /// distances from firstElement + first * elementStep.
  std::map<int64_t, llvm::SmallVector<Meeting>> findMeetings() const;
  /// The index of an element.
  mlir::Value elementAt(IntegerOps ops, int64_t distance) const;
  Presence presenceOf(int64_t distance) const;
};

/// Emits tiles of at most `most` positions for all positions of a residue in
/// order, carrying values from one to the next: whole ones by a loop, those at
/// the borders by themselves, or, where extents are unknown, position by
/// position.
llvm::SmallVector<mlir::Value> emitLineTiles(
    KernelFrame &frame, const LineResidue &residue, mlir::Value extent,
    unsigned most, mlir::ValueRange initial,
    llvm::function_ref<llvm::SmallVector<mlir::Value>(const LineTile &tile,
                                                      mlir::ValueRange carried)>
        build);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDLINE_H
