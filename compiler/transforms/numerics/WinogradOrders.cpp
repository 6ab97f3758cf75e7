//===- WinogradOrders.cpp - convolutions by Winograd's algorithm ----------===//
#include "compiler/transforms/numerics/WinogradOrders.h"
#include "compiler/transforms/numerics/WinogradChoice.h"
#include "dialects/tg/Tg.h"
#include "dialects/tg/ops/control/ControlOps.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "dialects/tg/ops/windows/WinogradRules.h"

using namespace mlir;
using namespace tg;

/// Returns true if a filter changes less often than the op that reads it runs:
/// the function reads it from a variable and assigns none, or a loop around the
/// op does not compute it.
static bool isReadAhead(Operation *op, Value filter, bool assignsNoVariables) {
  Value source = withoutViews(filter);
  if (assignsNoVariables && source.getDefiningOp<ReadOp>())
    return true;
  Block *block = source.getParentBlock();
  for (Operation *outer = op; outer->getBlock() != block;) {
    outer = outer->getParentOp();
    if (isa<ScanOp, WhileOp>(outer))
      return true;
  }
  return false;
}

/// Returns the order of a Winograd convolution: a chain over the channels or,
/// in the gradient of a filter, blocks of tiles. One block is the work of a
/// thread if there are few channels.
static OrderAttr orderOfTiles(MLIRContext *context, int64_t positions,
                              bool isGradient) {
  SmallVector<int64_t> blocks;
  if (isGradient)
    blocks = {512, 16};
  return OrderAttr::get(context, 1, 1, blocks, {}, {}, positions);
}

unsigned tg::stateWinogradOrders(func::FuncOp function,
                                 const ExtentAnalysis &extents, bool isForced) {
  bool assignsNoVariables = function.getOps<AssignOp>().empty();
  unsigned count = 0;
  function.walk([&](ContractionOpInterface op) {
    if (op->hasAttr(kOrderAttr))
      return;
    Contraction contraction = op.getContraction(extents);
    bool isGradient = winograd::isFilterGradient(contraction);
    if (!isGradient && !winograd::isConvolution(contraction))
      return;
    bool isAhead = !isGradient &&
                   isReadAhead(op, contraction.rhs.value, assignsNoVariables);
    int64_t positions = chooseWinogradTile(contraction, {isAhead, isForced});
    if (!positions)
      return;
    op->setDiscardableAttr(
        kOrderAttr, orderOfTiles(op.getContext(), positions, isGradient));
    ++count;
  });
  return count;
}
