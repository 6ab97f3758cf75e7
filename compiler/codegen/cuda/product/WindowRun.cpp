//===- WindowRun.cpp - neighbouring windows of one thread -----------------===//
#include "compiler/codegen/cuda/product/WindowRun.h"
#include "compiler/codegen/cuda/product/TiledProduct.h"
#include "compiler/codegen/kernel/ElementEmitter.h"
#include "compiler/codegen/kernel/sums/ProductSum.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tg;

/// The number of threads that keep a device busy, and the extent that is
/// assumed for one of run time.
static constexpr int64_t kManyThreads = 16384, kAssumedExtent = 64;

/// The most taps that are multiplied without a loop.
static constexpr int64_t kMaxTaps = 8;

/// Returns the factor of a dimension in the only index of a tensor that has it,
/// and the number of this index; none if there is no such index.
static std::optional<std::pair<unsigned, int64_t>>
findOnlyTerm(const ContractionTensor &tensor, unsigned dimension) {
  std::optional<std::pair<unsigned, int64_t>> found;
  for (auto [number, index] : llvm::enumerate(tensor.indices))
    for (const ContractionIndex::Term &term : index.terms)
      if (term.dimension == dimension) {
        if (found)
          return std::nullopt;
        found = {unsigned(number), term.factor};
      }
  return found;
}

/// Returns the largest width of a run that leaves a device enough threads,
/// or 1.
static int64_t chooseWidth(const Contraction &contraction, int64_t positions) {
  int64_t results = 1;
  for (AffineExpr extent : contraction.result.extents)
    results *= staticExtent(extent).value_or(kAssumedExtent);
  for (int64_t width : {8, 4, 2})
    if (width <= positions &&
        results / positions * llvm::divideCeil(positions, width) >=
            kManyThreads)
      return width;
  return 1;
}

std::optional<WindowRun> tg::findWindowRun(ThreadFrame &frame,
                                           const Contraction &contraction) {
  SmallVector<unsigned> rows = contraction.dimensionsOf(DimensionKind::row);
  SmallVector<unsigned> reduced =
      contraction.dimensionsOf(DimensionKind::reduced);
  const ContractionTensor &result = contraction.result;
  if (rows.empty() || reduced.empty() ||
      !isa<FloatType>(contraction.accumulator) ||
      !findProductBlocks(contraction).empty() ||
      blocksCountLines(contraction) || !hasElementwiseOps(frame, result))
    return std::nullopt;
  WindowRun run = {};
  run.position = rows.back();
  run.tap = reduced.back();
  auto position = findOnlyTerm(contraction.lhs, run.position);
  auto tap = findOnlyTerm(contraction.lhs, run.tap);
  auto extentOf = [&](unsigned dimension) {
    return staticExtent(contraction.dimensions[dimension].extent).value_or(0);
  };
  run.positions = extentOf(run.position);
  run.taps = extentOf(run.tap);
  // Neighbouring threads have neighbours along the last axis of the result.
  std::optional<unsigned> axis = result.axisOf(run.position);
  if (!position || !tap || position->first != tap->first || !axis ||
      *axis + 1 == result.indices.size() ||
      contraction.rhs.varies(run.position) || run.positions == 0 ||
      run.taps == 0 || run.taps > kMaxTaps)
    return std::nullopt;
  run.positionFactor = position->second;
  run.tapFactor = tap->second;
  run.width = chooseWidth(contraction, run.positions);
  if (run.width == 1)
    return std::nullopt;
  return run;
}

namespace {
/// Emits the code of a thread that computes a run.
class RunEmitter {
public:
  RunEmitter(ThreadFrame &frame, const Contraction &contraction,
             const WindowRun &run)
      : frame(frame), contraction(contraction), run(run), elements(frame),
        point(frame, contraction),
        reduced(contraction.dimensionsOf(DimensionKind::reduced)) {}
  LogicalResult emit();

private:
  void begin();
  Value positionAt(int64_t number) {
    IntegerOps ops = frame.indices();
    return ops.add(first, ops.constant(number));
  }
  Value elementOf(const ContractionTensor &tensor);
  SmallVector<Value> multiplyTaps(ValueRange sums);
  SmallVector<Value> sumOver(ArrayRef<unsigned> dimensions, ValueRange sums);
  void storeOutputs(ArrayRef<Value> sums);

  ThreadFrame &frame;
  const Contraction &contraction;
  const WindowRun &run;
  ElementEmitter elements;
  ContractionPoint point;
  SmallVector<unsigned> reduced;
  /// The first position that the thread computes, and the first one that it
  /// stores. The last run begins early, so that all of its positions exist.
  Value first, firstStored;
};
} // namespace

/// Begins the code of a thread and sets the point of its first result.
void RunEmitter::begin() {
  const ContractionTensor &result = contraction.result;
  unsigned axis = *result.axisOf(run.position);
  SmallVector<AffineExpr> extents(result.extents);
  extents[axis] = extents[axis].ceilDiv(run.width);
  Value number =
      frame.beginThread(productOf(extents, result.value.getContext()));
  IntegerOps ops = frame.indices();
  Position position;
  position.index.resize(extents.size());
  position.laneStep.assign(extents.size(), 0);
  for (size_t i = extents.size(); i-- > 0;) {
    Value extent = frame.extent(extents[i]);
    position.index[i] = i == 0 ? number : ops.rem(number, extent);
    if (i > 0)
      number = ops.div(number, extent);
  }
  firstStored = ops.mul(position.index[axis], ops.constant(run.width));
  first = ops.min(firstStored, ops.constant(run.positions - run.width));
  setPoint(point, contraction, ops, position);
}

/// Returns the element of an operand at the point, 0 where it has none.
Value RunEmitter::elementOf(const ContractionTensor &tensor) {
  PointElement element = point.elementOf(tensor);
  auto load = [&]() -> SmallVector<Value> {
    return {elements.elementOrZero(tensor.value, element.position, 1)};
  };
  if (!element.isInside)
    return load()[0];
  Type type = computeType(getElementTypeOrSelf(tensor.value));
  return buildWhere(frame, element.isInside, type, load)[0];
}

/// Returns the sums plus the products of all taps.
SmallVector<Value> RunEmitter::multiplyTaps(ValueRange sums) {
  IntegerOps ops = frame.indices();
  SmallVector<Value> filter;
  // The elements of the windows, by their distances.
  llvm::MapVector<int64_t, Value> window;
  auto distanceOf = [&](int64_t position, int64_t tap) {
    return position * run.positionFactor + tap * run.tapFactor;
  };
  for (int64_t tap = 0; tap < run.taps; ++tap) {
    point.index[run.tap] = ops.constant(tap);
    filter.push_back(elementOf(contraction.rhs));
    for (int64_t position = 0; position < run.width; ++position) {
      Value &element = window[distanceOf(position, tap)];
      point.index[run.position] = positionAt(position);
      if (!element)
        element = elementOf(contraction.lhs);
    }
  }
  SmallVector<Value> result = llvm::to_vector(sums);
  for (int64_t tap = 0; tap < run.taps; ++tap)
    for (int64_t position = 0; position < run.width; ++position)
      result[position] = math::FmaOp::create(frame.builder, frame.loc,
                                             window[distanceOf(position, tap)],
                                             filter[tap], result[position]);
  return result;
}

/// Returns the sums plus the products along some dimensions, the last of which
/// counts taps.
SmallVector<Value> RunEmitter::sumOver(ArrayRef<unsigned> dimensions,
                                       ValueRange sums) {
  if (dimensions.size() == 1)
    return multiplyTaps(sums);
  IntegerOps ops = frame.indices();
  Value extent =
      frame.extent(contraction.dimensions[dimensions.front()].extent);
  return emitCarryLoop(frame, ops.constant(0), extent, 1, sums,
                       [&](Value step, ValueRange carried) {
                         point.index[dimensions.front()] = step;
                         return sumOver(dimensions.drop_front(), carried);
                       });
}

/// Computes and stores the outputs. All loads precede the stores, because an
/// output may be the memory of an argument.
void RunEmitter::storeOutputs(ArrayRef<Value> sums) {
  IntegerOps ops = frame.indices();
  OpBuilder &builder = frame.builder;
  SmallVector<SmallVector<std::pair<Value, Value>>> stores(sums.size());
  for (auto [number, sum] : llvm::enumerate(sums)) {
    point.index[run.position] = positionAt(number);
    Position position = point.positionInResult();
    elements.provide(contraction.result.value,
                     [sum](const Position &, unsigned) { return sum; });
    for (Value output : frame.kernel.getOutputs())
      stores[number].push_back({elements.offsetOf(output, position),
                                elements.elementOrZero(output, position, 1)});
  }
  for (auto [number, values] : llvm::enumerate(stores)) {
    OpBuilder::InsertionGuard guard(builder);
    if (run.positions % run.width != 0) {
      Value isOwn = ops.compare(arith::CmpIPredicate::sge, positionAt(number),
                                firstStored);
      auto branch = scf::IfOp::create(builder, frame.loc, isOwn,
                                      /*withElseRegion=*/false);
      builder.setInsertionPointToStart(branch.thenBlock());
    }
    for (auto [output, store] : llvm::enumerate(values))
      storeElements(builder, frame.loc, frame.output(output), store.first,
                    store.second, Lanes());
  }
}

LogicalResult RunEmitter::emit() {
  begin();
  Type type = computeType(contraction.accumulator);
  Value zero = arith::ConstantOp::create(frame.builder, frame.loc,
                                         frame.builder.getZeroAttr(type));
  SmallVector<Value> sums =
      sumOver(reduced, SmallVector<Value>(run.width, zero));
  elements.setBarrier(frame.builder.getInsertionBlock());
  storeOutputs(sums);
  return failure(elements.hasFailed());
}

LogicalResult tg::emitWindowRun(ThreadFrame &frame,
                                const Contraction &contraction,
                                const WindowRun &run) {
  return RunEmitter(frame, contraction, run).emit();
}
