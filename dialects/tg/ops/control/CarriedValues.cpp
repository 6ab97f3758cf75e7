//===- CarriedValues.cpp - loops and branches that carry more -------------===//
#include "dialects/tg/ops/control/ControlOps.h"

using namespace mlir;
using namespace tg;

/// Inserts more types into the types of results.
static SmallVector<Type> withTypes(TypeRange types, unsigned place,
                                   TypeRange more) {
  SmallVector<Type> result(types.take_front(place));
  llvm::append_range(result, more);
  llvm::append_range(result, types.drop_front(place));
  return result;
}

/// Replaces the results of an op by the results of the op that takes its place.
static Carried replace(Operation *op, Operation *fresh, Carried carried,
                       unsigned count) {
  for (unsigned number = 0; number < op->getNumResults(); ++number) {
    bool isBefore = number < carried.firstYield;
    op->getResult(number).replaceAllUsesWith(
        fresh->getResult(isBefore ? number : number + count));
  }
  fresh->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  op->erase();
  carried.op = fresh;
  return carried;
}

/// Adds arguments to a block of a loop. The block yields them if it yields
/// carried values.
static void carryThrough(Block &block, ValueRange inits, unsigned place,
                         bool isYielded) {
  for (auto [number, init] : llvm::enumerate(inits)) {
    Value argument =
        block.insertArgument(place + number, init.getType(), init.getLoc());
    if (isYielded)
      block.getTerminator()->insertOperands(place + number, argument);
  }
}

Carried IfOp::carry(ValueRange inits) {
  OpBuilder builder(*this);
  unsigned place = getNumResults();
  auto fresh = IfOp::create(
      builder, getLoc(), withTypes(getResultTypes(), place, inits.getTypes()),
      getCondition());
  for (auto [from, to] :
       llvm::zip_equal((*this)->getRegions(), fresh->getRegions())) {
    to.takeBody(from);
    to.front().getTerminator()->insertOperands(place, inits);
  }
  return replace(*this, fresh, {nullptr, 0, place, 0}, inits.size());
}

Carried WhileOp::carry(ValueRange inits) {
  OpBuilder builder(*this);
  unsigned place = getNumResults();
  SmallVector<Value> all(getInits());
  llvm::append_range(all, inits);
  auto fresh = WhileOp::create(
      builder, getLoc(), withTypes(getResultTypes(), place, inits.getTypes()),
      all, getMaxTripAttr());
  for (auto [number, from, to] :
       llvm::enumerate((*this)->getRegions(), fresh->getRegions())) {
    to.takeBody(from);
    carryThrough(to.front(), inits, place, /*isYielded=*/number == 1);
  }
  return replace(*this, fresh, {nullptr, place, place, 1}, inits.size());
}

Carried ScanOp::carry(ValueRange inits) {
  OpBuilder builder(*this);
  unsigned place = getInits().size();
  SmallVector<Value> all(getInits());
  llvm::append_range(all, inits);
  auto fresh = ScanOp::create(
      builder, getLoc(), withTypes(getResultTypes(), place, inits.getTypes()),
      all, getInputs(), getLengthAttr(), getReverseAttr(), getSegmentsAttr());
  fresh.getBody().takeBody(getBody());
  carryThrough(fresh.getBlock(), inits, place, /*isYielded=*/true);
  return replace(*this, fresh, {nullptr, place, place, 0}, inits.size());
}
