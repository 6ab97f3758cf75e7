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
  bool fits() const;
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
  SplitK(KernelFrame &frame, const SplitKPlan &plan, Value result, Value slices,
         Elements partials);

  LogicalResult emit();

private:
  void emitSlice();
  void emitBlock(Value begin, Value count);
  void emitRegisterTileAt(const RegisterTile &tile, Value row, Value column,
                          Value begin, Value count);
  void finalize();
  void store(Value row, Value column, int64_t lanes, Value element);
  Value sumOffset(Value slice, Value row, Value column) const;

  const SplitKPlan &plan;
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

bool SplitKPlan::fits() const {
  return rows > 0 && columns > 0 && columns % lanes == 0 &&
         rows <= tuning::kMaxSplitKRows && size() <= tuning::kMaxSplitKElements;
}

RegisterTile SplitKPlan::chooseTile() const {
  bool hasManyRegisters = target.vectorRegisters >= 32;
  int64_t sums = hasManyRegisters ? tuning::kWideRows * tuning::kWideVectors
                                  : tuning::kWideRows * tuning::kNarrowVectors;
  int64_t columnVectors = columns / lanes,
          maxVectors =
              hasManyRegisters ? tuning::kWideVectors : tuning::kNarrowVectors;
  RegisterTile best{1, 1, unsigned(lanes), unsigned(tuning::kUnrolledSteps)};
  int64_t fewest = std::numeric_limits<int64_t>::max();
  for (int64_t vectors = 1; vectors <= std::min(maxVectors, columnVectors);
       ++vectors) {
    int64_t rowTiles = llvm::divideCeil(rows, std::min(rows, sums / vectors));
    int64_t loads = llvm::divideCeil(columnVectors, vectors) * rows +
                    rowTiles * columnVectors;
    if (loads > fewest)
      continue;
    fewest = loads;
    best.vectors = vectors;
    best.rows = llvm::divideCeil(rows, rowTiles);
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
  int64_t minElements =
      std::max(tuning::kPartElements, tuning::kSplitKReads * size());
  Value slices = ops.div(elements, ops.constant(minElements));
  return ops.max(ops.constant(1),
                 ops.min(slices, ops.constant(tuning::kMaxParts)));
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

SplitK::SplitK(KernelFrame &frame, const SplitKPlan &plan, Value result,
               Value slices, Elements partials)
    : plan(plan), frame(frame), builder(frame.builder), loc(frame.loc),
      ops(frame.integers()), result(result), slices(slices), partials(partials),
      left(frame.argument(cast<BlockArgument>(plan.left))),
      right(frame.argument(cast<BlockArgument>(plan.right))),
      steps(frame.extent(plan.k)), elements(frame) {}

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

Value SplitK::sumOffset(Value slice, Value row, Value column) const {
  Value index = ops.add(ops.mul(slice, ops.constant(plan.rows)), row);
  return ops.add(ops.mul(index, ops.constant(plan.columns)), column);
}

void SplitK::emitSlice() {
  Value zero = ops.constant(0);
  Value unit = ops.constant(tuning::kBlockUnit);
  Value first = sumOffset(frame.tile, zero, zero);
  Value zeros = arith::ConstantOp::create(
      builder, loc,
      builder.getZeroAttr(VectorType::get({plan.lanes}, plan.type)));
  buildFor(builder, loc, zero, ops.constant(plan.size()), plan.lanes,
           [&](Value offset) {
             storeElements(builder, loc, partials, ops.add(first, offset),
                           zeros, {unsigned(plan.lanes), {}});
           });
  // Each slice but the last has a multiple of `unit` steps, so that the loop of
  // the register tile has no remainder.
  auto beginOf = [&](Value slice) {
    Value rounds = ops.ceilDiv(steps, unit);
    Value round = ops.div(ops.mul(slice, rounds), slices);
    return ops.min(steps, ops.mul(round, unit));
  };
  Value end = beginOf(ops.add(frame.tile, ops.constant(1)));
  int64_t block = plan.blockSteps();
  buildFor(builder, loc, beginOf(frame.tile), end, block, [&](Value begin) {
    emitBlock(begin, ops.min(ops.constant(block), ops.sub(end, begin)));
  });
}

/// Adds the products of a few steps to all sums of the slice.
void SplitK::emitBlock(Value begin, Value count) {
  RegisterTile tile = plan.chooseTile();
  int64_t width = tile.vectors * plan.lanes;
  auto emitColumns = [&](unsigned vectors, Value column) {
    RegisterTile registers = tile;
    registers.vectors = vectors;
    int64_t fullEnd = plan.rows / tile.rows * tile.rows;
    buildFor(builder, loc, ops.constant(0), ops.constant(fullEnd), tile.rows,
             [&](Value row) {
               emitRegisterTileAt(registers, row, column, begin, count);
             });
    registers.rows = plan.rows - fullEnd;
    if (registers.rows)
      emitRegisterTileAt(registers, ops.constant(fullEnd), column, begin,
                         count);
  };
  int64_t fullEnd = plan.columns / width * width;
  buildFor(builder, loc, ops.constant(0), ops.constant(fullEnd), width,
           [&](Value column) { emitColumns(tile.vectors, column); });
  if (fullEnd < plan.columns)
    emitColumns((plan.columns - fullEnd) / plan.lanes, ops.constant(fullEnd));
}

void SplitK::emitRegisterTileAt(const RegisterTile &tile, Value row,
                                Value column, Value begin, Value count) {
  Value rows = ops.constant(plan.rows);
  Value columns = ops.constant(plan.columns);
  LeftRows lhs{
      {left, ops.add(ops.mul(begin, rows), row), ops.constant(1), rows}};
  Matrix rhs{right, ops.add(ops.mul(begin, columns), column), columns,
             ops.constant(1)};
  Lanes lanes{tile.lanes, {}};
  SmallVector<Value> offsets, start;
  for (unsigned i = 0; i < tile.rows; ++i)
    for (unsigned vector = 0; vector < tile.vectors; ++vector) {
      offsets.push_back(
          sumOffset(frame.tile, ops.add(row, ops.constant(i)),
                    ops.add(column, ops.constant(vector * plan.lanes))));
      start.push_back(
          loadElements(builder, loc, partials, offsets.back(), lanes));
    }
  int64_t unit =
      std::gcd<int64_t>(plan.k.getLargestKnownDivisor(), tuning::kBlockUnit);
  // Prefetched explicitly, because hardware prefetchers do not recognize few
  // columns of many rows as a stream.
  auto prefetchNext = [&](Value step) {
    for (int64_t ahead = 0; ahead < tuning::kUnrolledSteps; ++ahead)
      for (unsigned vector = 0; vector < tile.vectors; ++vector) {
        Value row = ops.add(ops.add(count, step), ops.constant(ahead));
        Value nextOffset = ops.add(ops.add(rhs.base, ops.mul(row, columns)),
                                   ops.constant(vector * plan.lanes));
        prefetchElement(builder, loc, right, nextOffset);
      }
  };
  SmallVector<Value> sums = emitRegisterTile(
      builder, loc, tile, lhs, rhs, {count, unit, {}}, start, {prefetchNext});
  for (auto [offset, value] : llvm::zip_equal(offsets, sums))
    storeElements(builder, loc, partials, offset, value, lanes);
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

/// Adds the slices in order. If the product is transposed, the totals overwrite
/// the first slice of the partials buffer, and are then read from there one by
/// one to compute the outputs.
void SplitK::finalize() {
  Value zero = ops.constant(0);
  Value one = ops.constant(1);
  Value rows = ops.constant(plan.rows);
  Value columns = ops.constant(plan.columns);
  Lanes lanes{unsigned(plan.lanes), {}};
  auto add = [&](Value row, Value column) {
    auto load = [&](Value slice) {
      return loadElements(builder, loc, partials, sumOffset(slice, row, column),
                          lanes);
    };
    Value total = buildFor(
        builder, loc, one, slices, 1, load(zero),
        [&](Value slice, ValueRange carried) -> SmallVector<Value> {
          return {arith::AddFOp::create(builder, loc, carried[0], load(slice))};
        })[0];
    if (!plan.isTransposed)
      return store(row, column, plan.lanes, total);
    storeElements(builder, loc, partials, sumOffset(zero, row, column), total,
                  lanes);
  };
  buildFor(builder, loc, zero, rows, 1, [&](Value row) {
    buildFor(builder, loc, zero, columns, plan.lanes,
             [&](Value column) { add(row, column); });
  });
  if (!plan.isTransposed)
    return;
  buildFor(builder, loc, zero, columns, 1, [&](Value column) {
    buildFor(builder, loc, zero, rows, 1, [&](Value row) {
      store(column, row, /*lanes=*/1,
            loadElements(builder, loc, partials, sumOffset(zero, row, column),
                         {}));
    });
  });
}

/// Computes the outputs from an element or vector of the result, and stores
/// them.
void SplitK::store(Value row, Value column, int64_t lanes, Value element) {
  Position position;
  position.index = {row, column};
  position.laneStep = {0, lanes > 1 ? 1 : 0};
  elements.setBarrier(builder.getInsertionBlock());
  elements.provide(result,
                   [element](const Position &, unsigned) { return element; });
  auto outputs =
      llvm::to_vector(llvm::seq<unsigned>(frame.kernel.getOutputs().size()));
  storeOutputs(elements, outputs, lanes, [&](Value) { return position; });
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

/// Returns true if axis 0 of a matrix is the reduced dimension.
static bool reducesAxis0(const ContractionTensor &operand) {
  constexpr unsigned reduced = 2;
  return operand.extents.size() == 2 && operand.axisOf(reduced) == 0u;
}

/// Returns the plan of the product. If that does not fit, because its columns
/// do not fill vectors or its rows are too many, returns the plan of the
/// transposed product, or none if that does not fit either.
static std::optional<SplitKPlan> planSplitK(const TargetDescription &target,
                                            const Contraction &contraction) {
  for (bool transposed : {false, true})
    if (SplitKPlan plan(target, contraction, transposed); plan.fits())
      return plan;
  return std::nullopt;
}

StringRef
SplitKContraction::findUnmetRequirement(const ContractionRequest &request,
                                        const TargetDescription &target) const {
  const Contraction &contraction = request.contraction;
  if (!target.usesVectors || !request.hasFloatOperands() || !request.readsLhs ||
      !request.readsRhs || request.panels)
    return "vectors, and operands that are in memory and have the type of the "
           "sums";
  if (request.rowOrder)
    return "no reductions over rows of the result";
  if (!contraction.isMatrixProduct() ||
      contraction.result.extents.size() != 2 ||
      !reducesAxis0(contraction.lhs) || !reducesAxis0(contraction.rhs))
    return "a product lhs^T * rhs of two matrices";
  if (contraction.lhs.extents[0].getLargestKnownDivisor() <
          tuning::kMinSplitK ||
      !planSplitK(target, contraction))
    return "a long sum, and a result with few rows or columns";
  return {};
}

LogicalResult SplitKContraction::emit(KernelFrame &frame,
                                      Contraction contraction) const {
  SplitKPlan plan = *planSplitK(frame.target, contraction);
  frame.setTiles([&](EntryExtents &entry) { return plan.countSlices(entry); });
  Value slices = plan.countSlices(frame.entry);
  int64_t maxSlices = constantNumber(slices).value_or(tuning::kMaxParts);
  AffineExpr bytes =
      getAffineConstantExpr(maxSlices * plan.size() * elementBytes(plan.type),
                            frame.kernel.getContext());
  Elements partials{frame.takePartials({bytes}, {})[0], plan.type};
  return SplitK(frame, plan, contraction.result.value, slices, partials).emit();
}
