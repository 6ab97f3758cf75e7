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
#include "compiler/codegen/cpu/contraction/winograd/Winograd.h"
#include "compiler/codegen/cpu/contraction/winograd/WinogradGradientWindows.h"
#include "compiler/codegen/cpu/contraction/winograd/WinogradTiles.h"

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
  void emitGroup(Value begin, Value end);
  void sumBlock(Value begin, Value end);
  void clear(const Elements &memory, int64_t size) const;
  void sumTiles(Value begin, Value count, Value adds);
  void transformInputTiles(const WinogradInputTiles &inputTiles, Value tile,
                           Value first, Value count, const Elements &target,
                           Value offset, int64_t size, bool isInput) const;
  void multiplyAll(Value count, Value adds) const;

  const WinogradGradientPlan &plan;
  KernelFrame &frame;
  OpBuilder &builder;
  Location loc;
  IntegerOps ops;
  WinogradGradientPlan::Scratch scratch;
  GradientBlock block;
  GradientWindows windows;
  WinogradInputTiles inputs, gradients;
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

GradientLoops::GradientLoops(const WinogradGradientPlan &plan,
                             const WinogradGradientPlan::Scratch &scratch,
                             const Elements &parts)
    : plan(plan), frame(plan.frame), builder(frame.builder), loc(frame.loc),
      ops(frame.builder, frame.loc), scratch(scratch), block(plan),
      windows(plan, block, scratch, parts),
      inputs(inputsOf(plan, scratch.patch)),
      gradients(gradientsOf(plan, scratch.patch)) {}

LogicalResult GradientLoops::emit() {
  if (!plan.sliceTiles) {
    emitTile();
    return failure(windows.hasFailed());
  }
  Value slices =
      ops.mul(frame.extent(plan.getSlices()), ops.constant(plan.blocks()));
  Value isPart = ops.compare(arith::CmpIPredicate::slt, frame.tile, slices);
  auto branch = scf::IfOp::create(builder, loc, isPart,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  emitTile();
  builder.setInsertionPoint(branch.elseBlock()->getTerminator());
  windows.finalize();
  return failure(windows.hasFailed());
}

void GradientLoops::emitTile() {
  // The products also read the padding after the last column of the gradient,
  // which must be zeros.
  if (plan.columns % plan.shape.panelColumns != 0)
    clear(scratch.gradients, plan.gradientSize());
  Value zero = ops.constant(0);
  Value steps = frame.extent(plan.steps);
  if (plan.sliceTiles) {
    Value size = ops.constant(*plan.sliceTiles);
    Value begin = ops.mul(block.slice, size);
    return emitGroup(begin, ops.min(steps, ops.add(begin, size)));
  }
  if (plan.hasOneBlock()) {
    sumBlock(zero, steps);
    buildFor(builder, loc, zero, block.channelCount, 1, [&](Value channel) {
      windows.add(channel, /*isFirst=*/{});
      windows.store(channel);
    });
    return;
  }
  // Without Winograd tiles there is one empty group.
  Value end = ops.max(steps, ops.constant(1));
  if (plan.hasGroups()) {
    Value size = ops.constant(*plan.sumTiles * *plan.groupBlocks);
    buildFor(builder, loc, zero, end, *plan.sumTiles * *plan.groupBlocks,
             [&](Value begin) {
               emitGroup(begin, ops.min(end, ops.add(begin, size)));
               windows.addGroup(
                   ops.compare(arith::CmpIPredicate::eq, begin, zero));
             });
  } else {
    emitGroup(zero, end);
  }
  buildFor(builder, loc, zero, block.channelCount, 1,
           [&](Value channel) { windows.store(channel); });
}

/// Adds the windows of the summation blocks of a group, the Winograd tiles
/// [begin, end).
void GradientLoops::emitGroup(Value begin, Value end) {
  Value steps = frame.extent(plan.steps);
  buildFor(builder, loc, begin, end, *plan.sumTiles, [&](Value first) {
    Value size = ops.constant(*plan.sumTiles);
    sumBlock(first, ops.min(steps, ops.add(first, size)));
    Value isFirst = ops.compare(arith::CmpIPredicate::eq, first, begin);
    buildFor(builder, loc, ops.constant(0), block.channelCount, 1,
             [&](Value channel) { windows.add(channel, isFirst); });
  });
}

/// Sums the products of the Winograd tiles [begin, end), a summation block.
void GradientLoops::sumBlock(Value begin, Value end) {
  Value isEmpty = ops.compare(arith::CmpIPredicate::sge, begin, end);
  if (constantNumber(isEmpty) != 0) {
    auto branch = scf::IfOp::create(builder, loc, isEmpty,
                                    /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    clear(scratch.sums, plan.sumSize());
  }
  Value some = ops.constant(plan.blockTiles);
  buildFor(builder, loc, begin, end, plan.blockTiles, [&](Value tile) {
    Value adds = ops.compare(arith::CmpIPredicate::ne, tile, begin);
    sumTiles(tile, ops.min(some, ops.sub(end, tile)), adds);
  });
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
    transformInputTiles(inputs, tile, block.firstChannel, block.channelCount,
                        scratch.inputs,
                        ops.mul(number, ops.constant(plan.blockChannels)),
                        plan.inputSize(), /*isInput=*/true);
    transformInputTiles(gradients, tile, block.firstColumn, block.columnCount,
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
             buildFor(builder, loc, ops.constant(0), block.columnCount,
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
                            block.channelCount);
                      });
           });
}

//===----------------------------------------------------------------------===//
// The result
//===----------------------------------------------------------------------===//

LogicalResult tg::emitWinogradGradient(KernelFrame &frame,
                                       Contraction contraction,
                                       winograd::Tile tile) {
  WinogradGradientPlan plan(frame, std::move(contraction), tile);
  frame.setTiles([&](EntryExtents &entry) {
    return entry.integers().mul(entry.get(plan.getSlices()),
                                entry.integers().constant(plan.blocks()));
  });
  Elements parts = plan.takeParts();
  return GradientLoops(plan, plan.takeScratch(), parts).emit();
}
