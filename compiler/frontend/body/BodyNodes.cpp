//===- BodyNodes.cpp - the ops of a program as nodes ----------------------===//
#include "compiler/frontend/body/BodyImpl.h"
#include "dialects/tg/Device.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

std::vector<OperationInfo> Body::operations() {
  impl->nameOps();
  std::vector<OperationInfo> operations;
  for (auto [name, argument] :
       llvm::zip(impl->inputNames, impl->top->getArguments()))
    if (!impl->isSeed(argument))
      operations.push_back({name, "placeholder", {name + ":0"}});
  for (Operation &op : *impl->top) {
    if (impl->isAlias(&op))
      continue;
    const std::string &name = impl->opNames[&op];
    bool isDeclared =
        isa<ReadOp>(op) && !llvm::StringRef(name).contains("/read");
    bool isIdentity = isa<UnrealizedConversionCastOp>(op);
    OperationInfo info{name,
                       isDeclared   ? "variable"
                       : isIdentity ? "identity"
                                    : op.getName().stripDialect().str(),
                       {}};
    if (auto device = op.getAttrOfType<StringAttr>(kDeviceAttr))
      info.device = device.str();
    unsigned count = impl->effectValues.contains(&op) ? 1 : op.getNumResults();
    for (unsigned i = 0; i < count; ++i)
      info.tensors.push_back(name + ":" + std::to_string(i));
    operations.push_back(std::move(info));
  }
  return operations;
}

namespace {
/// The inputs of a node, each once.
class NodeInputs {
public:
  explicit NodeInputs(Body::Impl &impl) : impl(impl) {}

  /// Adds the tensors and variables that an op takes, also in its regions, and
  /// the ops that it follows.
  void addFrom(Operation *op);

  std::vector<std::string> names;

private:
  /// Adds a tensor, and the effects of the layer calls whose results have its
  /// name.
  void add(Value value);
  void addName(std::string name) {
    if (!llvm::is_contained(names, name))
      names.push_back(std::move(name));
  }
  void addEffects(Operation *op);

  Body::Impl &impl;
};
} // namespace

void NodeInputs::add(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (impl.isSeed(value) || (argument && argument.getOwner() != impl.top))
    return;
  const unsigned number = Body::Impl::resultNumberOf(value);
  addName(impl.opNameOf(value) +
          (number ? ":" + std::to_string(number) : std::string()));
}

void NodeInputs::addEffects(Operation *op) {
  for (Operation *effect : impl.attached.lookup(op))
    if (Operation *top = impl.top->findAncestorOpInBlock(*effect))
      addName("^" + impl.opNames.lookup(top));
}

void NodeInputs::addFrom(Operation *op) {
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  for (Value value : values)
    add(value);
  if (!isa<ReadOp>(op))
    op->walk([&](Operation *each) {
      each->getAttrDictionary().walk([&](FlatSymbolRefAttr variable) {
        auto found = impl.variableByName.find(variable.getValue());
        if (found != impl.variableByName.end())
          add(impl.values[impl.variables[found->second].read]);
      });
    });
  addEffects(op);
  for (Value value : values)
    for (Operation *alias = value.getDefiningOp(); alias && impl.isAlias(alias);
         alias = alias->getOperand(0).getDefiningOp())
      addEffects(alias);
}

std::vector<OperationNode> Body::nodes() {
  std::vector<OperationNode> nodes;
  for (OperationInfo &operation : operations())
    nodes.push_back({std::move(operation), "Placeholder", {}, {}});
  auto node = nodes.begin();
  for (BlockArgument argument : impl->top->getArguments())
    if (!impl->isSeed(argument))
      (node++)->types = {
          Impl::convert(cast<RankedTensorType>(argument.getType()))};
  for (Operation &op : *impl->top) {
    if (impl->isAlias(&op))
      continue;
    node->kind =
        node->operation.kind == "variable" ? "Variable" : impl->kindOf(&op);
    for (Value result : op.getResults())
      node->types.push_back(
          Impl::convert(cast<RankedTensorType>(result.getType())));
    NodeInputs inputs(*impl);
    inputs.addFrom(&op);
    (node++)->inputs = std::move(inputs.names);
  }
  return nodes;
}
