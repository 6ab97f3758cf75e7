//===- WindowElements.cpp - windows in element rules ----------------------===//
#include "dialects/tg/ops/windows/WindowElements.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tg;

/// The upper bound on taps of a window that are unrolled, as for 4 x 4. More
/// taps are slow to compile, and the overhead of a loop is small compared with
/// that many loads.
static constexpr int64_t kStraightTaps = 16;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The upper bound on unrolled iterations for a single lane if their number is
/// not static. Single lanes compute the remainders of rows.
static constexpr int64_t kStraightScalars = 4;

/// Returns the count of numbers in a span, or none if it is not known before a
/// run.
static std::optional<int64_t> lengthOf(const Span &span) {
  if (span.isFull)
    return span.most;
  std::optional<int64_t> begin = constantNumber(span.begin);
  std::optional<int64_t> end = constantNumber(span.end);
  if (!begin || !end)
    return std::nullopt;
  return std::max<int64_t>(*end - *begin, 0);
}

/// Returns the number of unrolled iterations over a span; 0 means a loop.
static int64_t roundsOf(const Span &span) {
  return lengthOf(span).value_or(span.most);
}

/// Builds one iteration for a number that may lie beyond the end of the span.
/// In that case the iteration changes nothing.
static SmallVector<Value>
buildRound(ElementBuilder &element, const Span &span, Value number,
           ValueRange carried, function_ref<SmallVector<Value>(Value)> next) {
  IntegerOps ops = element.integers();
  Value isThere =
      element.splat(ops.compare(arith::CmpIPredicate::slt, number, span.end));
  Value last = ops.sub(span.end, ops.constant(1));
  SmallVector<Value> values =
      next(ops.max(ops.min(number, last), ops.constant(0)));
  for (auto [value, before] : llvm::zip_equal(values, carried))
    value = element.builder.createOrFold<arith::SelectOp>(element.loc, isThere,
                                                          value, before);
  return values;
}

/// Builds the loops over the spans after the first `numbers`, or unrolled code
/// for spans of constants.
static SmallVector<Value> buildRest(ElementBuilder &element,
                                    ArrayRef<Span> spans, bool isStraight,
                                    SmallVectorImpl<Value> &numbers,
                                    ValueRange carried, SpanStep step) {
  if (numbers.size() == spans.size())
    return step(numbers, carried);
  Span span = spans[numbers.size()];
  auto next = [&](Value number, ValueRange values) {
    numbers.push_back(number);
    SmallVector<Value> result =
        buildRest(element, spans, isStraight, numbers, values, step);
    numbers.pop_back();
    return result;
  };
  IntegerOps ops = element.integers();
  std::optional<int64_t> length = lengthOf(span);
  if (isStraight && (length || span.most)) {
    SmallVector<Value> values(carried);
    for (int64_t round = 0; round < roundsOf(span); ++round) {
      Value number = ops.add(span.begin, ops.constant(round));
      values = length ? next(number, values)
                      : buildRound(element, span, number, values,
                                   [&](Value at) { return next(at, values); });
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
    if (int64_t rounds = roundsOf(span); rounds || lengthOf(span))
      copies *= std::min(rounds, kStraightTaps + 1);
  bool isSure = llvm::all_of(
      spans, [](const Span &span) { return !span.most || span.isFull; });
  int64_t least =
      element.lanes() > 1 || isSure ? kStraightTaps : kStraightScalars;
  SmallVector<Value> numbers;
  return buildRest(element, spans, copies <= least, numbers, initial, step);
}

//===----------------------------------------------------------------------===//
// WindowElements
//===----------------------------------------------------------------------===//

WindowElements::WindowElements(ElementBuilder &element, const Windows &windows,
                               ArrayRef<Value> extents, ArrayRef<Value> counts)
    : element(element), ops(element.integers()), windows(windows) {
  for (auto [extent, count] : llvm::zip_equal(extents, counts))
    axes.push_back({extent, count, /*low=*/{}, /*isInside=*/false});
  for (auto [number, axis] : llvm::enumerate(axes)) {
    axis.low = buildLow(number);
    axis.isInside = windows.isInside(number, expressionOf(number));
  }
}

/// Returns the extent as an expression for shape rules.
AffineExpr WindowElements::expressionOf(unsigned axis) {
  MLIRContext *context = element.builder.getContext();
  std::optional<int64_t> known = constantNumber(axes[axis].extent);
  return known ? getAffineConstantExpr(*known, context)
               : getAffineSymbolExpr(0, context);
}

/// Builds Windows::lowOf() for an extent of the run.
Value WindowElements::buildLow(unsigned axis) {
  if (std::optional<int64_t> low =
          staticExtent(windows.lowOf(axis, expressionOf(axis))))
    return ops.constant(*low);
  Value last = ops.mul(ops.sub(axes[axis].count, ops.constant(1)),
                       ops.constant(windows.strideOf(axis)));
  Value end = ops.add(last, ops.constant(windows.reachOf(axis)));
  Value missing = ops.max(ops.sub(end, axes[axis].extent), ops.constant(0));
  return ops.div(missing, ops.constant(2));
}

Value WindowElements::start(unsigned axis, Value number) {
  return ops.sub(ops.mul(number, ops.constant(windows.strideOf(axis))),
                 axes[axis].low);
}

SmallVector<Value> WindowElements::places(ArrayRef<Value> numbers,
                                          ArrayRef<Value> taps) {
  SmallVector<Value> result;
  for (unsigned axis = 0; axis < axes.size(); ++axis) {
    Value offset = ops.mul(taps[axis], ops.constant(windows.dilationOf(axis)));
    result.push_back(ops.add(start(axis, numbers[axis]), offset));
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

SmallVector<Span> WindowElements::taps(ArrayRef<Value> numbers) {
  SmallVector<Span> spans = allTaps();
  Value zero = ops.constant(0);
  for (auto [axis, span] : llvm::enumerate(spans)) {
    if (axes[axis].isInside)
      continue;
    Value dilation = ops.constant(windows.dilationOf(axis));
    Value first = start(axis, numbers[axis]);
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
Value WindowElements::isInside(ArrayRef<Value> numbers) {
  Value result;
  auto require = [&](arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    Value next = ops.compare(predicate, lhs, rhs);
    result = result ? arith::AndIOp::create(element.builder, element.loc,
                                            result, next)
                    : next;
  };
  for (auto [number, axis] : llvm::enumerate(axes)) {
    if (axis.isInside)
      continue;
    Value first = start(number, numbers[number]);
    Value end = ops.add(first, ops.constant(windows.reachOf(number)));
    require(arith::CmpIPredicate::sge, first, ops.constant(0));
    require(arith::CmpIPredicate::sle, end, axis.extent);
  }
  return result;
}

SmallVector<Value>
WindowElements::byTaps(ArrayRef<Value> numbers, TypeRange types,
                       function_ref<SmallVector<Value>(ArrayRef<Span>)> build) {
  // Single elements are the remainders of rows and do not justify the code.
  bool isStraight = element.lanes() > 1 || areInside();
  if (windows.countPositions() > kStraightTaps || !isStraight || areInside())
    return build(taps(numbers));
  OpBuilder &builder = element.builder;
  auto branch = scf::IfOp::create(builder, element.loc, types,
                                  isInside(numbers), /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  SmallVector<Value> inside = build(allTaps());
  scf::YieldOp::create(builder, element.loc, inside);
  builder.setInsertionPointToStart(branch.elseBlock());
  SmallVector<Value> across = build(taps(numbers));
  scf::YieldOp::create(builder, element.loc, across);
  return llvm::to_vector_of<Value>(branch.getResults());
}

Value WindowElements::tapNumber(ArrayRef<Value> taps) {
  Value number = ops.constant(0);
  for (auto [axis, tap] : llvm::enumerate(taps))
    number = ops.add(ops.mul(number, ops.constant(windows.sizeOf(axis))), tap);
  return number;
}

//===----------------------------------------------------------------------===//
// The windows over positions
//===----------------------------------------------------------------------===//

bool WindowElements::areTiles(unsigned number) {
  const Axis &axis = axes[number];
  std::optional<int64_t> extent = constantNumber(axis.extent),
                         count = constantNumber(axis.count);
  int64_t stride = windows.strideOf(number);
  return windows.reachOf(number) == stride && constantNumber(axis.low) == 0 &&
         extent && count && *extent <= *count * stride;
}

SmallVector<Span> WindowElements::covering(ArrayRef<Value> places) {
  SmallVector<Span> spans;
  Value zero = ops.constant(0), one = ops.constant(1);
  for (auto [number, axis] : llvm::enumerate(axes)) {
    int64_t reach = windows.reachOf(number), step = windows.strideOf(number);
    Value stride = ops.constant(step);
    Value last = ops.add(places[number], axis.low);
    Value latest = ops.div(last, stride);
    if (areTiles(number)) {
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
WindowElements::tapsAt(ArrayRef<Value> places, ArrayRef<Value> numbers) {
  SmallVector<Value> taps;
  Value areTaps;
  for (unsigned axis = 0; axis < axes.size(); ++axis) {
    Value offset = ops.sub(places[axis], start(axis, numbers[axis]));
    Value dilation = ops.constant(windows.dilationOf(axis));
    taps.push_back(ops.div(offset, dilation));
    if (windows.dilationOf(axis) == 1)
      continue;
    Value isTap = ops.compare(arith::CmpIPredicate::eq,
                              ops.rem(offset, dilation), ops.constant(0));
    areTaps = areTaps ? arith::AndIOp::create(element.builder, element.loc,
                                              areTaps, isTap)
                      : isTap;
  }
  return {taps, areTaps};
}
