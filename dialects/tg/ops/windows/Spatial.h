//===- Spatial.h - dimensions between the batch and the channels ----------===//
#ifndef TG_DIALECTS_TG_OPS_WINDOWS_SPATIAL_H
#define TG_DIALECTS_TG_OPS_WINDOWS_SPATIAL_H

#include "dialects/tg/elements/ElementBuilder.h"
#include "dialects/tg/ops/movement/Movement.h"

namespace tg {

/// Checks rule C1 of ops over tensors [n, s, c], where s is one, two or three
/// spatial dimensions.
llvm::LogicalResult checkSpatialRank(ShapeInference &inference, int64_t rank);

/// Returns the spatial extents of a tensor of the given rank: the entries of
/// `list`, with the operands `dynamic` in place of its -1 entries. Checks rule
/// C3 for the list.
llvm::FailureOr<llvm::SmallVector<mlir::AffineExpr>>
fillSpatialSizes(ShapeInference &inference, llvm::ArrayRef<int64_t> list,
                 mlir::ValueRange dynamic, llvm::StringRef listName,
                 int64_t rank);

/// The spatial extents of `like` as a list, and the operands for its -1
/// entries.
struct SpatialSizes {
  mlir::ArrayAttr list;
  llvm::SmallVector<mlir::Value> dynamic;
};
SpatialSizes spatialSizesOf(mlir::OpBuilder &builder, mlir::Value like);

/// Returns true if lanes differ along an axis other than the batch or the
/// channels.
bool hasLanesInSpace(const Position &position);
/// Return the spatial indices of a position, and the position with other
/// spatial indices.
llvm::SmallVector<mlir::Value> spatialOf(const Position &position);
Position withSpatial(const Position &position,
                     llvm::ArrayRef<mlir::Value> indices);

} // namespace tg

#endif // TG_DIALECTS_TG_OPS_WINDOWS_SPATIAL_H
