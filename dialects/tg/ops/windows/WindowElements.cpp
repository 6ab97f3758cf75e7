//===- WindowElements.cpp - windows in element rules ----------------------===//
#include "dialects/tg/ops/windows/WindowElements.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tg;

/// The upper bound on taps of a window that are unrolled, as for 4 x 4. More
/// taps are slow to compile, and the overhead of a loop is small compared with
/// that many loads.
static constexpr int64_t kUnrolledTaps = 16;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The upper bound on unrolled iterations for a single lane if their number is
/// not static. Single lanes compute the remainders of rows.
static constexpr int64_t kUnrolledScalars = 4;

/// Returns the number of indices in a span, or none if it is not known before a
/// run.
static std::optional<int64_t> lengthOf(const Span &span) {
  if (span.isFull)
    return span.maxCount;
  std::optional<int64_t> begin = constantNumber(span.begin);
  std::optional<int64_t> end = constantNumber(span.end);
  if (!begin || !end)
    return std::nullopt;
  return std::max<int64_t>(*end - *begin, 0);
}

/// Returns the number of unrolled iterations over a span; 0 means a loop.
static int64_t unrolledCountOf(const Span &span) {
  return lengthOf(span).value_or(span.maxCount);
}

/// Builds one iteration for an index that may lie beyond the end of the span.
/// In that case the iteration changes nothing.
static SmallVector<Value>
buildGuardedIteration(ElementBuilder &element, const Span &span, Value index,
                      ValueRange carried,
                      function_ref<SmallVector<Value>(Value)> next) {
  IntegerOps ops = element.integers();
  Value isInSpan =
      element.splat(ops.compare(arith::CmpIPredicate::slt, index, span.end));
  Value last = ops.sub(span.end, ops.constant(1));
  SmallVector<Value> values =
      next(ops.max(ops.min(index, last), ops.constant(0)));
  for (auto [value, previous] : llvm::zip_equal(values, carried))
    value = element.builder.createOrFold<arith::SelectOp>(element.loc, isInSpan,
                                                          value, previous);
  return values;
}

/// Builds the loops over the spans for which `indices` has no index yet. They
/// are unrolled if `isUnrolled` is true and their number of iterations has a
/// bound.
static SmallVector<Value> buildLoops(ElementBuilder &element,
                                     ArrayRef<Span> spans, bool isUnrolled,
                                     SmallVectorImpl<Value> &indices,
                                     ValueRange carried, SpanStep step) {
  if (indices.size() == spans.size())
    return step(indices, carried);
  Span span = spans[indices.size()];
  auto next = [&](Value index, ValueRange values) {
    indices.push_back(index);
    SmallVector<Value> result =
        buildLoops(element, spans, isUnrolled, indices, values, step);
    indices.pop_back();
    return result;
  };
  IntegerOps ops = element.integers();
  std::optional<int64_t> length = lengthOf(span);
  if (isUnrolled && (length || span.maxCount)) {
    SmallVector<Value> values(carried);
    for (int64_t iteration = 0; iteration < unrolledCountOf(span);
         ++iteration) {
      Value index = ops.add(span.begin, ops.constant(iteration));
      values = length ? next(index, values)
                      : buildGuardedIteration(element, span, index, values,
                                              [&](Value clamped) {
                                                return next(clamped, values);
                                              });
    }
    return values;
  }
  OpBuilder &builder = element.builder;
  auto loop = scf::ForOp::create(builder, element.loc, span.begin, span.end,
                                 ops.constant(1), carried);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(loop.getBody());
  SmallVector<Value> values =
      next(loop.getInductionVar(), loop.getRegionIterArgs());
  scf::YieldOp::create(builder, element.loc, values);
  return llvm::to_vector_of<Value>(loop.getResults());
}

SmallVector<Value> tg::buildSpans(ElementBuilder &element, ArrayRef<Span> spans,
                                  ValueRange initial, SpanStep step) {
  int64_t copies = 1;
  for (const Span &span : spans)
    if (int64_t count = unrolledCountOf(span); count || lengthOf(span))
      copies *= std::min(count, kUnrolledTaps + 1);
  bool areCountsExact = llvm::all_of(
      spans, [](const Span &span) { return !span.maxCount || span.isFull; });
  int64_t limit =
      element.lanes() > 1 || areCountsExact ? kUnrolledTaps : kUnrolledScalars;
  SmallVector<Value> indices;
  return buildLoops(element, spans, copies <= limit, indices, initial, step);
}

//===----------------------------------------------------------------------===//
// WindowElements
//===----------------------------------------------------------------------===//

WindowElements::WindowElements(ElementBuilder &element, const Windows &windows,
                               ArrayRef<Value> extents, ArrayRef<Value> counts)
    : element(element), ops(element.integers()), windows(windows) {
  for (auto [extent, count] : llvm::zip_equal(extents, counts))
    axes.push_back({extent, count, /*paddingBefore=*/{}, /*isInside=*/false});
  for (auto [index, axis] : llvm::enumerate(axes)) {
    axis.paddingBefore = buildPaddingBefore(index);
    axis.isInside = windows.isInside(index, expressionOf(index));
  }
}

/// Returns the extent as an expression for shape rules.
AffineExpr WindowElements::expressionOf(unsigned axis) {
  MLIRContext *context = element.builder.getContext();
  std::optional<int64_t> known = constantNumber(axes[axis].extent);
  return known ? getAffineConstantExpr(*known, context)
               : getAffineSymbolExpr(0, context);
}

/// Builds Windows::paddingBefore() for an extent that is known at run time.
Value WindowElements::buildPaddingBefore(unsigned axis) {
  if (std::optional<int64_t> low =
          staticExtent(windows.paddingBefore(axis, expressionOf(axis))))
    return ops.constant(*low);
  Value last = ops.mul(ops.sub(axes[axis].count, ops.constant(1)),
                       ops.constant(windows.strideOf(axis)));
  Value end = ops.add(last, ops.constant(windows.reachOf(axis)));
  Value missing = ops.max(ops.sub(end, axes[axis].extent), ops.constant(0));
  return ops.div(missing, ops.constant(2));
}

Value WindowElements::start(unsigned axis, Value window) {
  return ops.sub(ops.mul(window, ops.constant(windows.strideOf(axis))),
                 axes[axis].paddingBefore);
}

SmallVector<Value> WindowElements::positions(ArrayRef<Value> window,
                                             ArrayRef<Value> taps) {
  SmallVector<Value> result;
  for (unsigned axis = 0; axis < axes.size(); ++axis) {
    Value offset = ops.mul(taps[axis], ops.constant(windows.dilationOf(axis)));
    result.push_back(ops.add(start(axis, window[axis]), offset));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// The taps of windows
//===----------------------------------------------------------------------===//

SmallVector<Span> WindowElements::allTaps() {
  SmallVector<Span> spans;
  for (unsigned axis = 0; axis < axes.size(); ++axis)
    spans.push_back({ops.constant(0), ops.constant(windows.sizeOf(axis))});
  return spans;
}

SmallVector<Span> WindowElements::taps(ArrayRef<Value> window) {
  SmallVector<Span> spans = allTaps();
  Value zero = ops.constant(0);
  for (auto [axis, span] : llvm::enumerate(spans)) {
    if (axes[axis].isInside)
      continue;
    Value dilation = ops.constant(windows.dilationOf(axis));
    Value first = start(axis, window[axis]);
    span.begin = ops.ceilDiv(ops.max(zero, ops.sub(zero, first)), dilation);
    Value left = ops.max(zero, ops.sub(axes[axis].extent, first));
    span.end = ops.min(span.end, ops.ceilDiv(left, dilation));
  }
  return spans;
}

Value WindowElements::countTaps(ArrayRef<Span> taps) {
  Value count = ops.constant(1);
  for (const Span &span : taps)
    count =
        ops.mul(count, ops.max(ops.sub(span.end, span.begin), ops.constant(0)));
  return ops.max(count, ops.constant(1));
}

bool WindowElements::areInside() {
  return llvm::all_of(axes, [](const Axis &axis) { return axis.isInside; });
}

/// Builds an i1 that is true if all taps of the windows are elements.
Value WindowElements::isInside(ArrayRef<Value> window) {
  Value result;
  auto require = [&](arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    Value next = ops.compare(predicate, lhs, rhs);
    result = result ? arith::AndIOp::create(element.builder, element.loc,
                                            result, next)
                    : next;
  };
  for (auto [index, axis] : llvm::enumerate(axes)) {
    if (axis.isInside)
      continue;
    Value first = start(index, window[index]);
    Value end = ops.add(first, ops.constant(windows.reachOf(index)));
    require(arith::CmpIPredicate::sge, first, ops.constant(0));
    require(arith::CmpIPredicate::sle, end, axis.extent);
  }
  return result;
}

SmallVector<Value>
WindowElements::byTaps(ArrayRef<Value> window, TypeRange types,
                       function_ref<SmallVector<Value>(ArrayRef<Span>)> build) {
  // Scalar code computes the remainders of rows and does not justify a second
  // version.
  bool isUnrolled = element.lanes() > 1 || areInside();
  if (windows.countPositions() > kUnrolledTaps || !isUnrolled || areInside())
    return build(taps(window));
  OpBuilder &builder = element.builder;
  auto branch = scf::IfOp::create(builder, element.loc, types, isInside(window),
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  SmallVector<Value> inside = build(allTaps());
  scf::YieldOp::create(builder, element.loc, inside);
  builder.setInsertionPointToStart(branch.elseBlock());
  SmallVector<Value> outside = build(taps(window));
  scf::YieldOp::create(builder, element.loc, outside);
  return llvm::to_vector_of<Value>(branch.getResults());
}

Value WindowElements::tapIndex(ArrayRef<Value> taps) {
  Value index = ops.constant(0);
  for (auto [axis, tap] : llvm::enumerate(taps))
    index = ops.add(ops.mul(index, ops.constant(windows.sizeOf(axis))), tap);
  return index;
}

//===----------------------------------------------------------------------===//
// The windows over positions
//===----------------------------------------------------------------------===//

bool WindowElements::areTiles(unsigned index) {
  const Axis &axis = axes[index];
  std::optional<int64_t> extent = constantNumber(axis.extent);
  std::optional<int64_t> count = constantNumber(axis.count);
  int64_t stride = windows.strideOf(index);
  return windows.reachOf(index) == stride &&
         constantNumber(axis.paddingBefore) == 0 && extent && count &&
         *extent <= *count * stride;
}

SmallVector<Span> WindowElements::covering(ArrayRef<Value> position) {
  SmallVector<Span> spans;
  Value zero = ops.constant(0);
  Value one = ops.constant(1);
  for (auto [index, axis] : llvm::enumerate(axes)) {
    int64_t reach = windows.reachOf(index);
    int64_t step = windows.strideOf(index);
    Value stride = ops.constant(step);
    Value last = ops.add(position[index], axis.paddingBefore);
    Value latest = ops.div(last, stride);
    if (areTiles(index)) {
      spans.push_back({latest, ops.add(latest, one), 1, /*isFull=*/true});
      continue;
    }
    Value before = ops.sub(last, ops.constant(reach - 1));
    spans.push_back({ops.ceilDiv(ops.max(before, zero), stride),
                     ops.min(ops.add(latest, one), axis.count),
                     int64_t(llvm::divideCeil(reach, step)), /*isFull=*/false});
  }
  return spans;
}

std::pair<SmallVector<Value>, Value>
WindowElements::tapsAt(ArrayRef<Value> position, ArrayRef<Value> window) {
  SmallVector<Value> taps;
  Value areOnTaps;
  for (unsigned axis = 0; axis < axes.size(); ++axis) {
    Value offset = ops.sub(position[axis], start(axis, window[axis]));
    Value dilation = ops.constant(windows.dilationOf(axis));
    taps.push_back(ops.div(offset, dilation));
    if (windows.dilationOf(axis) == 1)
      continue;
    Value isTap = ops.compare(arith::CmpIPredicate::eq,
                              ops.rem(offset, dilation), ops.constant(0));
    areOnTaps = areOnTaps ? arith::AndIOp::create(element.builder, element.loc,
                                                  areOnTaps, isTap)
                          : isTap;
  }
  return {taps, areOnTaps};
}
