//===- Movement.cpp - common code of ops that move elements ---------------===//
#include "dialects/tg/ops/movement/Movement.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/Tg.h"
#include "dialects/tg/ops/movement/SliceOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <cstring>

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// Shape rules
//===----------------------------------------------------------------------===//

SmallVector<int64_t>
tg::stridesOrOnes(std::optional<SmallVector<int64_t>> strides, size_t rank) {
  return strides ? std::move(*strides) : SmallVector<int64_t>(rank, 1);
}

LogicalResult tg::checkListLength(ShapeInference &inference,
                                  ArrayRef<int64_t> list, StringRef listName,
                                  int64_t rank) {
  if (int64_t(list.size()) == rank)
    return success();
  return inference.fail("expected " + listName + " to have " + Twine(rank) +
                        " entries, found " + Twine(list.size()) + " [C1]");
}

/// Requires lower <= upper, now or at run time.
static LogicalResult checkAtMost(ShapeInference &inference, AffineExpr lower,
                                 AffineExpr upper, const Twine &what) {
  AffineExpr distance = simplifyExtent(upper - lower);
  if (inference.isNeverNegative(distance))
    return success();
  if (!staticExtent(distance)) {
    inference.require(lower, ExtentRelation::atMost, upper, what, "R1");
    return success();
  }
  return inference.fail("expected " + what + " (" + printExtent(lower) +
                        ") to be at most the extent (" + printExtent(upper) +
                        ") [C3]");
}

/// Checks a slice whose extent, start and size are static, with integers that
/// cannot overflow.
static LogicalResult checkStaticSlice(ShapeInference &inference, size_t axis,
                                      int64_t extent, int64_t start,
                                      int64_t size, int64_t stride) {
  __int128 last = __int128(start) + __int128(size - 1) * stride;
  if (start <= extent && (size == 0 || last < extent))
    return success();
  return inference.fail("expected " + Twine(size) + " elements from " +
                        Twine(start) + " in steps of " + Twine(stride) +
                        " to lie in dim " + Twine(axis) + " (" + Twine(extent) +
                        ") [C3]");
}

LogicalResult tg::checkSlice(ShapeInference &inference,
                             ArrayRef<AffineExpr> extents,
                             const SliceExtents &slice) {
  for (auto [axis, extent] : llvm::enumerate(extents)) {
    AffineExpr start = slice.starts[axis], size = slice.sizes[axis];
    int64_t stride = slice.strides[axis];
    if (stride < 1)
      return inference.fail("expected strides of at least 1, found " +
                            Twine(stride) + " [C2]");
    std::optional<int64_t> from = staticExtent(start);
    std::optional<int64_t> count = staticExtent(size);
    std::optional<int64_t> knownExtent = staticExtent(extent);
    // Beyond the greatest extent, the expressions below would overflow.
    constexpr int64_t kGreatest = std::numeric_limits<int64_t>::max();
    if (from && count &&
        failed(checkStaticSlice(inference, axis,
                                knownExtent.value_or(kGreatest), *from, *count,
                                stride)))
      return failure();
    if (from && count && knownExtent)
      continue;
    // Whatever the start is, the box must not be longer than the extent.
    if (!from &&
        failed(checkAtMost(inference, (size - 1) * stride + 1, extent,
                           "length of the slice on dim " + Twine(axis))))
      return failure();
    if (from != 0 && failed(checkAtMost(inference, start, extent,
                                        "start on dim " + Twine(axis))))
      return failure();
    // For an empty slice this is weaker than start <= S.
    if (failed(checkAtMost(inference, start + (size - 1) * stride + 1, extent,
                           "end of the slice on dim " + Twine(axis))))
      return failure();
  }
  return success();
}

FailureOr<SmallVector<AffineExpr>>
tg::gatherExtents(ShapeInference &inference, ArrayRef<AffineExpr> input,
                  ArrayRef<AffineExpr> indices, int64_t axis,
                  int64_t batchDims) {
  if (failed(inference.checkAxis(axis, input.size())))
    return failure();
  if (batchDims < 0 || batchDims > axis || batchDims > int64_t(indices.size()))
    return inference.fail(
        "expected batch_dims " + Twine(batchDims) + " to be in [0, " +
        Twine(std::min<int64_t>(axis, indices.size())) + "] [C1]");
  SmallVector<AffineExpr> result(input.take_front(axis));
  for (int64_t dim = 0; dim < batchDims; ++dim) {
    FailureOr<AffineExpr> merged = inference.merge(
        input[dim], indices[dim], "batch dim " + Twine(dim) + " of the tensor",
        "that of indices", "C2");
    if (failed(merged))
      return failure();
    result[dim] = *merged;
  }
  llvm::append_range(result, indices.drop_front(batchDims));
  llvm::append_range(result, input.drop_front(axis + 1));
  return result;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Index tg::fillNumbers(ArrayRef<int64_t> list, ArrayRef<HostTensor> dynamic) {
  Index numbers(list);
  for (int64_t &number : numbers) {
    if (number != -1 || dynamic.empty())
      continue;
    number = dynamic.front().integerAt(0);
    dynamic = dynamic.drop_front();
  }
  return numbers;
}

void tg::copyElement(HostTensor &target, int64_t to, const HostTensor &source,
                     int64_t from) {
  int64_t bytes = elementBytes(source.getElementType());
  std::memcpy(target.data() + to * bytes, source.data() + from * bytes, bytes);
}

void tg::fillFrom(HostTensor &result, const HostTensor &source,
                  function_ref<Index(ArrayRef<int64_t>)> sourcePosition) {
  for (int64_t element = 0; element < result.getNumElements(); ++element)
    copyElement(result, element, source,
                flatten(sourcePosition(unflatten(element, result.getShape())),
                        source.getShape()));
}

void tg::copyInto(HostTensor &result, const HostTensor &source,
                  function_ref<Index(ArrayRef<int64_t>)> resultPosition) {
  for (int64_t element = 0; element < source.getNumElements(); ++element)
    copyElement(result,
                flatten(resultPosition(unflatten(element, source.getShape())),
                        result.getShape()),
                source, element);
}

//===----------------------------------------------------------------------===//
// Gradients and code
//===----------------------------------------------------------------------===//

Value tg::buildSliceLike(OpBuilder &builder, Value from,
                         ArrayRef<int64_t> starts, ValueRange startNumbers,
                         ArrayAttr strides, Value like) {
  SmallVector<Value> dynamic(startNumbers);
  llvm::append_range(dynamic, buildDynamicExtents(builder, like));
  return SliceOp::create(builder, from.getLoc(), from, dynamic,
                         builder.getI64ArrayAttr(starts),
                         builder.getI64ArrayAttr(extentList(like)), strides);
}

Value tg::buildWithin(ElementBuilder &element, Value index, Value extent) {
  // As unsigned numbers, negative indices are beyond every extent.
  return arith::CmpIOp::create(element.builder, element.loc,
                               arith::CmpIPredicate::ult, index, extent);
}

unsigned tg::lanesTogether(ElementBuilder &element, const Position &position,
                           unsigned axis, Value offset, Value extent) {
  if (position.laneStep[axis] == 0)
    return 1;
  int64_t lanes = element.lanes();
  bool isAligned = position.laneStep[axis] == 1 &&
                   knownDivisor(offset) % lanes == 0 &&
                   knownDivisor(extent) % lanes == 0;
  return isAligned ? lanes : 0;
}

Value tg::buildClamp(ElementBuilder &element, Value index, Value extent,
                     unsigned lanes) {
  IntegerOps ops = element.integers();
  Value last = ops.sub(extent, ops.constant(lanes));
  Value below =
      arith::MinSIOp::create(element.builder, element.loc, index, last);
  return arith::MaxSIOp::create(element.builder, element.loc, below,
                                ops.constant(0));
}

bool tg::isNeverEmpty(Type type, int64_t axis) {
  auto tensor = cast<RankedTensorType>(type);
  return !tensor.isDynamicDim(axis) && tensor.getDimSize(axis) > 0;
}
