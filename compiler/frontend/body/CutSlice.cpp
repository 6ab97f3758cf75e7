//===- CutSlice.cpp - the backward slice of a function --------------------===//
#include "compiler/frontend/body/Cut.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "dialects/tg/ops/control/VariableAccess.h"

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

/// Records that random samples use the seed or the counter. Returns true if
/// that value is an input of the function.
bool Cut::isSampledFrom(Value value) {
  auto read = value.getDefiningOp<ReadOp>();
  bool isSeed =
      read && impl.variables[impl.variableByName.lookup(read.getVariable())]
                      .spec.role == "random";
  if (isSeed || (spec.isFetch && impl.isSeed(value))) {
    seeds.insert(value);
    return samplesFromInputs;
  }
  bool isSample = impl.sampleNumber && impl.values[*impl.sampleNumber] == value;
  takesSample |= isSample;
  return isSample && samplesFromInputs;
}

void Cut::need(Value value) {
  if (inputs.contains(value) || isSampledFrom(value))
    return;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() == impl.top)
      arguments.insert(argument);
    return;
  }
  need(impl.top->findAncestorOpInBlock(*value.getDefiningOp()));
}

void Cut::need(Operation *op) {
  if (needed.insert(op))
    work.push_back(op);
}

/// Adds the values that an op and its nested ops depend on, with the effects
/// that layers attached to them.
void Cut::needAll(Operation *op) {
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      need(operand);
    // The value of an assignment in a region may have no use there.
    if (inner != op && inner->use_empty())
      return;
    SmallVector<Operation *> attached = impl.attached.lookup(inner);
    auto own = impl.firstLayerUpdates.find(inner);
    size_t attachedCount = spec.isFetch && own != impl.firstLayerUpdates.end()
                               ? own->second
                               : attached.size();
    for (Operation *effect : ArrayRef(attached).take_front(attachedCount))
      addEffect(effect);
    layerUpdates.insert_range(ArrayRef(attached).drop_front(attachedCount));
    isOrdered |= impl.freshReads.contains(inner);
  });
}

void Cut::addEffect(Operation *effect) {
  impl.usedEffects.insert(effect);
  if (doneEffects.contains(effect) || !effects.insert(effect).second)
    return;
  need(impl.top->findAncestorOpInBlock(*effect));
}

/// Adds the updates of layers to a fetch that assigns a trainable variable:
/// moving averages change in training steps, as in functions.
void Cut::addLayerUpdates() {
  bool trains = llvm::any_of(effects, [&](Operation *effect) {
    return llvm::any_of(assignedVariables(effect), [&](StringRef name) {
      return impl.variables[impl.variableByName.lookup(name)].spec.trainable;
    });
  });
  while (trains && !layerUpdates.empty()) {
    addEffect(layerUpdates.pop_back_val());
    while (!work.empty())
      needAll(work.pop_back_val());
  }
}

std::vector<Id> Cut::effectIds() const {
  std::vector<Id> ids;
  for (auto [number, effect] : llvm::enumerate(impl.effects))
    if (effects.contains(effect))
      ids.push_back(Id(number));
  return ids;
}

/// Collects everything that outputs and effects depend on, including attached
/// effects. The seed and the counter of random samples are inputs in a session
/// and in functions that change no variable: read from variables, they would be
/// the same in each call.
LogicalResult Cut::collect() {
  samplesFromInputs = spec.isFetch;
  if (failed(collectAll()))
    return failure();
  bool takesSamples = takesSeed() || takesSample;
  if (!spec.isFetch && !spec.isInit && !changesVariables && takesSamples) {
    samplesFromInputs = true;
    needed.clear();
    inputs.clear();
    arguments.clear();
    seeds.clear();
    effects.clear();
    sources.clear();
    if (failed(collectAll()))
      return failure();
  }
  if (!samplesFromInputs) {
    seeds.clear();
    takesSample = false;
  }
  return checkInputs();
}

LogicalResult Cut::collectAll() {
  if (failed(collectInputs()))
    return failure();
  for (Id effect : spec.doneEffects)
    doneEffects.insert(impl.effects[effect]);
  for (const auto &[name, value] : spec.outputs)
    need(impl.values[value]);
  for (Id effect : spec.effects) {
    if (doneEffects.contains(impl.effects[effect]))
      continue;
    effects.insert(impl.effects[effect]);
    need(impl.top->findAncestorOpInBlock(*impl.effects[effect]));
  }
  if (spec.isInit)
    for (const VariableInfo &variable : impl.variables)
      if (variable.initial &&
          !spec.excludedVariables.contains(variable.spec.name))
        need(impl.values[*variable.initial]);
  while (!work.empty())
    needAll(work.pop_back_val());
  addLayerUpdates();
  changesVariables = llvm::any_of(effects, assignsVariables);
  return success();
}

LogicalResult Cut::collectInputs() {
  for (Id input : spec.inputs) {
    Value value = impl.values[input];
    auto argument = dyn_cast<BlockArgument>(value);
    if (!spec.isFetch && (!argument || argument.getOwner() != impl.top))
      return emitError(loc)
             << "expected the inputs of function '" << spec.name
             << "' to be made by Program::input, found another tensor";
    if (inputs.insert(value))
      continue;
    if (spec.isFetch)
      return emitError(loc) << "expected '" << inputNameOf(value)
                            << "' to be fed once, found it twice";
    return emitError(loc) << "expected input '" << inputNameOf(value)
                          << "' of function '" << spec.name
                          << "' to be listed once, found it twice";
  }
  return success();
}

LogicalResult Cut::checkInputs() {
  LogicalResult result = success();
  for (BlockArgument argument : impl.top->getArguments()) {
    if (!arguments.contains(argument))
      continue;
    auto source = llvm::find_if(
        spec.sources, [&](Id id) { return impl.values[id] == argument; });
    if (source != spec.sources.end()) {
      inputs.insert(argument);
      sources.push_back(*source);
      continue;
    }
    if (spec.isFetch) {
      auto line = argument.getLoc()->findInstanceOf<FileLineColLoc>();
      return emitError(loc)
             << "expected a feed of placeholder '" << inputNameOf(argument)
             << "', made in line " << (line ? line.getLine() : 0)
             << ", because the fetched values depend on it, found none";
    }
    result = emitError(loc) << "expected input '" << inputNameOf(argument)
                            << "' among the inputs of function '" << spec.name
                            << "', whose outputs and updates need it";
  }
  return result;
}
