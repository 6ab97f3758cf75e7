//===- WinogradGradient.cpp - filter gradients by Winograd ----------------===//
//
// The adjoint of a convolution by Winograd's algorithm with respect to its
// filter. For each tile of 4x4 positions, 6x6 elements of the input and 4x4
// elements of the output gradient are transformed to 36 factors each (16
// factors for a tile of 2x2). Their products are summed over all tiles, and the
// sums are transformed to windows:
//   w = G'(sum of (B' x B) * (A y A'))G.
//
//===----------------------------------------------------------------------===//
#include "compiler/codegen/cpu/contraction/gemm/PanelPacking.h"
#include "compiler/codegen/cpu/contraction/gemm/ResultReduction.h"
#include "compiler/codegen/cpu/contraction/winograd/Winograd.h"
#include "compiler/codegen/cpu/contraction/winograd/WinogradGradientPlan.h"
#include "compiler/codegen/cpu/contraction/winograd/WinogradTiles.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"
#include <numeric>

using namespace mlir;
using namespace tg;
using namespace tg::tuning;
using namespace tg::winograd;

namespace {

/// Emits one tile of the launch: a split-K slice, or the finalize step, which
/// is the tile after the last slice.
class GradientLoops {
public:
  /// `parts` has room for the windows of all slices. Its pointer is null if
  /// there is only one slice.
  GradientLoops(const WinogradGradientPlan &plan,
                const WinogradGradientPlan::Scratch &scratch,
                const Elements &parts);

  LogicalResult emit();

private:
  void emitTile();
  void clear(const Elements &memory, int64_t size) const;
  void sumTiles(Value begin, Value count, Value adds);
  void transformInputTiles(const WinogradInputTiles &inputTiles, Value tile,
                           Value first, Value count, const Elements &target,
                           Value offset, int64_t size, bool isInput) const;
  void multiplyAll(Value count, Value adds) const;
  void finishChannel(Value channel);
  void transformSums(Value channel, const Elements &target, Value first,
                     int64_t tapSize) const;
  void storeRow(Value row, Value begin, Value end);
  void combineParts();

  const WinogradGradientPlan &plan;
  KernelFrame &frame;
  OpBuilder &builder;
  Location loc;
  IntegerOps ops;
  WinogradGradientPlan::Scratch scratch;
  Elements parts;
  Value partCount;
  WinogradInputTiles inputs, gradients;
  /// The split-K slice, and the block of channels and columns that the tile
  /// computes.
  Value part, firstChannel, channelCount, firstColumn, columnCount;
  ElementEmitter elements;
};

} // namespace

//===----------------------------------------------------------------------===//
// GradientLoops
//===----------------------------------------------------------------------===//

static WinogradInputTiles inputsOf(const WinogradGradientPlan &plan,
                                   const Elements &patch) {
  const ContractionTensor &lhs = plan.contraction.lhs;
  WinogradInputTiles::Images images{cast<BlockArgument>(lhs.value),
                                    lhs.extents,
                                    plan.tile.inputs(),
                                    plan.tile.positions,
                                    {},
                                    plan.blockChannels,
                                    plan.shape.lanes};
  for (const WindowAxis &axis : plan.windows.axes)
    images.offsets.push_back(firstElementOf(plan.frame, axis));
  return WinogradInputTiles(plan.frame, images, patch);
}

static WinogradInputTiles gradientsOf(const WinogradGradientPlan &plan,
                                      const Elements &patch) {
  const ContractionTensor &rhs = plan.contraction.rhs;
  Value zero = plan.frame.integers().constant(0);
  return WinogradInputTiles(plan.frame,
                            {cast<BlockArgument>(rhs.value),
                             rhs.extents,
                             plan.tile.positions,
                             plan.tile.positions,
                             {zero, zero},
                             plan.shape.panelColumns,
                             plan.shape.lanes},
                            patch);
}

/// Returns the first element of block `number` and the size of the block, if
/// `all` elements are divided into blocks of `size`.
static std::pair<Value, Value> partOf(IntegerOps ops, Value number,
                                      int64_t size, int64_t all) {
  Value first = ops.mul(number, ops.constant(size));
  if (all % size == 0)
    return {first, ops.constant(size)};
  return {first,
          ops.min(ops.constant(size), ops.sub(ops.constant(all), first))};
}

GradientLoops::GradientLoops(const WinogradGradientPlan &plan,
                             const WinogradGradientPlan::Scratch &scratch,
                             const Elements &parts)
    : plan(plan), frame(plan.frame), builder(frame.builder), loc(frame.loc),
      ops(frame.builder, frame.loc), scratch(scratch), parts(parts),
      partCount(plan.countSlices(frame.entry)),
      inputs(inputsOf(plan, scratch.patch)),
      gradients(gradientsOf(plan, scratch.patch)), elements(frame) {
  Value blocks = ops.constant(plan.blocks());
  Value alongColumns = ops.constant(plan.columnBlocks);
  part = ops.div(frame.tile, blocks);
  Value block = ops.rem(frame.tile, blocks);
  std::tie(firstChannel, channelCount) = partOf(
      ops, ops.div(block, alongColumns), plan.blockChannels, plan.channels);
  std::tie(firstColumn, columnCount) = partOf(
      ops, ops.rem(block, alongColumns), plan.shape.panelColumns, plan.columns);
}

LogicalResult GradientLoops::emit() {
  if (!parts.pointer) {
    emitTile();
    return failure(elements.hasFailed());
  }
  Value isPart = ops.compare(arith::CmpIPredicate::slt, frame.tile,
                             ops.mul(partCount, ops.constant(plan.blocks())));
  auto branch = scf::IfOp::create(builder, loc, isPart,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  emitTile();
  builder.setInsertionPoint(branch.elseBlock()->getTerminator());
  combineParts();
  return failure(elements.hasFailed());
}

void GradientLoops::emitTile() {
  Value steps = frame.extent(plan.steps);
  Value zero = ops.constant(0);
  Value one = ops.constant(1);
  Value some = ops.constant(plan.blockTiles);
  auto beginOf = [&](Value number) {
    return ops.div(ops.mul(number, steps), partCount);
  };
  Value begin = beginOf(part);
  Value end = beginOf(ops.add(part, one));
  // The products also read the padding after the last column of the gradient,
  // which must be zeros.
  if (plan.columns % plan.shape.panelColumns != 0)
    clear(scratch.gradients, plan.gradientSize());
  Value isEmpty = ops.compare(arith::CmpIPredicate::eq, begin, end);
  auto branch = scf::IfOp::create(builder, loc, isEmpty,
                                  /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    clear(scratch.sums, plan.sumSize());
  }
  buildFor(builder, loc, begin, end, plan.blockTiles, [&](Value tile) {
    Value adds = ops.compare(arith::CmpIPredicate::ne, tile, begin);
    sumTiles(tile, ops.min(some, ops.sub(end, tile)), adds);
  });
  buildFor(builder, loc, zero, channelCount, 1,
           [&](Value channel) { finishChannel(channel); });
}

/// Stores zeros to `size` elements for each product.
void GradientLoops::clear(const Elements &memory, int64_t size) const {
  fillRow(frame, memory, ops.constant(0),
          ops.constant(plan.tile.products() * size), plan.shape.lanes);
}

//===----------------------------------------------------------------------===//
// The sums
//===----------------------------------------------------------------------===//

void GradientLoops::sumTiles(Value begin, Value count, Value adds) {
  buildFor(builder, loc, ops.constant(0), count, 1, [&](Value number) {
    Value tile = ops.add(begin, number);
    transformInputTiles(inputs, tile, firstChannel, channelCount,
                        scratch.inputs,
                        ops.mul(number, ops.constant(plan.blockChannels)),
                        plan.inputSize(), /*isInput=*/true);
    transformInputTiles(gradients, tile, firstColumn, columnCount,
                        scratch.gradients,
                        ops.mul(number, ops.constant(plan.shape.panelColumns)),
                        plan.gradientSize(), /*isInput=*/false);
  });
  multiplyAll(count, adds);
}

/// Writes the factors of a Winograd tile to `target`.
void GradientLoops::transformInputTiles(const WinogradInputTiles &inputTiles,
                                        Value tile, Value first, Value count,
                                        const Elements &target, Value offset,
                                        int64_t size, bool isInput) const {
  inputTiles.visit(
      winogradTileIndexOf(frame, plan.tiles, tile), first, count,
      [&](Value channel, ValueRange square) {
        Value at = ops.add(offset, channel);
        SmallVector<Value> factors =
            isInput ? plan.tile.transformInput(builder, loc, square)
                    : plan.tile.transformGradient(builder, loc, square);
        for (auto [number, value] : llvm::enumerate(factors))
          storeElements(builder, loc, target,
                        ops.add(at, ops.constant(int64_t(number) * size)),
                        value, {plan.shape.lanes, {}});
      });
}

/// Computes the products of `count` Winograd tiles, and adds them to the sums
/// if `adds` is true.
void GradientLoops::multiplyAll(Value count, Value adds) const {
  const ContractionShape &shape = plan.shape;
  Value one = ops.constant(1);
  Value width = ops.constant(shape.panelColumns);
  buildFor(builder, loc, ops.constant(0), ops.constant(plan.tile.products()), 1,
           [&](Value product) {
             Value input = ops.mul(product, ops.constant(plan.inputSize()));
             Value gradient =
                 ops.mul(product, ops.constant(plan.gradientSize()));
             Value sums = ops.mul(product, ops.constant(plan.sumSize()));
             buildFor(builder, loc, ops.constant(0), columnCount,
                      shape.registerColumns(), [&](Value column) {
                        emitWinogradProduct(
                            frame, shape,
                            {{scratch.inputs, input, one,
                              ops.constant(plan.blockChannels)},
                             {scratch.gradients, ops.add(gradient, column),
                              width, one},
                             {scratch.sums, ops.add(sums, column), width, one},
                             {count},
                             adds},
                            channelCount);
                      });
           });
}

//===----------------------------------------------------------------------===//
// The result
//===----------------------------------------------------------------------===//

/// Transforms the sums of a channel to windows, and stores them to the outputs
/// or, if there are several slices, to the partials buffer.
void GradientLoops::finishChannel(Value channel) {
  Value row = ops.add(firstChannel, channel);
  if (parts.pointer) {
    Value size = ops.constant(kTaps * kTaps * plan.channels);
    Value first = ops.add(ops.mul(part, size), row);
    return transformSums(
        channel, parts,
        ops.add(ops.mul(first, ops.constant(plan.columns)), firstColumn),
        plan.channels * plan.columns);
  }
  int64_t width = plan.shape.panelColumns;
  transformSums(channel, scratch.windows, ops.constant(0), width);
  buildFor(builder, loc, ops.constant(0), ops.constant(kTaps * kTaps), 1,
           [&](Value tap) {
             Value first =
                 ops.sub(ops.mul(tap, ops.constant(width)), firstColumn);
             elements.provide(
                 plan.contraction.result.value,
                 [&, first](const Position &position, unsigned lanes) {
                   return loadElements(builder, loc, scratch.windows,
                                       ops.add(first, position.index.back()),
                                       {lanes, {}});
                 });
             storeRow(ops.add(ops.mul(tap, ops.constant(plan.channels)), row),
                      firstColumn, ops.add(firstColumn, columnCount));
           });
}

/// Transforms the sums of a channel. Tap t of column j is stored at first + t *
/// tapSize + j.
void GradientLoops::transformSums(Value channel, const Elements &target,
                                  Value first, int64_t tapSize) const {
  Value row = ops.mul(channel, ops.constant(plan.shape.panelColumns));
  auto transform = [&](Value column, const Lanes &lanes) {
    SmallVector<Value> sums;
    Value source = ops.add(row, column);
    for (int64_t number = 0; number < plan.tile.products(); ++number)
      sums.push_back(loadElements(
          builder, loc, scratch.sums,
          ops.add(source, ops.constant(number * plan.sumSize())), lanes));
    for (auto [tap, value] :
         llvm::enumerate(plan.tile.transformWindow(builder, loc, sums))) {
      Value at = ops.add(first, ops.constant(int64_t(tap) * tapSize));
      storeElements(builder, loc, target, ops.add(at, column), value, lanes);
    }
  };
  forEachVector(frame, columnCount, plan.shape.lanes,
                std::gcd(plan.columns, plan.shape.panelColumns), transform);
}

/// Stores the outputs of columns [begin, end) of a row of the result, seen as a
/// matrix.
void GradientLoops::storeRow(Value row, Value begin, Value end) {
  unsigned lanes = chooseLanes(frame.kernel, frame.target);
  auto numbers =
      llvm::to_vector(llvm::seq<unsigned>(frame.kernel.getOutputs().size()));
  elements.setBarrier(builder.getInsertionBlock());
  auto step = [&](Value at, unsigned count, unsigned) {
    Position position = plan.space.position({}, row, at, count);
    storeOutputs(elements, numbers, count, [&](Value) { return position; });
    return success();
  };
  (void)emitVectorLoop(elements, begin, end, lanes, /*unroll=*/1, step,
                       std::gcd(plan.columns, plan.shape.panelColumns));
}

/// Adds the windows of all slices in order, and stores the outputs.
void GradientLoops::combineParts() {
  Value columns = ops.constant(plan.columns);
  int64_t rows = kTaps * kTaps * plan.channels;
  buildFor(
      builder, loc, ops.constant(0), ops.constant(rows), 1, [&](Value row) {
        Value first = ops.mul(row, columns);
        elements.provide(
            plan.contraction.result.value,
            [&, first](const Position &position, unsigned lanes) {
              auto load = [&](Value number) {
                Value before =
                    ops.mul(number, ops.constant(rows * plan.columns));
                Value at = ops.add(first, position.index.back());
                return loadElements(
                    builder, loc, parts, ops.add(before, at),
                    {lanes, lanes > 1 ? elements.mask : Value()});
              };
              Value start = load(ops.constant(0));
              return buildFor(builder, loc, ops.constant(1), partCount, 1,
                              start, [&](Value number, ValueRange carried) {
                                return SmallVector<Value>{arith::AddFOp::create(
                                    builder, loc, carried[0], load(number))};
                              })[0];
            });
        storeRow(row, ops.constant(0), columns);
      });
}

LogicalResult tg::emitWinogradGradient(KernelFrame &frame,
                                       Contraction contraction,
                                       winograd::Tile tile) {
  WinogradGradientPlan plan(frame, std::move(contraction), tile);
  frame.setTiles([&](EntryExtents &entry) {
    IntegerOps ops = entry.integers();
    return ops.mul(plan.countSlices(entry), ops.constant(plan.blocks()));
  });
  Elements parts = plan.takeParts();
  return GradientLoops(plan, plan.takeScratch(), parts).emit();
}
