//===- WinogradFilter.cpp - filters transformed ahead ---------------------===//
#include "compiler/codegen/cpu/contraction/PanelPacking.h"
#include "compiler/codegen/cpu/contraction/Winograd.h"
#include "compiler/codegen/cpu/contraction/WinogradTiles.h"
#include "compiler/codegen/cpu/contraction/WinogradTransform.h"
#include "compiler/codegen/cpu/custom/CustomKernel.h"
#include <numeric>

using namespace mlir;
using namespace tg;
using namespace tg::winograd;

namespace {

/// Windows of 3x3 in memory: tap t of channel c and column j lies at
/// first + t * tap + c * channel + j. The taps of an adjoint run against it.
struct Windows {
  Elements elements;
  Value first, tap, channel;
  bool reversed = false;
};

/// Transforms a filter panel by panel, some channels at a time: 36 rows of the
/// panel for each, with zeros for columns that the filter lacks.
class FilterTransform {
public:
  FilterTransform(KernelFrame &frame, tgx::PackOp op, unsigned lanes);

  void emit();

private:
  Windows transposeWindows(Value channel, Value channels) const;
  void transformChannel(Value channel, const Windows &windows, Value at) const;
  void store(Value channel, Value column, int64_t number, Value value) const;

  KernelFrame &frame;
  OpBuilder &builder;
  Location loc;
  IntegerOps ops;
  /// Whether the columns are not neighbours: that of an adjoint.
  bool isTransposed;
  int64_t panels, channels, width, columns;
  unsigned lanes;
  Elements source, target;
  /// The panel of the tile: its number, its first column and how many there
  /// are.
  Value panel, first, count;
};

} // namespace

FilterTransform::FilterTransform(KernelFrame &frame, tgx::PackOp op,
                                 unsigned lanes)
    : frame(frame), builder(frame.builder), loc(frame.loc),
      ops(frame.integers()), lanes(lanes),
      source(frame.argument(cast<BlockArgument>(op.getInput()))),
      target(resultMemory(frame, op.getResult())) {
  ArrayRef<int64_t> extents = op.getResult().getType().getShape();
  unsigned axis = op.getLayout().getAxis();
  isTransposed = axis == 2;
  panels = extents[1];
  channels = extents[2];
  width = extents[3];
  columns = op.getInput().getType().getDimSize(axis);
}

/// The windows of a block of channels with columns that are neighbours.
Windows FilterTransform::transposeWindows(Value channel,
                                          Value blockChannels) const {
  int64_t tapSize = int64_t(lanes) * width;
  int64_t bytes = elementBytes(source.elementType);
  Elements copy{frame.takeScratch({getAffineConstantExpr(
                    kTaps * kTaps * tapSize * bytes, builder.getContext())})[0],
                source.elementType};
  Value one = ops.constant(1), stride = ops.constant(channels);
  buildFor(builder, loc, ops.constant(0), ops.constant(kTaps * kTaps), 1,
           [&](Value tap) {
             Value from = ops.add(
                 ops.mul(tap, ops.constant(columns * channels)), channel);
             Elements part{addressOf(builder, loc, copy,
                                     ops.mul(tap, ops.constant(tapSize))),
                           copy.elementType};
             PanelSource windows{source, from,   ops.mul(first, stride),
                                 one,    stride, count};
             packPanel(frame, windows, part, blockChannels, width, lanes,
                       /*transposed=*/true);
           });
  return {copy, ops.constant(0), ops.constant(tapSize), ops.constant(width),
          /*reversed=*/true};
}

void FilterTransform::store(Value channel, Value column, int64_t number,
                            Value value) const {
  Value row = ops.add(ops.constant(number * panels), panel);
  row = ops.add(ops.mul(row, ops.constant(channels)), channel);
  storeElements(builder, loc, target,
                ops.add(ops.mul(row, ops.constant(width)), column), value,
                {lanes, {}});
}

/// A channel of the panel, which is number `at` of the windows.
void FilterTransform::transformChannel(Value channel, const Windows &windows,
                                       Value at) const {
  Value begin = ops.add(windows.first, ops.mul(at, windows.channel));
  auto transform = [&](Value column, const Lanes &some) {
    SmallVector<Value> taps;
    for (int64_t tap = 0; tap < kTaps * kTaps; ++tap) {
      int64_t number = windows.reversed ? kTaps * kTaps - 1 - tap : tap;
      Value row = ops.add(begin, ops.mul(ops.constant(number), windows.tap));
      taps.push_back(loadElements(builder, loc, windows.elements,
                                  ops.add(row, column), some));
    }
    for (auto [number, value] :
         llvm::enumerate(transformFilter(builder, loc, taps)))
      store(channel, column, number, value);
  };
  forEachVector(frame, count, lanes, std::gcd(columns, width), transform);
  auto type = VectorType::get({int64_t(lanes)}, source.elementType);
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  Value end =
      ops.mul(ops.ceilDiv(count, ops.constant(lanes)), ops.constant(lanes));
  buildFor(builder, loc, end, ops.constant(width), lanes, [&](Value column) {
    for (int64_t number = 0; number < kProducts; ++number)
      store(channel, column, number, zero);
  });
}

void FilterTransform::emit() {
  int64_t size = isTransposed ? lanes : 1;
  int64_t blocks = llvm::divideCeil(channels, size);
  frame.setTiles([&](EntryExtents &entry) {
    return entry.integers().constant(panels * blocks);
  });
  panel = ops.div(frame.tile, ops.constant(blocks));
  first = ops.mul(panel, ops.constant(width));
  count = ops.min(ops.constant(width), ops.sub(ops.constant(columns), first));
  Value channel =
      ops.mul(ops.rem(frame.tile, ops.constant(blocks)), ops.constant(size));
  if (!isTransposed) {
    Windows windows{source, first, ops.constant(channels * columns),
                    ops.constant(columns)};
    return transformChannel(channel, windows, channel);
  }
  Value some =
      ops.min(ops.constant(size), ops.sub(ops.constant(channels), channel));
  Windows windows = transposeWindows(channel, some);
  buildFor(builder, loc, ops.constant(0), some, 1, [&](Value at) {
    transformChannel(ops.add(channel, at), windows, at);
  });
}

LogicalResult tg::emitWinogradFilter(KernelFrame &frame, tgx::PackOp op) {
  unsigned lanes = frame.target.lanes(
      elementBytes(op.getResult().getType().getElementType()));
  if (lanes == 1 || op.getLayout().getWidth() % lanes != 0)
    return frame.kernel.emitOpError()
           << "expected -O2 and panels of whole vectors to transform a filter";
  FilterTransform(frame, op, lanes).emit();
  return success();
}
