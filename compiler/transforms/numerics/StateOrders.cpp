//===- StateOrders.cpp - the orders of sums, stated -----------------------===//
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/numerics/Orders.h"
#include "compiler/transforms/numerics/TileOrders.h"
#include "compiler/transforms/numerics/WinogradOrders.h"
#include "compiler/transforms/shapes/FunctionSymbols.h"
#include "dialects/tg/Tg.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tg {
#define GEN_PASS_DEF_STATEORDERS
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

/// Returns true if an op takes a sum in no stated order, and is not replaced by
/// simpler ops.
static bool isUnordered(OrderedOpInterface ordered) {
  if (ordered->hasAttr(kOrderAttr))
    return false;
  auto composed = dyn_cast<DecomposableOpInterface>(ordered.getOperation());
  return !composed || !composed.isComposed();
}

unsigned tg::stateOrders(Operation *root) {
  unsigned count = 0;
  root->walk([&](OrderedOpInterface ordered) {
    if (!isUnordered(ordered))
      return;
    ordered->setDiscardableAttr(kOrderAttr, ordered.chooseOrder());
    ++count;
  });
  return count;
}

Operation *tg::findUnordered(Operation *root) {
  Operation *found = nullptr;
  root->walk([&](OrderedOpInterface ordered) {
    if (!isUnordered(ordered))
      return WalkResult::advance();
    found = ordered;
    return WalkResult::interrupt();
  });
  return found;
}

namespace {
struct StateOrders : tg::impl::StateOrdersBase<StateOrders> {
  using StateOrdersBase::StateOrdersBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    FailureOr<FunctionSymbols> symbols = FunctionSymbols::create(function);
    if (failed(symbols))
      return signalPassFailure();
    const ExtentAnalysis &extents = symbols->getAnalysis();
    if (convAlgorithm != "direct")
      ordersStated +=
          stateWinogradOrders(function, extents, convAlgorithm == "winograd");
    ordersStated += stateTileOrders(function, extents);
    ordersStated += stateOrders(function);
    markAllAnalysesPreserved();
  }
};
} // namespace
