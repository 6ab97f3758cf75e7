//===- PoolingElements.cpp - the element rules of pooling -----------------===//
#include "dialects/tg/ops/windows/PoolingBase.h"
#include "dialects/tg/ops/windows/PoolingOps.h"
#include "dialects/tg/ops/windows/WindowElements.h"

using namespace mlir;
using namespace tg;

/// Returns the windows for an element rule. `inputExtent` returns the extent on
/// an axis of the tensor that the windows slide over, and `outputExtent` the
/// extent of the tensor with one element per window.
static WindowElements
windowElements(ElementBuilder &element, const Windows &windows,
               function_ref<Value(unsigned)> inputExtent,
               function_ref<Value(unsigned)> outputExtent) {
  SmallVector<Value> extents, counts;
  for (unsigned axis = 0; axis < windows.getRank(); ++axis) {
    extents.push_back(inputExtent(axis + 1));
    counts.push_back(outputExtent(axis + 1));
  }
  return WindowElements(element, windows, extents, counts);
}

/// Returns the windows of pooling, which slide over the operand.
static WindowElements poolingElements(ElementBuilder &element,
                                      const Windows &windows) {
  return windowElements(
      element, windows,
      [&](unsigned axis) { return element.operandExtent(0, axis); },
      [&](unsigned axis) { return element.resultExtent(0, axis); });
}

/// Returns the windows of the adjoint, which slide over the result.
static WindowElements adjointElements(ElementBuilder &element,
                                      const Windows &windows) {
  return windowElements(
      element, windows,
      [&](unsigned axis) { return element.resultExtent(0, axis); },
      [&](unsigned axis) { return element.operandExtent(0, axis); });
}

/// Builds `sum + term` for floats or integers.
static Value buildSum(ElementBuilder &element, Value sum, Value term) {
  if (isa<FloatType>(getElementTypeOrSelf(sum)))
    return arith::AddFOp::create(element.builder, element.loc, sum, term);
  return arith::AddIOp::create(element.builder, element.loc, sum, term);
}

/// Builds the zeros with which sums of elements begin.
static Value buildZero(ElementBuilder &element, Type elementType) {
  return arith::ConstantOp::create(
      element.builder, element.loc,
      element.builder.getZeroAttr(element.elementType(elementType)));
}

//===----------------------------------------------------------------------===//
// max_pool
//===----------------------------------------------------------------------===//

namespace {
/// The greatest elements so far, and their taps as i32.
class BestOfWindow {
public:
  BestOfWindow(ElementBuilder &element, Type elementType)
      : element(element), builder(element.builder), loc(element.loc),
        elementType(elementType) {}

  /// Returns the state before any element, with the first tap that is an
  /// element, if there is one.
  SmallVector<Value> begin(WindowElements &windows, ArrayRef<Span> taps);
  SmallVector<Value> take(Value value, Value tap, ValueRange best);
  /// Returns the values, and the indices in the given type.
  SmallVector<Value> end(ValueRange best, Type indexType);

  SmallVector<Type> types() {
    return {element.elementType(elementType),
            element.elementType(builder.getI32Type())};
  }

private:
  Value lowest();
  Value isGreater(Value x, Value best);
  Value splatTap(Value tap) {
    return element.splat(
        arith::TruncIOp::create(builder, loc, builder.getI32Type(), tap));
  }

  ElementBuilder &element;
  OpBuilder &builder;
  Location loc;
  Type elementType;
};
} // namespace

Value BestOfWindow::lowest() {
  Type type = computeType(elementType);
  TypedAttr number;
  if (auto real = dyn_cast<FloatType>(type))
    number = FloatAttr::get(
        real, APFloat::getInf(real.getFloatSemantics(), /*Negative=*/true));
  else if (elementType.isUnsignedInteger())
    number = builder.getZeroAttr(type);
  else
    number = IntegerAttr::get(
        type, APInt::getSignedMinValue(type.getIntOrFloatBitWidth()));
  return element.splat(arith::ConstantOp::create(builder, loc, number));
}

SmallVector<Value> BestOfWindow::begin(WindowElements &windows,
                                       ArrayRef<Span> taps) {
  IntegerOps ops = element.integers();
  Value zero = ops.constant(0);
  SmallVector<Value> first;
  Value hasTaps;
  for (const Span &span : taps) {
    first.push_back(span.begin);
    Value hasTapsOnAxis =
        ops.compare(arith::CmpIPredicate::slt, span.begin, span.end);
    hasTaps = hasTaps ? builder.createOrFold<arith::AndIOp>(loc, hasTaps,
                                                            hasTapsOnAxis)
                      : hasTapsOnAxis;
  }
  Value tap = builder.createOrFold<arith::SelectOp>(
      loc, hasTaps, windows.tapIndex(first), zero);
  return {lowest(), splatTap(tap)};
}

Value BestOfWindow::isGreater(Value x, Value best) {
  if (!isa<FloatType>(elementType)) {
    auto predicate = elementType.isUnsignedInteger()
                         ? arith::CmpIPredicate::ugt
                         : arith::CmpIPredicate::sgt;
    return arith::CmpIOp::create(builder, loc, predicate, x, best);
  }
  Value isMore =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UGT, x, best);
  Value isNumber = arith::CmpFOp::create(builder, loc,
                                         arith::CmpFPredicate::ORD, best, best);
  return arith::AndIOp::create(builder, loc, isMore, isNumber);
}

SmallVector<Value> BestOfWindow::take(Value value, Value tap, ValueRange best) {
  Value isBetter = isGreater(value, best[0]);
  return {
      arith::SelectOp::create(builder, loc, isBetter, value, best[0]),
      arith::SelectOp::create(builder, loc, isBetter, splatTap(tap), best[1])};
}

SmallVector<Value> BestOfWindow::end(ValueRange best, Type indexType) {
  Type type = element.elementType(indexType);
  Value index = best[1];
  if (index.getType() != type)
    index = arith::TruncIOp::create(builder, loc, type, index);
  return {best[0], index};
}

SmallVector<Value> MaxPoolOp::buildElements(ElementBuilder &element,
                                            const Position &position) {
  if (hasLanesInSpace(position))
    return {};
  Windows poolWindows = windowsOf(*this);
  WindowElements windows = poolingElements(element, poolWindows);
  BestOfWindow best(element, getInput().getType().getElementType());
  SmallVector<Value> window = spatialOf(position);
  bool hasAll = true;
  SmallVector<Value> found =
      windows.byTaps(window, best.types(), [&](ArrayRef<Span> taps) {
        return buildSpans(
            element, taps, best.begin(windows, taps),
            [&](ArrayRef<Value> tap, ValueRange carried) {
              Value x = element.operand(
                  0, withSpatial(position, windows.positions(window, tap)));
              hasAll &= bool(x);
              return x ? best.take(x, windows.tapIndex(tap), carried)
                       : SmallVector<Value>(carried);
            });
      });
  if (!hasAll)
    return {};
  return best.end(found, getIndex().getType().getElementType());
}

Value MaxPoolOp::buildElement(ElementBuilder &element,
                              const Position &position) {
  SmallVector<Value> both = buildElements(element, position);
  return both.empty() ? Value() : both.front();
}

//===----------------------------------------------------------------------===//
// max_pool_grad
//===----------------------------------------------------------------------===//

Value MaxPoolGradOp::buildElement(ElementBuilder &element,
                                  const Position &position) {
  if (hasLanesInSpace(position))
    return {};
  OpBuilder &builder = element.builder;
  Windows poolWindows = windowsOf(*this);
  WindowElements windows = adjointElements(element, poolWindows);
  SmallVector<Value> spatial = spatialOf(position);
  Value zero = buildZero(element, getType().getElementType());
  Type tapType = element.elementType(builder.getI32Type());
  bool hasAll = true;
  // The index is compared with the tap of this position in the window, so that
  // no index reaches another position.
  auto add = [&](ArrayRef<Value> window, ValueRange sum) -> SmallVector<Value> {
    auto [taps, areOnTaps] = windows.tapsAt(spatial, window);
    Position windowPosition = withSpatial(position, window);
    Value index = element.operand(1, windowPosition);
    Value g = element.operand(0, windowPosition);
    hasAll &= index && g;
    if (!hasAll)
      return sum;
    if (index.getType() != tapType)
      index = arith::ExtUIOp::create(builder, element.loc, tapType, index);
    Value tap = element.splat(arith::TruncIOp::create(
        builder, element.loc, builder.getI32Type(), windows.tapIndex(taps)));
    Value isSelected = arith::CmpIOp::create(
        builder, element.loc, arith::CmpIPredicate::eq, index, tap);
    if (areOnTaps)
      isSelected = arith::AndIOp::create(builder, element.loc, isSelected,
                                         element.splat(areOnTaps));
    Value term =
        arith::SelectOp::create(builder, element.loc, isSelected, g, zero);
    return {buildSum(element, sum[0], term)};
  };
  SmallVector<Value> sum =
      buildSpans(element, windows.covering(spatial), {zero}, add);
  return hasAll ? sum[0] : Value();
}

//===----------------------------------------------------------------------===//
// avg_pool
//===----------------------------------------------------------------------===//

/// Builds a count as an element of the type, in all lanes.
static Value buildNumber(ElementBuilder &element, Value count, Type type) {
  return element.splat(arith::SIToFPOp::create(element.builder, element.loc,
                                               computeType(type), count));
}

Value AvgPoolOp::buildElement(ElementBuilder &element,
                              const Position &position) {
  if (hasLanesInSpace(position))
    return {};
  Type type = getType().getElementType();
  Windows poolWindows = windowsOf(*this);
  WindowElements windows = poolingElements(element, poolWindows);
  SmallVector<Value> window = spatialOf(position);
  bool hasAll = true;
  auto add = [&](ArrayRef<Value> tap, ValueRange sum) -> SmallVector<Value> {
    Value x = element.operand(
        0, withSpatial(position, windows.positions(window, tap)));
    hasAll &= bool(x);
    return {x ? buildSum(element, sum[0], x) : sum[0]};
  };
  auto build = [&](ArrayRef<Span> taps) -> SmallVector<Value> {
    Value sum = buildSpans(element, taps, {buildZero(element, type)}, add)[0];
    Value count =
        getCountPadding()
            ? element.integers().constant(poolWindows.countPositions())
            : windows.countTaps(taps);
    return {arith::DivFOp::create(element.builder, element.loc, sum,
                                  buildNumber(element, count, type))};
  };
  SmallVector<Value> mean =
      windows.byTaps(window, {element.elementType(type)}, build);
  return hasAll ? mean[0] : Value();
}

//===----------------------------------------------------------------------===//
// avg_pool_grad
//===----------------------------------------------------------------------===//

Value AvgPoolGradOp::buildElement(ElementBuilder &element,
                                  const Position &position) {
  if (hasLanesInSpace(position))
    return {};
  OpBuilder &builder = element.builder;
  Location loc = element.loc;
  Type type = getType().getElementType();
  Windows poolWindows = windowsOf(*this);
  WindowElements windows = adjointElements(element, poolWindows);
  SmallVector<Value> spatial = spatialOf(position);
  Value zero = buildZero(element, type);
  // Follows from the attributes alone, so that the bits do not depend on which
  // extents are known.
  AffineExpr anyExtent = getAffineSymbolExpr(0, getContext());
  bool hasOneDivisor =
      getCountPadding() ||
      llvm::all_of(llvm::seq(poolWindows.getRank()), [&](unsigned axis) {
        return poolWindows.isInside(axis, anyExtent);
      });
  bool hasAll = true;
  auto add = [&](ArrayRef<Value> window, ValueRange sum) -> SmallVector<Value> {
    Value g = element.operand(0, withSpatial(position, window));
    hasAll &= bool(g);
    if (!g)
      return sum;
    // The code multiplies with the reciprocal, which is one scalar for all
    // lanes.
    if (!hasOneDivisor) {
      Type scalar = computeType(type);
      Value count = arith::SIToFPOp::create(
          builder, loc, scalar, windows.countTaps(windows.taps(window)));
      Value one = arith::ConstantOp::create(builder, loc,
                                            builder.getFloatAttr(scalar, 1.0));
      Value share = arith::DivFOp::create(builder, loc, one, count);
      g = arith::MulFOp::create(builder, loc, g, element.splat(share));
    }
    if (Value areOnTaps = windows.tapsAt(spatial, window).second)
      g = arith::SelectOp::create(builder, loc, element.splat(areOnTaps), g,
                                  zero);
    return {buildSum(element, sum[0], g)};
  };
  Value sum = buildSpans(element, windows.covering(spatial), {zero}, add)[0];
  if (!hasAll || !hasOneDivisor)
    return hasAll ? sum : Value();
  Value count = element.integers().constant(poolWindows.countPositions());
  return arith::DivFOp::create(builder, loc, sum,
                               buildNumber(element, count, type));
}
