//===- Products.cpp - sums of products in stated orders -------------------===//
#include "compiler/reference/FusedProducts.h"
#include "compiler/reference/NestedChains.h"
#include "compiler/reference/Sums.h"
#include "compiler/reference/WinogradProducts.h"
#include "dialects/tg/ops/windows/ConvolutionOps.h"

using namespace mlir;
using namespace tg;

namespace {

/// Maps a point of the iteration space to an element of a tensor.
class ElementMap {
public:
  ElementMap(const ContractionTensor &tensor, ArrayRef<int64_t> shape);

  /// Returns the linear index of the element, or none if there is none.
  std::optional<int64_t> find(ArrayRef<int64_t> point) const;
  /// Returns the distance of neighbours along a dimension of the space, or none
  /// if it varies.
  std::optional<int64_t> strideOf(unsigned dimension) const;

private:
  struct Axis {
    const ContractionIndex *index;
    int64_t offset, extent, stride;
  };
  SmallVector<Axis> axes;
};

/// Computes a sum of products, one row of the last dimension of the result
/// after the other. The sums of blocks form chains that start with their first
/// value, or with +0 if the blocks count lines.
template <typename T> class Product {
public:
  /// If `countsLines` is set, the first length of `blocks` counts lines, which
  /// are the points along the last reduced dimension. Points without an element
  /// of the lhs are then skipped.
  Product(const Contraction &space, OrderAttr order, bool countsLines,
          ArrayRef<HostTensor> operands, HostTensor &result);
  void run();

private:
  void computeRow(MutableArrayRef<int64_t> point);
  void addPoint(ArrayRef<int64_t> point, std::vector<T> &sums) const;

  OrderAttr order;
  bool countsLines;
  const T *left, *right;
  T *target;
  ElementMap lhs, rhs, result;
  /// The extents of the iteration space. Columns are the last dimension that is
  /// not reduced if all tensors are plain along it; otherwise there is one.
  SmallVector<int64_t> extents;
  SmallVector<unsigned> outer, reduced;
  int64_t columns = 1, leftStep = 0, rightStep = 0, targetStep = 0;
};

} // namespace

ElementMap::ElementMap(const ContractionTensor &tensor,
                       ArrayRef<int64_t> shape) {
  int64_t stride = 1;
  for (size_t axis = shape.size(); axis-- > 0;) {
    const ContractionIndex &index = tensor.indices[axis];
    int64_t offset = index.offset ? *staticExtent(index.offset) : 0;
    axes.push_back({&index, offset, shape[axis], stride});
    stride *= shape[axis];
  }
}

std::optional<int64_t> ElementMap::find(ArrayRef<int64_t> point) const {
  int64_t element = 0;
  for (const Axis &axis : axes) {
    int64_t position = axis.offset;
    for (const ContractionIndex::Term &term : axis.index->terms)
      position += point[term.dimension] * term.factor;
    if (position < 0 || position % axis.index->divisor != 0)
      return std::nullopt;
    position /= axis.index->divisor;
    if (position >= axis.extent)
      return std::nullopt;
    element += position * axis.stride;
  }
  return element;
}

std::optional<int64_t> ElementMap::strideOf(unsigned dimension) const {
  int64_t stride = 0;
  for (const Axis &axis : axes)
    for (const ContractionIndex::Term &term : axis.index->terms) {
      if (term.dimension != dimension)
        continue;
      if (axis.index->isPartial || axis.index->divisor != 1)
        return std::nullopt;
      stride += term.factor * axis.stride;
    }
  return stride;
}

template <typename T>
Product<T>::Product(const Contraction &space, OrderAttr order, bool countsLines,
                    ArrayRef<HostTensor> operands, HostTensor &result)
    : order(order), countsLines(countsLines),
      left(operands[0].values<T>().data()),
      right(operands[1].values<T>().data()), target(result.values<T>().data()),
      lhs(space.lhs, operands[0].getShape()),
      rhs(space.rhs, operands[1].getShape()),
      result(space.result, result.getShape()) {
  for (auto [index, dimension] : llvm::enumerate(space.dimensions)) {
    extents.push_back(*staticExtent(dimension.extent));
    bool isReduced = dimension.kind == DimensionKind::reduced;
    (isReduced ? reduced : outer).push_back(index);
  }
  std::optional<int64_t> inLhs = lhs.strideOf(outer.back());
  std::optional<int64_t> inRhs = rhs.strideOf(outer.back());
  std::optional<int64_t> inResult = this->result.strideOf(outer.back());
  if (!inLhs || !inRhs || !inResult)
    return;
  std::tie(leftStep, rightStep, targetStep) =
      std::tuple(*inLhs, *inRhs, *inResult);
  columns = extents[outer.pop_back_val()];
}

/// Moves to the next point along the dimensions, the last one first. Returns
/// false after the last point; the point is then the first one again.
static bool advance(MutableArrayRef<int64_t> point,
                    ArrayRef<unsigned> dimensions, ArrayRef<int64_t> extents) {
  for (unsigned dimension : llvm::reverse(dimensions)) {
    if (++point[dimension] < extents[dimension])
      return true;
    point[dimension] = 0;
  }
  return false;
}

/// Adds the products at a point to the sums. An element outside of the lhs is
/// 0, unless the point is skipped; its products with finite numbers change no
/// sum.
template <typename T>
void Product<T>::addPoint(ArrayRef<int64_t> point, std::vector<T> &sums) const {
  static const T zero = 0;
  std::optional<int64_t> a = lhs.find(point), b = rhs.find(point);
  if (countsLines && !a)
    return;
  addProducts(a ? left + *a : &zero, a ? leftStep : 0, b ? right + *b : &zero,
              b ? rightStep : 0, sums.data(), columns);
}

template <typename T>
void Product<T>::computeRow(MutableArrayRef<int64_t> point) {
  ColumnSums<T> chain{columns};
  ColumnSums<T> blockChain{columns, countsLines ? T(0) : -T(0)};
  ArrayRef<int64_t> blocks = order.getBlocks();
  NestedChains<std::vector<T>, ColumnSums<T>> blockSums(
      blocks.empty() ? blocks : blocks.drop_front(), blockChain);
  int64_t block = blocks.empty() ? INT64_MAX : blocks[0];
  if (countsLines && !blocks.empty())
    block *= extents[reduced.back()];
  std::vector<T> sums = chain.begin();
  bool isEmpty = llvm::any_of(
      reduced, [&](unsigned dimension) { return extents[dimension] == 0; });
  int64_t count = 0;
  for (bool hasPoint = !isEmpty; hasPoint;
       hasPoint = advance(point, reduced, extents)) {
    addPoint(point, sums);
    if (++count < block)
      continue;
    blockSums.add(std::exchange(sums, chain.begin()));
    count = 0;
  }
  if (!blocks.empty() && !isEmpty) {
    if (count)
      blockSums.add(std::move(sums));
    sums = blockSums.finish();
  }
  T *first = target + *result.find(point);
  for (int64_t i = 0; i < columns; ++i)
    first[i * targetStep] = sums[i];
}

template <typename T> void Product<T>::run() {
  SmallVector<int64_t> point(extents.size(), 0);
  bool isEmpty = columns == 0 || llvm::any_of(outer, [&](unsigned dimension) {
                   return extents[dimension] == 0;
                 });
  for (bool hasPoint = !isEmpty; hasPoint;
       hasPoint = advance(point, outer, extents))
    computeRow(point);
}

std::string tg::multiply(ContractionOpInterface op,
                         ArrayRef<HostTensor> operands, HostTensor &result) {
  ExtentAnalysis analysis(op.getContext());
  auto setExtents = [&](Value value, const HostTensor &tensor) {
    analysis.setExtents(
        value, llvm::map_to_vector(tensor.getShape(), [&](int64_t extent) {
          return getAffineConstantExpr(extent, op.getContext());
        }));
  };
  for (auto [value, operand] : llvm::zip_equal(op->getOperands(), operands))
    setExtents(value, operand);
  setExtents(op->getResult(0), result);
  Contraction space = op.getContraction(analysis);
  // The lhs and the rhs may be other operands than the first two.
  SmallVector<HostTensor> factors;
  for (Value factor : {space.lhs.value, space.rhs.value})
    factors.push_back(
        operands[llvm::find(op->getOperands(), factor).getIndex()]);
  OrderAttr order = orderOf(op);
  if (order.getWinograd()) {
    multiplyTiles(space, order, factors, result);
    return {};
  }
  auto gradient = dyn_cast<ConvFilterGradOp>(op.getOperation());
  bool countsLines = gradient && gradient.getGroups() > 1;
  visitFloatType(result.getElementType(), [&](auto zero) {
    Product<decltype(zero)>(space, order, countsLines, factors, result).run();
  });
  return {};
}
