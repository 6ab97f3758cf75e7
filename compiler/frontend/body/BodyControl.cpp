//===- BodyControl.cpp - the order of effects -----------------------------===//
#include "compiler/frontend/body/BodyImpl.h"
#include "compiler/frontend/body/EagerEvaluator.h"
#include "dialects/tg/Device.h"
#include "dialects/tg/ops/control/StateOps.h"

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

//===----------------------------------------------------------------------===//
// Control dependencies
//===----------------------------------------------------------------------===//

void Body::pushControls(std::span<const Id> values,
                        std::span<const Id> effects) {
  Impl::Controls controls;
  if (impl->evaluator) // effects happen when they are built
    values = effects = {};
  for (Id value : values)
    if (Operation *op = impl->values[value].getDefiningOp())
      controls.ops.push_back(impl->top->findAncestorOpInBlock(*op));
  for (Id effect : effects)
    controls.ops.push_back(impl->effects[effect]);
  impl->controls.push_back(std::move(controls));
}

void Body::popControls() { impl->controls.pop_back(); }

void Body::leaveControls() {
  impl->suspendedControls.push_back(std::exchange(impl->controls, {}));
}

void Body::reenterControls() {
  impl->controls = std::move(impl->suspendedControls.back());
  impl->suspendedControls.pop_back();
}

void Body::pushDevice(std::string device) {
  impl->hasDevices |= !device.empty();
  impl->devices.push_back(std::move(device));
}

void Body::popDevice() { impl->devices.pop_back(); }

void Body::Impl::notifyOperationInserted(Operation *op,
                                         OpBuilder::InsertPoint) {
  if (!evaluator)
    noteInserted(op);
  if (!evaluator && !devices.empty() && !devices.back().empty())
    op->setDiscardableAttr(kDeviceAttr, builder->getStringAttr(devices.back()));
  if (op->getBlock() != top)
    return;
  for (const Controls &level : controls)
    if (!level.ops.empty())
      llvm::append_range(attached[op], level.ops);
}

static ReadOp makeRead(Body::Impl &impl, FlatSymbolRefAttr variable, Type type,
                       Location loc) {
  auto read = ReadOp::create(*impl.builder, loc, type, variable);
  impl.freshReads.insert(read);
  return read;
}

Value Body::Impl::use(Id id) {
  Value value = values[id];
  if (controls.empty())
    return value;
  auto read = value.getDefiningOp<ReadOp>();
  if (!read || freshReads.contains(read))
    return value;
  Value &fresh = controls.back().reads[read.getVariable()];
  if (fresh)
    return fresh;
  ReadOp made =
      makeRead(*this, read.getVariableAttr(), read.getType(), read.getLoc());
  // A read in a region cannot be used after the region.
  if (made->getBlock() == top)
    fresh = made;
  return made;
}

Result<Id> Body::identity(Id value, Place where) {
  if (impl->evaluator)
    return {value};
  if (auto error = impl->checkVisible({&value, 1}, effectivePlace(where)))
    return {0, impl->inScope(std::move(*error))};
  Value plain = impl->use(value);
  auto alias = UnrealizedConversionCastOp::create(
      *impl->builder, plain.getLoc(), plain.getType(), plain);
  impl->opKinds[alias] = "Identity";
  return {impl->add(alias.getResult(0))};
}

Id Body::readAgain(const std::string &variable, Place where) {
  const VariableInfo &info = *findVariable(variable);
  if (impl->evaluator)
    return info.read;
  return impl->add(
      makeRead(*impl, FlatSymbolRefAttr::get(&impl->context, variable),
               impl->values[info.read].getType(), impl->locate(where)));
}

//===----------------------------------------------------------------------===//
// Effects as values, initial values
//===----------------------------------------------------------------------===//

Id Body::valueOfEffect(Id effect) {
  auto assign = cast<AssignOp>(impl->effects[effect]);
  auto [known, isNew] = impl->effectValues.try_emplace(assign, 0);
  if (!isNew)
    return known->second;
  Value value = assign.getValue();
  auto alias = UnrealizedConversionCastOp::create(
      *impl->builder, assign.getLoc(), value.getType(), value);
  impl->attached[alias].push_back(assign);
  impl->effectOf[alias] = assign;
  return known->second = impl->add(alias.getResult(0));
}

Result<std::vector<Id>> Body::initialize(std::span<const std::string> variables,
                                         Place where) {
  std::vector<Id> effects;
  if (impl->evaluator)
    return {effects}; // variables have their initial values
  for (const std::string &name : variables) {
    const VariableInfo &info = *findVariable(name);
    Id value;
    if (info.initial) {
      value = *info.initial;
    } else {
      Result<Id> zeros = constant(info.spec.type, std::vector{0.0}, where);
      if (zeros.error)
        return {{}, zeros.error};
      value = zeros.value;
      setKind(value, name + "/initial_value");
    }
    Result<Id> effect = assign(name, value, where);
    if (effect.error)
      return {{}, effect.error};
    setEffectKind(effect.value, name + "/Assign");
    // Sessions may run it, so no function needs to contain it.
    impl->usedEffects.insert(impl->effects[effect.value]);
    effects.push_back(effect.value);
  }
  return {effects};
}

Id Body::sampleNumber(Id step) {
  if (impl->evaluator)
    return step;
  if (!impl->sampleNumber) {
    // It is built next to the read, so that samples in regions and after them
    // share it.
    Value value = impl->values[step];
    OpBuilder::InsertionGuard guard(*impl->builder);
    impl->builder->setInsertionPointAfterValue(value);
    auto alias = UnrealizedConversionCastOp::create(
        *impl->builder, value.getLoc(), value.getType(), value);
    impl->sampleNumber = impl->add(alias.getResult(0));
  }
  return *impl->sampleNumber;
}
