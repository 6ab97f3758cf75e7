//===- ScanSegments.cpp - scans in segments -------------------------------===//
#include "dialects/tg/Builders.h"
#include "dialects/tg/gradient/RegionCotangents.h"
#include "dialects/tg/ops/control/ControlOps.h"
#include "dialects/tg/ops/elementwise/BinaryOps.h"
#include "dialects/tg/ops/elementwise/QuotientOps.h"
#include "dialects/tg/ops/movement/DataMovementOps.h"
#include "dialects/tg/ops/movement/ShapeOps.h"
#include "dialects/tg/ops/movement/SliceOps.h"

using namespace mlir;
using namespace tg;

namespace {
/// A number of steps: `number` if it is static, otherwise `value`, which is
/// computed when the function runs.
struct StepCount {
  int64_t number = ShapedType::kDynamic;
  Value value;

  bool isZero() const { return number == 0; }
};

/// Builds a scan of T steps as an outer scan over s segments, each of which is
/// an inner scan of T / s steps, and a scan of the rest: the last T mod s
/// elements of the inputs.
class SegmentBuilder {
public:
  SegmentBuilder(ScanOp scan, OpBuilder &builder)
      : scan(scan), builder(builder), loc(scan.getLoc()),
        segmentCount(scan.getSegments()) {}

  /// Builds the ops and returns the values that replace the results.
  SmallVector<Value> build();

private:
  void countSteps();
  /// Slices from an input the elements of all segments or, if `isRest` is set,
  /// the elements after them.
  Value buildSteps(Value input, bool isRest);
  /// Reshapes a tensor: its first `dropped` extents are replaced by `leading`.
  Value buildLeading(Value value, ArrayRef<StepCount> leading,
                     unsigned dropped);
  ScanOp buildScan(ValueRange inits, ValueRange inputs, StepCount length,
                   int64_t segments, ArrayRef<RankedTensorType> elements);
  ScanOp buildSegments(ValueRange inits);
  ScanOp buildRest(ValueRange inits);

  ScanOp scan;
  OpBuilder &builder;
  Location loc;
  int64_t segmentCount;
  /// The number of steps of one segment, of all segments together, and of the
  /// rest.
  StepCount segmentSteps, segmentedSteps, restSteps;
};
} // namespace

/// Returns the type of `length` stacked elements.
static RankedTensorType stackedType(RankedTensorType element, int64_t length) {
  SmallVector<int64_t> shape = {length};
  llvm::append_range(shape, element.getShape());
  return element.clone(shape);
}

void SegmentBuilder::countSteps() {
  int64_t length = scan.getStaticLength();
  if (!ShapedType::isDynamic(length)) {
    // Use more segments than requested, but at most twice as many, if then no
    // steps remain: the inputs need not be sliced in this case.
    for (int64_t count = segmentCount; count <= 2 * segmentCount; ++count)
      if (length % count == 0) {
        segmentCount = count;
        break;
      }
    segmentSteps.number = length / segmentCount;
    segmentedSteps.number = segmentSteps.number * segmentCount;
    restSteps.number = length - segmentedSteps.number;
    return;
  }
  Value steps = buildDim(builder, loc, scan.getInputs().front(), 0);
  Value divisor = buildScalarConstant(builder, loc, builder.getI64Type(),
                                      double(segmentCount));
  segmentSteps.value = DivOp::create(builder, loc, steps, divisor);
  segmentedSteps.value =
      MulOp::create(builder, loc, segmentSteps.value, divisor);
  restSteps.value = SubOp::create(builder, loc, steps, segmentedSteps.value);
}

Value SegmentBuilder::buildSteps(Value input, bool isRest) {
  if (restSteps.isZero())
    return input;
  SmallVector<int64_t> sizes = extentList(input);
  SmallVector<int64_t> starts(sizes.size(), 0);
  SmallVector<Value> dynamic;
  const StepCount &size = isRest ? restSteps : segmentedSteps;
  if (isRest) {
    starts[0] = segmentedSteps.value ? -1 : segmentedSteps.number;
    if (segmentedSteps.value)
      dynamic.push_back(segmentedSteps.value);
    sizes[0] = restSteps.value ? -1 : restSteps.number; // to the end
    return SliceOp::create(builder, loc, input, dynamic,
                           builder.getI64ArrayAttr(starts),
                           builder.getI64ArrayAttr(sizes), nullptr);
  }
  sizes[0] = size.value ? -1 : size.number;
  if (size.value) {
    dynamic.push_back(size.value);
    for (unsigned axis = 1; axis < sizes.size(); ++axis)
      if (sizes[axis] == -1)
        dynamic.push_back(buildDim(builder, loc, input, axis));
  }
  return SliceOp::create(builder, loc, input, dynamic,
                         builder.getI64ArrayAttr(starts),
                         builder.getI64ArrayAttr(sizes), nullptr);
}

Value SegmentBuilder::buildLeading(Value value, ArrayRef<StepCount> leading,
                                   unsigned dropped) {
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  for (const StepCount &count : leading) {
    shape.push_back(count.value ? -1 : count.number);
    if (count.value)
      dynamic.push_back(count.value);
  }
  SmallVector<int64_t> extents = extentList(value);
  for (unsigned axis = dropped; axis < extents.size(); ++axis) {
    shape.push_back(extents[axis]);
    if (extents[axis] == -1)
      dynamic.push_back(buildDim(builder, loc, value, axis));
  }
  return ReshapeOp::create(builder, loc, value, dynamic, shape);
}

ScanOp SegmentBuilder::buildScan(ValueRange inits, ValueRange inputs,
                                 StepCount length, int64_t segments,
                                 ArrayRef<RankedTensorType> elements) {
  SmallVector<Type> types(inits.getTypes());
  for (RankedTensorType element : elements)
    types.push_back(stackedType(element, length.number));
  auto result = ScanOp::create(
      builder, loc, types, inits, inputs,
      inputs.empty() ? builder.getI64IntegerAttr(length.number) : IntegerAttr(),
      scan.getReverseAttr(), builder.getI64IntegerAttr(segments));
  copyDiscardable(scan, result);
  return result;
}

/// Returns the types of the values that a scan yields in addition to the
/// carried ones.
static SmallVector<RankedTensorType> findElements(ScanOp scan) {
  return llvm::map_to_vector(
      scan.getBlock().getTerminator()->getOperands().drop_front(
          scan.getInits().size()),
      [](Value value) { return cast<RankedTensorType>(value.getType()); });
}

ScanOp SegmentBuilder::buildSegments(ValueRange inits) {
  SmallVector<RankedTensorType> elements = findElements(scan);
  SmallVector<RankedTensorType> wholes;
  for (RankedTensorType element : elements)
    wholes.push_back(stackedType(element, segmentSteps.number));
  SmallVector<Value> inputs;
  for (Value input : scan.getInputs())
    inputs.push_back(buildLeading(buildSteps(input, /*isRest=*/false),
                                  {{segmentCount, {}}, segmentSteps}, 1));
  ScanOp outer =
      buildScan(inits, inputs, {segmentCount, {}}, segmentCount, wholes);
  Block &block = outer.getBody().emplaceBlock();
  for (Value init : inits)
    block.addArgument(init.getType(), loc);
  for (Value input : inputs) {
    auto type = cast<RankedTensorType>(input.getType());
    block.addArgument(type.clone(type.getShape().drop_front()), loc);
  }
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&block);
  ScanOp inner = buildScan(block.getArguments().take_front(inits.size()),
                           block.getArguments().drop_front(inits.size()),
                           segmentSteps, 0, elements);
  IRMapping copies;
  scan.getBody().cloneInto(&inner.getBody(), copies);
  YieldOp::create(builder, loc, inner.getResults());
  return outer;
}

ScanOp SegmentBuilder::buildRest(ValueRange inits) {
  SmallVector<Value> inputs;
  for (Value input : scan.getInputs())
    inputs.push_back(buildSteps(input, /*isRest=*/true));
  ScanOp last = buildScan(inits, inputs, restSteps, 0, findElements(scan));
  IRMapping copies;
  scan.getBody().cloneInto(&last.getBody(), copies);
  return last;
}

SmallVector<Value> SegmentBuilder::build() {
  countSteps();
  SmallVector<Value> carried(scan.getInits());
  auto run = [&](ScanOp (SegmentBuilder::*build)(ValueRange)) {
    ScanOp built = (this->*build)(carried);
    carried = SmallVector<Value>(built.getLast());
    return built;
  };
  // A reverse scan begins with the last elements, the rest.
  ScanOp last;
  if (scan.getReverse() && !restSteps.isZero())
    last = run(&SegmentBuilder::buildRest);
  ScanOp outer = run(&SegmentBuilder::buildSegments);
  if (!scan.getReverse() && !restSteps.isZero())
    last = run(&SegmentBuilder::buildRest);
  SmallVector<Value> results = carried;
  for (unsigned index = results.size(); index < scan.getNumResults(); ++index) {
    Value whole = buildLeading(outer.getResult(index), {segmentedSteps}, 2);
    if (last)
      whole = ConcatOp::create(builder, loc,
                               ValueRange{whole, last.getResult(index)},
                               builder.getI64IntegerAttr(0));
    results.push_back(
        buildOfType(builder, loc, whole,
                    cast<RankedTensorType>(scan.getResult(index).getType())));
  }
  return results;
}

SmallVector<Value> ScanOp::splitForGradient(OpBuilder &builder) {
  int64_t length = getStaticLength();
  if (getSegments() == 0 ||
      (!ShapedType::isDynamic(length) && length <= int64_t(getSegments())))
    return {};
  return SegmentBuilder(*this, builder).build();
}
