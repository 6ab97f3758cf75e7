//===- LiftState.cpp - state of regions as carried values -----------------===//
#include "compiler/transforms/Passes.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/ops/control/ControlOps.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

namespace tg {
#define GEN_PASS_DEF_LIFTSTATE
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

/// update => per group: reads, the body's ops on whole tensors, assigns.
static void expandUpdate(UpdateOp update, const SymbolTable &variables) {
  OpBuilder builder(update);
  Block &body = update.getBody().front();
  for (auto [index, group] : llvm::enumerate(update.getGroups())) {
    IRMapping values;
    SmallVector<FlatSymbolRefAttr> names;
    for (Attribute name : cast<ArrayAttr>(group)) {
      names.push_back(cast<FlatSymbolRefAttr>(name));
      auto variable = variables.lookup<VariableOp>(names.back().getValue());
      Value old = ReadOp::create(builder, update.getLoc(), variable.getType(),
                                 names.back());
      values.map(body.getArgument(names.size() - 1), old);
    }
    if (!update.getInputs().empty())
      values.map(body.getArguments().back(), update.getInputs()[index]);
    for (Operation &op : body.without_terminator()) {
      SmallVector<Value> operands =
          llvm::map_to_vector(op.getOperands(), [&](Value operand) {
            return values.lookupOrDefault(operand);
          });
      Operation *copy = buildOnOperands(builder, &op, operands);
      for (auto [from, to] :
           llvm::zip_equal(op.getResults(), copy->getResults()))
        values.map(from, to);
    }
    for (auto [argument, name, yielded] : llvm::zip(
             body.getArguments(), names, body.getTerminator()->getOperands())) {
      Value updated = buildBroadcastLike(
          builder, values.lookupOrDefault(yielded), values.lookup(argument));
      AssignOp::create(builder, update.getLoc(), name, updated);
    }
  }
  update.erase();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Makes a loop carry its condition. The condition is computed before the loop
/// and at the end of each iteration, where it shares kernels with the carried
/// values.
static void carryCondition(WhileOp loop) {
  Block &oldCondition = loop.getCondition().front();
  if (oldCondition.without_terminator().empty())
    return;
  OpBuilder builder(loop);
  auto cloneCondition = [&](ValueRange carried) {
    IRMapping values;
    values.map(oldCondition.getArguments(), carried);
    for (Operation &op : oldCondition.without_terminator())
      builder.clone(op, values);
    return values.lookupOrDefault(oldCondition.getTerminator()->getOperand(0));
  };
  Value first = cloneCondition(loop.getInits());
  Block &body = loop.getBody().front();
  Operation *end = body.getTerminator();
  builder.setInsertionPoint(end);
  Value next = cloneCondition(end->getOperands());

  Carried carried = loop.carry(first);
  auto newLoop = cast<WhileOp>(carried.op);
  newLoop.getBody().front().getTerminator()->setOperand(carried.firstYield,
                                                        next);
  // Only the value of the condition is left in its region.
  Block &condition = newLoop.getCondition().front();
  condition.getTerminator()->setOperand(0, condition.getArguments().back());
  while (Operation *last = condition.getTerminator()->getPrevNode())
    last->erase();
}

//===----------------------------------------------------------------------===//
// Reads and assigns
//===----------------------------------------------------------------------===//

namespace {
/// The variables that the blocks of an op read and assign directly.
struct Accesses {
  explicit Accesses(RegionOpInterface op);

  /// The types of the variables, in order of appearance.
  llvm::MapVector<Attribute, Type> types;
  llvm::SmallDenseSet<Attribute> assigned;
};
} // namespace

Accesses::Accesses(RegionOpInterface op) {
  for (Region &region : op->getRegions())
    for (Operation &inner : region.front()) {
      if (auto read = dyn_cast<ReadOp>(inner))
        types[read.getVariableAttr()] = read.getType();
      if (auto assign = dyn_cast<AssignOp>(inner)) {
        types[assign.getVariableAttr()] = assign.getValue().getType();
        assigned.insert(assign.getVariableAttr());
      }
    }
}

/// Replaces the reads of a block by the contents of variables, and removes the
/// assignments. `contents` then has the contents at the end of the block.
static void forwardContents(Block &block,
                            llvm::MapVector<Attribute, Value> &contents) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto read = dyn_cast<ReadOp>(op)) {
      read.getResult().replaceAllUsesWith(contents[read.getVariableAttr()]);
      read.erase();
    } else if (auto assign = dyn_cast<AssignOp>(op)) {
      contents[assign.getVariableAttr()] = assign.getValue();
      assign.erase();
    }
  }
}

/// Makes an op independent of variables. The op takes the contents that its
/// regions read as operands, and returns the contents that they change. These
/// contents are assigned after the op.
static void liftAccesses(RegionOpInterface op) {
  Accesses accesses(op);
  if (accesses.types.empty())
    return;
  OpBuilder builder(op);
  llvm::MapVector<Attribute, Value> onEntry;
  SmallVector<Attribute> changed;
  SmallVector<Value> inits;
  for (auto [name, type] : accesses.types) {
    Value content = ReadOp::create(builder, op->getLoc(), type,
                                   cast<FlatSymbolRefAttr>(name));
    onEntry[name] = content;
    if (accesses.assigned.contains(name)) {
      changed.push_back(name);
      inits.push_back(content);
    }
  }
  Carried carried = op.carry(inits);
  for (Region &region : carried.op->getRegions()) {
    llvm::MapVector<Attribute, Value> contents = onEntry;
    Block &block = region.front();
    Operation *end = block.getTerminator();
    bool isCarried = block.getNumArguments() > 0;
    for (auto [index, name] : llvm::enumerate(changed))
      if (isCarried)
        contents[name] = block.getArgument(carried.firstArgument + index);
    forwardContents(block, contents);
    if (carried.yields(region))
      for (auto [index, name] : llvm::enumerate(changed))
        end->setOperand(carried.firstYield + index, contents[name]);
  }
  builder.setInsertionPointAfter(carried.op);
  for (auto [index, name] : llvm::enumerate(changed))
    AssignOp::create(builder, carried.op->getLoc(),
                     cast<FlatSymbolRefAttr>(name),
                     carried.op->getResult(carried.firstYield + index));
}

namespace {
struct LiftState : tg::impl::LiftStateBase<LiftState> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    SymbolTable variables(function->getParentOfType<ModuleOp>());
    SmallVector<UpdateOp> updates;
    function.walk([&](UpdateOp update) { updates.push_back(update); });
    for (UpdateOp update : updates)
      expandUpdate(update, variables);
    // Inner loops go first.
    SmallVector<WhileOp> loops;
    function.walk([&](WhileOp loop) { loops.push_back(loop); });
    for (WhileOp loop : loops)
      carryCondition(loop);
    SmallVector<RegionOpInterface> regions;
    function.walk([&](RegionOpInterface op) { regions.push_back(op); });
    for (RegionOpInterface op : regions)
      liftAccesses(op);
  }
};
} // namespace
