//===- PackKernel.cpp - matrices as panels of columns ---------------------===//
#include "compiler/codegen/cpu/contraction/Winograd.h"
#include "compiler/codegen/cpu/custom/CustomKernel.h"
#include "compiler/codegen/kernel/ElementEmitter.h"

using namespace mlir;
using namespace tg;

/// Emits one tile per panel: [k, w] elements, 0 in the columns that the matrix
/// does not have.
static LogicalResult emitPack(KernelFrame &frame, tgx::PackOp op) {
  ArrayRef<AffineExpr> panels = frame.extentsOf(op.getResult());
  unsigned axis = op.getLayout().getAxis();
  frame.setTiles([&](EntryExtents &entry) { return entry.get(panels[0]); });
  IntegerOps ops = frame.integers();
  OpBuilder &builder = frame.builder;
  Value kExtent = frame.extent(panels[1]), width = frame.extent(panels[2]);
  Value columns = frame.extent(frame.extentsOf(op.getInput())[axis]);
  Elements source = frame.argument(cast<BlockArgument>(op.getInput()));
  Elements target = resultMemory(frame, op.getResult());
  Value zero = arith::ConstantOp::create(
      builder, frame.loc,
      builder.getZeroAttr(getElementTypeOrSelf(op.getResult())));
  Value first = ops.mul(frame.tile, width), start = ops.constant(0);
  Value last = ops.max(start, ops.min(width, ops.sub(columns, first)));
  auto store = [&](Value k, Value column, Value value) {
    Value row = ops.add(ops.mul(frame.tile, kExtent), k);
    storeElements(builder, frame.loc, target,
                  ops.add(ops.mul(row, width), column), value, Lanes());
  };
  buildFor(builder, frame.loc, start, kExtent, 1, [&](Value k) {
    buildFor(builder, frame.loc, start, last, 1, [&](Value column) {
      Value from = ops.add(first, column);
      Value offset = axis == 0 ? ops.add(ops.mul(from, kExtent), k)
                               : ops.add(ops.mul(k, columns), from);
      store(k, column,
            loadElements(builder, frame.loc, source, offset, Lanes()));
    });
    buildFor(builder, frame.loc, last, width, 1,
             [&](Value column) { store(k, column, zero); });
  });
  return success();
}

namespace {
struct PackKernel
    : CustomKernelOpInterface::ExternalModel<PackKernel, tgx::PackOp> {
  LogicalResult emitCustomKernel(Operation *op, KernelFrame &frame) const {
    auto pack = cast<tgx::PackOp>(op);
    return pack.getLayout().getWinograd() ? emitWinogradFilter(frame, pack)
                                          : emitPack(frame, pack);
  }
};
} // namespace

void tg::attachPackKernel(MLIRContext *context) {
  tgx::PackOp::attachInterface<PackKernel>(*context);
}
