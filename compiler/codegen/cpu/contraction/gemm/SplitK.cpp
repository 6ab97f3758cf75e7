//===- SplitK.cpp - split-K products of few rows or columns ---------------===//
#include "compiler/codegen/cpu/contraction/gemm/SplitK.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/contraction/gemm/RegisterTile.h"
#include "compiler/codegen/cpu/contraction/gemm/ResultReduction.h"
#include "llvm/Support/MathExtras.h"
#include <limits>
#include <numeric>

using namespace mlir;
using namespace tg;

namespace {

/// The product in the form in which it is computed: [rows, K] x [K, columns],
/// with vectors along the columns. If `isTransposed`, these columns are the
/// rows of the result.
struct SplitKPlan {
  SplitKPlan(const TargetDescription &target, const Contraction &contraction,
             bool transposed);

  /// Returns true if the columns are a multiple of the vector length, and the
  /// rows and sums are few enough.
  bool isFit() const;
  /// Returns the register tile with the fewest loads.
  RegisterTile chooseTile() const;
  /// Returns the number of K steps of a block, whose elements stay in L1.
  int64_t blockSteps() const;
  /// Returns the number of split-K slices, which follows from extents alone.
  /// Each slice reads many more elements than it has sums.
  Value countSlices(EntryExtents &entry) const;

  int64_t size() const { return rows * columns; }

  const TargetDescription &target;
  Value left, right;
  bool isTransposed;
  Type type;
  int64_t lanes, rows, columns;
  AffineExpr k;
};

/// Emits one tile of the launch: a split-K slice, or the finalize step.
class SplitK {
public:
  SplitK(KernelFrame &frame, const SplitKPlan &sum, Value result, Value slices,
         Elements partials);

  LogicalResult emit();

private:
  void emitSlice();
  void emitBlock(Value begin, Value steps);
  void emitGroup(const RegisterTile &tile, Value row, Value column, Value begin,
                 Value steps);
  void finalize();
  void store(Value row, Value column, int64_t lanes, Value element);
  Value sumAt(Value slice, Value row, Value column) const;

  const SplitKPlan &sum;
  KernelFrame &frame;
  OpBuilder &builder;
  Location loc;
  IntegerOps ops;
  Value result, slices;
  /// The partials buffer: [slices][rows][columns].
  Elements partials;
  Elements left, right;
  Value steps;
  ElementEmitter elements;
};

} // namespace

//===----------------------------------------------------------------------===//
// Division of the sum
//===----------------------------------------------------------------------===//

SplitKPlan::SplitKPlan(const TargetDescription &target,
                       const Contraction &contraction, bool transposed)
    : target(target), left(contraction.lhs.value), right(contraction.rhs.value),
      isTransposed(transposed), type(contraction.accumulator),
      lanes(target.lanes(elementBytes(type))),
      rows(staticExtent(contraction.result.extents[0]).value_or(0)),
      columns(staticExtent(contraction.result.extents[1]).value_or(0)),
      k(contraction.lhs.extents[0]) {
  if (!transposed)
    return;
  std::swap(left, right);
  std::swap(rows, columns);
}

bool SplitKPlan::isFit() const {
  return rows > 0 && columns > 0 && columns % lanes == 0 &&
         rows <= tuning::kMaxSplitKRows && size() <= tuning::kMaxSplitKElements;
}

RegisterTile SplitKPlan::chooseTile() const {
  bool hasMany = target.vectorRegisters >= 32;
  int64_t sums = hasMany ? tuning::kWideRows * tuning::kWideVectors
                         : tuning::kWideRows * tuning::kNarrowVectors;
  int64_t all = columns / lanes,
          most = hasMany ? tuning::kWideVectors : tuning::kNarrowVectors;
  RegisterTile best{1, 1, unsigned(lanes), unsigned(tuning::kRoundSteps)};
  int64_t fewest = std::numeric_limits<int64_t>::max();
  for (int64_t vectors = 1; vectors <= std::min(most, all); ++vectors) {
    int64_t groups = llvm::divideCeil(rows, std::min(rows, sums / vectors));
    int64_t loads = llvm::divideCeil(all, vectors) * rows + groups * all;
    if (loads > fewest)
      continue;
    fewest = loads;
    best.vectors = vectors;
    best.rows = llvm::divideCeil(rows, groups);
  }
  return best;
}

int64_t SplitKPlan::blockSteps() const {
  int64_t step = (rows + columns) * elementBytes(type);
  return std::max<int64_t>(
      tuning::kBlockUnit,
      llvm::alignDown(target.l1Bytes / step, tuning::kBlockUnit));
}

Value SplitKPlan::countSlices(EntryExtents &entry) const {
  IntegerOps ops = entry.integers();
  Value elements = ops.mul(entry.get(k), ops.constant(rows + columns));
  int64_t least =
      std::max(tuning::kPartElements, tuning::kSplitKReads * size());
  Value slices = ops.div(elements, ops.constant(least));
  return ops.max(ops.constant(1),
                 ops.min(slices, ops.constant(tuning::kMaxParts)));
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

SplitK::SplitK(KernelFrame &frame, const SplitKPlan &sum, Value result,
               Value slices, Elements partials)
    : sum(sum), frame(frame), builder(frame.builder), loc(frame.loc),
      ops(frame.integers()), result(result), slices(slices), partials(partials),
      left(frame.argument(cast<BlockArgument>(sum.left))),
      right(frame.argument(cast<BlockArgument>(sum.right))),
      steps(frame.extent(sum.k)), elements(frame) {}

LogicalResult SplitK::emit() {
  Value isSlice = ops.compare(arith::CmpIPredicate::slt, frame.tile, slices);
  auto branch =
      scf::IfOp::create(builder, loc, isSlice, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  emitSlice();
  builder.setInsertionPoint(branch.elseBlock()->getTerminator());
  finalize();
  return failure(elements.hasFailed());
}

Value SplitK::sumAt(Value slice, Value row, Value column) const {
  Value at = ops.add(ops.mul(slice, ops.constant(sum.rows)), row);
  return ops.add(ops.mul(at, ops.constant(sum.columns)), column);
}

void SplitK::emitSlice() {
  Value zero = ops.constant(0), unit = ops.constant(tuning::kBlockUnit);
  Value first = sumAt(frame.tile, zero, zero);
  Value zeros = arith::ConstantOp::create(
      builder, loc,
      builder.getZeroAttr(VectorType::get({sum.lanes}, sum.type)));
  buildFor(builder, loc, zero, ops.constant(sum.size()), sum.lanes,
           [&](Value at) {
             storeElements(builder, loc, partials, ops.add(first, at), zeros,
                           {unsigned(sum.lanes), {}});
           });
  // Each slice but the last has a multiple of `unit` steps, so that the loop of
  // the register tile has no remainder.
  auto beginOf = [&](Value slice) {
    Value rounds = ops.ceilDiv(steps, unit);
    Value round = ops.div(ops.mul(slice, rounds), slices);
    return ops.min(steps, ops.mul(round, unit));
  };
  Value end = beginOf(ops.add(frame.tile, ops.constant(1)));
  int64_t block = sum.blockSteps();
  buildFor(builder, loc, beginOf(frame.tile), end, block, [&](Value begin) {
    emitBlock(begin, ops.min(ops.constant(block), ops.sub(end, begin)));
  });
}

/// Adds the products of a few steps to all sums of the slice.
void SplitK::emitBlock(Value begin, Value steps) {
  RegisterTile tile = sum.chooseTile();
  int64_t width = tile.vectors * sum.lanes;
  auto emitColumns = [&](unsigned vectors, Value column) {
    RegisterTile group = tile;
    group.vectors = vectors;
    int64_t whole = sum.rows / tile.rows * tile.rows;
    buildFor(builder, loc, ops.constant(0), ops.constant(whole), tile.rows,
             [&](Value row) { emitGroup(group, row, column, begin, steps); });
    group.rows = sum.rows - whole;
    if (group.rows)
      emitGroup(group, ops.constant(whole), column, begin, steps);
  };
  int64_t whole = sum.columns / width * width;
  buildFor(builder, loc, ops.constant(0), ops.constant(whole), width,
           [&](Value column) { emitColumns(tile.vectors, column); });
  if (whole < sum.columns)
    emitColumns((sum.columns - whole) / sum.lanes, ops.constant(whole));
}

void SplitK::emitGroup(const RegisterTile &tile, Value row, Value column,
                       Value begin, Value steps) {
  Value rows = ops.constant(sum.rows), columns = ops.constant(sum.columns);
  LeftRows lhs{
      {left, ops.add(ops.mul(begin, rows), row), ops.constant(1), rows}};
  Matrix rhs{right, ops.add(ops.mul(begin, columns), column), columns,
             ops.constant(1)};
  Lanes lanes{tile.lanes, {}};
  SmallVector<Value> places, start;
  for (unsigned i = 0; i < tile.rows; ++i)
    for (unsigned vector = 0; vector < tile.vectors; ++vector) {
      places.push_back(
          sumAt(frame.tile, ops.add(row, ops.constant(i)),
                ops.add(column, ops.constant(vector * sum.lanes))));
      start.push_back(
          loadElements(builder, loc, partials, places.back(), lanes));
    }
  int64_t unit =
      std::gcd<int64_t>(sum.k.getLargestKnownDivisor(), tuning::kBlockUnit);
  // Prefetched explicitly, because hardware prefetchers do not recognize few
  // columns of many rows as a stream.
  auto prefetchNext = [&](Value step) {
    for (int64_t ahead = 0; ahead < tuning::kRoundSteps; ++ahead)
      for (unsigned vector = 0; vector < tile.vectors; ++vector) {
        Value row = ops.add(ops.add(steps, step), ops.constant(ahead));
        Value at = ops.add(ops.add(rhs.base, ops.mul(row, columns)),
                           ops.constant(vector * sum.lanes));
        prefetchElement(builder, loc, right, at);
      }
  };
  SmallVector<Value> sums = emitRegisterTile(
      builder, loc, tile, lhs, rhs, {steps, unit, {}}, start, {prefetchNext});
  for (auto [place, value] : llvm::zip_equal(places, sums))
    storeElements(builder, loc, partials, place, value, lanes);
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

/// Adds the slices in order. If the product is transposed, the totals overwrite
/// the first slice of the partials buffer, and are then read from there one by
/// one to compute the outputs.
void SplitK::finalize() {
  Value zero = ops.constant(0), one = ops.constant(1),
        rows = ops.constant(sum.rows), columns = ops.constant(sum.columns);
  Lanes lanes{unsigned(sum.lanes), {}};
  auto add = [&](Value row, Value column) {
    auto load = [&](Value slice) {
      return loadElements(builder, loc, partials, sumAt(slice, row, column),
                          lanes);
    };
    Value total = buildFor(
        builder, loc, one, slices, 1, load(zero),
        [&](Value slice, ValueRange carried) -> SmallVector<Value> {
          return {arith::AddFOp::create(builder, loc, carried[0], load(slice))};
        })[0];
    if (!sum.isTransposed)
      return store(row, column, sum.lanes, total);
    storeElements(builder, loc, partials, sumAt(zero, row, column), total,
                  lanes);
  };
  buildFor(builder, loc, zero, rows, 1, [&](Value row) {
    buildFor(builder, loc, zero, columns, sum.lanes,
             [&](Value column) { add(row, column); });
  });
  if (!sum.isTransposed)
    return;
  buildFor(builder, loc, zero, columns, 1, [&](Value column) {
    buildFor(builder, loc, zero, rows, 1, [&](Value row) {
      store(column, row, /*lanes=*/1,
            loadElements(builder, loc, partials, sumAt(zero, row, column), {}));
    });
  });
}

/// Computes the outputs from an element or vector of the result, and stores
/// them.
void SplitK::store(Value row, Value column, int64_t lanes, Value element) {
  Position place;
  place.index = {row, column};
  place.laneStep = {0, lanes > 1 ? 1 : 0};
  elements.setBarrier(builder.getInsertionBlock());
  elements.provide(result,
                   [element](const Position &, unsigned) { return element; });
  auto outputs =
      llvm::to_vector(llvm::seq<unsigned>(frame.kernel.getOutputs().size()));
  storeOutputs(elements, outputs, lanes, [&](Value) { return place; });
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

/// Returns true if axis 0 of a matrix is the reduced dimension.
static bool hasStepsAsRows(const ContractionTensor &operand) {
  constexpr unsigned reduced = 2;
  return operand.extents.size() == 2 && operand.axisOf(reduced) == 0u;
}

/// Returns the plan of the product or, if its columns do not fill vectors or
/// its rows are too many, of the transposed product; none if neither fits.
static std::optional<SplitKPlan> planSplitK(const TargetDescription &target,
                                            const Contraction &contraction) {
  for (bool transposed : {false, true})
    if (SplitKPlan sum(target, contraction, transposed); sum.isFit())
      return sum;
  return std::nullopt;
}

StringRef
SplitKContraction::findUnmetRequirement(const ContractionRequest &request,
                                        const TargetDescription &target) const {
  const Contraction &contraction = request.contraction;
  if (!target.usesVectors || !request.hasFloatOperands() || !request.readsLhs ||
      !request.readsRhs || request.panels)
    return "vectors, and operands in memory of the type of the sums";
  if (request.reducesRows)
    return "no reduction of rows";
  if (!contraction.isMatrixProduct() ||
      contraction.result.extents.size() != 2 ||
      !hasStepsAsRows(contraction.lhs) || !hasStepsAsRows(contraction.rhs))
    return "a product of two matrices along the rows of both";
  if (contraction.lhs.extents[0].getLargestKnownDivisor() <
          tuning::kMinSplitK ||
      !planSplitK(target, contraction))
    return "a long sum of few rows or columns";
  return {};
}

LogicalResult SplitKContraction::emit(KernelFrame &frame,
                                      Contraction contraction) const {
  SplitKPlan sum = *planSplitK(frame.target, contraction);
  frame.setTiles([&](EntryExtents &entry) { return sum.countSlices(entry); });
  Value slices = sum.countSlices(frame.entry);
  int64_t most = constantNumber(slices).value_or(tuning::kMaxParts);
  AffineExpr bytes = getAffineConstantExpr(
      most * sum.size() * elementBytes(sum.type), frame.kernel.getContext());
  Elements partials{frame.takePartials({bytes}, {})[0], sum.type};
  return SplitK(frame, sum, contraction.result.value, slices, partials).emit();
}
