// Runs functions given as MLIR text.
#include "RunText.h"
#include "compiler/transforms/Passes.h"
#include "dialects/tg/Tg.h"
#include "dialects/tg/rules/SignatureRules.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tg;

RunText::RunText(const std::string &text) {
  context.disableMultithreading();
  context.loadDialect<TgDialect, func::FuncDialect>();
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    error += diagnostic.str() + "\n";
    return success();
  });
  module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return;
  PassManager passes(&context);
  passes.addPass(createExpandGradients());
  (void)passes.run(*module);
}

void RunText::addSamples(func::FuncOp function,
                         std::vector<HostTensor> &inputs) {
  bool isCounted = false;
  while (inputs.size() < function.getNumArguments()) {
    auto word =
        function.getArgAttrOfType<StringAttr>(inputs.size(), kRandomAttr);
    if (!word)
      break;
    bool isSeed = word.getValue() == "seed";
    inputs.push_back(integers({}, {isSeed ? seed : calls}));
    isCounted |= !isSeed;
  }
  calls += isCounted;
}

bool RunText::has(const std::string &function) const {
  return module && SymbolTable::lookupSymbolIn(*module, function);
}

std::vector<HostTensor> RunText::run(const std::string &function,
                                     std::vector<HostTensor> inputs) {
  if (!error.empty())
    return {};
  addSamples(module->lookupSymbol<func::FuncOp>(function), inputs);
  SmallVector<HostTensor> results;
  error = interpreter.run(module->lookupSymbol<func::FuncOp>(function), inputs,
                          results);
  return {results.begin(), results.end()};
}

template <typename T>
static HostTensor tensorOf(Type type, const std::vector<int64_t> &shape,
                           const std::vector<T> &values) {
  HostTensor tensor(type, shape);
  llvm::copy(values, tensor.values<T>().begin());
  return tensor;
}

HostTensor RunText::floats(std::vector<int64_t> shape,
                           std::vector<float> values) {
  return tensorOf(Float32Type::get(&context), shape, values);
}

HostTensor RunText::doubles(std::vector<int64_t> shape,
                            std::vector<double> values) {
  return tensorOf(Float64Type::get(&context), shape, values);
}

HostTensor RunText::integers(std::vector<int64_t> shape,
                             std::vector<int64_t> values) {
  return tensorOf(IntegerType::get(&context, 64), shape, values);
}

std::vector<double> numbersOf(const HostTensor &tensor) {
  std::vector<double> numbers;
  for (int64_t at = 0; at < tensor.getNumElements(); ++at)
    numbers.push_back(tensor.numberAt(at));
  return numbers;
}
