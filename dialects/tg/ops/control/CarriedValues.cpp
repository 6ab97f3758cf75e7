//===- CarriedValues.cpp - loops and branches that carry more -------------===//
#include "dialects/tg/ops/control/ControlOps.h"

using namespace mlir;
using namespace tg;

/// Returns `types` with the types `more` inserted at a position.
static SmallVector<Type> withTypes(TypeRange types, unsigned position,
                                   TypeRange more) {
  SmallVector<Type> result(types.take_front(position));
  llvm::append_range(result, more);
  llvm::append_range(result, types.drop_front(position));
  return result;
}

/// Replaces the results of an op by the results of the op that takes its place.
static Carried replace(Operation *op, Operation *fresh, Carried carried,
                       unsigned count) {
  for (unsigned index = 0; index < op->getNumResults(); ++index) {
    bool isBefore = index < carried.firstYield;
    op->getResult(index).replaceAllUsesWith(
        fresh->getResult(isBefore ? index : index + count));
  }
  fresh->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  op->erase();
  carried.op = fresh;
  return carried;
}

/// Adds arguments to a block of a loop. The block yields them if it yields
/// carried values.
static void carryThrough(Block &block, ValueRange inits, unsigned position,
                         bool isYielded) {
  for (auto [index, init] : llvm::enumerate(inits)) {
    Value argument =
        block.insertArgument(position + index, init.getType(), init.getLoc());
    if (isYielded)
      block.getTerminator()->insertOperands(position + index, argument);
  }
}

Carried IfOp::carry(ValueRange inits) {
  OpBuilder builder(*this);
  unsigned position = getNumResults();
  auto fresh = IfOp::create(
      builder, getLoc(),
      withTypes(getResultTypes(), position, inits.getTypes()), getCondition());
  for (auto [from, to] :
       llvm::zip_equal((*this)->getRegions(), fresh->getRegions())) {
    to.takeBody(from);
    to.front().getTerminator()->insertOperands(position, inits);
  }
  return replace(*this, fresh, {nullptr, 0, position, 0}, inits.size());
}

Carried WhileOp::carry(ValueRange inits) {
  OpBuilder builder(*this);
  unsigned position = getNumResults();
  SmallVector<Value> allInits(getInits());
  llvm::append_range(allInits, inits);
  auto fresh =
      WhileOp::create(builder, getLoc(),
                      withTypes(getResultTypes(), position, inits.getTypes()),
                      allInits, getMaxTripAttr());
  for (auto [index, from, to] :
       llvm::enumerate((*this)->getRegions(), fresh->getRegions())) {
    to.takeBody(from);
    carryThrough(to.front(), inits, position, /*isYielded=*/index == 1);
  }
  return replace(*this, fresh, {nullptr, position, position, 1}, inits.size());
}

Carried ScanOp::carry(ValueRange inits) {
  OpBuilder builder(*this);
  unsigned position = getInits().size();
  SmallVector<Value> allInits(getInits());
  llvm::append_range(allInits, inits);
  auto fresh = ScanOp::create(
      builder, getLoc(),
      withTypes(getResultTypes(), position, inits.getTypes()), allInits,
      getInputs(), getLengthAttr(), getReverseAttr(), getSegmentsAttr());
  fresh.getBody().takeBody(getBody());
  carryThrough(fresh.getBlock(), inits, position, /*isYielded=*/true);
  return replace(*this, fresh, {nullptr, position, position, 0}, inits.size());
}
