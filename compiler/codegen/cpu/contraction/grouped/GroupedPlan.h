//===- GroupedPlan.h - contractions of groups of channels -----------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDPLAN_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDPLAN_H

#include "compiler/codegen/cpu/contraction/grouped/GroupedLine.h"
#include "compiler/codegen/kernel/ElementEmitter.h"

namespace tg {

/// The way in which the lanes of a vector, which are neighbouring channels of
/// the result, find their channels of the lhs.
enum class LaneAccess {
  /// Side by side: one channel each.
  same,
  /// The lanes of a vector are whole groups, whose channels lie in a pattern.
  pattern,
  /// All lanes lie in one group and share one channel.
  shared,
};

/// The dimension of lanes: groups of channels, or, in the gradient of a filter
/// to few channels, the channels of the lhs, each a group of its own, all of
/// which meet the same channels of the rhs.
struct GroupedLanes {
  /// None for other contractions; `lanes` is the length of a vector.
  static std::optional<GroupedLanes> find(const Contraction &contraction,
                                          unsigned lanes);

  GroupedWindows groups;
  bool sharesRhs = false;
};

/// A contraction with windows of groups of channels, and how vectors run over
/// the channels of its result.
struct GroupedPlan {
  GroupedPlan(KernelFrame &frame, Contraction product,
              const GroupedLanes &lanes);
  GroupedPlan(const GroupedPlan &) = delete;

  KernelFrame &frame;
  Contraction contraction;
  GroupedWindows groups;
  /// True if the lanes, which are channels of the lhs, meet the same channels
  /// of the rhs: those of the group, one after the other.
  bool sharesRhs;
  /// The type of operands and sums.
  mlir::Type type;
  unsigned lanes;
  LaneAccess access;
  /// The extent that lanes run over.
  mlir::AffineExpr laneChannels;
  /// Taps of each axis.
  llvm::SmallVector<int64_t, 3> taps;
  /// Sections of the result's channels that vectors do not leave, and the
  /// channels of each.
  int64_t sections, sectionChannels;
  /// The most channels of a part of a section: so many that the lines of the
  /// lhs which neighbouring lines of the result share stay in the first cache.
  int64_t chunk;
  IntegerOps ops;

  int64_t countChunks() const;
  /// Returns true if all channels make whole vectors.
  bool hasWholeVectors() const {
    return sectionChannels % lanes == 0 && chunk % lanes == 0;
  }
  const WindowAxis &lineAxis() const { return groups.windows.axes.back(); }
  int64_t lineTaps() const { return taps.back(); }
  /// All axes but that of lines, with their taps.
  llvm::ArrayRef<WindowAxis> outerAxes() const {
    return llvm::ArrayRef(groups.windows.axes).drop_back();
  }
  /// Elements from one index to the next along a dimension of a tensor.
  mlir::Value strideOf(const ContractionTensor &tensor, unsigned axis) const;
};

/// Some neighbouring channels of the result while vectors of them are computed.
struct ChannelVector {
  /// The first one, and that of the lhs which its group begins with.
  mlir::Value first, lhsFirst;
  unsigned lanes;
  /// Null for all lanes.
  mlir::Value mask;
};

/// Part `chunk` of the channels, as an interval.
std::pair<mlir::Value, mlir::Value> channelsOf(const GroupedPlan &plan,
                                               mlir::Value chunk);

/// Calls `build` for the vectors of channels [begin, end) of one section.
void forEachChannelVector(
    const GroupedPlan &plan, ElementEmitter &elements, mlir::Value begin,
    mlir::Value end, llvm::function_ref<void(const ChannelVector &)> build);

/// Loads channel `channel` of each lane's group from the lhs, whose position
/// begins at `offset`.
mlir::Value loadLanes(const GroupedPlan &plan, const ChannelVector &vector,
                      mlir::Value offset, mlir::Value channel);

/// sum + lhs * rhs.
mlir::Value multiplyAdd(const GroupedPlan &plan, mlir::Value lhs,
                        mlir::Value rhs, mlir::Value sum);
/// A zero, in all lanes.
mlir::Value buildZero(const GroupedPlan &plan, unsigned lanes);

/// The element that a tile meets at a distance, by `load` of its index: zero
/// where the lhs has none, and null where it is known to have none.
mlir::Value
loadPresent(const GroupedPlan &plan, const LineTile &tile, int64_t distance,
            unsigned lanes,
            llvm::function_ref<mlir::Value(mlir::Value element)> load);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDPLAN_H
