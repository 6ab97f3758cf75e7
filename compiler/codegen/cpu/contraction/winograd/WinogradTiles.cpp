//===- WinogradTiles.cpp - input tiles, and products of them --------------===//
#include "compiler/codegen/cpu/contraction/winograd/WinogradTiles.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/contraction/gemm/PanelPacking.h"

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// Input tiles
//===----------------------------------------------------------------------===//

WinogradInputTiles::WinogradInputTiles(KernelFrame &frame, const Images &images,
                                       const Elements &patch)
    : frame(frame), builder(frame.builder), loc(frame.loc),
      ops(frame.builder, frame.loc), images(images),
      memory(frame.argument(images.tensor)), patch(patch),
      channels(*staticExtent(images.extents.back())) {
  for (AffineExpr extent : images.extents.drop_front().drop_back())
    extents.push_back(frame.extent(extent));
}

Value WinogradInputTiles::offsetOf(Value image, Value y, Value x) const {
  Value line = ops.add(ops.mul(image, extents[0]), y);
  return ops.mul(ops.add(ops.mul(line, extents[1]), x), ops.constant(channels));
}

void WinogradInputTiles::visit(const WinogradTileIndex &index, Value first,
                               Value count, Build build) const {
  Value step = ops.constant(images.step);
  Value size = ops.constant(images.size);
  SmallVector<Value, 2> corner = {
      ops.add(ops.mul(index.line, step), images.offsets[0]),
      ops.add(ops.mul(index.column, step), images.offsets[1])};
  Value zero = ops.constant(0);
  Value isInside;
  for (auto [begin, extent] : llvm::zip_equal(corner, extents)) {
    Value beginsInside = ops.compare(arith::CmpIPredicate::sge, begin, zero);
    Value endsInside =
        ops.compare(arith::CmpIPredicate::sle, ops.add(begin, size), extent);
    Value isInsideAxis =
        arith::AndIOp::create(builder, loc, beginsInside, endsInside);
    isInside = isInside
                   ? arith::AndIOp::create(builder, loc, isInside, isInsideAxis)
                         .getResult()
                   : isInsideAxis;
  }
  auto branch = scf::IfOp::create(builder, loc, TypeRange(), isInside,
                                  /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(branch.elseBlock()->getTerminator());
    fillPatch(index, corner, first, count);
  }
  auto select = [&](Value inside, Value outside) -> Value {
    return inside == outside ? inside
                             : builder.createOrFold<arith::SelectOp>(
                                   loc, isInside, inside, outside);
  };
  Value origin = ops.add(offsetOf(index.image, corner[0], corner[1]), first);
  Elements source = {
      select(addressOf(builder, loc, memory, origin), patch.pointer),
      memory.elementType};
  Value line = select(ops.mul(extents[1], ops.constant(channels)),
                      ops.constant(images.size * images.maxChannels));
  Value column =
      images.maxChannels == channels
          ? ops.constant(channels)
          : select(ops.constant(channels), ops.constant(images.maxChannels));
  auto buildInputTile = [&](Value channel, const Lanes &lanes) {
    SmallVector<Value> inputTile;
    for (int64_t y = 0; y < images.size; ++y)
      for (int64_t x = 0; x < images.size; ++x) {
        Value offset = ops.add(ops.mul(line, ops.constant(y)),
                               ops.mul(column, ops.constant(x)));
        inputTile.push_back(loadElements(builder, loc, source,
                                         ops.add(offset, channel), lanes));
      }
    build(channel, inputTile);
  };
  forEachVector(frame, count, images.lanes, channels, buildInputTile);
}

/// Copies an input tile to `patch`, with zeros where the tensor has no element.
void WinogradInputTiles::fillPatch(const WinogradTileIndex &index,
                                   ArrayRef<Value> corner, Value first,
                                   Value count) const {
  Value zero = ops.constant(0);
  Value size = ops.constant(images.size);
  Value maxChannels = ops.constant(images.maxChannels);
  auto rangeInside = [&](unsigned axis) -> std::pair<Value, Value> {
    Value begin = ops.min(size, ops.max(zero, ops.sub(zero, corner[axis])));
    Value end = ops.min(size, ops.sub(extents[axis], corner[axis]));
    return {begin, ops.max(begin, end)};
  };
  auto [firstLine, endLine] = rangeInside(0);
  auto [firstColumn, endColumn] = rangeInside(1);
  auto fill = [&](Value line, Value begin, Value end) {
    Value offset = ops.add(ops.mul(line, size), begin);
    fillRow(frame, patch, ops.mul(offset, maxChannels),
            ops.mul(ops.sub(end, begin), maxChannels), images.lanes);
  };
  auto fillLines = [&](Value begin, Value end) {
    buildFor(builder, loc, begin, end, 1,
             [&](Value line) { fill(line, zero, size); });
  };
  fillLines(zero, firstLine);
  buildFor(builder, loc, firstLine, endLine, 1, [&](Value line) {
    fill(line, zero, firstColumn);
    Value source = offsetOf(index.image, ops.add(corner[0], line),
                            ops.add(corner[1], firstColumn));
    Value target = ops.add(ops.mul(line, size), firstColumn);
    copyInside(ops.add(source, first), ops.mul(target, maxChannels),
               ops.sub(endColumn, firstColumn), count);
    fill(line, endColumn, size);
  });
  fillLines(endLine, size);
}

/// Copies `columns` columns of a line, as one contiguous range if all channels
/// are read.
void WinogradInputTiles::copyInside(Value source, Value target, Value columns,
                                    Value count) const {
  if (images.maxChannels == channels)
    return copyRow(frame, memory, source, patch, target,
                   ops.mul(columns, ops.constant(channels)), images.lanes);
  buildFor(builder, loc, ops.constant(0), columns, 1, [&](Value column) {
    copyRow(frame, memory,
            ops.add(source, ops.mul(column, ops.constant(channels))), patch,
            ops.add(target, ops.mul(column, ops.constant(images.maxChannels))),
            count, images.lanes);
  });
}

void tg::forEachVector(
    KernelFrame &frame, Value count, unsigned lanes, int64_t divisor,
    function_ref<void(Value offset, const Lanes &lanes)> build) {
  OpBuilder &builder = frame.builder;
  IntegerOps ops(builder, frame.loc);
  bool isWhole = divisor % lanes == 0;
  Value fullEnd = isWhole ? count : ops.roundDown(count, lanes);
  buildFor(builder, frame.loc, ops.constant(0), fullEnd, lanes,
           [&](Value offset) { build(offset, {lanes, {}}); });
  if (isWhole)
    return;
  auto rest =
      scf::IfOp::create(builder, frame.loc,
                        ops.compare(arith::CmpIPredicate::slt, fullEnd, count),
                        /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(rest.thenBlock()->getTerminator());
  build(fullEnd, {lanes, buildMask(builder, frame.loc, fullEnd, count, lanes)});
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Prefetches some factors of the next product. Each loop iteration of each
/// full register tile prefetches an equal share; this function emits the share
/// of the register tile at `row`, in the iteration that begins at K step `k`.
static void prefetchNext(KernelFrame &frame, const ContractionShape &shape,
                         const WinogradProduct &product, Value row, Value k) {
  IntegerOps ops(frame.builder, frame.loc);
  const Elements &factors = product.rhs.elements;
  int64_t lineElements =
      tuning::kCacheLineBytes / elementBytes(factors.elementType);
  int64_t elementsPerIteration =
      tuning::kUnrolledSteps * shape.registerColumns();
  int64_t lines = llvm::divideCeil(elementsPerIteration,
                                   lineElements * product.next->tiles);
  Value stepsBefore =
      ops.mul(ops.div(row, ops.constant(shape.rows)), product.k.size);
  Value iteration =
      ops.div(ops.add(stepsBefore, k), ops.constant(tuning::kUnrolledSteps));
  Value first = ops.add(product.next->base,
                        ops.mul(iteration, ops.constant(lines * lineElements)));
  for (int64_t line = 0; line < lines; ++line)
    prefetchElement(frame.builder, frame.loc, factors,
                    ops.add(first, ops.constant(line * lineElements)));
}

/// Returns the initial values of a register tile's vectors of sums: the values
/// at `offsetOf` if the product adds, otherwise zeros.
static SmallVector<Value>
startOf(KernelFrame &frame, const WinogradProduct &product,
        const RegisterTile &tile,
        function_ref<Value(unsigned index)> offsetOf) {
  OpBuilder &builder = frame.builder;
  Location loc = frame.loc;
  const Elements &sums = product.sums.elements;
  auto type = VectorType::get({int64_t(tile.lanes)}, sums.elementType);
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  SmallVector<Value> zeros(tile.count(), zero);
  if (!product.adds)
    return zeros;
  SmallVector<Type> types(tile.count(), type);
  auto branch = scf::IfOp::create(builder, loc, types, product.adds,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  SmallVector<Value> loaded;
  for (unsigned index = 0; index < tile.count(); ++index)
    loaded.push_back(
        loadElements(builder, loc, sums, offsetOf(index), {tile.lanes, {}}));
  scf::YieldOp::create(builder, loc, loaded);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, zeros);
  return branch.getResults();
}

/// Computes a product for the rows [begin, end), `rows` rows at a time.
static void multiplyRows(KernelFrame &frame, const ContractionShape &shape,
                         const WinogradProduct &product, Value begin, Value end,
                         unsigned rows) {
  OpBuilder &builder = frame.builder;
  Location loc = frame.loc;
  IntegerOps ops(builder, loc);
  RegisterTile registers{rows, shape.vectors, shape.lanes};
  if (rows == shape.rows)
    registers.steps = tuning::kUnrolledSteps;
  const Matrix &sums = product.sums;
  buildFor(builder, loc, begin, end, rows, [&](Value row) {
    Value target = ops.add(sums.base, ops.mul(row, sums.rowStride));
    auto offsetOf = [&](unsigned index) {
      Value rowOffset =
          ops.mul(ops.constant(index / shape.vectors), sums.rowStride);
      return ops.add(
          target, ops.add(rowOffset,
                          ops.constant(index % shape.vectors * shape.lanes)));
    };
    SmallVector<Value> start = startOf(frame, product, registers, offsetOf);
    LeftRows lhs{product.lhs};
    lhs.matrix.base =
        ops.add(product.lhs.base, ops.mul(row, product.lhs.rowStride));
    TilePrefetches prefetches;
    if (product.next && registers.steps == tuning::kUnrolledSteps)
      prefetches.inIteration = [&](Value k) {
        prefetchNext(frame, shape, product, row, k);
      };
    SmallVector<Value> result =
        emitRegisterTile(builder, loc, registers, lhs, product.rhs, product.k,
                         start, prefetches);
    for (auto [index, sum] : llvm::enumerate(result))
      storeElements(builder, loc, sums.elements, offsetOf(index), sum,
                    {shape.lanes, {}});
  });
}

void tg::emitWinogradProduct(KernelFrame &frame, const ContractionShape &shape,
                             const WinogradProduct &product, Value rows) {
  IntegerOps ops(frame.builder, frame.loc);
  Value fullEnd = ops.roundDown(rows, shape.rows);
  multiplyRows(frame, shape, product, ops.constant(0), fullEnd, shape.rows);
  Value begin = fullEnd;
  for (unsigned tileRows = llvm::bit_floor(shape.rows - 1); tileRows;
       tileRows /= 2) {
    Value remaining = ops.sub(rows, begin);
    Value end = ops.add(begin, ops.roundDown(remaining, tileRows));
    multiplyRows(frame, shape, product, begin, end, tileRows);
    begin = end;
  }
}
