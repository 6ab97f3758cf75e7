//===- ReferenceRun.cpp - runs functions given as text --------------------===//
#include "test/compiler/reference/ReferenceRun.h"
#include "compiler/driver/Pipeline.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace tg;
using namespace tg::test;

ReferenceRun::ReferenceRun(const std::string &text)
    : context(MLIRContext::Threading::DISABLED) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerReference(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  module = parseSourceString<ModuleOp>(text, &context);
  CompileOptions options;
  options.stopAfter = Phase::numerics;
  CompileResult result;
  if (!module || failed(compileModule(*module, options, result)))
    error = "expected a valid module";
  else
    reference.emplace(getPlans(*module).front());
}

SmallVector<HostTensor> ReferenceRun::run(ArrayRef<HostTensor> inputs) {
  SmallVector<HostTensor> results;
  if (reference)
    error = reference->run(
        getPlans(*module).front().lookupSymbol<func::FuncOp>("f"), inputs,
        results);
  return results;
}

template <typename T> static Type typeOf(MLIRContext *context) {
  if constexpr (std::is_same_v<T, float>)
    return Float32Type::get(context);
  else if constexpr (std::is_same_v<T, double>)
    return Float64Type::get(context);
  else
    return IntegerType::get(context, 8 * sizeof(T));
}

template <typename T>
HostTensor ReferenceRun::tensor(ArrayRef<int64_t> shape,
                                std::vector<T> elements) {
  HostTensor result(typeOf<T>(&context), shape);
  llvm::copy(elements, result.values<T>().begin());
  return result;
}

template <typename T>
HostTensor ReferenceRun::random(ArrayRef<int64_t> shape, uint64_t seed) {
  HostTensor result(typeOf<T>(&context), shape);
  uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
  for (T &element : result.values<T>()) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    element = T(double(int64_t(state)) * 0x1p-63);
  }
  return result;
}

template HostTensor ReferenceRun::tensor(ArrayRef<int64_t>, std::vector<float>);
template HostTensor ReferenceRun::tensor(ArrayRef<int64_t>,
                                         std::vector<double>);
template HostTensor ReferenceRun::tensor(ArrayRef<int64_t>,
                                         std::vector<int64_t>);
template HostTensor ReferenceRun::random<float>(ArrayRef<int64_t>, uint64_t);
template HostTensor ReferenceRun::random<double>(ArrayRef<int64_t>, uint64_t);
