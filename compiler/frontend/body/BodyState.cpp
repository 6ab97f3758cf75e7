//===- BodyState.cpp - variables, their updates, gradients ----------------===//
#include "compiler/frontend/body/BodyImpl.h"
#include "compiler/frontend/body/EagerEvaluator.h"
#include "dialects/tg/Device.h"
#include "dialects/tg/evaluation/DefaultModesGuard.h"
#include "dialects/tg/ops/control/ControlOps.h"
#include "dialects/tg/ops/control/GradientOps.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

/// Removes the mode of a layer (training or test) from a location, because
/// variables belong to both modes.
static Location withoutMode(Location loc) {
  auto path = dyn_cast<NameLoc>(loc);
  auto mode = path ? dyn_cast<NameLoc>(path.getChildLoc()) : NameLoc();
  return mode ? NameLoc::get(path.getName(), mode.getChildLoc()) : loc;
}

Result<Nothing> Body::addVariable(const VariableSpec &spec, Place where) {
  Place place = effectivePlace(where);
  if (const VariableInfo *other = findVariable(spec.name))
    return {{},
            makeError("expected a new name for a variable, found '" +
                          spec.name + "', which line " +
                          std::to_string(other->where.line()) + " made",
                      place)};
  if (std::string mistake = Impl::checkName(spec.name, "a variable");
      !mistake.empty())
    return {{}, makeError(mistake, place)};
  for (const Extent &extent : spec.type.shape)
    if (extent.value < 0)
      return {{},
              makeError("expected variable '" + spec.name +
                            "' to have a known shape, found " +
                            toString(spec.type.shape),
                        place)};
  Location loc = withoutMode(impl->locate(where));
  OpBuilder outside(impl->function);
  RankedTensorType type = impl->convert(spec.type);
  auto variable = VariableOp::create(
      outside, loc, outside.getStringAttr(spec.name), TypeAttr::get(type),
      spec.trainable ? outside.getUnitAttr() : UnitAttr(),
      spec.slotOf.empty() ? FlatSymbolRefAttr()
                          : FlatSymbolRefAttr::get(&impl->context, spec.slotOf),
      spec.role.empty() ? StringAttr() : outside.getStringAttr(spec.role));
  Capture capture(&impl->context);
  if (!impl->verifyOrErase(variable))
    return {{}, capture.take("a valid variable")};
  Id read = impl->evaluator
                ? impl->evaluator->addVariable(spec)
                : impl->add(ReadOp::create(
                      *impl->builder, loc, type,
                      FlatSymbolRefAttr::get(&impl->context, spec.name)));
  impl->variableByName[spec.name] = impl->variables.size();
  impl->variables.push_back({spec, read, {}, place});
  return {};
}

void Body::setInitial(const std::string &variable, Id value) {
  if (impl->evaluator) {
    VariableInfo &info = impl->variables[impl->variableByName.lookup(variable)];
    impl->evaluator->assign(info.read, value);
    info.initial = info.read;
    return;
  }
  impl->variables[impl->variableByName.lookup(variable)].initial = value;
  Block::iterator op = impl->beforeInitial
                           ? std::next(impl->beforeInitial->getIterator())
                           : impl->top->begin();
  for (; op != impl->builder->getInsertionPoint(); ++op) {
    impl->initialOps[&*op] = variable;
    op->setLoc(withoutMode(op->getLoc()));
  }
}

const VariableInfo *Body::findVariable(std::string_view name) const {
  auto found = impl->variableByName.find(llvm::StringRef(name));
  return found == impl->variableByName.end() ? nullptr
                                             : &impl->variables[found->second];
}

std::span<const VariableInfo> Body::variables() const {
  return impl->variables;
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

Result<Id> Body::assign(const std::string &variable, Id value, Place where) {
  const VariableInfo &info = *findVariable(variable);
  if (!impl->evaluator)
    if (auto error = impl->checkVisible({&value, 1}, effectivePlace(where)))
      return {0, std::move(error)};
  Value assigned = impl->evaluator ? Value() : impl->use(value);
  Type found = assigned ? assigned.getType()
                        : Type(impl->evaluator->valueOf(value).getType());
  if (found != impl->convert(info.spec.type))
    return {0, makeError("expected a value of '" + variable + "', " +
                             toString(info.spec.type.dtype) + " " +
                             toString(info.spec.type.shape) + ", found " +
                             toString(type(value).dtype) + " " +
                             toString(type(value).shape),
                         effectivePlace(where))};
  if (!assigned) {
    impl->evaluator->assign(info.read, value);
    return {0};
  }
  impl->effects.push_back(AssignOp::create(
      *impl->builder, impl->locate(where),
      FlatSymbolRefAttr::get(&impl->context, variable), assigned));
  return {Id(impl->effects.size() - 1)};
}

Id Body::withEffects(Id value, std::span<const Id> effects) {
  if (impl->evaluator)
    return value; // the effects have happened
  Value plain = impl->values[value];
  auto call = UnrealizedConversionCastOp::create(*impl->builder, plain.getLoc(),
                                                 plain.getType(), plain);
  for (Id effect : effects)
    impl->attached[call].push_back(impl->effects[effect]);
  addLayerEffects(effects);
  return impl->add(call.getResult(0));
}

Id Body::withLayerUpdates(Id value, std::span<const Id> effects) {
  Id call = withEffects(value, effects);
  Operation *op = impl->values[call].getDefiningOp();
  impl->firstLayerUpdates[op] = impl->attached[op].size() - effects.size();
  return call;
}

void Body::addLayerEffects(std::span<const Id> effects) {
  for (Id effect : effects)
    impl->layerEffects.insert(impl->effects[effect]);
}

LogicalResult Body::Impl::checkEffects() {
  LogicalResult result = success();
  for (Operation *effect : effects)
    if (effect && !layerEffects.contains(effect) &&
        !usedEffects.contains(effect))
      result = emitError(effect->getLoc())
               << "expected a function that has these updates, found none: "
                  "give them to Program::function as .updates";
  return result;
}

Result<std::vector<Id>>
Body::beginUpdate(const std::vector<std::vector<std::string>> &groups,
                  std::span<const Id> inputs, Place where) {
  if (auto error = impl->needsTop("updates of variables", where))
    return {{}, std::move(error)};
  if (auto error = impl->checkVisible(inputs, effectivePlace(where)))
    return {{}, std::move(error)};
  SmallVector<mlir::Attribute> lists;
  for (const std::vector<std::string> &group : groups) {
    SmallVector<mlir::Attribute> symbols;
    for (const std::string &name : group)
      symbols.push_back(FlatSymbolRefAttr::get(&impl->context, name));
    lists.push_back(ArrayAttr::get(&impl->context, symbols));
  }
  SmallVector<Value> operands;
  for (Id input : inputs)
    operands.push_back(impl->use(input));
  Location loc = impl->locate(where);
  auto update = UpdateOp::create(*impl->builder, loc, operands,
                                 ArrayAttr::get(&impl->context, lists));
  auto scalarOf = [&](Type type) {
    return RankedTensorType::get({},
                                 cast<RankedTensorType>(type).getElementType());
  };
  Block &block = update.getBody().emplaceBlock();
  auto addScalar = [&](Type type) {
    impl->trackExtents(block.addArgument(scalarOf(type), loc), Shape());
  };
  for (const std::string &name : groups.front())
    addScalar(impl->convert(findVariable(name)->spec.type));
  if (!operands.empty())
    addScalar(operands.front().getType());
  impl->update = update;
  impl->builder->setInsertionPointToEnd(&block);
  return {impl->addAll(block.getArguments())};
}

Result<Id> Body::endUpdate(std::span<const Id> elements, Place where) {
  SmallVector<Value> yielded;
  for (Id element : elements)
    yielded.push_back(impl->values[element]);
  YieldOp::create(*impl->builder, impl->locate(where), yielded);
  impl->builder->setInsertionPointToEnd(impl->top);
  Operation *update = impl->update;
  impl->update = nullptr;
  Capture capture(&impl->context);
  if (!impl->verifyOrErase(update))
    return {0, capture.take("a valid update")};
  impl->effects.push_back(update);
  return {Id(impl->effects.size() - 1)};
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

Result<std::vector<Id>> Body::gradient(Id target, std::span<const Id> values,
                                       std::span<const std::string> variables,
                                       Place where) {
  DefaultModesGuard guard;
  if (impl->evaluator)
    return impl->evaluator->gradient(target, values, variables, where);
  if (auto error = impl->needsTop("gradients", where))
    return {{}, std::move(error)};
  if (auto error = impl->checkVisible({&target, 1}, effectivePlace(where)))
    return {{}, std::move(error)};
  if (auto error = impl->checkVisible(values, effectivePlace(where)))
    return {{}, std::move(error)};
  SmallVector<Value> sources;
  SmallVector<Type> types;
  for (Id value : values) {
    sources.push_back(impl->values[value]);
    types.push_back(sources.back().getType());
  }
  SmallVector<mlir::Attribute> symbols;
  for (const std::string &name : variables) {
    symbols.push_back(FlatSymbolRefAttr::get(&impl->context, name));
    types.push_back(impl->convert(findVariable(name)->spec.type));
  }
  Capture capture(&impl->context);
  auto op = GradientOp::create(
      *impl->builder, impl->locate(where), types, impl->values[target], sources,
      symbols.empty() ? ArrayAttr() : ArrayAttr::get(&impl->context, symbols),
      UnitAttr());
  if (!impl->verifyOrErase(op))
    return {{}, capture.take("a valid gradient")};
  if (auto error = impl->checkLoops(op, effectivePlace(where))) {
    op.erase();
    return {{}, std::move(error)};
  }
  impl->trackExtents(op);
  for (auto [value, gradient] : llvm::zip(sources, op.getResults()))
    impl->copyExtents(value, gradient);
  // If a gradient op has no device, each op that it expands to runs on the
  // device of the op that it differentiates.
  if (colocatesGradients)
    op->removeDiscardableAttr(kDeviceAttr);
  else if (impl->hasDevices && !op->hasAttr(kDeviceAttr))
    op->setDiscardableAttr(kDeviceAttr,
                           impl->builder->getStringAttr(kFirstDevice));
  return {impl->addAll(op.getResults())};
}
