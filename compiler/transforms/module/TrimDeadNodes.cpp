//===- TrimDeadNodes.cpp - removal of unneeded ops ------------------------===//
#include "compiler/transforms/Passes.h"
#include "dialects/tg/Tg.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "dialects/tg/ops/control/VariableAccess.h"
#include "dialects/tg/ops/movement/ConstantOps.h"
#include "dialects/tg/rules/SignatureRules.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Iterators.h"
#include "llvm/ADT/StringSet.h"

namespace tg {
#define GEN_PASS_DEF_TRIMDEADNODES
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

namespace {

struct TrimDeadNodes : public tg::impl::TrimDeadNodesBase<TrimDeadNodes> {
  using TrimDeadNodesBase::TrimDeadNodesBase;
  void runOnOperation() override;

private:
  /// Removes ops without effects whose results are unused.
  void eraseUnneeded(func::FuncOp function);
  /// Removes assignments that a later one overwrites.
  void eraseOverwritten(func::FuncOp function);
  void eraseUnusedVariables();
  /// Removes the accesses to a variable in `init`. Its reads are replaced by
  /// the assigned value.
  void eraseAccesses(func::FuncOp init, VariableOp variable);
};

} // namespace

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

void TrimDeadNodes::eraseUnneeded(func::FuncOp function) {
  // Ops are visited last to first, so that the producers of unneeded ops become
  // unneeded in turn.
  function->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (!isOpTriviallyDead(op))
      return;
    op->erase();
    ++opsErased;
  });
}

void TrimDeadNodes::eraseOverwritten(func::FuncOp function) {
  // The last assignment of each variable that has not been read.
  llvm::StringMap<AssignOp> unread;
  for (Operation &op : llvm::make_early_inc_range(function.getBody().front())) {
    auto assign = dyn_cast<AssignOp>(op);
    if (!assign) {
      op.walk([&](Operation *inner) {
        for (StringRef variable : readVariables(inner))
          unread.erase(variable);
      });
    } else {
      AssignOp &last = unread[assign.getVariable()];
      if (last) {
        last.erase();
        ++assignsErased;
      }
      last = assign;
    }
  }
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

/// Collects the variables that the ops of a function name.
static void collectVariables(func::FuncOp function, bool updatesOnly,
                             llvm::StringSet<> &used) {
  function.walk([&](Operation *op) {
    // Variables that regions read and assign are always used.
    bool isInside = op->getParentOp() != function;
    if (auto update = dyn_cast<UpdateOp>(op))
      for (ArrayRef<FlatSymbolRefAttr> group : update.getGroupSymbols())
        for (FlatSymbolRefAttr variable : group)
          used.insert(variable.getValue());
    if (updatesOnly && !isInside)
      return;
    if (auto read = dyn_cast<ReadOp>(op))
      used.insert(read.getVariable());
    if (auto assign = dyn_cast<AssignOp>(op))
      used.insert(assign.getVariable());
  });
}

/// Builds the zeros that `init` reads from a variable before any assignment,
/// such as a slot.
static Value buildZeros(ReadOp read) {
  OpBuilder builder(read);
  RankedTensorType type = read.getType();
  return ConstantOp::create(
      builder, read.getLoc(),
      SplatElementsAttr::get(type, builder.getZeroAttr(type.getElementType())));
}

void TrimDeadNodes::eraseAccesses(func::FuncOp init, VariableOp variable) {
  StringRef name = variable.getSymName();
  Value content;
  for (Operation &op : llvm::make_early_inc_range(init.getBody().front())) {
    auto read = dyn_cast<ReadOp>(op);
    auto assign = dyn_cast<AssignOp>(op);
    if (read && read.getVariable() == name) {
      read.replaceAllUsesWith(content ? content : buildZeros(read));
      read.erase();
    } else if (assign && assign.getVariable() == name) {
      content = assign.getValue();
      assign.erase();
    }
  }
}

void TrimDeadNodes::eraseUnusedVariables() {
  ModuleOp module = getOperation();
  llvm::StringSet<> used;
  func::FuncOp init;
  for (auto function : module.getOps<func::FuncOp>()) {
    bool isInit = roleOf(function) == "init";
    // An update in `init` may connect the variable to one that is needed.
    collectVariables(function, /*updatesOnly=*/isInit, used);
    if (isInit)
      init = function;
  }
  for (auto variable : module.getOps<VariableOp>())
    if (auto weight = variable.getSlotOf();
        weight && used.contains(variable.getSymName()))
      used.insert(*weight);
  for (auto variable :
       llvm::make_early_inc_range(module.getOps<VariableOp>())) {
    if (used.contains(variable.getSymName()))
      continue;
    if (init)
      eraseAccesses(init, variable);
    variable.erase();
    ++variablesErased;
  }
}

/// Verifies that every op is needed.
static LogicalResult verifyTrimmed(ModuleOp module) {
  WalkResult walk =
      module.walk(
          [](Operation *op) {
            if (!isOpTriviallyDead(op))
              return WalkResult::advance();
            op->emitOpError()
                << "is left, expected to be removed, because nothing needs it";
            return WalkResult::interrupt();
          });
  return failure(walk.wasInterrupted());
}

void TrimDeadNodes::runOnOperation() {
  auto functions = getOperation().getOps<func::FuncOp>();
  for (func::FuncOp function : functions) {
    // Unneeded reads would keep the assignments before them.
    eraseUnneeded(function);
    eraseOverwritten(function);
  }
  if (!keepVariables)
    eraseUnusedVariables();
  for (func::FuncOp function : functions)
    eraseUnneeded(function);
  if (failed(verifyTrimmed(getOperation())))
    signalPassFailure();
}
