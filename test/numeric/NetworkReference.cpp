//===- NetworkReference.cpp - networks run by the reference ---------------===//
#include "test/numeric/NetworkReference.h"
#include "compiler/driver/Pipeline.h"
#include "compiler/reference/Reference.h"
#include "dialects/tg/rules/SignatureRules.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include <optional>

using namespace mlir;
using namespace tg;
using namespace tg::test;

struct NetworkReference::State {
  State() : context(MLIRContext::Threading::DISABLED) {}

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::optional<Reference> reference;
  /// The seed of random numbers, and the number of runs that drew some.
  int64_t seed = 0, calls = 0;
};

NetworkReference::NetworkReference(const std::string &text)
    : state(std::make_unique<State>()) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerReference(registry);
  state->context.appendDialectRegistry(registry);
  state->context.loadAllAvailableDialects();
  state->module = parseSourceString<ModuleOp>(text, &state->context);
  CompileOptions options;
  options.stopAfter = Phase::numerics;
  CompileResult result;
  if (!state->module || failed(compileModule(*state->module, options, result)))
    error = "expected a valid network";
  else
    state->reference.emplace(*state->module);
}

NetworkReference::~NetworkReference() = default;

static std::string textIn(Attribute text) {
  return text ? cast<StringAttr>(text).str() : "";
}

std::string NetworkReference::init(int64_t seed) {
  state->seed = seed;
  state->calls = 0;
  for (auto function : state->module->getOps<func::FuncOp>()) {
    if (textIn(function->getAttr("tg.role")) != "init")
      continue;
    SmallVector<HostTensor> inputs, results;
    for (Type type : function.getArgumentTypes()) {
      inputs.emplace_back(getElementTypeOrSelf(type), ArrayRef<int64_t>());
      inputs.back().values<int64_t>()[0] = seed;
    }
    return state->reference->run(function, inputs, results);
  }
  return {};
}

std::string NetworkReference::run(const std::string &name,
                                  const Contents &inputs, Contents &outputs) {
  auto function = state->module->lookupSymbol<func::FuncOp>(name);
  SmallVector<HostTensor> tensors, results;
  bool isCounted = false;
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto input = inputs.find(textIn(function.getArgAttr(index, "tg.name")));
    if (input != inputs.end()) {
      tensors.emplace_back(getElementTypeOrSelf(type), input->second.shape);
      llvm::copy(input->second.bytes, tensors.back().data());
      continue;
    }
    bool isSeed = textIn(function.getArgAttr(index, kRandomAttr)) == "seed";
    isCounted |= !isSeed;
    tensors.emplace_back(getElementTypeOrSelf(type), ArrayRef<int64_t>());
    tensors.back().values<int64_t>()[0] = isSeed ? state->seed : state->calls;
  }
  state->calls += isCounted;
  std::string message = state->reference->run(function, tensors, results);
  for (auto [index, result] : llvm::enumerate(results)) {
    const HostTensor &tensor = result;
    outputs[textIn(function.getResultAttr(index, "tg.name"))] = {
        {tensor.getShape().begin(), tensor.getShape().end()},
        {tensor.data(), tensor.data() + tensor.getNumBytes()}};
  }
  return message;
}

std::vector<char>
NetworkReference::contentOf(const std::string &variable) const {
  const auto &variables = state->reference->interpreter.variables;
  auto found = variables.find(variable);
  if (found == variables.end())
    return {};
  const HostTensor &content = found->second;
  return {content.data(), content.data() + content.getNumBytes()};
}
