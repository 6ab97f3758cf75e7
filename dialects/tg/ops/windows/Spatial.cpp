//===- Spatial.cpp - dimensions between the batch and the channels --------===//
#include "dialects/tg/ops/windows/Spatial.h"
#include "dialects/tg/Builders.h"

using namespace mlir;
using namespace tg;

LogicalResult tg::checkSpatialRank(ShapeInference &inference, int64_t rank) {
  if (rank >= 3 && rank <= 5)
    return success();
  return inference.fail("expected a rank of 3, 4 or 5, found " + Twine(rank) +
                        " [C1]");
}

FailureOr<SmallVector<AffineExpr>>
tg::fillSpatialSizes(ShapeInference &inference, ArrayRef<int64_t> list,
                     ValueRange dynamic, StringRef listName, int64_t rank) {
  if (int64_t(list.size()) != rank - 2)
    return inference.fail("expected " + listName + " to have " +
                          Twine(rank - 2) + " entries, found " +
                          Twine(list.size()) + " [C3]");
  return inference.fillList(list, dynamic, listName);
}

SpatialSizes tg::spatialSizesOf(OpBuilder &builder, Value like) {
  RankedTensorType type = typeOf(like);
  SmallVector<Value> dynamic;
  for (int64_t axis = 1; axis + 1 < type.getRank(); ++axis)
    if (type.isDynamicDim(axis))
      dynamic.push_back(buildDim(builder, like.getLoc(), like, axis));
  SmallVector<int64_t> list = extentList(like);
  return {builder.getI64ArrayAttr(ArrayRef(list).drop_front().drop_back()),
          dynamic};
}

bool tg::hasLanesInSpace(const Position &position) {
  return llvm::any_of(ArrayRef(position.laneStep).drop_front().drop_back(),
                      [](int64_t step) { return step != 0; });
}

SmallVector<Value> tg::spatialOf(const Position &position) {
  return SmallVector<Value>(ArrayRef(position.index).drop_front().drop_back());
}

Position tg::withSpatial(const Position &position, ArrayRef<Value> indices) {
  Position result = position;
  llvm::copy(indices, result.index.begin() + 1);
  return result;
}
