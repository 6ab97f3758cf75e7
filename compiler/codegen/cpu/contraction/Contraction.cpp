//===- Contraction.cpp - matrix products in registers ---------------------===//
#include "compiler/codegen/cpu/contraction/ContractionEmitter.h"
#include "compiler/codegen/cpu/contraction/NaiveContraction.h"
#include "compiler/codegen/cpu/contraction/PanelPacking.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tg;

/// Whether the rows of a matrix are its inner dimension in memory.
static bool isTransposed(const ContractionTensor &operand, unsigned row,
                         unsigned column) {
  return operand.axisOf(column) < operand.axisOf(row);
}

/// The columns of a panel that the rhs was packed into ahead.
static std::optional<int64_t> panelWidthOf(tgx::UnpackOp unpack) {
  return unpack ? std::optional(unpack.getLayout().getWidth()) : std::nullopt;
}

ContractionEmitter::ContractionEmitter(KernelFrame &frame,
                                       Contraction contraction)
    : frame(frame), contraction(std::move(contraction)), elements(frame),
      type(this->contraction.accumulator), space(frame, this->contraction),
      m(space.getRows()), n(space.getColumns()), k(space.getDepth()),
      packed(this->contraction.rhs.value.getDefiningOp<tgx::UnpackOp>()),
      lhsIsTransposed(isTransposed(this->contraction.lhs,
                                   space.getRowDimension(),
                                   space.getDepthDimension())),
      rhsIsTransposed(isTransposed(this->contraction.rhs,
                                   space.getDepthDimension(),
                                   space.getColumnDimension())),
      shape(frame.target, elementBytes(type), m, n, k, panelWidthOf(packed)),
      ops(frame.integers()) {}

Matrix ContractionEmitter::matrixOf(const ContractionTensor &operand,
                                    unsigned rowDimension,
                                    unsigned columnDimension) {
  Value row = frame.extent(operand.strideOf(rowDimension));
  Value column = frame.extent(operand.strideOf(columnDimension));
  return {frame.argument(cast<BlockArgument>(operand.value)),
          space.startOf(operand, matrixIndex), row, column};
}

Matrix ContractionEmitter::lhsMatrix() {
  return matrixOf(contraction.lhs, space.getRowDimension(),
                  space.getDepthDimension());
}

/// Tiles of a matrix follow each other.
void ContractionEmitter::findTile() {
  AffineExpr matrices = space.getMatrices();
  auto countTiles = [&](EntryExtents &entry) {
    return TileCounts(entry.integers(), shape, entry.get(matrices),
                      entry.get(m), entry.get(n), entry.workers(),
                      bool(packed));
  };
  frame.setTiles([&](EntryExtents &entry) {
    return entry.integers().mul(entry.get(matrices), countTiles(entry).total);
  });
  rowCount = frame.extent(m);
  columnCount = frame.extent(n);
  depthEnd = frame.extent(k);
  TileCounts counts = countTiles(frame.entry);
  Value tile = frame.tile;
  matrix = ops.constant(0);
  if (staticExtent(matrices) != 1) {
    matrix = ops.div(frame.tile, counts.total);
    tile = ops.rem(frame.tile, counts.total);
  }
  matrixIndex = space.split(matrix);
  // Where part `number` of `parts` equal ones of `units` begins.
  auto part = [&](Value number, Value units, Value parts, int64_t size) {
    return ops.mul(ops.div(ops.mul(number, units), parts), ops.constant(size));
  };
  auto range = [&](Value number, Value units, Value parts, int64_t size,
                   Value end) -> std::pair<Value, Value> {
    Value next = ops.add(number, ops.constant(1));
    Value begin = part(number, units, parts, size);
    return {begin,
            ops.sub(ops.min(end, part(next, units, parts, size)), begin)};
  };
  auto [rowTile, columnTile] = counts.split(ops, tile);
  std::tie(firstRow, rows) =
      range(rowTile, counts.groups, counts.alongRows, shape.rows, rowCount);
  std::tie(firstColumn, columns) =
      range(columnTile, counts.panels, counts.alongColumns, shape.panelColumns,
            columnCount);
  fullRows = ops.roundDown(rows, shape.rows);
  depthStep = ops.constant(shape.depth);
  if (!packed)
    return;
  // A single row uses no panel twice: it reads each from end to end.
  Value one = ops.constant(1);
  Value isSingle = ops.sub(one, ops.min(one, ops.sub(rowCount, one)));
  depthStep = ops.add(depthStep, ops.mul(isSingle, depthEnd));
}

/// The memory of a rhs that was packed ahead.
Elements ContractionEmitter::packedRhsPanels() {
  return frame.argument(cast<BlockArgument>(packed.getInput()));
}

/// The panel of a rhs that was packed ahead.
Matrix ContractionEmitter::packedPanel(Value column, Value begin) {
  Value width = ops.constant(shape.panelColumns);
  Value number = ops.div(ops.add(firstColumn, column), width);
  Value row = ops.add(ops.mul(number, depthEnd), begin);
  return {packedRhsPanels(), ops.mul(row, width), width, ops.constant(1)};
}

/// Which panel comes after the one at `column`: that to its right, or at the
/// tile's left in the next block of depth. Each register tile asks for its
/// share of it. Divisions stand here, since LLVM leaves them in the loops.
void ContractionEmitter::findFollowing(Value column, Value begin, Value depth) {
  Value one = ops.constant(1), width = ops.constant(shape.panelColumns);
  Value isInner =
      ops.min(one, ops.div(ops.sub(ops.sub(columns, column), one), width));
  Value right = packedPanel(ops.add(column, width), begin).base;
  Value left = packedPanel(ops.constant(0), ops.add(begin, depthStep)).base;
  following = ops.add(left, ops.mul(isInner, ops.sub(right, left)));
  Value groups = ops.max(one, ops.div(fullRows, ops.constant(shape.rows)));
  Value tiles =
      ops.mul(groups, ops.constant(shape.panelColumns / shape.groupColumns()));
  shareSize = ops.div(ops.mul(depth, width), tiles);
  shareStep = ops.ceilDiv(width, tiles);
}

/// Where the share of the full register tile at (row, column of the panel)
/// begins; null to let the following panel come.
Value ContractionEmitter::shareOfFollowing(Value row, Value panelColumn) {
  if (!following)
    return {};
  Value groups = ops.div(fullRows, ops.constant(shape.rows));
  Value tile =
      ops.add(ops.div(row, ops.constant(shape.rows)),
              ops.mul(ops.div(panelColumn, ops.constant(shape.groupColumns())),
                      groups));
  return ops.add(following, ops.mul(tile, shareSize));
}

/// The columns from `column` on, as rows of a panel: packed ahead, in place, or
/// copied to scratch.
Matrix ContractionEmitter::panelOf(Value column, Value begin, Value depth) {
  if (packed)
    return packedPanel(column, begin);
  Matrix rhs = matrixOf(contraction.rhs, space.getDepthDimension(),
                        space.getColumnDimension());
  Value from = ops.add(firstColumn, column);
  PanelSource source{
      rhs.elements,
      ops.add(rhs.base, ops.mul(begin, rhs.row)),
      ops.mul(from, rhs.column),
      rhs.row,
      rhs.column,
      ops.min(ops.constant(shape.panelColumns), ops.sub(columnCount, from))};
  packPanel(frame, source, packedRhs, depth, shape.panelColumns, shape.lanes,
            rhsIsTransposed);
  return {packedRhs, ops.constant(0), ops.constant(shape.panelColumns),
          ops.constant(1)};
}

/// In the last block of depth, asks for the memory of the outputs that a full
/// register tile becomes, so that the stores behind it need not wait.
void ContractionEmitter::prefetchOutputs(Value row, Value column) {
  if (hasFullArguments())
    return;
  OpBuilder &builder = frame.builder;
  ifLastBlock([&] {
    Value at = ops.add(firstColumn, column);
    Value begin = ops.add(ops.mul(matrix, rowCount), ops.add(firstRow, row));
    Value end = ops.add(begin, ops.constant(shape.rows));
    buildFor(builder, frame.loc, begin, end, 1, [&](Value outputRow) {
      for (unsigned number : llvm::seq(frame.kernel.getOutputs().size())) {
        Elements output = frame.output(number);
        int64_t line = 64 / elementBytes(output.elementType);
        Value offset = ops.add(ops.mul(outputRow, columnCount), at);
        for (int64_t shift = 0; shift < shape.groupColumns(); shift += line) {
          Value address = addressOf(builder, frame.loc, output,
                                    ops.add(offset, ops.constant(shift)));
          LLVM::Prefetch::create(builder, frame.loc, address, /*rw=*/1,
                                 /*hint=*/2, /*cache=*/1);
        }
      }
    });
  });
}

/// All rows of the tile against one group of columns.
void ContractionEmitter::emitGroup(Value column, const Matrix &panel,
                                   Value panelColumn, Value begin,
                                   Value depth) {
  OpBuilder &builder = frame.builder;
  Matrix part = panel;
  part.base = ops.add(part.base, panelColumn);
  buildFor(builder, frame.loc, ops.constant(0), fullRows, shape.rows,
           [&](Value row) {
             prefetchOutputs(row, column);
             emitRegisterTile(shape.rows, row, column,
                              packsLhs() ? packedRows(row)
                                         : rowsInPlace(row, begin),
                              part, depth, shareOfFollowing(row, panelColumn));
           });
  // The remaining rows, read in place: 8, 4, 2 and 1 at a time.
  Value row = fullRows;
  for (unsigned size = llvm::bit_floor(shape.rows - 1); size; size /= 2) {
    Value end = ops.add(row, ops.roundDown(ops.sub(rows, row), size));
    buildFor(builder, frame.loc, row, end, size, [&](Value at) {
      emitRegisterTile(size, at, column, rowsInPlace(at, begin), part, depth);
    });
    row = end;
  }
}

void ContractionEmitter::emitPanel(Value column, Value begin, Value depth) {
  Matrix panel = panelOf(column, begin, depth);
  if (packed)
    findFollowing(column, begin, depth);
  Value width =
      ops.min(ops.constant(shape.panelColumns), ops.sub(columns, column));
  buildFor(frame.builder, frame.loc, ops.constant(0), width,
           shape.groupColumns(), [&](Value at) {
             emitGroup(ops.add(column, at), panel, at, begin, depth);
           });
  if (!hasFullArguments())
    ifLastBlock([&] { emitEpilogue(column, width); });
}

/// One block of depth, from `begin` on.
void ContractionEmitter::emitBlock(Value begin) {
  blockBegin = begin;
  Value depth = ops.min(depthStep, ops.sub(depthEnd, begin));
  if (packsLhs())
    packLhs(begin, depth);
  buildFor(frame.builder, frame.loc, ops.constant(0), columns,
           shape.panelColumns,
           [&](Value column) { emitPanel(column, begin, depth); });
  if (hasFullArguments())
    ifLastBlock([&] { emitEpilogue(ops.constant(0), columns); });
}

/// Whether the ops behind the product read matrices of its result's extents.
/// They lie far away, and whole rows of a tile come faster than panels.
bool ContractionEmitter::hasFullArguments() {
  return llvm::any_of(frame.kernel.getBlock().getArguments(),
                      [&](BlockArgument argument) {
                        return argument != contraction.lhs.value &&
                               argument != contraction.rhs.value &&
                               frame.extentsOf(argument) ==
                                   ArrayRef(contraction.result.extents);
                      });
}

/// Emits code that runs in the last block of depth only.
void ContractionEmitter::ifLastBlock(function_ref<void()> build) {
  OpBuilder &builder = frame.builder;
  OpBuilder::InsertionGuard guard(builder);
  Value isLast = ops.compare(arith::CmpIPredicate::sge,
                             ops.add(blockBegin, depthStep), depthEnd);
  if (!constantNumber(isLast)) {
    auto branch = scf::IfOp::create(builder, frame.loc, isLast,
                                    /*withElseRegion=*/false);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  }
  build();
}

/// Gives the sums of columns to the ops behind
/// the matmul and stores what they make.
void ContractionEmitter::emitEpilogue(Value column, Value width) {
  OpBuilder &builder = frame.builder;
  Value currentRow;
  elements.provide(
      contraction.result.value, [&](const Position &position, unsigned lanes) {
        Value offset = sumOffset(ops.sub(currentRow, firstRow),
                                 ops.sub(position.index.back(), firstColumn));
        return loadElements(builder, frame.loc, sums, offset, {lanes, {}});
      });
  Value begin = ops.add(firstColumn, column), end = ops.add(begin, width);
  buildFor(builder, frame.loc, firstRow, ops.add(firstRow, rows), 1,
           [&](Value row) {
             elements.setBarrier(builder.getInsertionBlock());
             currentRow = row;
             auto step = [&](Value at, unsigned lanes, unsigned) {
               return storeOutputs(space.position(matrixIndex, row, at, lanes),
                                   lanes);
             };
             if (failed(emitVectorLoop(elements, begin, end,
                                       chooseLanes(frame.kernel, frame.target),
                                       /*unroll=*/1, step)))
               hasFailed = true;
           });
}

/// All values stand before the stores: an output may be an argument's memory.
LogicalResult ContractionEmitter::storeOutputs(const Position &position,
                                               unsigned lanes) {
  SmallVector<Value> values, offsets;
  for (Value output : frame.kernel.getOutputs()) {
    FailureOr<Value> value = elements.element(output, position, lanes);
    if (failed(value))
      return failure();
    values.push_back(*value);
    offsets.push_back(elements.offsetOf(output, position));
  }
  for (auto [number, value] : llvm::enumerate(values))
    storeElements(frame.builder, frame.loc, frame.output(number),
                  offsets[number], value, {lanes, elements.mask});
  return success();
}

LogicalResult ContractionEmitter::emit() {
  findTile();
  takeScratch();
  emitBlocks();
  return failure(hasFailed);
}

/// Memory for the sums and the copies of a tile, which has no more rows than
/// the result.
void ContractionEmitter::takeScratch() {
  MLIRContext *context = frame.kernel.getContext();
  auto number = [&](int64_t value) {
    return getAffineConstantExpr(value, context);
  };
  int64_t unit = lhsIsTransposed ? shape.lhsPanelRows() : shape.rows;
  AffineExpr needed = m.ceilDiv(unit) * unit;
  int64_t panel = shape.depth * shape.panelColumns * elementBytes(type);
  AffineExpr panelBytes = number(packed ? 0 : panel);
  auto parts = [&](AffineExpr rows) -> SmallVector<AffineExpr> {
    return {rows * (shape.tileColumns * elementBytes(type)),
            rows * (packsLhs() ? shape.packedRow() * elementBytes(type) : 0),
            panelBytes};
  };
  SmallVector<AffineExpr> most =
      parts(number(llvm::alignTo(shape.tileRows, unit)));
  SmallVector<Value> scratch =
      frame.takeScratch(staticExtent(m) ? most : parts(needed), most);
  sums = {scratch[0], type};
  packedLhs = {scratch[1], type};
  packedRhs = {scratch[2], type};
}

/// One block of depth at least, so that an empty sum gets its epilogue.
void ContractionEmitter::emitBlocks() {
  Value zero = ops.constant(0);
  if (std::optional<int64_t> depth = staticExtent(k);
      depth && *depth <= shape.depth) {
    depthStep = ops.constant(shape.depth);
    return emitBlock(zero);
  }
  auto blocks =
      scf::ForOp::create(frame.builder, frame.loc, zero,
                         ops.max(depthEnd, ops.constant(1)), depthStep);
  frame.builder.setInsertionPoint(blocks.getBody()->getTerminator());
  emitBlock(blocks.getInductionVar());
  frame.builder.setInsertionPointAfter(blocks);
}

/// Whether the register tiles can do this: matrices in f32 or f64, straight
/// from arguments, by vector code.
static bool isSupported(const Contraction &contraction,
                        const TargetDescription &target) {
  auto isInMemory = [&](Value value) {
    auto unpack = value.getDefiningOp<tgx::UnpackOp>();
    return isa<BlockArgument>(unpack ? unpack.getInput() : value) &&
           getElementTypeOrSelf(value) == contraction.accumulator;
  };
  return target.usesVectors && isa<FloatType>(contraction.accumulator) &&
         contraction.isMatrixProduct() && isInMemory(contraction.lhs.value) &&
         isInMemory(contraction.rhs.value);
}

LogicalResult tg::emitContraction(KernelFrame &frame) {
  auto products = frame.kernel.getBlock().getOps<ContractionOpInterface>();
  if (products.empty())
    return frame.kernel.emitOpError() << "expected a contraction";
  Contraction contraction =
      (*products.begin()).getContraction(frame.getAnalysis());
  if (!isSupported(contraction, frame.target))
    return emitNaiveContraction(frame, contraction);
  return ContractionEmitter(frame, std::move(contraction)).emit();
}
