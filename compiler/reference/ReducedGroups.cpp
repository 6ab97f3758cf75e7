//===- ReducedGroups.cpp - the elements that a reduction combines ---------===//
#include "compiler/reference/ReducedGroups.h"

using namespace mlir;
using namespace tg;

/// Returns the offsets of all positions along the axes, in row-major order.
static std::vector<int64_t> offsetsAlong(ArrayRef<int64_t> shape,
                                         ArrayRef<int64_t> axes) {
  std::vector<int64_t> offsets = {0};
  for (int64_t axis : axes) {
    int64_t stride = ShapedType::getNumElements(shape.drop_front(axis + 1));
    std::vector<int64_t> next;
    for (int64_t offset : offsets)
      for (int64_t i = 0; i < shape[axis]; ++i)
        next.push_back(offset + i * stride);
    offsets = std::move(next);
  }
  return offsets;
}

ReducedGroups::ReducedGroups(ArrayRef<int64_t> shape, ArrayRef<int64_t> axes) {
  unsigned lineAxes = countLineAxes(axes, shape.size());
  ArrayRef<int64_t> others = axes.drop_back(lineAxes);
  SmallVector<int64_t> kept;
  for (int64_t axis = 0; axis < int64_t(shape.size()); ++axis)
    if (!llvm::is_contained(axes, axis))
      kept.push_back(axis);
  results = offsetsAlong(shape, kept);
  lines = offsetsAlong(shape, others);
  for (int64_t axis : axes.take_back(lineAxes))
    length *= shape[axis];
  hasLineAxes = lineAxes > 0;
  hasOtherAxes = !others.empty();
}
