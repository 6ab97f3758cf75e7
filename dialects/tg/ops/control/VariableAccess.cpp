//===- VariableAccess.cpp - variables that an op reads and assigns --------===//
#include "dialects/tg/ops/control/VariableAccess.h"
#include "dialects/tg/Tg.h"

using namespace mlir;
using namespace tg;

template <typename EffectType> static bool hasVariableEffect(Operation *op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects)
    return false;
  SmallVector<MemoryEffects::EffectInstance> found;
  effects.getEffectsOnResource(VariableState::get(), found);
  return llvm::any_of(found, [](const MemoryEffects::EffectInstance &effect) {
    return isa<EffectType>(effect.getEffect());
  });
}

static SmallVector<StringRef> namedVariables(Operation *op) {
  SmallVector<StringRef> names;
  op->getAttrDictionary().walk(
      [&](FlatSymbolRefAttr symbol) { names.push_back(symbol.getValue()); });
  return names;
}

SmallVector<StringRef> tg::readVariables(Operation *op) {
  return hasVariableEffect<MemoryEffects::Read>(op) ? namedVariables(op)
                                                    : SmallVector<StringRef>();
}

SmallVector<StringRef> tg::assignedVariables(Operation *op) {
  return assignsVariables(op) ? namedVariables(op) : SmallVector<StringRef>();
}

bool tg::assignsVariables(Operation *op) {
  return hasVariableEffect<MemoryEffects::Write>(op);
}

bool tg::hasAssignment(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return assignsVariables(inner) ? WalkResult::interrupt()
                                       : WalkResult::advance();
      })
      .wasInterrupted();
}

bool tg::accessesVariables(Operation *op) {
  return hasVariableEffect<MemoryEffects::Read>(op) || assignsVariables(op);
}
