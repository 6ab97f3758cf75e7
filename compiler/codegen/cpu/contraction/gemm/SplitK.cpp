//===- SplitK.cpp - split-K products of few rows or columns ---------------===//
#include "compiler/codegen/cpu/contraction/gemm/SplitK.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/contraction/gemm/ResultReduction.h"
#include "compiler/codegen/cpu/contraction/gemm/SplitKPlan.h"
#include "compiler/codegen/kernel/sums/ProductBlocks.h"
#include <numeric>

using namespace mlir;
using namespace tg;

namespace {

/// Emits one tile of the launch: a split-K slice, or the finalize step.
class SplitK {
public:
  SplitK(KernelFrame &frame, const SplitKPlan &plan, Value result, Value slices,
         Elements partials, Elements chains);

  LogicalResult emit();

private:
  /// A part of a block of the sum: `count` K steps from `begin` on, and the
  /// unit that the block belongs to. An i1 each: true for the first and the
  /// last part of the block, and for the first block of the unit.
  struct Part {
    Value unit, begin, count, isFirst, isLast, isInFirstBlock;
  };

  void emitSlice();
  void emitBlock(Value unit, Value block);
  void emitPart(const Part &part);
  void emitRegisterTileAt(const RegisterTile &tile, Value row, Value column,
                          const Part &part);
  SmallVector<Value> loadWhere(Value condition, const Elements &from,
                               ValueRange offsets, ValueRange otherwise);
  void storeSums(const Part &part, ValueRange offsets, ValueRange sums);
  void finalize();
  Value addUnits(Value row, Value column);
  void store(Value row, Value column, int64_t lanes, Value element);
  Value sumOffset(Value unit, Value row, Value column) const;

  const SplitKPlan &plan;
  KernelFrame &frame;
  OpBuilder &builder;
  Location loc;
  IntegerOps ops;
  Value result, slices;
  /// The partials buffer, [units][rows][columns], and the sums of a block
  /// between two of its parts, [rows][columns].
  Elements partials, chains;
  Elements left, right;
  /// The extent of K, the number of units, and the number of blocks in one.
  Value steps, units, unitBlocks;
  ElementEmitter elements;
};

} // namespace

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

SplitK::SplitK(KernelFrame &frame, const SplitKPlan &plan, Value result,
               Value slices, Elements partials, Elements chains)
    : plan(plan), frame(frame), builder(frame.builder), loc(frame.loc),
      ops(frame.integers()), result(result), slices(slices), partials(partials),
      chains(chains), left(frame.argument(cast<BlockArgument>(plan.left))),
      right(frame.argument(cast<BlockArgument>(plan.right))),
      steps(frame.extent(plan.k)), units(plan.countUnits(ops, steps)),
      unitBlocks(plan.blocksInUnit(ops, steps)), elements(frame) {}

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

Value SplitK::sumOffset(Value unit, Value row, Value column) const {
  Value index = ops.add(ops.mul(unit, ops.constant(plan.rows)), row);
  return ops.add(ops.mul(index, ops.constant(plan.columns)), column);
}

/// A slice is a range of units.
void SplitK::emitSlice() {
  auto beginOf = [&](Value slice) {
    return ops.div(ops.mul(slice, units), slices);
  };
  Value next = ops.add(frame.tile, ops.constant(1));
  buildFor(builder, loc, beginOf(frame.tile), beginOf(next), 1,
           [&](Value unit) {
             buildFor(builder, loc, ops.constant(0), unitBlocks, 1,
                      [&](Value block) { emitBlock(unit, block); });
           });
}

/// Adds the products of a block to all sums of a unit, in parts whose elements
/// stay in L1. The last blocks of the last unit may have no products; they add
/// nothing.
void SplitK::emitBlock(Value unit, Value block) {
  Value zero = ops.constant(0);
  Value first = ops.mul(ops.add(ops.mul(unit, unitBlocks), block),
                        ops.constant(plan.blocks.front()));
  Value end = ops.min(steps, ops.add(first, ops.constant(plan.blocks.front())));
  int64_t size = plan.stepsInCache();
  buildFor(builder, loc, first, end, size, [&](Value begin) {
    Value next = ops.add(begin, ops.constant(size));
    emitPart({unit, begin, ops.min(ops.constant(size), ops.sub(end, begin)),
              ops.compare(arith::CmpIPredicate::eq, begin, first),
              ops.compare(arith::CmpIPredicate::sge, next, end),
              ops.compare(arith::CmpIPredicate::eq, block, zero)});
  });
}

void SplitK::emitPart(const Part &part) {
  RegisterTile tile = plan.chooseTile();
  int64_t width = tile.vectors * plan.lanes;
  auto emitColumns = [&](unsigned vectors, Value column) {
    RegisterTile registers = tile;
    registers.vectors = vectors;
    int64_t fullEnd = plan.rows / tile.rows * tile.rows;
    buildFor(
        builder, loc, ops.constant(0), ops.constant(fullEnd), tile.rows,
        [&](Value row) { emitRegisterTileAt(registers, row, column, part); });
    registers.rows = plan.rows - fullEnd;
    if (registers.rows)
      emitRegisterTileAt(registers, ops.constant(fullEnd), column, part);
  };
  int64_t fullEnd = plan.columns / width * width;
  buildFor(builder, loc, ops.constant(0), ops.constant(fullEnd), width,
           [&](Value column) { emitColumns(tile.vectors, column); });
  if (fullEnd < plan.columns)
    emitColumns((plan.columns - fullEnd) / plan.lanes, ops.constant(fullEnd));
}

/// Returns the vectors of `from` at `offsets` if `condition` holds, otherwise
/// the vectors `otherwise`.
SmallVector<Value> SplitK::loadWhere(Value condition, const Elements &from,
                                     ValueRange offsets, ValueRange otherwise) {
  auto branch = scf::IfOp::create(builder, loc, TypeRange(otherwise), condition,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, otherwise);
  builder.setInsertionPointToStart(branch.thenBlock());
  SmallVector<Value> loaded;
  for (Value offset : offsets)
    loaded.push_back(
        loadElements(builder, loc, from, offset, {unsigned(plan.lanes), {}}));
  scf::YieldOp::create(builder, loc, loaded);
  return llvm::to_vector_of<Value>(branch.getResults());
}

/// Stores sums after a part of a block: at the end of the block they are added
/// to those of the unit.
void SplitK::storeSums(const Part &part, ValueRange offsets, ValueRange sums) {
  Lanes lanes{unsigned(plan.lanes), {}};
  auto branch = scf::IfOp::create(builder, loc, part.isLast,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.elseBlock()->getTerminator());
  for (auto [offset, sum] : llvm::zip_equal(offsets, sums))
    storeElements(builder, loc, chains, offset, sum, lanes);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  Value none = buildEmptyTotal(builder, loc, sums.front().getType());
  Value one = arith::ConstantIntOp::create(builder, loc, 1, /*width=*/1);
  Value hasBlocks =
      arith::XOrIOp::create(builder, loc, part.isInFirstBlock, one);
  Value first = sumOffset(part.unit, ops.constant(0), ops.constant(0));
  SmallVector<Value> unitOffsets;
  for (Value offset : offsets)
    unitOffsets.push_back(ops.add(first, offset));
  SmallVector<Value> totals = loadWhere(hasBlocks, partials, unitOffsets,
                                        SmallVector<Value>(sums.size(), none));
  for (auto [offset, total, sum] : llvm::zip_equal(unitOffsets, totals, sums))
    storeElements(builder, loc, partials, offset,
                  arith::AddFOp::create(builder, loc, total, sum), lanes);
}

void SplitK::emitRegisterTileAt(const RegisterTile &tile, Value row,
                                Value column, const Part &part) {
  Value rows = ops.constant(plan.rows);
  Value columns = ops.constant(plan.columns);
  LeftRows lhs{
      {left, ops.add(ops.mul(part.begin, rows), row), ops.constant(1), rows}};
  Matrix rhs{right, ops.add(ops.mul(part.begin, columns), column), columns,
             ops.constant(1)};
  SmallVector<Value> offsets;
  for (unsigned i = 0; i < tile.rows; ++i)
    for (unsigned vector = 0; vector < tile.vectors; ++vector)
      offsets.push_back(
          sumOffset(ops.constant(0), ops.add(row, ops.constant(i)),
                    ops.add(column, ops.constant(vector * plan.lanes))));
  int64_t unit = std::gcd(
      std::gcd<int64_t>(plan.k.getLargestKnownDivisor(), tuning::kBlockUnit),
      plan.blocks.front());
  // Prefetched explicitly, because hardware prefetchers do not recognize few
  // columns of many rows as a stream.
  auto prefetchNext = [&](Value step) {
    for (int64_t ahead = 0; ahead < tuning::kUnrolledSteps; ++ahead)
      for (unsigned vector = 0; vector < tile.vectors; ++vector) {
        Value next = ops.add(ops.add(part.count, step), ops.constant(ahead));
        Value nextOffset = ops.add(ops.add(rhs.base, ops.mul(next, columns)),
                                   ops.constant(vector * plan.lanes));
        prefetchElement(builder, loc, right, nextOffset);
      }
  };
  Value zero = arith::ConstantOp::create(
      builder, loc,
      builder.getZeroAttr(VectorType::get({plan.lanes}, plan.type)));
  Value one = arith::ConstantIntOp::create(builder, loc, 1, /*width=*/1);
  SmallVector<Value> start =
      loadWhere(arith::XOrIOp::create(builder, loc, part.isFirst, one), chains,
                offsets, SmallVector<Value>(offsets.size(), zero));
  SmallVector<Value> sums =
      emitRegisterTile(builder, loc, tile, lhs, rhs, {part.count, unit, {}},
                       start, {prefetchNext});
  storeSums(part, offsets, sums);
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

/// Returns the sums at (row, column): adds the units of each group in order,
/// and then the groups. Without groups all units form one.
Value SplitK::addUnits(Value row, Value column) {
  Value none =
      buildEmptyTotal(builder, loc, VectorType::get({plan.lanes}, plan.type));
  auto addRange = [&](Value begin, Value end) {
    return buildFor(
        builder, loc, begin, end, 1, none,
        [&](Value unit, ValueRange carried) -> SmallVector<Value> {
          Value loaded =
              loadElements(builder, loc, partials, sumOffset(unit, row, column),
                           {unsigned(plan.lanes), {}});
          return {arith::AddFOp::create(builder, loc, carried[0], loaded)};
        })[0];
  };
  Value zero = ops.constant(0);
  if (plan.blocks.size() < 2)
    return addRange(zero, units);
  Value unitsInGroup = ops.div(ops.constant(plan.blocks.back()), unitBlocks);
  return buildFor(builder, loc, zero, ops.ceilDiv(units, unitsInGroup), 1, none,
                  [&](Value group, ValueRange carried) -> SmallVector<Value> {
                    Value begin = ops.mul(group, unitsInGroup);
                    Value end = ops.min(units, ops.add(begin, unitsInGroup));
                    return {arith::AddFOp::create(builder, loc, carried[0],
                                                  addRange(begin, end))};
                  })[0];
}

/// Adds the units. If the product is transposed, the totals overwrite the first
/// unit of the partials buffer, and are then read from there one by one to
/// compute the outputs.
void SplitK::finalize() {
  Value zero = ops.constant(0);
  Value rows = ops.constant(plan.rows);
  Value columns = ops.constant(plan.columns);
  auto add = [&](Value row, Value column) {
    Value total = addUnits(row, column);
    if (!plan.isTransposed)
      return store(row, column, plan.lanes, total);
    storeElements(builder, loc, partials, sumOffset(zero, row, column), total,
                  {unsigned(plan.lanes), {}});
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

StringRef
SplitKContraction::findUnmetRequirement(const ContractionRequest &request,
                                        const TargetDescription &target) const {
  const Contraction &contraction = request.contraction;
  if (!target.usesVectors || !request.hasFloatOperands() || !request.readsLhs ||
      !request.readsRhs || request.layout)
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
      !SplitKPlan::find(target, contraction))
    return "a long sum, and a result with few rows or columns";
  if (size_t kinds = findProductBlocks(contraction).size(); !kinds || kinds > 2)
    return "sums in blocks, or in groups of blocks";
  return {};
}

LogicalResult SplitKContraction::emit(KernelFrame &frame,
                                      Contraction contraction) const {
  SplitKPlan plan = *SplitKPlan::find(frame.target, contraction);
  frame.setTiles([&](EntryExtents &entry) { return plan.countSlices(entry); });
  Value slices = plan.countSlices(frame.entry);
  int64_t bytes = plan.size() * elementBytes(plan.type);
  Elements partials{frame.takePartials({plan.maxUnits() * bytes}, {})[0],
                    plan.type};
  AffineExpr chainBytes =
      getAffineConstantExpr(bytes, frame.kernel.getContext());
  Elements chains{frame.takeScratch({chainBytes})[0], plan.type};
  return SplitK(frame, plan, contraction.result.value, slices, partials, chains)
      .emit();
}
