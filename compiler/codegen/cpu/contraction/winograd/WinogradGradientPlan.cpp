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
      blockTiles(blockTilesOf(blockChannels, shape,
                              roomOf(frame.target, tile, type))) {
  ArrayRef<int64_t> lengths =
      orderOf(contraction.result.value.getDefiningOp()).getBlocks();
  if (!lengths.empty())
    sumTiles = lengths[0];
  if (lengths.size() > 1)
    groupBlocks = lengths[1];
  chooseSlices();
}

/// Chooses several slices if channels and columns have too few blocks for all
/// workers: summation blocks, or groups of them if there are many.
void WinogradGradientPlan::chooseSlices() {
  if (hasOneBlock() || blocks() >= kGradientBlocks)
    return;
  std::optional<int64_t> known = staticExtent(steps);
  std::optional<int64_t> perImage = staticExtent(tiles[0] * tiles[1]);
  int64_t usual =
      known.value_or(kUsualGradientImages * perImage.value_or(*sumTiles));
  sliceTiles = *sumTiles;
  if (groupBlocks && usual > *sumTiles * kMaxParts)
    *sliceTiles *= *groupBlocks;
}

bool WinogradGradientPlan::hasOneBlock() const {
  std::optional<int64_t> known = staticExtent(steps);
  return !sumTiles || (known && *known <= *sumTiles);
}

bool WinogradGradientPlan::hasGroups() const {
  if (!sumTiles || !groupBlocks)
    return false;
  std::optional<int64_t> known = staticExtent(steps);
  return !known || *known > *sumTiles * *groupBlocks;
}

AffineExpr WinogradGradientPlan::getSlices() const {
  return sliceTiles ? steps.ceilDiv(*sliceTiles)
                    : getAffineConstantExpr(1, frame.kernel.getContext());
}

WinogradGradientPlan::Scratch WinogradGradientPlan::takeScratch() const {
  int64_t bytes = elementBytes(type);
  auto size = [&](int64_t elements) {
    return getAffineConstantExpr(elements * bytes, frame.kernel.getContext());
  };
  int64_t patch = std::max(
      WinogradInputTiles::patchElements(tile.inputs(), blockChannels),
      WinogradInputTiles::patchElements(tile.positions, shape.panelColumns));
  int64_t windows = sliceTiles ? 0 : windowsSize();
  SmallVector<Value> memory =
      frame.takeScratch({size(tile.products() * inputSize()),
                         size(tile.products() * gradientSize()),
                         size(tile.products() * sumSize()), size(patch),
                         size(windows), size(hasGroups() ? windows : 0)});
  auto elements = [&](unsigned number) {
    return Elements{memory[number], type};
  };
  return {elements(0), elements(1), elements(2),
          elements(3), elements(4), elements(5)};
}

Elements WinogradGradientPlan::takeParts() const {
  if (!sliceTiles)
    return {Value(), type};
  int64_t size = kTaps * kTaps * channels * columns;
  AffineExpr bytes = getSlices() * size * elementBytes(type);
  return {frame.takePartials({bytes}, {bytes})[0], type};
}
