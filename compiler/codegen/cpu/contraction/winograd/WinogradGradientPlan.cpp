//===- WinogradGradientPlan.cpp - blocks of filter gradients --------------===//
#include "compiler/codegen/cpu/contraction/winograd/WinogradGradientPlan.h"
#include "compiler/codegen/cpu/contraction/winograd/WinogradTiles.h"

using namespace mlir;
using namespace tg;
using namespace tg::tuning;
using namespace tg::winograd;

/// Returns the number of elements per Winograd product for which the elements
/// of all products together take kGradientSumsPercent of L2. It limits the sums
/// of a block, and the factors that are transformed at once.
static int64_t roomOf(const TargetDescription &target, winograd::Tile tile,
                      Type type) {
  return target.l2Bytes * kGradientSumsPercent / 100 /
         (tile.products() * int64_t(elementBytes(type)));
}

/// Returns the number of channels of a block, in whole vectors. All blocks have
/// nearly equal numbers of channels.
static int64_t blockChannelsOf(int64_t channels, const ContractionShape &shape,
                               int64_t room) {
  int64_t maxChannels = std::max<int64_t>(
      shape.lanes, llvm::alignDown(room / shape.panelColumns, shape.lanes));
  int64_t blocks = llvm::divideCeil(channels, maxChannels);
  return llvm::alignTo(llvm::divideCeil(channels, blocks), shape.lanes);
}

/// Returns the maximum number of Winograd tiles of a block, a multiple of
/// kBlockUnit so that the unrolled loops over tiles have no remainder.
static int64_t blockTilesOf(int64_t channels, const ContractionShape &shape,
                            int64_t room) {
  int64_t tiles = room / (channels + shape.panelColumns);
  return std::clamp<int64_t>(llvm::alignDown(tiles, kBlockUnit), kBlockUnit,
                             kMaxGradientTiles);
}

WinogradGradientPlan::WinogradGradientPlan(KernelFrame &frame,
                                           Contraction product,
                                           winograd::Tile tile)
    : frame(frame), contraction(std::move(product)),
      windows(*contraction.findWindows()), space(frame, contraction),
      tile(tile), type(contraction.accumulator),
      channels(*staticExtent(contraction.lhs.extents.back())),
      columns(*staticExtent(contraction.result.extents.back())),
      tiles(countWinogradTiles(
          tile, ArrayRef(contraction.rhs.extents).drop_front().drop_back())),
      steps(contraction.rhs.extents.front() * tiles[0] * tiles[1]),
      shape(frame.target, elementBytes(type), contraction.lhs.extents.back(),
            contraction.result.extents.back(), steps, {}),
      blockChannels(
          blockChannelsOf(channels, shape, roomOf(frame.target, tile, type))),
      channelBlocks(llvm::divideCeil(channels, blockChannels)),
      columnBlocks(llvm::divideCeil(columns, shape.panelColumns)),
      blockTiles(
          blockTilesOf(blockChannels, shape, roomOf(frame.target, tile, type))),
      maxSlices(llvm::divideCeil(kGradientBlocks, blocks())) {
  if (std::optional<int64_t> known = staticExtent(steps))
    maxSlices = std::clamp<int64_t>(*known / kMinGradientTiles, 1, maxSlices);
}

Value WinogradGradientPlan::countSlices(EntryExtents &entry) const {
  IntegerOps ops = entry.integers();
  if (maxSlices == 1)
    return ops.constant(1);
  Value worthwhile = ops.div(entry.get(steps), ops.constant(kMinGradientTiles));
  return ops.max(ops.constant(1), ops.min(worthwhile, ops.constant(maxSlices)));
}

WinogradGradientPlan::Scratch WinogradGradientPlan::takeScratch() const {
  int64_t bytes = elementBytes(type);
  auto size = [&](int64_t elements) {
    return getAffineConstantExpr(elements * bytes, frame.kernel.getContext());
  };
  int64_t patch = std::max(
      WinogradInputTiles::patchElements(tile.inputs(), blockChannels),
      WinogradInputTiles::patchElements(tile.positions, shape.panelColumns));
  SmallVector<Value> memory = frame.takeScratch(
      {size(tile.products() * inputSize()),
       size(tile.products() * gradientSize()),
       size(tile.products() * sumSize()),
       size(kTaps * kTaps * shape.panelColumns), size(patch)});
  auto elements = [&](unsigned number) {
    return Elements{memory[number], type};
  };
  return {elements(0), elements(1), elements(2), elements(3), elements(4)};
}

Elements WinogradGradientPlan::takeParts() const {
  if (maxSlices == 1)
    return {Value(), type};
  int64_t size = kTaps * kTaps * channels * columns;
  int64_t bytes = maxSlices * size * elementBytes(type);
  AffineExpr count = getAffineConstantExpr(bytes, frame.kernel.getContext());
  return {frame.takePartials({count}, {})[0], type};
}
