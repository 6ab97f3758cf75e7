//===- GroupedSums.h - sums of products of positions ----------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDSUMS_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDSUMS_H

#include "compiler/codegen/cpu/contraction/grouped/GroupedLine.h"
#include "compiler/codegen/cpu/contraction/grouped/GroupedPlan.h"

namespace tg {

/// Emits the sums of products for the result positions of a tile, which lie
/// along one line. A sum runs over the taps and the channels of a group.
class GroupedSums {
public:
  /// `channels` is the range [first, end) of the result channels to compute,
  /// and `copy` has room for countCopiedElements().
  GroupedSums(const GroupedPlan &plan,
              std::pair<mlir::Value, mlir::Value> channels,
              const Elements &copy);

  /// Returns the size of the copy that copyFilter() makes; 0 if it makes none.
  static int64_t countCopiedElements(const GroupedPlan &plan);

  /// Copies the part of the rhs that the tile of the launch reads, unless the
  /// channels of the result are contiguous in the rhs. The copy replaces the
  /// rhs from then on. In the copy the result channels are contiguous:
  /// [taps...][channels of a group][channels of a chunk].
  void copyFilter();

  /// Returns the offset, in the rhs or its copy, of the first factors that a
  /// vector of channels is multiplied by.
  mlir::Value offsetOf(const ChannelVector &vector) const;

  /// Returns the sums of a vector of channels, one for each position of the
  /// tile. `filter` is offsetOf(vector).
  llvm::SmallVector<mlir::Value> emit(const ResultLine &line,
                                      const LineTile &tile,
                                      const ChannelVector &vector,
                                      mlir::Value filter) const;

private:
  llvm::SmallVector<mlir::Value>
  sumOuter(const ResultLine &line, const LineTile &tile,
           const ChannelVector &vector, unsigned axis, mlir::Value lhs,
           mlir::Value rhs, mlir::ValueRange sums) const;
  llvm::SmallVector<mlir::Value> sumChannels(const LineTile &tile,
                                             const ChannelVector &vector,
                                             mlir::Value lhs, mlir::Value rhs,
                                             mlir::ValueRange sums) const;
  llvm::SmallVector<mlir::Value>
  sumTaps(const LineTile &tile, const ChannelVector &vector, mlir::Value lhs,
          mlir::Value rhs, mlir::Value channel, mlir::ValueRange start) const;

  const GroupedPlan &plan;
  KernelFrame &frame;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  IntegerOps ops;
  std::pair<mlir::Value, mlir::Value> channels;
  Elements copy;
  /// The elements of the rhs or its copy, the strides of its taps and of the
  /// channels of a group, and the offset of channel 0 of the result.
  Elements rhs;
  llvm::SmallVector<mlir::Value, 3> tapStrides;
  mlir::Value channelStride, rhsOrigin;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GROUPED_GROUPEDSUMS_H
