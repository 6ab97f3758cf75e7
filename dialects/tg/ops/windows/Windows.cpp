//===- Windows.cpp - windows that slide over spatial dimensions -----------===//
#include "dialects/tg/ops/windows/Windows.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tg;

using List = SmallVector<int64_t>;

Windows::Windows(ArrayRef<int64_t> sizes, OptionalList strides,
                 OptionalList dilations, StringRef padding, OptionalList pads)
    : sizes(sizes), strides(strides.value_or(List(sizes.size(), 1))),
      dilations(dilations.value_or(List(sizes.size(), 1))), padding(padding),
      pads(pads.value_or(List(2 * sizes.size(), 0))), hasPads(pads) {}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

LogicalResult Windows::checkNumbers(ShapeInference &inference,
                                    ArrayRef<int64_t> list, StringRef listName,
                                    const WindowLabels &labels) const {
  if (list.size() != getRank())
    return inference.fail("expected " + listName + " to have " +
                          Twine(getRank()) + " entries, found " +
                          Twine(list.size()) + " [" + labels.lengths + "]");
  for (int64_t number : list)
    if (number < 1)
      return inference.fail("expected " + listName + " of at least 1, found " +
                            Twine(number) + " [" + labels.numbers + "]");
  return success();
}

LogicalResult Windows::checkPads(ShapeInference &inference,
                                 const WindowLabels &labels) const {
  if (hasPads != (padding == "explicit"))
    return inference.fail("expected pads if and only if the padding is "
                          "explicit, found " +
                          Twine(padding) + (hasPads ? " with" : " without") +
                          " pads [" + labels.pads + "]");
  if (pads.size() != 2 * getRank())
    return inference.fail("expected pads to have " + Twine(2 * getRank()) +
                          " entries, found " + Twine(pads.size()) + " [" +
                          labels.pads + "]");
  for (int64_t pad : pads)
    if (pad < 0)
      return inference.fail("expected pads of at least 0, found " + Twine(pad) +
                            " [" + labels.pads + "]");
  return success();
}

LogicalResult Windows::checkRange(ShapeInference &inference,
                                  const WindowLabels &labels) const {
  constexpr int64_t limit = int64_t(1) << 31;
  int64_t positions = 1;
  for (auto [size, dilation] : llvm::zip_equal(sizes, dilations)) {
    bool isFar = size > 1 && dilation > (limit - 2) / (size - 1);
    if (size >= limit || isFar)
      return inference.fail("expected windows that reach over fewer than 2^31 "
                            "positions, found " +
                            Twine(size) + " positions " + Twine(dilation) +
                            " apart [" + labels.range + "]");
    positions *= size;
    if (positions >= limit)
      return inference.fail("expected windows of fewer than 2^31 positions, "
                            "found more [" +
                            labels.range + "]");
  }
  return success();
}

LogicalResult Windows::check(ShapeInference &inference,
                             const WindowLabels &labels) const {
  if (failed(checkNumbers(inference, sizes, "window sizes", labels)) ||
      failed(checkNumbers(inference, strides, "strides", labels)) ||
      failed(checkNumbers(inference, dilations, "dilations", labels)) ||
      failed(checkPads(inference, labels)))
    return failure();
  return checkRange(inference, labels);
}

FailureOr<AffineExpr> Windows::inferCount(ShapeInference &inference,
                                          unsigned axis, AffineExpr extent,
                                          const Twine &what,
                                          const WindowLabels &labels) const {
  AffineExpr count = countOf(axis, extent);
  if (isSame())
    return count;
  int64_t padded = 0;
  if (__builtin_add_overflow(pads[2 * axis], pads[2 * axis + 1], &padded) ||
      __builtin_add_overflow(staticExtent(extent).value_or(0), padded, &padded))
    return inference.fail("expected padded extents below 2^63, found " +
                          printExtent(extent) + " with pads " +
                          Twine(pads[2 * axis]) + " and " +
                          Twine(pads[2 * axis + 1]) + " [" + labels.fits + "]");
  if (!staticExtent(extent)) {
    inference.require(extent + padded, ExtentRelation::atLeast,
                      inference.constant(reachOf(axis)), what + " with pads",
                      "R1");
    return count;
  }
  if (padded < reachOf(axis))
    return inference.fail("expected " + what + " to hold a window that spans " +
                          Twine(reachOf(axis)) + " elements, found " +
                          Twine(padded) + " with pads [" + labels.fits + "]");
  return count;
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

int64_t Windows::countPositions() const {
  int64_t positions = 1;
  for (int64_t size : sizes)
    positions *= size;
  return positions;
}

AffineExpr Windows::countOf(unsigned axis, AffineExpr extent) const {
  int64_t stride = strides[axis];
  if (isSame())
    return extent.ceilDiv(stride);
  int64_t padded = pads[2 * axis] + pads[2 * axis + 1];
  return (extent + (padded - reachOf(axis))).floorDiv(stride) + 1;
}

AffineExpr Windows::paddingBefore(unsigned axis, AffineExpr extent) const {
  MLIRContext *context = extent.getContext();
  if (!isSame())
    return getAffineConstantExpr(pads[2 * axis], context);
  // A window of one position starts at an element.
  AffineExpr zero = getAffineConstantExpr(0, context);
  if (reachOf(axis) == 1)
    return zero;
  AffineExpr last = (countOf(axis, extent) - 1) * strides[axis];
  AffineExpr missing = simplifyExtent(last + reachOf(axis) - extent);
  ShapeInference inference(context, /*opName=*/"", /*loc=*/std::nullopt);
  return inference.greaterOf(missing, zero).floorDiv(2);
}

bool Windows::isInside(unsigned axis, AffineExpr extent) const {
  if (staticExtent(paddingBefore(axis, extent)) != 0)
    return false;
  bool isUnpadded = isSame() ? reachOf(axis) == 1 : pads[2 * axis + 1] == 0;
  AffineExpr last = (countOf(axis, extent) - 1) * strides[axis];
  std::optional<int64_t> remaining =
      staticExtent(simplifyExtent(extent - last - reachOf(axis)));
  return isUnpadded || (remaining && *remaining >= 0);
}
