//===- ReferenceModel.cpp - models in the compiler and in the reference ---===//
#include "test/numeric/bits/ReferenceModel.h"
#include "compiler/driver/Pipeline.h"
#include "compiler/reference/Reference.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace tg;
using namespace tg::test;

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

/// Parses a model and compiles it up to the last phase of `options`.
static OwningOpRef<ModuleOp> compile(MLIRContext &context,
                                     const std::string &text,
                                     const CompileOptions &options,
                                     CompileResult &result) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerReference(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (module && failed(compileModule(*module, options, result)))
    module = {};
  return module;
}

std::vector<char> test::compileText(const std::string &text,
                                    const CompileSettings &settings,
                                    std::string *diagnostics) {
  CompileOptions options;
  options.optimization = settings.optimization;
  options.levels = settings.levels;
  options.dims = settings.dims;
  options.memoryBudget = settings.memoryBudget;
  options.kernelCache = settings.kernelCache;
  options.kinds = settings.kinds;
  MLIRContext context;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostics)
      *diagnostics += diagnostic.str() + "\n";
    return success(diagnostics != nullptr);
  });
  CompileResult result;
  if (!compile(context, text, options, result))
    return {};
  return {result.file.begin(), result.file.end()};
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

struct ReferenceModel::Impl {
  MLIRContext context{MLIRContext::Threading::DISABLED};
  OwningOpRef<ModuleOp> module;
  std::optional<Reference> reference;

  /// Returns a copy of the tensor for a run.
  HostTensor convert(const RawTensor &tensor) {
    for (const ElementTypeInfo &row : kElementTypes) {
      if (row.dtype.code != tensor.dtype.code ||
          row.dtype.bits != tensor.dtype.bits)
        continue;
      auto element = ElementType(&row - kElementTypes);
      HostTensor result(mlirTypeOf(element, &context), tensor.shape);
      llvm::copy(tensor.bytes, result.data());
      return result;
    }
    return {};
  }
};

/// Returns a copy of the result of a run.
static RawTensor convert(const HostTensor &tensor) {
  return {typeInfoOf(elementOf(tensor.getElementType())).dtype,
          tensor.getShape().vec(),
          {tensor.data(), tensor.data() + tensor.getNumBytes()}};
}

ReferenceModel::ReferenceModel(const std::string &text)
    : impl(std::make_unique<Impl>()) {
  CompileOptions options;
  options.stopAfter = Phase::numerics;
  CompileResult result;
  impl->module = compile(impl->context, text, options, result);
  if (impl->module)
    impl->reference.emplace(getPlans(*impl->module).front());
  else
    error = "expected a valid module";
}

ReferenceModel::~ReferenceModel() = default;

std::vector<RawTensor>
ReferenceModel::run(const std::string &function,
                    const std::vector<RawTensor> &inputs) {
  if (!error.empty())
    return {};
  std::vector<HostTensor> arguments;
  for (const RawTensor &input : inputs)
    arguments.push_back(impl->convert(input));
  SmallVector<HostTensor> results;
  error = impl->reference->run(
      getPlans(*impl->module).front().lookupSymbol<func::FuncOp>(function),
      arguments, results);
  std::vector<RawTensor> outputs;
  for (const HostTensor &result : results)
    outputs.push_back(::convert(result));
  return outputs;
}

RawTensor ReferenceModel::variable(const std::string &name) const {
  auto found = impl->reference->interpreter.variables.find(name);
  if (found == impl->reference->interpreter.variables.end())
    return {};
  return ::convert(found->second);
}
