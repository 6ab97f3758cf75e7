//===- ContractionTile.cpp - the part of a product that a tile computes ---===//
#include "compiler/codegen/cpu/contraction/ContractionTile.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tg;
using namespace tg::tuning;

/// The columns of a panel that the rhs was packed into ahead.
static std::optional<int64_t> panelWidthOf(tgx::UnpackOp unpack) {
  return unpack ? std::optional(unpack.getLayout().getWidth()) : std::nullopt;
}

static std::optional<ReductionPlan> planReductions(KernelFrame &frame) {
  if (frame.kernel.getBlock().getOps<ReductionOpInterface>().empty())
    return std::nullopt;
  return ReductionPlan(frame);
}

ContractionPlan::ContractionPlan(KernelFrame &frame, Contraction product)
    : frame(frame), contraction(std::move(product)),
      type(contraction.accumulator), reductions(planReductions(frame)),
      packed(contraction.rhs.value.getDefiningOp<tgx::UnpackOp>()),
      space(frame, contraction), m(space.getRows()), n(space.getColumns()),
      k(space.getReduced()),
      shape(frame.target, elementBytes(type), m, n, k, panelWidthOf(packed),
            reductions.has_value()),
      ops(frame.integers()) {}

SmallVector<Operation *> ContractionPlan::findOpsBehind() const {
  llvm::SmallSetVector<Operation *, 8> before;
  if (Operation *lhs = contraction.lhs.value.getDefiningOp())
    before.insert(lhs);
  for (unsigned number = 0; number < before.size(); ++number)
    for (Value operand : before[number]->getOperands())
      if (Operation *source = operand.getDefiningOp())
        before.insert(source);
  SmallVector<Operation *> behind;
  Operation *product = contraction.result.value.getDefiningOp();
  for (Operation &op : frame.kernel.getBlock().without_terminator())
    if (&op != product && &op != packed && !before.contains(&op) &&
        !op.hasTrait<mlir::OpTrait::ConstantLike>())
      behind.push_back(&op);
  return behind;
}

namespace {
/// A part of rows or columns: the first one and their number.
struct Part {
  Value begin, size;
};
} // namespace

/// Part `number` of `parts` equal ones of `units`, each of `size` rows or
/// columns of which there are `end`.
static Part partOf(IntegerOps ops, Value number, Value units, Value parts,
                   int64_t size, Value end) {
  auto beginOf = [&](Value part) {
    return ops.mul(ops.div(ops.mul(part, units), parts), ops.constant(size));
  };
  Value next = ops.add(number, ops.constant(1));
  Value begin = beginOf(number);
  return {begin, ops.sub(ops.min(end, beginOf(next)), begin)};
}

/// Tiles of a matrix follow each other.
ContractionTile::ContractionTile(const ContractionPlan &plan) {
  KernelFrame &frame = plan.frame;
  const ContractionShape &shape = plan.shape;
  IntegerOps ops = plan.ops;
  AffineExpr matrices = plan.space.getMatrices();
  auto countTiles = [&](EntryExtents &entry) {
    return TileCounts(entry.integers(), shape, entry.get(matrices),
                      entry.get(plan.m), entry.get(plan.n), entry.workers(),
                      bool(plan.packed));
  };
  auto countAll = [&](EntryExtents &entry) {
    return entry.integers().mul(entry.get(matrices), countTiles(entry).total);
  };
  frame.setTiles(countAll);
  count = countAll(frame.entry);
  rowCount = frame.extent(plan.m);
  columnCount = frame.extent(plan.n);
  kExtent = frame.extent(plan.k);
  TileCounts counts = countTiles(frame.entry);
  Value number = frame.tile;
  matrix = ops.constant(0);
  if (staticExtent(matrices) != 1) {
    matrix = ops.div(frame.tile, counts.total);
    number = ops.rem(frame.tile, counts.total);
  }
  matrixIndex = plan.space.split(matrix);
  auto [rowTile, columnTile] = counts.split(ops, number);
  Part rowPart = partOf(ops, rowTile, counts.groups, counts.alongRows,
                        shape.rowUnit, rowCount);
  Part columnPart = partOf(ops, columnTile, counts.panels, counts.alongColumns,
                           shape.panelColumns, columnCount);
  firstRow = rowPart.begin;
  rows = rowPart.size;
  firstColumn = columnPart.begin;
  columns = columnPart.size;
  fullRows = ops.roundDown(rows, shape.rows);
}

Matrix tg::matrixOf(const ContractionPlan &plan, const ContractionTile &tile,
                    const ContractionTensor &operand, unsigned rowDimension,
                    unsigned columnDimension) {
  KernelFrame &frame = plan.frame;
  Value row = frame.extent(operand.strideOf(rowDimension));
  Value column = frame.extent(operand.strideOf(columnDimension));
  return {frame.argument(cast<BlockArgument>(operand.value)),
          plan.space.startOf(operand, tile.matrixIndex), row, column};
}

/// A single row uses no panel of a packed rhs twice: it reads each from end to
/// end.
static Value blockStep(const ContractionPlan &plan,
                       const ContractionTile &tile) {
  IntegerOps ops = plan.ops;
  Value step = ops.constant(plan.shape.kBlock);
  if (!plan.packed)
    return step;
  Value one = ops.constant(1);
  Value isSingle = ops.sub(one, ops.min(one, ops.sub(tile.rowCount, one)));
  return ops.add(step, ops.mul(isSingle, tile.kExtent));
}

void tg::forEachBlock(const ContractionPlan &plan, const ContractionTile &tile,
                      function_ref<void(const KBlock &)> build) {
  OpBuilder &builder = plan.frame.builder;
  IntegerOps ops = plan.ops;
  std::optional<int64_t> k = staticExtent(plan.k);
  bool isOne = k && *k <= plan.shape.kBlock;
  Value zero = ops.constant(0), begin = zero;
  Value step = isOne ? ops.constant(plan.shape.kBlock) : blockStep(plan, tile);
  OpBuilder::InsertionGuard guard(builder);
  if (!isOne) {
    auto blocks =
        scf::ForOp::create(builder, plan.frame.loc, zero,
                           ops.max(tile.kExtent, ops.constant(1)), step);
    builder.setInsertionPoint(blocks.getBody()->getTerminator());
    begin = blocks.getInductionVar();
  }
  KBlock block;
  block.begin = begin;
  block.k = {ops.min(step, ops.sub(tile.kExtent, begin)),
             std::gcd(plan.k.getLargestKnownDivisor(), kBlockUnit)};
  block.next = ops.add(begin, step);
  block.isFirst = ops.compare(arith::CmpIPredicate::eq, begin, zero);
  block.isLast =
      ops.compare(arith::CmpIPredicate::sge, block.next, tile.kExtent);
  build(block);
}
