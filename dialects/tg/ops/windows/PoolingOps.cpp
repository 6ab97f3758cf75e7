//===- PoolingOps.cpp - one element of each window ------------------------===//
#include "dialects/tg/ops/windows/PoolingOps.h"
#include "dialects/tg/ops/elementwise/Elementwise.h"
#include "dialects/tg/ops/windows/PoolingBase.h"
#include "llvm/Support/ScopedPrinter.h"
#include <cmath>

using namespace mlir;
using namespace tg;

#include "dialects/tg/ops/windows/PoolingOpsDefinitions.inc"

//===----------------------------------------------------------------------===//
// Common code
//===----------------------------------------------------------------------===//

static constexpr WindowLabels kLabels = {/*numbers=*/"C2", /*lengths=*/"C3",
                                         /*pads=*/"C4", /*fits=*/"C5",
                                         /*range=*/"C8"};

/// Checks rules C1 to C4 and C8 of an op, whose tensors have rank `rank`.
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
  for (auto [index, pad] : llvm::enumerate(pads))
    if (pad >= windows.reachOf(index / 2))
      return inference.fail("expected pads below the reach of a window (" +
                            Twine(windows.reachOf(index / 2)) + "), found " +
                            Twine(pad) + " [C4]");
  return success();
}

/// Returns the number of windows along each of the spatial extents `input`.
/// Checks rule C5.
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

/// Returns the result extents of pooling.
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

/// Returns the result extents of the adjoint of pooling. Checks rule C6 for
/// output_grad.
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

//===----------------------------------------------------------------------===//
// max_pool
//===----------------------------------------------------------------------===//

/// Returns the element type of positions within windows.
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
static void setInteger(HostTensor &tensor, int64_t element, int64_t value) {
  visitElementType(tensor.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    tensor.values<T>()[element] = T(value);
  });
}

/// Returns true if x is greater than the greatest element so far; NaN is
/// greatest.
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
    for (int64_t window = 0; window < results[0].getNumElements(); ++window) {
      T best = std::numeric_limits<T>::has_infinity
                   ? -std::numeric_limits<T>::infinity()
                   : std::numeric_limits<T>::lowest();
      int64_t index = -1;
      windows.visit(unflatten(window, results[0].getShape()),
                    [&](int64_t element, int64_t tap) {
                      if (index >= 0 && !isGreater(x[element], best))
                        return;
                      best = x[element];
                      index = tap;
                    });
      results[0].values<T>()[window] = best;
      setInteger(results[1], window, std::max<int64_t>(index, 0));
    }
  });
  return {};
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
    return inference.fail(
        "expected index of rank " + Twine(values.size()) + " and of " +
        (type.isUnsignedInteger() ? "ui8" : "i32") + ", found " +
        llvm::to_string(typeOf(adaptor.getIndex())) + " [C6]");
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
    // Floats are summed in double, integers in uint64_t, so that sums wrap.
    using Sum =
        std::conditional_t<std::is_floating_point_v<T>, double, uint64_t>;
    std::vector<Sum> sums(results[0].getNumElements());
    for (int64_t window = 0; window < operands[0].getNumElements(); ++window)
      windows.visit(unflatten(window, operands[0].getShape()),
                    [&](int64_t element, int64_t tap) {
                      if (tap == operands[1].integerAt(window))
                        sums[element] += Sum(operands[0].values<T>()[window]);
                    });
    llvm::transform(sums, results[0].values<T>().begin(),
                    [](Sum sum) { return T(sum); });
  });
  return {};
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
    for (int64_t window = 0; window < results[0].getNumElements(); ++window) {
      Index index = unflatten(window, results[0].getShape());
      double sum = 0;
      windows.visit(index, [&](int64_t element, int64_t) {
        sum += operands[0].values<T>()[element];
      });
      results[0].values<T>()[window] =
          T(sum / windows.divisor(index, getCountPadding()));
    }
  });
  return {};
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
    for (int64_t window = 0; window < operands[0].getNumElements(); ++window) {
      Index index = unflatten(window, operands[0].getShape());
      double share = operands[0].values<T>()[window] /
                     windows.divisor(index, getCountPadding());
      windows.visit(index,
                    [&](int64_t element, int64_t) { sums[element] += share; });
    }
    llvm::transform(sums, results[0].values<T>().begin(),
                    [](double sum) { return T(sum); });
  });
  return {};
}
