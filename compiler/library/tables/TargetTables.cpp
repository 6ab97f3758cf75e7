//===- TargetTables.cpp - the tables of one target ------------------------===//
#include "compiler/library/tables/TargetTables.h"
#include "compiler/library/plan/FunctionProgram.h"
#include "compiler/library/tables/TableBuilder.h"
#include <cstring>

using namespace mlir;
using namespace tg;
using llvm::Constant;

std::string tg::kernelsName(int level) {
  return "tg.v" + std::to_string(level) + ".kernels";
}

std::string tg::imagesName(int level) {
  return "tg.v" + std::to_string(level) + ".images";
}

std::string tg::functionTargetName(int level, unsigned function) {
  return "tg.v" + std::to_string(level) + ".function." +
         std::to_string(function);
}

static Constant *emitKernelTable(const ModelPlan &plan,
                                 const EmittedKernels &kernels, int level,
                                 llvm::Module &module) {
  TableBuilder table(module);
  SmallVector<Constant *> entries;
  for (auto &[kernel, check] : plan.kernels) {
    const EmittedKernel &emitted = kernels.find(kernel)->second;
    CpuKernel symbols = plan.backend->getCpuCode()->findCpuKernel(emitted);
    entries.push_back(table.structOf<tg_embedded_kernel_t>(
        {table.external(symbols.body), table.external(symbols.tiles),
         table.word(bool(emitted.partialsBytes)), table.word(0)}));
  }
  return table.array(entries, kernelsName(level));
}

std::vector<tg_embedded_scratch_t>
tg::findScratch(const ModelPlan &plan, tgx::FunctionOp function,
                const EmittedKernels &kernels, ExpressionTable &expressions) {
  std::vector<tg_embedded_scratch_t> result;
  llvm::DenseSet<std::pair<Operation *, Attribute>> seen;
  SmallVector<tgx::LaunchOp> launches;
  function.walk([&](tgx::LaunchOp launch) { launches.push_back(launch); });
  for (tgx::LaunchOp launch : launches) {
    tgx::KernelOp kernel = plan.kernelOf(launch.getKernelAttr());
    const EmittedKernel &emitted = kernels.find(kernel)->second;
    if ((!emitted.scratchBytes && !emitted.partialsBytes) ||
        !seen.insert({kernel, launch.getExtentsAttr()}).second)
      continue;
    auto size = [&](AffineMap bytes) -> tg_embedded_minimum_t {
      auto word = [&](AffineExpr number) {
        number = substitute(number, launch.getExtents());
        AffineExpr bound = function.upperBoundOf(number);
        return expressions.add(bound ? bound : number);
      };
      if (!bytes)
        bytes = AffineMap::getConstantMap(0, launch.getContext());
      return {word(bytes.getResults().front()),
              word(bytes.getResults().back())};
    };
    tg_embedded_scratch_t scratch = {size(emitted.partialsBytes),
                                     size(emitted.scratchBytes)};
    auto equals = [&](const tg_embedded_scratch_t &other) {
      return std::memcmp(&other, &scratch, sizeof(scratch)) == 0;
    };
    if (llvm::none_of(result, equals))
      result.push_back(scratch);
  }
  return result;
}

/// Checks that kernels that pack need no scratch memory, because `pack`
/// provides none.
static LogicalResult checkPacks(const ModelPlan &plan,
                                const EmittedKernels &kernels) {
  for (const PackPlan &pack : plan.packs) {
    tgx::KernelOp kernel = pack.kernel;
    const EmittedKernel &emitted = kernels.find(kernel)->second;
    if (emitted.scratchBytes || emitted.partialsBytes)
      return kernel.emitOpError()
             << "expected a kernel that packs to need no scratch memory, found "
             << tg::printExtent((emitted.scratchBytes ? emitted.scratchBytes
                                                      : emitted.partialsBytes)
                                    .getResult(0))
             << " bytes";
  }
  return success();
}

LogicalResult tg::emitTargetTables(const ModelPlan &plan,
                                   const EmittedKernels &kernels, int level,
                                   llvm::Module &module) {
  if (failed(checkPacks(plan, kernels)))
    return failure();
  TableBuilder table(module);
  Constant *kernelTable = emitKernelTable(plan, kernels, level, module);
  for (auto [index, function] : llvm::enumerate(plan.functions)) {
    ExpressionTable expressions;
    std::vector<tg_embedded_scratch_t> scratch =
        findScratch(plan, function.op, kernels, expressions);
    if (failed(checkDepth(expressions, function)))
      return failure();
    table.record<tg_embedded_target_t>(
        {kernelTable, table.data(expressions.getWords()), table.data(scratch),
         table.word(scratch.size()), table.word(0), table.null()},
        functionTargetName(level, index));
  }
  return success();
}
