//===- WinogradFilter.cpp - filters transformed ahead ---------------------===//
#include "compiler/codegen/cpu/contraction/Winograd.h"
#include "compiler/codegen/cpu/contraction/WinogradTransform.h"
#include "compiler/codegen/cpu/custom/CustomKernel.h"

using namespace mlir;
using namespace tg;
using namespace tg::winograd;

/// One tile for each channel of each panel: 36 rows of the panel, in vectors of
/// which the filter has all columns or none.
LogicalResult tg::emitWinogradFilter(KernelFrame &frame, tgx::PackOp op) {
  IntegerOps ops = frame.integers();
  OpBuilder &builder = frame.builder;
  RankedTensorType panels = op.getResult().getType();
  RankedTensorType filter = op.getInput().getType();
  int64_t count = panels.getDimSize(1), channels = panels.getDimSize(2),
          width = panels.getDimSize(3), columns = filter.getDimSize(3);
  unsigned lanes = frame.target.lanes(elementBytes(panels.getElementType()));
  if (lanes == 1 || columns % lanes != 0)
    return frame.kernel.emitOpError()
           << "expected -O2 and columns in whole vectors to transform a filter";
  frame.setTiles([&](EntryExtents &entry) {
    return entry.integers().constant(count * channels);
  });
  Elements source = frame.argument(cast<BlockArgument>(op.getInput()));
  Elements target = resultMemory(frame, op.getResult());
  auto type = VectorType::get({int64_t(lanes)}, panels.getElementType());
  auto store = [&](Value column, int64_t number, Value value) {
    Value row = ops.add(ops.constant(number * count * channels), frame.tile);
    storeElements(builder, frame.loc, target,
                  ops.add(ops.mul(row, ops.constant(width)), column), value,
                  {lanes, {}});
  };
  Value first =
      ops.mul(ops.div(frame.tile, ops.constant(channels)), ops.constant(width));
  Value channel = ops.rem(frame.tile, ops.constant(channels));
  Value end =
      ops.min(ops.constant(width), ops.sub(ops.constant(columns), first));
  buildFor(builder, frame.loc, ops.constant(0), end, lanes, [&](Value column) {
    SmallVector<Value> taps;
    for (int64_t tap = 0; tap < kTaps * kTaps; ++tap) {
      Value row = ops.add(ops.constant(tap * channels), channel);
      Value at =
          ops.add(ops.mul(row, ops.constant(columns)), ops.add(first, column));
      taps.push_back(loadElements(builder, frame.loc, source, at, {lanes, {}}));
    }
    for (auto [number, value] :
         llvm::enumerate(transformFilter(builder, frame.loc, taps)))
      store(column, number, value);
  });
  Value zero =
      arith::ConstantOp::create(builder, frame.loc, builder.getZeroAttr(type));
  buildFor(builder, frame.loc, end, ops.constant(width), lanes,
           [&](Value column) {
             for (int64_t number = 0; number < kProducts; ++number)
               store(column, number, zero);
           });
  return success();
}
