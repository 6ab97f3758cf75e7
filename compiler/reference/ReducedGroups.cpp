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

/// Returns the ends of tiles along an axis. Tiles of size 0 are the whole axis.
static SmallVector<int64_t> tileEnds(int64_t extent, int64_t size) {
  SmallVector<int64_t> ends;
  for (int64_t begin = 0; begin < extent; begin = ends.back())
    ends.push_back(size ? std::min(begin + size, extent) : extent);
  return ends;
}

/// Appends the lines of a plane tile by tile. `along` are the offsets of all
/// positions along both axes.
static void addTiles(int64_t plane, ArrayRef<int64_t> tile,
                     ArrayRef<std::vector<int64_t>> along,
                     ReducedGroups &groups) {
  int64_t top = 0;
  for (int64_t bottom : tileEnds(along[0].size(), tile[0])) {
    int64_t left = 0;
    for (int64_t right : tileEnds(along[1].size(), tile[1])) {
      for (int64_t row = top; row < bottom; ++row)
        for (int64_t column = left; column < right; ++column)
          groups.lines.push_back(plane + along[0][row] + along[1][column]);
      groups.steps.push_back(groups.lines.size());
      left = right;
    }
    top = bottom;
  }
}

ReducedGroups::ReducedGroups(ArrayRef<int64_t> shape, ArrayRef<int64_t> axes,
                             OrderAttr order) {
  unsigned lineAxes = countLineAxes(axes, shape.size());
  ArrayRef<int64_t> others = axes.drop_back(lineAxes);
  SmallVector<int64_t> kept;
  for (int64_t axis = 0; axis < int64_t(shape.size()); ++axis)
    if (!llvm::is_contained(axes, axis))
      kept.push_back(axis);
  results = offsetsAlong(shape, kept);
  if (order.getTile().empty()) {
    lines = offsetsAlong(shape, others);
    for (size_t line = 0; line < lines.size(); ++line)
      steps.push_back(line + 1);
  } else {
    std::vector<int64_t> along[] = {
        offsetsAlong(shape, others.take_back(2).front()),
        offsetsAlong(shape, others.back())};
    for (int64_t plane : offsetsAlong(shape, others.drop_back(2)))
      addTiles(plane, order.getTile(), along, *this);
  }
  for (int64_t axis : axes.take_back(lineAxes))
    length *= shape[axis];
  hasLineAxes = lineAxes > 0;
  hasOtherAxes = !others.empty();
}
