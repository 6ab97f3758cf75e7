//===- GroupedPlan.h - contractions with groups of channels ---------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDPLAN_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDPLAN_H

#include "compiler/codegen/cpu/contraction/grouped/GroupedLine.h"
#include "compiler/codegen/kernel/ElementEmitter.h"

namespace tg {

/// The way in which the lanes of a vector read channels of the lhs. Lane i
/// computes channel first + i.
enum class LaneAccess {
  /// Lane i reads channel first + i of the lhs, so a vector is a contiguous
  /// load.
  same,
  /// A vector covers whole groups. A shuffle gives each lane a channel of its
  /// group.
  pattern,
  /// All lanes are in one group and read one channel, which is broadcast.
  broadcast,
};

/// The channels that vectors run over. Usually these are the channels of the
/// result, in groups. For the weight gradient of a convolution with few output
/// channels, these are the channels of the lhs. Each of them is then a group of
/// its own, and all lanes read the same channels of the rhs (`sharesRhs`).
struct GroupedLanes {
  /// Returns the lanes of a contraction, or none if it is neither grouped nor a
  /// weight gradient with few output channels. `lanes` is the length of a
  /// vector.
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
  /// True if lanes are channels of the lhs. All lanes are then multiplied by
  /// the same channel of the rhs, for one channel of the rhs after the other.
  bool sharesRhs;
  /// The type of operands and sums.
  mlir::Type type;
  unsigned lanes;
  LaneAccess access;
  /// The number of channels that lanes run over.
  mlir::AffineExpr laneChannels;
  /// The number of taps of each axis.
  llvm::SmallVector<int64_t, 3> taps;
  /// The number of sections of the channels, and the channels of each section.
  /// With LaneAccess::broadcast, each group is a section, otherwise all
  /// channels form one section. No vector crosses a section boundary.
  int64_t sections, sectionChannels;
  /// The maximum number of channels of a chunk of a section. It is chosen so
  /// that the lhs lines shared by neighbouring result lines stay in L1.
  int64_t chunk;
  IntegerOps ops;

  int64_t countChunks() const;
  /// Returns true if every vector is full: no vector of channels needs a mask.
  bool hasWholeVectors() const {
    return sectionChannels % lanes == 0 && chunk % lanes == 0;
  }
  const WindowAxis &lineAxis() const { return groups.windows.axes.back(); }
  int64_t lineTaps() const { return taps.back(); }
  /// Returns all axes but the last one, along which lines run.
  llvm::ArrayRef<WindowAxis> outerAxes() const {
    return llvm::ArrayRef(groups.windows.axes).drop_back();
  }
  /// Returns the stride of a tensor along an axis, in elements.
  mlir::Value strideOf(const ContractionTensor &tensor, unsigned axis) const;
};

/// A vector of neighbouring channels of the result.
struct ChannelVector {
  /// The first channel of the vector, and the first channel of the lhs in the
  /// group of that channel.
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

/// Returns sum + lhs * rhs, in all lanes.
mlir::Value multiplyAdd(const GroupedPlan &plan, mlir::Value lhs,
                        mlir::Value rhs, mlir::Value sum);
/// Returns a zero, in all lanes.
mlir::Value buildZero(const GroupedPlan &plan, unsigned lanes);

/// Returns the lhs element that lies `distance` elements after the first
/// element of the tile. `load` emits the load of an element, given its index.
/// Emits a test that yields zero if the element may be outside the lhs. Returns
/// null if it is statically outside.
mlir::Value
loadPresent(const GroupedPlan &plan, const LineTile &tile, int64_t distance,
            unsigned lanes,
            llvm::function_ref<mlir::Value(mlir::Value element)> load);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDPLAN_H
