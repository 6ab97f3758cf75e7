//===- WinogradSum.cpp - sums of Winograd's tiles in one thread -----------===//
#include "compiler/codegen/cuda/winograd/WinogradSum.h"
#include "compiler/codegen/kernel/sums/ContractionPoint.h"
#include "compiler/codegen/kernel/sums/ProductBlocks.h"
#include "dialects/tg/Order.h"
#include "dialects/tg/Tg.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tg;
using namespace tg::winograd;

WinogradSum::WinogradSum(ElementEmitter &elements,
                         const Contraction &contraction, Tile tile)
    : elements(elements), context(elements.context), builder(context.builder),
      loc(context.loc), contraction(contraction), tile(tile),
      windows(*contraction.findWindows()),
      isGradient(isFilterGradient(contraction)) {
  const ContractionTensor &tiled =
      isGradient ? contraction.rhs : contraction.result;
  images = tiled.extents.front();
  tiles = countWinogradTiles(tile,
                             ArrayRef(tiled.extents).drop_front().drop_back());
}

//===----------------------------------------------------------------------===//
// Squares of elements
//===----------------------------------------------------------------------===//

/// Returns the square of size x size elements from `corner` on.
WinogradSum::Square WinogradSum::squareAt(const ContractionTensor &tensor,
                                          Value image, ArrayRef<Value> corner,
                                          int64_t size) const {
  IntegerOps ops = context.integers();
  Square square{tensor, image, {}, {}};
  for (unsigned axis : {0, 1}) {
    Value extent = context.extent(tensor.extents[1 + axis]);
    for (int64_t number = 0; number < size; ++number) {
      Value index = ops.add(corner[axis], ops.constant(number));
      square.indices[axis].push_back(index);
      // Compared as unsigned numbers, negative indices are large.
      square.inside[axis].push_back(
          ops.compare(arith::CmpIPredicate::ult, index, extent));
    }
  }
  return square;
}

/// Returns the elements of the lhs that the windows of a tile read.
WinogradSum::Square
WinogradSum::inputSquare(const WinogradTileIndex &index) const {
  IntegerOps ops = context.integers();
  Value size = ops.constant(tile.positions);
  Value corner[] = {ops.add(ops.mul(index.line, size),
                            firstElementOf(context, windows.axes[0])),
                    ops.add(ops.mul(index.column, size),
                            firstElementOf(context, windows.axes[1]))};
  return squareAt(contraction.lhs, index.image, corner, tile.inputs());
}

/// Returns the elements of a tile of the result's gradient.
WinogradSum::Square
WinogradSum::gradientSquare(const WinogradTileIndex &index) const {
  IntegerOps ops = context.integers();
  Value size = ops.constant(tile.positions);
  Value corner[] = {ops.mul(index.line, size), ops.mul(index.column, size)};
  return squareAt(contraction.rhs, index.image, corner, tile.positions);
}

/// Returns the elements of a channel, with zeros outside of the image. Tests
/// each element only if some of them lie outside; all threads that compute one
/// tile take the same branch.
SmallVector<Value> WinogradSum::readSquare(const Square &square,
                                           Value channel) {
  Value isInside;
  for (ArrayRef<Value> inside : square.inside)
    for (Value condition : {inside.front(), inside.back()})
      isInside = isInside ? builder.createOrFold<arith::AndIOp>(loc, isInside,
                                                                condition)
                          : condition;
  SmallVector<Type> types(square.inside[0].size() * square.inside[1].size(),
                          contraction.accumulator);
  auto branch = scf::IfOp::create(builder, loc, types, isInside,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  for (bool inside : {true, false}) {
    builder.setInsertionPointToStart(inside ? branch.thenBlock()
                                            : branch.elseBlock());
    scf::YieldOp::create(builder, loc, readElements(square, channel, inside));
  }
  return llvm::to_vector_of<Value>(branch.getResults());
}

/// Returns the elements of a channel; tests each one unless `isInside`.
SmallVector<Value> WinogradSum::readElements(const Square &square,
                                             Value channel, bool isInside) {
  SmallVector<Value> values;
  for (auto [line, hasLine] :
       llvm::zip_equal(square.indices[0], square.inside[0]))
    for (auto [column, hasColumn] :
         llvm::zip_equal(square.indices[1], square.inside[1])) {
      Position position{{square.image, line, column, channel}, {0, 0, 0, 0}};
      values.push_back(isInside ? read(square.tensor, position)
                                : readWhere(builder.createOrFold<arith::AndIOp>(
                                                loc, hasLine, hasColumn),
                                            square.tensor, position));
    }
  return values;
}

Value WinogradSum::read(const ContractionTensor &tensor,
                        const Position &position) {
  return elements.elementOrZero(tensor.value, position, /*lanes=*/1);
}

/// Returns the element at a position where `isInside` is true, and 0 elsewhere.
Value WinogradSum::readWhere(Value isInside, const ContractionTensor &tensor,
                             const Position &position) {
  return buildWhere(
      context, isInside, contraction.accumulator,
      [&]() -> SmallVector<Value> { return {read(tensor, position)}; })[0];
}

/// Returns the taps of the filter, those of an adjoint from the last to the
/// first.
SmallVector<Value> WinogradSum::readTaps(Value channel, Value column) {
  IntegerOps ops = context.integers();
  bool isAdjoint = hasAdjointFilter(contraction);
  SmallVector<Value> taps;
  for (int64_t number = 0; number < kTaps * kTaps; ++number) {
    int64_t tap = isAdjoint ? kTaps * kTaps - 1 - number : number;
    Position position{{ops.constant(tap / kTaps), ops.constant(tap % kTaps),
                       isAdjoint ? column : channel,
                       isAdjoint ? channel : column},
                      {0, 0, 0, 0}};
    taps.push_back(read(contraction.rhs, position));
  }
  return taps;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

SmallVector<Value> WinogradSum::buildZeros(int64_t count) const {
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(contraction.accumulator));
  return SmallVector<Value>(count, zero);
}

SmallVector<Value> WinogradSum::addAll(ValueRange lhs, ValueRange rhs) const {
  SmallVector<Value> sums;
  for (auto [left, right] : llvm::zip_equal(lhs, rhs))
    sums.push_back(arith::AddFOp::create(builder, loc, left, right));
  return sums;
}

SmallVector<Value> WinogradSum::addProducts(ValueRange sums, ValueRange lhs,
                                            ValueRange rhs) const {
  SmallVector<Value> results;
  for (auto [sum, left, right] : llvm::zip_equal(sums, lhs, rhs))
    results.push_back(math::FmaOp::create(builder, loc, left, right, sum));
  return results;
}

SmallVector<Value> WinogradSum::emitTile(const WinogradTileIndex &index,
                                         Value column) {
  Square square = inputSquare(index);
  auto addChannel = [&](Value channel, ValueRange sums) {
    SmallVector<Value> inputs =
        tile.transformInput(builder, loc, readSquare(square, channel));
    SmallVector<Value> factors =
        tile.transformFilter(builder, loc, readTaps(channel, column));
    return addProducts(sums, inputs, factors);
  };
  Value channels = context.extent(contraction.lhs.extents.back());
  SmallVector<Value> sums =
      buildFor(builder, loc, context.integers().constant(0), channels, 1,
               buildZeros(tile.products()), addChannel);
  return tile.transformOutput(builder, loc, sums);
}

/// Returns the taps of the tiles [begin, end), which are one block: the chains
/// of their products, transformed.
SmallVector<Value> WinogradSum::sumBlock(Value channel, Value column,
                                         Value begin, Value end) {
  auto addTile = [&](Value number, ValueRange sums) {
    WinogradTileIndex index = winogradTileIndexOf(context, tiles, number);
    SmallVector<Value> inputs = tile.transformInput(
        builder, loc, readSquare(inputSquare(index), channel));
    SmallVector<Value> gradients = tile.transformGradient(
        builder, loc, readSquare(gradientSquare(index), column));
    return addProducts(sums, inputs, gradients);
  };
  SmallVector<Value> sums = buildFor(builder, loc, begin, end, 1,
                                     buildZeros(tile.products()), addTile);
  return tile.transformWindow(builder, loc, sums);
}

/// Returns the taps of the tiles [begin, end) in nested blocks: one loop for
/// each kind of block.
SmallVector<Value> WinogradSum::sumBlocks(ArrayRef<int64_t> blocks,
                                          Value channel, Value column,
                                          Value begin, Value end) {
  if (blocks.empty())
    return sumBlock(channel, column, begin, end);
  IntegerOps ops = context.integers();
  int64_t size = countProducts(blocks);
  auto addBlock = [&](Value first, ValueRange sums) {
    Value last = ops.min(end, ops.add(first, ops.constant(size)));
    return addAll(sums,
                  sumBlocks(blocks.drop_back(), channel, column, first, last));
  };
  return buildFor(builder, loc, begin, end, size, buildZeros(kTaps * kTaps),
                  addBlock);
}

SmallVector<Value> WinogradSum::emitTaps(Value channel, Value column) {
  ArrayRef<int64_t> blocks =
      orderOf(contraction.result.value.getDefiningOp()).getBlocks();
  std::optional<int64_t> count = staticExtent(countTiles());
  while (!blocks.empty() && count &&
         countProducts(blocks.drop_back()) >= *count)
    blocks = blocks.drop_back();
  Value begin = context.integers().constant(0);
  Value end = context.extent(countTiles());
  SmallVector<Value> taps = sumBlocks(blocks, channel, column, begin, end);
  // A chain of one value, which may be -0.
  return blocks.empty() ? addAll(buildZeros(kTaps * kTaps), taps) : taps;
}

Value WinogradSum::emitElement(const Position &position) {
  IntegerOps ops = context.indices();
  ArrayRef<Value> index = position.index;
  SmallVector<Value> values;
  Value line = index[0], column = index[1];
  int64_t size = kTaps;
  if (isGradient) {
    values = emitTaps(index[2], index[3]);
  } else {
    size = tile.positions;
    Value positions = ops.constant(size);
    values = emitTile(
        {index[0], ops.div(index[1], positions), ops.div(index[2], positions)},
        index[3]);
    line = ops.rem(index[1], positions);
    column = ops.rem(index[2], positions);
  }
  Value number = ops.add(ops.mul(line, ops.constant(size)), column);
  Value element = values[0];
  for (auto [candidate, value] : llvm::drop_begin(llvm::enumerate(values)))
    element = builder.createOrFold<arith::SelectOp>(
        loc,
        ops.compare(arith::CmpIPredicate::eq, number,
                    ops.constant(int64_t(candidate))),
        value, element);
  return element;
}
