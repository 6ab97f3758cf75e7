//===- EmbedWeights.cpp - initial values from a safetensors file ----------===//
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/module/SafetensorsFile.h"
#include "dialects/tg/Suggestions.h"
#include "dialects/tg/evaluation/HostTensor.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "dialects/tg/ops/movement/ConstantOps.h"
#include "dialects/tg/rules/SignatureRules.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace tg {
#define GEN_PASS_DEF_EMBEDWEIGHTS
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

namespace {
struct EmbedWeights : public tg::impl::EmbedWeightsBase<EmbedWeights> {
  using EmbedWeightsBase::EmbedWeightsBase;
  void runOnOperation() override;

private:
  /// Reports all variables for which the file has no values.
  LogicalResult checkVariables(const SafetensorsFile &weights);
  LogicalResult checkVariable(VariableOp variable,
                              const SafetensorsFile &weights);
  /// Replaces `init` by an empty one without a seed.
  func::FuncOp replaceInit();
  /// Assigns the values from the file to a variable at the end of `init`.
  LogicalResult assign(VariableOp variable, const SafetensorsFile &weights,
                       func::FuncOp init);
  /// Reports an error about the file, without a location in the model.
  InFlightDiagnostic fail() {
    return emitError(UnknownLoc::get(&getContext()));
  }
};
} // namespace

/// Returns the safetensors name of an element type.
static StringRef safetensorsName(ElementType element) {
  switch (element) {
#define TG_ELEMENT(name, front, code, bits, host, rounding, compute, sum,      \
                   product, safetensors, ...)                                  \
  case ElementType::name:                                                      \
    return safetensors;
    TG_DTYPES(TG_ELEMENT)
#undef TG_ELEMENT
  }
  llvm_unreachable("all element types are above");
}

/// Returns text such as "F32 [784, 10]".
template <typename Shape>
static std::string describe(StringRef dtype, const Shape &shape) {
  std::string text = (dtype + " [").str();
  llvm::raw_string_ostream stream(text);
  llvm::interleaveComma(shape, stream);
  return text + "]";
}

/// Returns a suggestion of a similar tensor name for a name that the file
/// lacks.
static std::string suggestTensor(StringRef name,
                                 const SafetensorsFile &weights) {
  SmallVector<StringRef> known;
  for (const auto &[tensor, stored] : weights.getTensors())
    known.push_back(tensor);
  return suggestName(name, known);
}

LogicalResult EmbedWeights::checkVariable(VariableOp variable,
                                          const SafetensorsFile &weights) {
  auto type = cast<RankedTensorType>(variable.getType());
  StringRef dtype = safetensorsName(elementOf(type.getElementType()));
  std::string expected = describe(dtype, type.getShape());
  const StoredTensor *tensor = weights.find(variable.getSymName());
  if (!tensor)
    return fail() << "'" << weights.getPath() << "' has no tensor '"
                  << variable.getSymName() << "', expected " << expected
                  << suggestTensor(variable.getSymName(), weights);
  std::string found = describe(tensor->dtype, tensor->shape);
  if (found != expected)
    return fail() << "'" << weights.getPath() << "' has tensor '"
                  << variable.getSymName() << "' as " << found << ", expected "
                  << expected;
  uint64_t bytes = *checkedByteCount(type.getShape(), type.getElementType());
  if (tensor->end - tensor->begin == bytes)
    return success();
  return fail() << "'" << weights.getPath() << "' has "
                << tensor->end - tensor->begin << " bytes for tensor '"
                << variable.getSymName() << "', expected " << bytes;
}

LogicalResult EmbedWeights::checkVariables(const SafetensorsFile &weights) {
  auto variables = getOperation().getOps<VariableOp>();
  if (variables.empty())
    return fail() << "expected variables that '" << weights.getPath()
                  << "' has values for, found none in the model's functions";
  LogicalResult result = success();
  for (VariableOp variable : variables)
    if (failed(checkVariable(variable, weights)))
      result = failure();
  return result;
}

func::FuncOp EmbedWeights::replaceInit() {
  ModuleOp module = getOperation();
  auto functions = module.getOps<func::FuncOp>();
  auto old = llvm::find_if(functions, [](func::FuncOp function) {
    return roleOf(function) == "init";
  });
  OpBuilder builder(*functions.begin());
  StringRef name = "init";
  Location loc = module.getLoc();
  Attribute publicName;
  if (old != functions.end()) {
    builder.setInsertionPoint(*old);
    name = (*old).getSymName();
    loc = (*old).getLoc();
    publicName = (*old)->getAttr("tg.name");
  }
  auto init =
      func::FuncOp::create(builder, loc, name, builder.getFunctionType({}, {}));
  init->setAttr("tg.role", builder.getStringAttr("init"));
  if (publicName)
    init->setAttr("tg.name", publicName);
  if (old != functions.end())
    (*old).erase();
  else
    SymbolTable(module).insert(init);
  builder.setInsertionPointToStart(init.addEntryBlock());
  func::ReturnOp::create(builder, loc);
  return init;
}

LogicalResult EmbedWeights::assign(VariableOp variable,
                                   const SafetensorsFile &weights,
                                   func::FuncOp init) {
  auto type = cast<RankedTensorType>(variable.getType());
  HostTensor values(type.getElementType(), type.getShape());
  const StoredTensor &tensor = *weights.find(variable.getSymName());
  if (llvm::Error error =
          weights.read(tensor, {values.data(), values.getNumBytes()}))
    return fail() << llvm::toString(std::move(error));
  OpBuilder builder(init.getBody().front().getTerminator());
  Value constant =
      ConstantOp::create(builder, variable.getLoc(), values.toAttribute());
  AssignOp::create(builder, variable.getLoc(), variable.getSymName(), constant);
  bytesEmbedded += values.getNumBytes();
  return success();
}

void EmbedWeights::runOnOperation() {
  if (file.empty())
    return markAllAnalysesPreserved();
  llvm::Expected<SafetensorsFile> weights = SafetensorsFile::open(file);
  if (!weights) {
    fail() << llvm::toString(weights.takeError());
    return signalPassFailure();
  }
  if (failed(checkVariables(*weights)))
    return signalPassFailure();
  if (llvm::Error error = weights->checkHash()) {
    fail() << llvm::toString(std::move(error));
    return signalPassFailure();
  }
  func::FuncOp init = replaceInit();
  for (auto variable : getOperation().getOps<VariableOp>())
    if (failed(assign(variable, *weights, init)))
      return signalPassFailure();
}
