//===- Report.cpp - kernels, steps and memory of a model for people -------===//
#include "compiler/codegen/library/Report.h"
#include "compiler/codegen/library/StepReport.h"

using namespace mlir;
using namespace tg;
namespace json = llvm::json;

/// Adds what a kernel computes, and for which layers and lines.
static void addParts(tgx::KernelOp kernel, Sources sources,
                     json::Object &entry) {
  Texts ops;
  for (Operation &op : kernel.getBlock().without_terminator())
    if (!op.hasTrait<mlir::OpTrait::ConstantLike>())
      ops.add(op.getName().getStringRef());
  // What packs a variable ahead is launched by no function.
  if (sources.lines.list.empty())
    sources.add(kernel.getLoc());
  entry["ops"] = std::move(ops.list);
  sources.addTo(entry);
}

static json::Array describeVariables(const ModelPlan &plan) {
  json::Array result;
  for (const SlabEntry &entry : plan.slab.getEntries()) {
    VariableOp variable = entry.variable;
    result.push_back(json::Object{{"name", variable.getSymName()},
                                  {"offset", int64_t(entry.offset)},
                                  {"bytes", int64_t(entry.bytes)}});
  }
  return result;
}

/// What all launches of each kernel come from.
static llvm::DenseMap<Operation *, Sources> findSources(const ModelPlan &plan) {
  llvm::DenseMap<Operation *, Sources> result;
  for (const FunctionPlan &function : plan.functions) {
    tgx::FunctionOp op = function.op;
    op.walk([&](tgx::LaunchOp launch) {
      for (Location part : partsOf(launch.getLoc()))
        result[plan.kernelOf(launch.getKernelAttr())].add(part);
    });
  }
  return result;
}

FailureOr<json::Object> tg::report(const ModelPlan &plan,
                                   const LibraryOptions &options) {
  json::Object result = describe(plan, options);
  llvm::DenseMap<Operation *, Sources> sources = findSources(plan);
  for (auto [entry, kernel] :
       llvm::zip_equal(*result.getArray("kernels"), plan.kernels))
    addParts(cast<tgx::KernelOp>(kernel.first),
             std::move(sources[kernel.first]), *entry.getAsObject());
  for (auto [entry, function] :
       llvm::zip_equal(*result.getArray("functions"), plan.functions)) {
    if (failed(addSteps(function, plan, *entry.getAsObject())))
      return failure();
  }
  result["variables"] = describeVariables(plan);
  return result;
}
