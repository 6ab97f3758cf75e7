//===- GroupedPlan.h - contractions with groups of channels ---------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDPLAN_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDPLAN_H

#include "compiler/codegen/cpu/contraction/grouped/GroupedLine.h"
#include "compiler/codegen/kernel/ElementEmitter.h"

namespace tg {

/// The way in which the lanes of a vector, which are neighbouring channels of
/// the result, read channels of the lhs.
enum class LaneAccess {
  /// One channel for each lane; the channels are contiguous.
  same,
  /// The lanes of a vector are whole groups. A shuffle distributes their
  /// channels.
  pattern,
  /// All lanes belong to one group and share one channel.
  shared,
};

/// The dimension of lanes: groups of channels. In the gradient of a filter to
/// few channels, lanes are the channels of the lhs; each is a group of its own,
/// and all read the same channels of the rhs.
struct GroupedLanes {
  /// Returns the lanes of a contraction, or none if it has neither form.
  /// `lanes` is the length of a vector.
  static std::optional<GroupedLanes> find(const Contraction &contraction,
                                          unsigned lanes);

  GroupedWindows groups;
  bool sharesRhs = false;
};

/// A contraction with windows and groups of channels, and the way in which
/// vectors run over the channels of its result.
struct GroupedPlan {
  GroupedPlan(KernelFrame &frame, Contraction product,
              const GroupedLanes &lanes);
  GroupedPlan(const GroupedPlan &) = delete;

  KernelFrame &frame;
  Contraction contraction;
  GroupedWindows groups;
  /// True if the lanes are channels of the lhs and all of them multiply the
  /// same channels of the rhs, one after the other.
  bool sharesRhs;
  /// The type of operands and sums.
  mlir::Type type;
  unsigned lanes;
  LaneAccess access;
  /// The extent that lanes run over.
  mlir::AffineExpr laneChannels;
  /// The number of taps of each axis.
  llvm::SmallVector<int64_t, 3> taps;
  /// The number of sections of the channels, and the channels of each. No
  /// vector crosses the boundary of a section.
  int64_t sections, sectionChannels;
  /// The maximum number of channels of a chunk of a section. It is chosen so
  /// that the lines of the lhs that neighbouring lines of the result share stay
  /// in L1.
  int64_t chunk;
  IntegerOps ops;

  int64_t countChunks() const;
  /// Returns true if all channels make whole vectors.
  bool hasWholeVectors() const {
    return sectionChannels % lanes == 0 && chunk % lanes == 0;
  }
  const WindowAxis &lineAxis() const { return groups.windows.axes.back(); }
  int64_t lineTaps() const { return taps.back(); }
  /// Returns all axes but the last one, along which lines run.
  llvm::ArrayRef<WindowAxis> outerAxes() const {
    return llvm::ArrayRef(groups.windows.axes).drop_back();
  }
  /// Returns the number of elements from one index to the next along a
  /// dimension of a tensor.
  mlir::Value strideOf(const ContractionTensor &tensor, unsigned axis) const;
};

/// A vector of neighbouring channels of the result.
struct ChannelVector {
  /// The first channel, and the first channel of the lhs in its group.
  mlir::Value first, lhsFirst;
  unsigned lanes;
  /// The mask of active lanes; null if all are active.
  mlir::Value mask;
};

/// Returns the range [begin, end) of the channels of a chunk.
std::pair<mlir::Value, mlir::Value> channelsOf(const GroupedPlan &plan,
                                               mlir::Value chunk);

/// Calls `build` for the vectors of channels [begin, end) of one section.
void forEachChannelVector(
    const GroupedPlan &plan, ElementEmitter &elements, mlir::Value begin,
    mlir::Value end, llvm::function_ref<void(const ChannelVector &)> build);

/// Loads channel `channel` of each lane's group from the lhs, at the position
/// whose first channel is at `offset`.
mlir::Value loadLanes(const GroupedPlan &plan, const ChannelVector &vector,
                      mlir::Value offset, mlir::Value channel);

/// Returns sum + lhs * rhs.
mlir::Value multiplyAdd(const GroupedPlan &plan, mlir::Value lhs,
                        mlir::Value rhs, mlir::Value sum);
/// Returns a zero, in all lanes.
mlir::Value buildZero(const GroupedPlan &plan, unsigned lanes);

/// Returns the element that a tile reads at a distance, which `load` loads by
/// its index. Returns zero at run time if the element is outside the lhs, and
/// null if it is known to be outside.
mlir::Value
loadPresent(const GroupedPlan &plan, const LineTile &tile, int64_t distance,
            unsigned lanes,
            llvm::function_ref<mlir::Value(mlir::Value element)> load);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDPLAN_H
