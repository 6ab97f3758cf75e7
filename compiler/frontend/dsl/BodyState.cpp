//===- BodyState.cpp - variables, their updates, gradients ----------------===//
#include "compiler/frontend/dsl/BodyImpl.h"
#include "dialects/tg/ControlOps.h"
#include "dialects/tg/GradientOps.h"
#include "dialects/tg/StateOps.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

static Error makeError(std::string message, Place where) {
  return {std::move(message), where.file_name(), where.line(), where.column()};
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

Result<Nothing> Body::addVariable(const VariableSpec &spec, Place where) {
  Place place = effectivePlace(where);
  if (const VariableInfo *other = findVariable(spec.name))
    return {{},
            makeError("expected a new name for a variable, found '" +
                          spec.name + "', which line " +
                          std::to_string(other->where.line()) + " made",
                      place)};
  for (const Extent &extent : spec.type.shape)
    if (extent.value < 0)
      return {{},
              makeError("expected variable '" + spec.name +
                            "' to have a known shape, found " +
                            toString(spec.type.shape),
                        place)};
  Location loc = impl->locate(where);
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
    return {{}, capture.take("expected a valid variable")};
  Id read = impl->add(
      ReadOp::create(*impl->builder, loc, type,
                     FlatSymbolRefAttr::get(&impl->context, spec.name)));
  impl->variableByName[spec.name] = impl->variables.size();
  impl->variables.push_back({spec, read, {}, place});
  return {};
}

void Body::setInitial(const std::string &variable, Id value) {
  impl->variables[impl->variableByName.lookup(variable)].initial = value;
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
  Value assigned = impl->values[value];
  if (assigned.getType() != impl->convert(info.spec.type))
    return {0, makeError("expected a value of '" + variable + "', " +
                             toString(info.spec.type.shape) + ", found " +
                             toString(type(value).shape) +
                             " or another element type",
                         effectivePlace(where))};
  impl->effects.push_back(AssignOp::create(
      *impl->builder, impl->locate(where),
      FlatSymbolRefAttr::get(&impl->context, variable), assigned));
  return {Id(impl->effects.size() - 1)};
}

Id Body::withEffects(Id value, std::span<const Id> effects) {
  Value plain = impl->values[value];
  auto call = UnrealizedConversionCastOp::create(*impl->builder, plain.getLoc(),
                                                 plain.getType(), plain);
  for (Id effect : effects) {
    impl->attached[call].push_back(impl->effects[effect]);
    impl->layerEffects.insert(impl->effects[effect]);
  }
  return impl->add(call.getResult(0));
}

LogicalResult Body::Impl::checkEffects() {
  LogicalResult result = success();
  for (Operation *effect : effects)
    if (!layerEffects.contains(effect) && !usedEffects.contains(effect))
      result = emitError(effect->getLoc())
               << "expected a function that has these updates, found none: "
                  "give them to Program::function as .updates";
  return result;
}

Result<std::vector<Id>>
Body::beginUpdate(const std::vector<std::vector<std::string>> &groups,
                  std::span<const Id> inputs, Place where) {
  SmallVector<mlir::Attribute> lists;
  for (const std::vector<std::string> &group : groups) {
    SmallVector<mlir::Attribute> symbols;
    for (const std::string &name : group)
      symbols.push_back(FlatSymbolRefAttr::get(&impl->context, name));
    lists.push_back(ArrayAttr::get(&impl->context, symbols));
  }
  SmallVector<Value> operands;
  for (Id input : inputs)
    operands.push_back(impl->values[input]);
  Location loc = impl->locate(where);
  auto update = UpdateOp::create(*impl->builder, loc, operands,
                                 ArrayAttr::get(&impl->context, lists));
  auto scalarOf = [&](Type type) {
    return RankedTensorType::get({},
                                 cast<RankedTensorType>(type).getElementType());
  };
  Block &block = update.getBody().emplaceBlock();
  for (const std::string &name : groups.front())
    block.addArgument(scalarOf(impl->convert(findVariable(name)->spec.type)),
                      loc);
  if (!operands.empty())
    block.addArgument(scalarOf(operands.front().getType()), loc);
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
    return {0, capture.take("expected a valid update")};
  impl->effects.push_back(update);
  return {Id(impl->effects.size() - 1)};
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

Result<std::vector<Id>> Body::gradient(Id target, std::span<const Id> values,
                                       std::span<const std::string> variables,
                                       Place where) {
  SmallVector<Value> wanted;
  SmallVector<Type> types;
  for (Id value : values) {
    wanted.push_back(impl->values[value]);
    types.push_back(wanted.back().getType());
  }
  SmallVector<mlir::Attribute> symbols;
  for (const std::string &name : variables) {
    symbols.push_back(FlatSymbolRefAttr::get(&impl->context, name));
    types.push_back(impl->convert(findVariable(name)->spec.type));
  }
  Capture capture(&impl->context);
  auto op = GradientOp::create(
      *impl->builder, impl->locate(where), types, impl->values[target], wanted,
      symbols.empty() ? ArrayAttr() : ArrayAttr::get(&impl->context, symbols),
      UnitAttr());
  if (!impl->verifyOrErase(op))
    return {{}, capture.take("expected a valid gradient")};
  return {impl->addAll(op.getResults())};
}

/// True where a cotangent can go on from a result of the op to the operand. A
/// gradient becomes differentiable ops.
static bool passes(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (auto rule = dyn_cast<DifferentiableOpInterface>(op))
    return rule.passesGradient(operand.getOperandNumber());
  return isa<GradientOp>(op) || !op->hasTrait<tg::OpTrait::NonDifferentiable>();
}

std::vector<std::string> Body::parametersOf(Id target) const {
  llvm::DenseSet<Value> seen;
  SmallVector<Value> work = {impl->values[target]};
  llvm::DenseSet<Value> reads;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!op || !isa<FloatType>(getElementTypeOrSelf(value.getType())) ||
        !seen.insert(value).second)
      continue;
    if (isa<ReadOp>(op))
      reads.insert(value);
    for (OpOperand &operand : op->getOpOperands())
      if (passes(operand))
        work.push_back(operand.get());
  }
  std::vector<std::string> names;
  for (const VariableInfo &info : impl->variables)
    if (info.spec.trainable && reads.contains(impl->values[info.read]))
      names.push_back(info.spec.name);
  return names;
}
