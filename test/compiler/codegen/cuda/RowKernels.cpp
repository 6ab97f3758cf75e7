//===- RowKernels.cpp - the kernels of rows of the numeric table ----------===//
#include "RowKernels.h"
#include "compiler/driver/Pipeline.h"
#include "dialects/tg/Tg.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace tg;
using namespace tg::test;

void tg::test::PrintTo(const RowCase &each, std::ostream *stream) {
  *stream << each.getName();
}

std::vector<RowCase> tg::test::listRowCases() {
  std::vector<RowCase> cases;
  for (size_t row = 0; row < getOpTable().size(); ++row) {
    const OpRow &each = getOpTable()[row];
    cases.push_back({row, "f32"});
    if (moduleText(each, "f32") != moduleText(each, "f64"))
      cases.push_back({row, "f64"});
  }
  return cases;
}

OwningOpRef<ModuleOp> tg::test::scheduleText(StringRef model,
                                             MLIRContext &context) {
  DialectRegistry registry;
  registerAllDialects(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  auto module = parseSourceString<ModuleOp>(model, &context);
  CompileOptions options;
  options.stopAfter = Phase::numerics;
  CompileResult result;
  if (!module || failed(compileModule(*module, options, result)))
    return {};
  ModuleOp plan = getPlans(*module).front();
  plan->setAttr(tgx::kTargetAttr,
                tgx::TargetAttr::get(&context, "cuda", /*optimization=*/2,
                                     /*properties=*/nullptr));
  options.startFrom = Phase::numerics;
  options.stopAfter = Phase::schedule;
  if (failed(compileModule(*module, options, result)))
    return {};
  plan->remove();
  return plan;
}

OwningOpRef<ModuleOp> tg::test::scheduleRow(const RowCase &each,
                                            MLIRContext &context) {
  return scheduleText(moduleText(each.get(), each.floatType), context);
}
