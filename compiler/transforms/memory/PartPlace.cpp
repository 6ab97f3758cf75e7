//===- PartPlace.cpp - values that lie in the memory of others ------------===//
#include "compiler/transforms/memory/PartPlace.h"

using namespace mlir;
using namespace tg;

tgx::RowsAttr PartPlace::getRows() const {
  return join ? tgx::JoinOp(join).getRows() : tgx::RowsAttr();
}

/// Where a value is a part of a join; null where it is not.
static OpOperand *findPart(Value value) {
  for (OpOperand &use : value.getUses())
    if (isa<tgx::JoinOp>(use.getOwner()))
      return &use;
  return nullptr;
}

PartPlace tg::placeOf(Value value) {
  PartPlace place{value, {}};
  while (OpOperand *use = findPart(place.memory)) {
    place.join = cast<tgx::JoinOp>(use->getOwner());
    place.offset += place.join.getOffset(use->getOperandNumber());
    place.memory = place.join.getResult();
  }
  return place;
}
