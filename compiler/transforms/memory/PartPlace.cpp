//===- PartPlace.cpp - values in the memory of joins ----------------------===//
#include "compiler/transforms/memory/PartPlace.h"

using namespace mlir;
using namespace tg;

tgx::RowsAttr PartPlace::getRows() const {
  return join ? tgx::JoinOp(join).getRows() : tgx::RowsAttr();
}

/// Returns the use of a value as a part of a join; null if there is none.
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
