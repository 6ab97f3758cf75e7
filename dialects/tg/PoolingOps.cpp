//===- PoolingOps.cpp - one element of each window ------------------------===//
#include "dialects/tg/PoolingOps.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/Elementwise.h"
#include "dialects/tg/Pooling.h"
#include "dialects/tg/WindowElements.h"
#include <cmath>

using namespace mlir;
using namespace tg;

#define GET_OP_CLASSES
#include "dialects/tg/PoolingOps.cpp.inc"

//===----------------------------------------------------------------------===//
// What the ops share
//===----------------------------------------------------------------------===//

static constexpr WindowLabels kLabels = {/*numbers=*/"C2", /*lengths=*/"C3",
                                         /*pads=*/"C4", /*fits=*/"C5",
                                         /*range=*/"C8"};

template <typename OpOrAdaptor> static Windows windowsOf(OpOrAdaptor op) {
  return Windows(op, op.getWindow());
}

/// C1 to C4 and C8 of an op over tensors of the rank.
template <typename Adaptor>
static LogicalResult checkPooling(Adaptor adaptor, ShapeInference &inference,
                                  int64_t rank) {
  if (failed(checkSpatialRank(inference, rank)))
    return failure();
  Windows windows = windowsOf(adaptor);
  if (int64_t(windows.getRank()) != rank - 2)
    return inference.fail("expected window to have " + Twine(rank - 2) +
                          " entries, found " + Twine(windows.getRank()) +
                          " [C3]");
  if (failed(windows.check(inference, kLabels)))
    return failure();
  SmallVector<int64_t> pads =
      adaptor.getPads().value_or(SmallVector<int64_t>());
  for (auto [number, pad] : llvm::enumerate(pads))
    if (pad >= windows.reachOf(number / 2))
      return inference.fail("expected pads below the reach of a window (" +
                            Twine(windows.reachOf(number / 2)) + "), found " +
                            Twine(pad) + " [C4]");
  return success();
}

/// The numbers of windows over the spatial extents `input`: C5.
static FailureOr<SmallVector<AffineExpr>>
countWindows(const Windows &windows, ShapeInference &inference,
             ArrayRef<AffineExpr> input, StringRef what) {
  SmallVector<AffineExpr> counts;
  for (auto [axis, extent] : llvm::enumerate(input)) {
    FailureOr<AffineExpr> count = windows.inferCount(
        inference, axis, extent, what + " " + Twine(axis + 1), kLabels);
    if (failed(count))
      return failure();
    counts.push_back(*count);
  }
  return counts;
}

/// The extents that pooling gives.
template <typename Adaptor>
static FailureOr<SmallVector<AffineExpr>>
inferPooling(Adaptor adaptor, ShapeInference &inference) {
  SmallVector<AffineExpr> dims = inference.extentsOf(adaptor.getInput());
  if (failed(checkPooling(adaptor, inference, dims.size())))
    return failure();
  FailureOr<SmallVector<AffineExpr>> counts =
      countWindows(windowsOf(adaptor), inference,
                   ArrayRef(dims).drop_front().drop_back(), "input dim");
  if (failed(counts))
    return failure();
  llvm::copy(*counts, dims.begin() + 1);
  return dims;
}

/// The extents that the adjoint of pooling gives, C6 of output_grad.
template <typename Adaptor>
static FailureOr<SmallVector<AffineExpr>>
inferPoolingGrad(Adaptor adaptor, ShapeInference &inference) {
  SmallVector<AffineExpr> dims = inference.extentsOf(adaptor.getOutputGrad());
  if (failed(checkPooling(adaptor, inference, dims.size())))
    return failure();
  FailureOr<SmallVector<AffineExpr>> sizes =
      fillSpatialSizes(inference, adaptor.getInputSizes(), adaptor.getDynamic(),
                       "input_sizes", dims.size());
  if (failed(sizes))
    return failure();
  FailureOr<SmallVector<AffineExpr>> counts =
      countWindows(windowsOf(adaptor), inference, *sizes, "result dim");
  if (failed(counts))
    return failure();
  for (auto [axis, count] : llvm::enumerate(*counts))
    if (failed(inference.merge(dims[axis + 1], count,
                               "output_grad dim " + Twine(axis + 1),
                               "the number of windows", "C6", "R1")))
      return failure();
  llvm::copy(*sizes, dims.begin() + 1);
  return dims;
}

/// The windows over operand or result extents of the run. `under` and `over`
/// give the extent on an axis of the tensor under the windows and of that with
/// an element per window.
static WindowElements windowElements(ElementBuilder &element,
                                     const Windows &windows,
                                     function_ref<Value(unsigned)> under,
                                     function_ref<Value(unsigned)> over) {
  SmallVector<Value> extents, counts;
  for (unsigned axis = 0; axis < windows.getRank(); ++axis) {
    extents.push_back(under(axis + 1));
    counts.push_back(over(axis + 1));
  }
  return WindowElements(element, windows, extents, counts);
}

/// The windows of pooling, whose operand is under them.
static WindowElements poolingElements(ElementBuilder &element,
                                      const Windows &windows) {
  return windowElements(
      element, windows,
      [&](unsigned axis) { return element.operandExtent(0, axis); },
      [&](unsigned axis) { return element.resultExtent(0, axis); });
}

/// The windows of the adjoint, whose result is under them.
static WindowElements adjointElements(ElementBuilder &element,
                                      const Windows &windows) {
  return windowElements(
      element, windows,
      [&](unsigned axis) { return element.resultExtent(0, axis); },
      [&](unsigned axis) { return element.operandExtent(0, axis); });
}

//===----------------------------------------------------------------------===//
// max_pool
//===----------------------------------------------------------------------===//

/// The type of positions in windows.
static Type indexTypeOf(const Windows &windows, MLIRContext *context) {
  return windows.countPositions() <= 256
             ? IntegerType::get(context, 8, IntegerType::Unsigned)
             : IntegerType::get(context, 32);
}

LogicalResult MaxPoolOp::inferResults(Adaptor adaptor,
                                      ShapeInference &inference,
                                      SmallVectorImpl<TensorExtents> &results) {
  FailureOr<SmallVector<AffineExpr>> dims = inferPooling(adaptor, inference);
  if (failed(dims))
    return failure();
  results.push_back({typeOf(adaptor.getInput()).getElementType(), *dims});
  results.push_back(
      {indexTypeOf(windowsOf(adaptor), inference.getContext()), *dims});
  return success();
}

AffineExpr MaxPoolOp::countFlops(const ExtentAnalysis &extents) {
  return extents.countElements(getResult()) * windowsOf(*this).countPositions();
}

SmallVector<Value> MaxPoolOp::buildGradient(OpBuilder &builder,
                                            ValueRange cotangents) {
  auto [sizes, dynamic] = spatialSizesOf(builder, getInput());
  return {MaxPoolGradOp::create(builder, getLoc(), cotangents[0], getIndex(),
                                dynamic, sizes, getWindowAttr(),
                                getStridesAttr(), getDilationsAttr(),
                                getPaddingAttr(), getPadsAttr())};
}

/// Sets an element of a tensor of integers.
static void setInteger(HostTensor &tensor, int64_t at, int64_t number) {
  visitElementType(tensor.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    tensor.values<T>()[at] = T(number);
  });
}

/// Whether x is greater than the greatest element so far; NaN is greatest.
template <typename T> static bool isGreater(T x, T best) {
  if constexpr (std::is_floating_point_v<T>)
    return !std::isnan(best) && !(x <= best);
  else
    return x > best;
}

std::string MaxPoolOp::evaluate(ArrayRef<HostTensor> operands,
                                MutableArrayRef<HostTensor> results) {
  HostWindows windows(windowsOf(*this), operands[0].getShape(), getContext());
  visitElementType(operands[0].getElementType(), [&](auto zero) {
    using T = decltype(zero);
    ArrayRef<T> x = operands[0].values<T>();
    for (int64_t at = 0; at < results[0].getNumElements(); ++at) {
      T best = std::numeric_limits<T>::has_infinity
                   ? -std::numeric_limits<T>::infinity()
                   : std::numeric_limits<T>::lowest();
      int64_t index = -1;
      windows.visit(unflatten(at, results[0].getShape()),
                    [&](int64_t place, int64_t tap) {
                      if (index >= 0 && !isGreater(x[place], best))
                        return;
                      best = x[place];
                      index = tap;
                    });
      results[0].values<T>()[at] = best;
      setInteger(results[1], at, std::max<int64_t>(index, 0));
    }
  });
  return {};
}

namespace {
/// The greatest elements so far, and their taps as i32.
class BestOfWindow {
public:
  BestOfWindow(ElementBuilder &element, Type elementType)
      : element(element), builder(element.builder), loc(element.loc),
        elementType(elementType) {}

  /// Before any element: the first tap that is one, if any is.
  SmallVector<Value> begin(WindowElements &windows, ArrayRef<Span> taps);
  SmallVector<Value> take(Value value, Value tap, ValueRange best);
  /// Values and indices of the given type.
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
  Value isSome;
  for (const Span &span : taps) {
    first.push_back(span.begin);
    Value some = ops.compare(arith::CmpIPredicate::slt, span.begin, span.end);
    isSome =
        isSome ? builder.createOrFold<arith::AndIOp>(loc, isSome, some) : some;
  }
  Value tap = builder.createOrFold<arith::SelectOp>(
      loc, isSome, windows.tapNumber(first), zero);
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
  Windows given = windowsOf(*this);
  WindowElements windows = poolingElements(element, given);
  BestOfWindow best(element, getInput().getType().getElementType());
  SmallVector<Value> numbers = spatialOf(position);
  bool hasAll = true;
  SmallVector<Value> found =
      windows.byTaps(numbers, best.types(), [&](ArrayRef<Span> taps) {
        return buildSpans(
            element, taps, best.begin(windows, taps),
            [&](ArrayRef<Value> tap, ValueRange carried) {
              Value x = element.operand(
                  0, withSpatial(position, windows.places(numbers, tap)));
              hasAll &= bool(x);
              return x ? best.take(x, windows.tapNumber(tap), carried)
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

LogicalResult
MaxPoolGradOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                            SmallVectorImpl<TensorExtents> &results) {
  FailureOr<SmallVector<AffineExpr>> dims =
      inferPoolingGrad(adaptor, inference);
  if (failed(dims))
    return failure();
  SmallVector<AffineExpr> values = inference.extentsOf(adaptor.getOutputGrad());
  SmallVector<AffineExpr> indices = inference.extentsOf(adaptor.getIndex());
  Type type = indexTypeOf(windowsOf(adaptor), inference.getContext());
  if (indices.size() != values.size() ||
      typeOf(adaptor.getIndex()).getElementType() != type)
    return inference.fail("expected index of rank " + Twine(values.size()) +
                          " and of " +
                          (type.isUnsignedInteger() ? "ui8" : "i32") + " [C6]");
  for (auto [axis, extent] : llvm::enumerate(indices)) {
    FailureOr<AffineExpr> merged =
        inference.merge(extent, values[axis], "index dim " + Twine(axis),
                        "that of output_grad", "C6", "R1");
    if (failed(merged))
      return failure();
    if (axis == 0 || axis + 1 == dims->size())
      (*dims)[axis] = *merged;
  }
  results.push_back({typeOf(adaptor.getOutputGrad()).getElementType(), *dims});
  return success();
}

AffineExpr MaxPoolGradOp::countFlops(const ExtentAnalysis &extents) {
  return extents.countElements(getOutputGrad());
}

SmallVector<StringRef> MaxPoolGradOp::getSizeAttributes() {
  return {"input_sizes"};
}

SmallVector<Value> MaxPoolGradOp::buildGradient(OpBuilder &builder,
                                                ValueRange cotangents) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  SmallVector<Value> gradients(getNumOperands());
  gradients[0] = buildIndexed(b, windowsOf(*this), cotangents[0], getIndex());
  return gradients;
}

std::string MaxPoolGradOp::evaluate(ArrayRef<HostTensor> operands,
                                    MutableArrayRef<HostTensor> results) {
  HostWindows windows(windowsOf(*this), results[0].getShape(), getContext());
  visitElementType(operands[0].getElementType(), [&](auto zero) {
    using T = decltype(zero);
    // Floats are summed in double; integers wrap as unsigned ones.
    using Sum =
        std::conditional_t<std::is_floating_point_v<T>, double, uint64_t>;
    std::vector<Sum> sums(results[0].getNumElements());
    for (int64_t at = 0; at < operands[0].getNumElements(); ++at)
      windows.visit(unflatten(at, operands[0].getShape()),
                    [&](int64_t place, int64_t tap) {
                      if (tap == operands[1].integerAt(at))
                        sums[place] += Sum(operands[0].values<T>()[at]);
                    });
    llvm::transform(sums, results[0].values<T>().begin(),
                    [](Sum sum) { return T(sum); });
  });
  return {};
}

/// `sum + term` of floats or integers.
static Value buildSum(ElementBuilder &element, Value sum, Value term) {
  if (isa<FloatType>(getElementTypeOrSelf(sum)))
    return arith::AddFOp::create(element.builder, element.loc, sum, term);
  return arith::AddIOp::create(element.builder, element.loc, sum, term);
}

/// The zeros that sums of elements begin with.
static Value buildZero(ElementBuilder &element, Type elementType) {
  return arith::ConstantOp::create(
      element.builder, element.loc,
      element.builder.getZeroAttr(element.elementType(elementType)));
}

Value MaxPoolGradOp::buildElement(ElementBuilder &element,
                                  const Position &position) {
  if (hasLanesInSpace(position))
    return {};
  OpBuilder &builder = element.builder;
  Windows given = windowsOf(*this);
  WindowElements windows = adjointElements(element, given);
  SmallVector<Value> places = spatialOf(position);
  Value zero = buildZero(element, getType().getElementType());
  Type tapType = element.elementType(builder.getI32Type());
  bool hasAll = true;
  // The index is compared with the tap that this place is in the window, so
  // that no index reaches another place.
  auto add = [&](ArrayRef<Value> numbers,
                 ValueRange sum) -> SmallVector<Value> {
    auto [taps, areTaps] = windows.tapsAt(places, numbers);
    Position at = withSpatial(position, numbers);
    Value index = element.operand(1, at), g = element.operand(0, at);
    hasAll &= index && g;
    if (!hasAll)
      return sum;
    if (index.getType() != tapType)
      index = arith::ExtUIOp::create(builder, element.loc, tapType, index);
    Value tap = element.splat(arith::TruncIOp::create(
        builder, element.loc, builder.getI32Type(), windows.tapNumber(taps)));
    Value isMeant = arith::CmpIOp::create(builder, element.loc,
                                          arith::CmpIPredicate::eq, index, tap);
    if (areTaps)
      isMeant = arith::AndIOp::create(builder, element.loc, isMeant,
                                      element.splat(areTaps));
    Value term =
        arith::SelectOp::create(builder, element.loc, isMeant, g, zero);
    return {buildSum(element, sum[0], term)};
  };
  SmallVector<Value> sum =
      buildSpans(element, windows.covering(places), {zero}, add);
  return hasAll ? sum[0] : Value();
}

//===----------------------------------------------------------------------===//
// avg_pool
//===----------------------------------------------------------------------===//

LogicalResult AvgPoolOp::inferResults(Adaptor adaptor,
                                      ShapeInference &inference,
                                      SmallVectorImpl<TensorExtents> &results) {
  FailureOr<SmallVector<AffineExpr>> dims = inferPooling(adaptor, inference);
  if (failed(dims))
    return failure();
  results.push_back({typeOf(adaptor.getInput()).getElementType(), *dims});
  return success();
}

AffineExpr AvgPoolOp::countFlops(const ExtentAnalysis &extents) {
  return extents.countElements(getResult()) *
         (windowsOf(*this).countPositions() + 1);
}

SmallVector<Value> AvgPoolOp::buildGradient(OpBuilder &builder,
                                            ValueRange cotangents) {
  auto [sizes, dynamic] = spatialSizesOf(builder, getInput());
  return {AvgPoolGradOp::create(builder, getLoc(), cotangents[0], dynamic,
                                sizes, getWindowAttr(), getStridesAttr(),
                                getDilationsAttr(), getPaddingAttr(),
                                getPadsAttr(), getCountPaddingAttr())};
}

std::string AvgPoolOp::evaluate(ArrayRef<HostTensor> operands,
                                MutableArrayRef<HostTensor> results) {
  HostWindows windows(windowsOf(*this), operands[0].getShape(), getContext());
  visitFloatType(operands[0].getElementType(), [&](auto zero) {
    using T = decltype(zero);
    for (int64_t at = 0; at < results[0].getNumElements(); ++at) {
      Index numbers = unflatten(at, results[0].getShape());
      double sum = 0;
      windows.visit(numbers, [&](int64_t place, int64_t) {
        sum += operands[0].values<T>()[place];
      });
      results[0].values<T>()[at] =
          T(sum / windows.divisor(numbers, getCountPadding()));
    }
  });
  return {};
}

/// A count as an element of the type, in all lanes.
static Value buildNumber(ElementBuilder &element, Value count, Type type) {
  return element.splat(arith::SIToFPOp::create(element.builder, element.loc,
                                               computeType(type), count));
}

Value AvgPoolOp::buildElement(ElementBuilder &element,
                              const Position &position) {
  if (hasLanesInSpace(position))
    return {};
  Type type = getType().getElementType();
  Windows given = windowsOf(*this);
  WindowElements windows = poolingElements(element, given);
  SmallVector<Value> numbers = spatialOf(position);
  bool hasAll = true;
  auto add = [&](ArrayRef<Value> tap, ValueRange sum) -> SmallVector<Value> {
    Value x =
        element.operand(0, withSpatial(position, windows.places(numbers, tap)));
    hasAll &= bool(x);
    return {x ? buildSum(element, sum[0], x) : sum[0]};
  };
  auto build = [&](ArrayRef<Span> taps) -> SmallVector<Value> {
    Value sum = buildSpans(element, taps, {buildZero(element, type)}, add)[0];
    Value count = getCountPadding()
                      ? element.integers().constant(given.countPositions())
                      : windows.countTaps(taps);
    return {arith::DivFOp::create(element.builder, element.loc, sum,
                                  buildNumber(element, count, type))};
  };
  SmallVector<Value> mean =
      windows.byTaps(numbers, {element.elementType(type)}, build);
  return hasAll ? mean[0] : Value();
}

//===----------------------------------------------------------------------===//
// avg_pool_grad
//===----------------------------------------------------------------------===//

LogicalResult
AvgPoolGradOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                            SmallVectorImpl<TensorExtents> &results) {
  FailureOr<SmallVector<AffineExpr>> dims =
      inferPoolingGrad(adaptor, inference);
  if (failed(dims))
    return failure();
  results.push_back({typeOf(adaptor.getOutputGrad()).getElementType(), *dims});
  return success();
}

AffineExpr AvgPoolGradOp::countFlops(const ExtentAnalysis &extents) {
  return extents.countElements(getOutputGrad()) *
         (windowsOf(*this).countPositions() + 1);
}

SmallVector<StringRef> AvgPoolGradOp::getSizeAttributes() {
  return {"input_sizes"};
}

SmallVector<Value> AvgPoolGradOp::buildGradient(OpBuilder &builder,
                                                ValueRange cotangents) {
  SmallVector<Value> gradients(getNumOperands());
  gradients[0] =
      AvgPoolOp::create(builder, getLoc(), cotangents[0], getWindowAttr(),
                        getStridesAttr(), getDilationsAttr(), getPaddingAttr(),
                        getPadsAttr(), getCountPaddingAttr());
  return gradients;
}

std::string AvgPoolGradOp::evaluate(ArrayRef<HostTensor> operands,
                                    MutableArrayRef<HostTensor> results) {
  HostWindows windows(windowsOf(*this), results[0].getShape(), getContext());
  visitFloatType(operands[0].getElementType(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<double> sums(results[0].getNumElements());
    for (int64_t at = 0; at < operands[0].getNumElements(); ++at) {
      Index numbers = unflatten(at, operands[0].getShape());
      double share = operands[0].values<T>()[at] /
                     windows.divisor(numbers, getCountPadding());
      windows.visit(numbers,
                    [&](int64_t place, int64_t) { sums[place] += share; });
    }
    llvm::transform(sums, results[0].values<T>().begin(),
                    [](double sum) { return T(sum); });
  });
  return {};
}

Value AvgPoolGradOp::buildElement(ElementBuilder &element,
                                  const Position &position) {
  if (hasLanesInSpace(position))
    return {};
  OpBuilder &builder = element.builder;
  Location loc = element.loc;
  Type type = getType().getElementType();
  Windows given = windowsOf(*this);
  WindowElements windows = adjointElements(element, given);
  SmallVector<Value> places = spatialOf(position);
  Value zero = buildZero(element, type);
  bool hasOneDivisor = getCountPadding() || windows.areInside(), hasAll = true;
  auto add = [&](ArrayRef<Value> numbers,
                 ValueRange sum) -> SmallVector<Value> {
    Value g = element.operand(0, withSpatial(position, numbers));
    hasAll &= bool(g);
    if (!g)
      return sum;
    // A product with the reciprocal, one scalar for all lanes.
    if (!hasOneDivisor) {
      Type scalar = computeType(type);
      Value count = arith::SIToFPOp::create(
          builder, loc, scalar, windows.countTaps(windows.taps(numbers)));
      Value one = arith::ConstantOp::create(builder, loc,
                                            builder.getFloatAttr(scalar, 1.0));
      Value share = arith::DivFOp::create(builder, loc, one, count);
      g = arith::MulFOp::create(builder, loc, g, element.splat(share));
    }
    if (Value areTaps = windows.tapsAt(places, numbers).second)
      g = arith::SelectOp::create(builder, loc, element.splat(areTaps), g,
                                  zero);
    return {buildSum(element, sum[0], g)};
  };
  Value sum = buildSpans(element, windows.covering(places), {zero}, add)[0];
  if (!hasAll || !hasOneDivisor)
    return hasAll ? sum : Value();
  Value count = element.integers().constant(given.countPositions());
  return arith::DivFOp::create(builder, loc, sum,
                               buildNumber(element, count, type));
}
