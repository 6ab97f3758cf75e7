//===- WinogradFilter.cpp - transformed filters ---------------------------===//
#include "compiler/codegen/cpu/contraction/winograd/WinogradFilter.h"
#include "compiler/codegen/cpu/contraction/gemm/PanelPacking.h"
#include "compiler/codegen/cpu/contraction/winograd/Winograd.h"
#include "compiler/codegen/cpu/contraction/winograd/WinogradTiles.h"
#include "compiler/codegen/cpu/custom/CustomKernel.h"
#include <numeric>

using namespace mlir;
using namespace tg;
using namespace tg::winograd;

int64_t WinogradWindows::scratchElements(const Filter &filter, int64_t width,
                                         unsigned lanes) {
  return filter.isAdjoint ? kTaps * kTaps * lanes * width : 0;
}

WinogradWindows::WinogradWindows(KernelFrame &frame, const Filter &filter,
                                 Tile tile, int64_t width, unsigned lanes,
                                 const Elements &scratch)
    : frame(frame), builder(frame.builder), loc(frame.loc),
      ops(frame.builder, frame.loc), filter(filter), tile(tile), width(width),
      lanes(lanes), scratch(scratch) {}

/// Copies the windows of at most one vector of channels to scratch memory, with
/// contiguous columns.
WinogradWindows::Windows WinogradWindows::transpose(const Block &block) const {
  int64_t tapSize = int64_t(lanes) * width;
  Value one = ops.constant(1);
  Value stride = ops.constant(filter.channels);
  buildFor(
      builder, loc, ops.constant(0), ops.constant(kTaps * kTaps), 1,
      [&](Value tap) {
        Value size = ops.constant(filter.columns * filter.channels);
        Value from = ops.add(ops.mul(tap, size), block.channel);
        Elements tapMemory{addressOf(builder, loc, scratch,
                                     ops.mul(tap, ops.constant(tapSize))),
                           scratch.elementType};
        PanelSource windows{
            filter.elements, from,         ops.mul(block.column, stride), one,
            stride,          block.columns};
        packPanel(frame, windows, tapMemory, block.channels, width, lanes,
                  /*transposed=*/true);
      });
  return {scratch, ops.constant(0), ops.constant(tapSize), ops.constant(width)};
}

/// Transforms the windows of one channel. `begin` is the offset of the windows
/// in `windows.elements`, and `first` is the offset of the factors in
/// `target.elements`. Writes zeros for columns of the panel after the last one.
void WinogradWindows::transformColumns(const Windows &windows, Value begin,
                                       const Block &block, const Target &target,
                                       Value first) const {
  auto offsetOf = [&](Value column, int64_t product) {
    return ops.add(
        ops.add(first, ops.mul(ops.constant(product), target.productStride)),
        column);
  };
  auto transform = [&](Value column, const Lanes &active) {
    SmallVector<Value> taps;
    for (int64_t tap = 0; tap < kTaps * kTaps; ++tap) {
      int64_t tapIndex = filter.isAdjoint ? kTaps * kTaps - 1 - tap : tap;
      Value row =
          ops.add(begin, ops.mul(ops.constant(tapIndex), windows.tapStride));
      taps.push_back(loadElements(builder, loc, windows.elements,
                                  ops.add(row, column), active));
    }
    for (auto [product, value] :
         llvm::enumerate(tile.transformFilter(builder, loc, taps)))
      storeElements(builder, loc, target.elements, offsetOf(column, product),
                    value, {lanes, {}});
  };
  forEachVector(frame, block.columns, lanes, std::gcd(filter.columns, width),
                transform);
  auto type = VectorType::get({int64_t(lanes)}, filter.elements.elementType);
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  Value end = ops.mul(ops.ceilDiv(block.columns, ops.constant(lanes)),
                      ops.constant(lanes));
  buildFor(builder, loc, end, ops.constant(width), lanes, [&](Value column) {
    for (int64_t product = 0; product < tile.products(); ++product)
      storeElements(builder, loc, target.elements, offsetOf(column, product),
                    zero, {lanes, {}});
  });
}

void WinogradWindows::transformChannels(const Windows &windows,
                                        const Block &block,
                                        const Target &target) const {
  buildFor(
      builder, loc, ops.constant(0), block.channels, 1, [&](Value channel) {
        transformColumns(
            windows,
            ops.add(windows.first, ops.mul(channel, windows.channelStride)),
            block, target,
            ops.add(target.first, ops.mul(channel, ops.constant(width))));
      });
}

void WinogradWindows::transform(const Block &block,
                                const Target &target) const {
  if (!filter.isAdjoint) {
    Value row = ops.mul(block.channel, ops.constant(filter.columns));
    return transformChannels({filter.elements, ops.add(row, block.column),
                              ops.constant(filter.channels * filter.columns),
                              ops.constant(filter.columns)},
                             block, target);
  }
  buildFor(builder, loc, ops.constant(0), block.channels, lanes,
           [&](Value firstChannel) {
             Block channelsBlock = block;
             channelsBlock.channel = ops.add(block.channel, firstChannel);
             channelsBlock.channels = ops.min(
                 ops.constant(lanes), ops.sub(block.channels, firstChannel));
             Target channelsTarget = target;
             channelsTarget.first = ops.add(
                 target.first, ops.mul(firstChannel, ops.constant(width)));
             transformChannels(transpose(channelsBlock), channelsBlock,
                               channelsTarget);
           });
}

//===----------------------------------------------------------------------===//
// Filters transformed ahead
//===----------------------------------------------------------------------===//

static Elements takeScratch(KernelFrame &frame,
                            const WinogradWindows::Filter &filter,
                            int64_t width, unsigned lanes) {
  Type type = filter.elements.elementType;
  int64_t elements = WinogradWindows::scratchElements(filter, width, lanes);
  if (elements == 0)
    return {Value(), type};
  return {frame.takeScratch(
              {getAffineConstantExpr(elements * int64_t(elementBytes(type)),
                                     frame.kernel.getContext())})[0],
          type};
}

/// Emits one tile of the launch for each vector of channels of a panel. The
/// factors of a product are contiguous across channels, and longer contiguous
/// writes than those of a single channel are faster.
LogicalResult tg::emitWinogradFilter(KernelFrame &frame, tgx::PackOp op) {
  unsigned lanes = frame.target.lanes(
      elementBytes(op.getResult().getType().getElementType()));
  cpu::PanelsAttr layout = panelsOf(op);
  int64_t width = layout.getWidth();
  if (lanes == 1 || width % lanes != 0)
    return frame.kernel.emitOpError()
           << "expected -O2 and panels of whole vectors to transform a filter, "
              "found panels of "
           << width << " columns and vectors of " << lanes << " lanes";
  ArrayRef<int64_t> extents = op.getResult().getType().getShape();
  int64_t panels = extents[1], channels = extents[2];
  WinogradWindows::Filter filter{
      frame.argument(cast<BlockArgument>(op.getInput())), channels,
      op.getInput().getType().getDimSize(layout.getAxis()),
      layout.getAxis() == kFilterRows};
  int64_t blocks = llvm::divideCeil(channels, lanes);
  frame.setTiles([&](EntryExtents &entry) {
    return entry.integers().constant(panels * blocks);
  });
  IntegerOps ops = frame.integers();
  Value panel = ops.div(frame.tile, ops.constant(blocks));
  Value column = ops.mul(panel, ops.constant(width));
  Value channel =
      ops.mul(ops.rem(frame.tile, ops.constant(blocks)), ops.constant(lanes));
  WinogradWindows::Block block{
      channel,
      ops.min(ops.constant(lanes), ops.sub(ops.constant(channels), channel)),
      column,
      ops.min(ops.constant(width),
              ops.sub(ops.constant(filter.columns), column))};
  Value first =
      ops.mul(ops.add(ops.mul(panel, ops.constant(channels)), channel),
              ops.constant(width));
  WinogradWindows(frame, filter, Tile{layout.getWinograd()}, width, lanes,
                  takeScratch(frame, filter, width, lanes))
      .transform(block, {resultMemory(frame, op.getResult()), first,
                         ops.constant(panels * channels * width)});
  return success();
}
