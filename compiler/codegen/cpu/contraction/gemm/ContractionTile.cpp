//===- ContractionTile.cpp - the part of a product that a tile computes ---===//
#include "compiler/codegen/cpu/contraction/gemm/ContractionTile.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/contraction/gemm/LeftOperand.h"
#include "compiler/codegen/cpu/contraction/gemm/ResultReduction.h"
#include "compiler/codegen/cpu/layout/CpuDialect.h"
#include "compiler/codegen/kernel/sums/ProductBlocks.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tg;
using namespace tg::tuning;

/// Returns the number of columns of a panel if the rhs is packed ahead.
static std::optional<int64_t> panelWidthOf(tgx::UnpackOp unpack) {
  return unpack ? std::optional(panelsOf(unpack).getWidth()) : std::nullopt;
}

static std::optional<WindowNest> planNest(KernelFrame &frame,
                                          const Contraction &contraction) {
  if (contraction.isMatrixProduct())
    return std::nullopt;
  return WindowNest(contraction, *contraction.findWindows(),
                    ContractionShape::maxKBlock(frame.target));
}

/// Returns the length of the smallest blocks of sums, or none if each sum is a
/// chain.
static std::optional<int64_t> firstOf(ArrayRef<int64_t> blocks) {
  return blocks.empty() ? std::nullopt : std::optional(blocks.front());
}

ContractionPlan::ContractionPlan(KernelFrame &frame, Contraction product)
    : frame(frame), contraction(std::move(product)),
      type(contraction.accumulator), reductions(planReductions(frame)),
      unpack(contraction.rhs.value.getDefiningOp<tgx::UnpackOp>()),
      space(frame, contraction), nest(planNest(frame, contraction)),
      windowSpace(nest ? std::optional(WindowSpace(contraction, *nest))
                       : std::nullopt),
      m(windowSpace ? windowSpace->getRows() : space.getRows()),
      n(space.getColumns()), k(space.getReduced()),
      blocks(findProductBlocks(contraction)),
      shape(frame.target, elementBytes(type), m, n, k,
            {panelWidthOf(unpack),
             nest ? std::optional(nest->blockSize) : std::nullopt,
             firstOf(blocks),
             reductions ? reductions->getOrder().getLines().front() : 0,
             nest && nest->reducesPositions}),
      ops(frame.integers()) {}

AffineExpr ContractionPlan::countMatrices() const {
  return windowSpace ? windowSpace->countMatrices() : space.countMatrices();
}

SmallVector<Operation *> ContractionPlan::findOpsAfter() const {
  llvm::SmallSetVector<Operation *, 8> before;
  if (Operation *lhs = contraction.lhs.value.getDefiningOp())
    before.insert(lhs);
  for (unsigned index = 0; index < before.size(); ++index)
    for (Value operand : before[index]->getOperands())
      if (Operation *source = operand.getDefiningOp())
        before.insert(source);
  SmallVector<Operation *> opsAfter;
  Operation *product = contraction.result.value.getDefiningOp();
  for (Operation &op : frame.kernel.getBlock().without_terminator())
    if (&op != product && &op != unpack && !before.contains(&op) &&
        !op.hasTrait<mlir::OpTrait::ConstantLike>())
      opsAfter.push_back(&op);
  return opsAfter;
}

namespace {
/// The rows or columns of a tile: the first index, the number, and the first
/// index of the next tile.
struct TileRange {
  Value begin, size, next;
};
} // namespace

/// Returns the range of tile `tile`, if `units` units of `size` rows or columns
/// each are divided among `tiles` tiles. The rows or columns end at `end`.
static TileRange rangeOfTile(IntegerOps ops, Value tile, Value units,
                             Value tiles, int64_t size, Value end) {
  auto beginOf = [&](Value index) {
    return ops.mul(ops.div(ops.mul(index, units), tiles), ops.constant(size));
  };
  Value begin = beginOf(tile);
  Value next = beginOf(ops.add(tile, ops.constant(1)));
  // A matrix with fewer rows than others may end before `next`.
  Value count = ops.sub(ops.min(end, next), begin);
  return {begin, ops.max(ops.constant(0), count), next};
}

/// The tiles of a matrix are numbered consecutively.
ContractionTile::ContractionTile(const ContractionPlan &plan) {
  KernelFrame &frame = plan.frame;
  const ContractionShape &shape = plan.shape;
  IntegerOps ops = plan.ops;
  AffineExpr matrices = plan.countMatrices();
  auto countTiles = [&](EntryExtents &entry) {
    return TileCounts(entry.integers(), shape, entry.get(matrices),
                      {entry.get(plan.m), entry.get(plan.n), entry.get(plan.k)},
                      entry.workers(), bool(plan.unpack));
  };
  // Reductions over no rows still need one tile.
  auto countMatrices = [&](EntryExtents &entry) {
    IntegerOps entryOps = entry.integers();
    return entryOps.max(entryOps.constant(plan.reductions ? 1 : 0),
                        entry.get(matrices));
  };
  auto countAll = [&](EntryExtents &entry) {
    return entry.integers().mul(countMatrices(entry), countTiles(entry).total);
  };
  frame.setTiles(countAll);
  count = countAll(frame.entry);
  rowCount = frame.extent(plan.m);
  columnCount = frame.extent(plan.n);
  kExtent = frame.extent(plan.k);
  TileCounts counts = countTiles(frame.entry);
  Value tileInMatrix = frame.tile;
  matrix = ops.constant(0);
  if (staticExtent(matrices) != 1) {
    matrix = ops.div(frame.tile, counts.total);
    tileInMatrix = ops.rem(frame.tile, counts.total);
  }
  matrixIndex = plan.space.split(matrix);
  if (plan.nest) {
    window.emplace(frame, plan.contraction, *plan.nest, *plan.windowSpace,
                   matrix);
    rowCount = window->rowCount;
    if (plan.reductions)
      rowCount =
          ops.mul(rowCount, ops.min(ops.constant(1), frame.extent(matrices)));
  }
  auto [rowTile, columnTile] = counts.split(ops, tileInMatrix);
  TileRange rowRange = rangeOfTile(ops, rowTile, counts.rowUnits,
                                   counts.alongRows, shape.rowUnit, rowCount);
  TileRange columnRange =
      rangeOfTile(ops, columnTile, counts.panels, counts.alongColumns,
                  shape.panelColumns, columnCount);
  firstRow = rowRange.begin;
  rows = rowRange.size;
  nextRow = rowRange.next;
  firstColumn = columnRange.begin;
  columns = columnRange.size;
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

/// Returns the step from one K-block to the next. A single row reads each panel
/// of a packed rhs only once, so it reads the panel from end to end in one
/// block, unless the lhs is copied in panels, which hold one block.
static Value blockStep(const ContractionPlan &plan,
                       const ContractionTile &tile) {
  IntegerOps ops = plan.ops;
  Value step = ops.constant(plan.shape.kBlock);
  if (!plan.unpack || LeftOperand::chooseAccess(plan) == LeftAccess::panels)
    return step;
  Value one = ops.constant(1);
  Value isSingleRow = ops.sub(one, ops.min(one, ops.sub(tile.rowCount, one)));
  return ops.add(step, ops.mul(isSingleRow, tile.kExtent));
}

/// Sets the position of a block of a product of matrices in the sum.
static void placeBlock(const ContractionPlan &plan, const ContractionTile &tile,
                       KBlock &block) {
  IntegerOps ops = plan.ops;
  Value zero = ops.constant(0);
  block.isFirst = ops.compare(arith::CmpIPredicate::eq, block.begin, zero);
  block.isLast =
      ops.compare(arith::CmpIPredicate::sge, block.next, tile.kExtent);
  if (plan.blocks.size() < 2)
    return;
  Value group = ops.constant(countProducts(plan.blocks));
  auto isMultiple = [&](Value k) {
    return ops.compare(arith::CmpIPredicate::eq, ops.rem(k, group), zero);
  };
  block.isFirst = isMultiple(block.begin);
  block.isInFirstGroup =
      ops.compare(arith::CmpIPredicate::slt, block.begin, group);
  block.endsGroup = plan.frame.builder.createOrFold<arith::OrIOp>(
      plan.frame.loc, block.isLast, isMultiple(block.next));
}

/// Calls `build` for the K-blocks of a product of matrices.
static void forEachMatrixBlock(const ContractionPlan &plan,
                               const ContractionTile &tile,
                               function_ref<void(const KBlock &)> build) {
  OpBuilder &builder = plan.frame.builder;
  IntegerOps ops = plan.ops;
  std::optional<int64_t> k = staticExtent(plan.k);
  bool hasOneBlock = k && *k <= plan.shape.kBlock;
  Value zero = ops.constant(0);
  Value begin = zero;
  Value step =
      hasOneBlock ? ops.constant(plan.shape.kBlock) : blockStep(plan, tile);
  OpBuilder::InsertionGuard guard(builder);
  if (!hasOneBlock) {
    auto blocks =
        scf::ForOp::create(builder, plan.frame.loc, zero,
                           ops.max(tile.kExtent, ops.constant(1)), step);
    builder.setInsertionPoint(blocks.getBody()->getTerminator());
    begin = blocks.getInductionVar();
  }
  KBlock block;
  block.begin = begin;
  bool areFull =
      !hasOneBlock && !plan.unpack && k && *k % plan.shape.kBlock == 0;
  block.k = {areFull ? step : ops.min(step, ops.sub(tile.kExtent, begin)),
             std::gcd(std::gcd(plan.k.getLargestKnownDivisor(), kBlockUnit),
                      plan.shape.kBlock)};
  block.next = ops.add(begin, step);
  placeBlock(plan, tile, block);
  build(block);
}

namespace {
/// The loops over the blocks of a nest.
class WindowBlocks {
public:
  WindowBlocks(const ContractionPlan &plan, const ContractionTile &tile);

  void emit(function_ref<void(const KBlock &)> build);

private:
  KRange rangeOf(unsigned dimension, Value begin) const;
  Value extentOf(const WindowNest::Dimension &dimension,
                 const WindowTile &window) const;
  KBlock makeBlock() const;

  const ContractionPlan &plan;
  const WindowNest &nest;
  IntegerOps ops;
  SmallVector<Value> extents, begins;
};
} // namespace

/// Returns the extent of a dimension. The number of taps depends on the phase
/// of the tile.
Value WindowBlocks::extentOf(const WindowNest::Dimension &dimension,
                             const WindowTile &window) const {
  for (auto [axis, values] : llvm::zip_equal(nest.axes, window.axes))
    if (dimension.dimensions.size() == 1 &&
        dimension.innermost() == axis.window.tap && !nest.reducesPositions)
      return values.taps;
  return plan.frame.extent(dimension.extent);
}

WindowBlocks::WindowBlocks(const ContractionPlan &plan,
                           const ContractionTile &tile)
    : plan(plan), nest(*plan.nest), ops(plan.ops) {
  for (const WindowNest::Dimension &dimension : nest.nest)
    extents.push_back(extentOf(dimension, *tile.window));
}

KRange WindowBlocks::rangeOf(unsigned dimension, Value begin) const {
  if (dimension > nest.splitDimension)
    return {ops.constant(0), extents[dimension]};
  int64_t step = dimension == nest.splitDimension ? nest.chunk : 1;
  std::optional<int64_t> extent = constantNumber(extents[dimension]);
  if (extent && *extent % step == 0)
    return {begin, ops.constant(std::min(step, *extent))};
  return {begin,
          ops.min(ops.constant(step), ops.sub(extents[dimension], begin))};
}

KBlock WindowBlocks::makeBlock() const {
  OpBuilder &builder = plan.frame.builder;
  KBlock block;
  Value one = ops.constant(1);
  Value isNonEmpty = one;
  Value zero = ops.constant(0);
  block.begin = zero;
  auto both = [&](Value lhs, Value rhs) {
    return lhs ? builder.createOrFold<arith::AndIOp>(plan.frame.loc, lhs, rhs)
               : rhs;
  };
  for (auto [dimension, extent] : llvm::enumerate(extents)) {
    Value begin = dimension < begins.size() ? begins[dimension] : zero;
    KRange range = rangeOf(dimension, begin);
    block.ranges.push_back(range);
    block.begin = ops.add(ops.mul(block.begin, extent), begin);
    if (dimension < nest.splitDimension)
      isNonEmpty = ops.min(isNonEmpty, extent);
    if (dimension > nest.splitDimension)
      continue;
    block.isFirst =
        both(block.isFirst, ops.compare(arith::CmpIPredicate::eq, begin, zero));
    block.isLast =
        both(block.isLast, ops.compare(arith::CmpIPredicate::sge,
                                       ops.add(begin, range.size), extent));
  }
  Value size = ops.mul(block.ranges.back().size, isNonEmpty);
  std::optional<int64_t> known = constantNumber(size);
  block.k = {size, known ? std::gcd(*known, kBlockUnit) : 1, {}};
  for (unsigned dimension = nest.splitDimension; dimension + 1 < extents.size();
       ++dimension)
    block.k.levels.push_back({block.ranges[dimension].size, {}, {}});
  block.next = ops.add(block.begin, block.k.total(ops));
  return block;
}

void WindowBlocks::emit(function_ref<void(const KBlock &)> build) {
  if (begins.size() > nest.splitDimension)
    return build(makeBlock());
  unsigned dimension = begins.size();
  OpBuilder &builder = plan.frame.builder;
  int64_t step = dimension == nest.splitDimension ? nest.chunk : 1;
  std::optional<int64_t> extent = constantNumber(extents[dimension]);
  auto enter = [&](Value begin) {
    begins.push_back(begin);
    emit(build);
    begins.pop_back();
  };
  if (extent && *extent <= step)
    return enter(ops.constant(0));
  Value end = ops.max(extents[dimension], ops.constant(1));
  buildFor(builder, plan.frame.loc, ops.constant(0), end, step, enter);
}

void tg::forEachBlock(const ContractionPlan &plan, const ContractionTile &tile,
                      function_ref<void(const KBlock &)> build) {
  if (plan.nest)
    return WindowBlocks(plan, tile).emit(build);
  forEachMatrixBlock(plan, tile, build);
}
