//===- LibraryReport.cpp - kernels, steps and memory of a model -----------===//
#include "compiler/library/report/LibraryReport.h"
#include "compiler/library/report/StepReport.h"

using namespace mlir;
using namespace tg;
namespace json = llvm::json;

/// Adds the ops of a kernel and the layers and lines that they come from.
static void addOpsAndSources(tgx::KernelOp kernel, Sources sources,
                             json::Object &entry) {
  Texts ops;
  for (Operation &op : kernel.getBlock().without_terminator())
    if (!op.hasTrait<mlir::OpTrait::ConstantLike>())
      ops.add(op.getName().getStringRef());
  // A kernel that packs a variable in advance is launched by no function. Its
  // sources are those of its own location.
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

/// Returns the sources of all launches of each kernel.
static llvm::DenseMap<Operation *, Sources> findSources(const ModelPlan &plan) {
  llvm::DenseMap<Operation *, Sources> result;
  for (const FunctionPlan &function : plan.functions) {
    tgx::FunctionOp op = function.op;
    op.walk([&](tgx::LaunchOp launch) {
      for (Location part : opLocationsOf(launch.getLoc()))
        result[plan.kernelOf(launch.getKernelAttr())].add(part);
    });
  }
  return result;
}

/// Describes the costs of checks of floats: the number of checks, the bytes
/// that they read, and the bytes of variables that are copied because no
/// variable may change before the last check.
static FailureOr<json::Object> describeTraps(const FunctionPlan &function,
                                             const ModelPlan &plan) {
  tgx::FunctionOp op = function.op;
  AffineExpr bytes = getAffineConstantExpr(0, op.getContext());
  AffineExpr copied = bytes;
  int64_t checks = 0;
  WalkResult walk = op.walk([&](tgx::LaunchOp launch) {
    tgx::KernelOp kernel = plan.kernelOf(launch.getKernelAttr());
    ExtentAnalysis analysis(kernel.getContext());
    if (failed(kernel.analyzeExtents(analysis)))
      return WalkResult::interrupt();
    for (auto check :
         kernel.getBlock().getOps<tgx::ElementCheckOpInterface>()) {
      if (check.getFailure() != tgx::ElementFailure::nan)
        continue;
      ++checks;
      bytes = bytes + substitute(analysis.countBytes(check.getCheckedValue()),
                                 launch.getExtents()) *
                          iterationsOf(launch);
    }
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  op.walk([&](tgx::CopyOp copy) {
    if (tgx::rootOf(copy.getTarget()).getDefiningOp<tgx::SlabOp>())
      copied = copied + copy.getBytes().getResult(0) * iterationsOf(copy);
  });
  auto number = [&](AffineExpr sum) {
    return describeNumber(
        simplifyAffineExpr(sum, /*numDims=*/0, op.getSymbols().size()), op);
  };
  return json::Object{{"checks", checks},
                      {"bytes", number(bytes)},
                      {"copied_bytes", number(copied)}};
}

/// Returns the distinct orders of the sums of a kernel, as in
/// "lanes = 16, blocks = [64]".
static json::Array describeOrders(tgx::KernelOp kernel) {
  llvm::SetVector<Attribute> orders;
  for (OrderedOpInterface op : kernel.getBlock().getOps<OrderedOpInterface>())
    orders.insert(orderOf(op));
  json::Array result;
  for (Attribute order : orders) {
    std::string text;
    llvm::raw_string_ostream(text) << order;
    StringRef members = text;
    members.consume_front("#tg.order<");
    members.consume_back(">");
    result.push_back(members.str());
  }
  return result;
}

FailureOr<json::Object> tg::report(const ModelPlan &plan,
                                   const LibraryOptions &options) {
  json::Object result = describe(plan, options);
  llvm::DenseMap<Operation *, Sources> sources = findSources(plan);
  for (auto [entry, kernel] :
       llvm::zip_equal(*result.getArray("kernels"), plan.kernels)) {
    auto op = cast<tgx::KernelOp>(kernel.first);
    json::Object &description = *entry.getAsObject();
    addOpsAndSources(op, std::move(sources[op]), description);
    description["orders"] = describeOrders(op);
  }
  for (auto [entry, function] :
       llvm::zip_equal(*result.getArray("functions"), plan.functions)) {
    if (failed(addSteps(function, plan, *entry.getAsObject())))
      return failure();
    if (!plan.trapsNan)
      continue;
    FailureOr<json::Object> traps = describeTraps(function, plan);
    if (failed(traps))
      return failure();
    (*entry.getAsObject())["nan_checks"] = std::move(*traps);
  }
  result["variables"] = describeVariables(plan);
  return result;
}
