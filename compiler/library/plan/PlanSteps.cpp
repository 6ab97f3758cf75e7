//===- PlanSteps.cpp - the kernels and steps of a plan --------------------===//
#include "compiler/library/plan/PlanSteps.h"
#include "compiler/codegen/kernel/EmittedKernel.h"
#include "compiler/library/embedded/Embedded.h"
#include "dialects/tg/rules/SignatureRules.h"
#include "tg/abi.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// Kernels that can fail
//===----------------------------------------------------------------------===//

static_assert(kReportedValueBytes == offsetof(tg_embedded_report_t, value));
static_assert(kFailingLaunchBytes ==
              offsetof(tg_embedded_report_t, failing_launch));
static_assert(kErrorCellBytes == TG_EMBEDDED_CELL_BYTES(0));

/// Returns the status with which a check ends a run.
static int32_t statusOf(tgx::ElementFailure failure) {
  switch (failure) {
  case tgx::ElementFailure::index:
    return TG_ERROR_INDEX;
  case tgx::ElementFailure::divisor:
    return TG_ERROR_DIVIDE;
  case tgx::ElementFailure::nan:
    return TG_ERROR_NAN;
  }
  llvm_unreachable("all kinds of errors are above");
}

void tg::addKernel(tgx::KernelOp kernel, ModelPlan &plan) {
  auto [entry, isNew] = plan.kernels.try_emplace(kernel);
  if (!isNew)
    return;
  for (auto op : kernel.getBlock().getOps<tgx::ElementCheckOpInterface>()) {
    KernelCheckPlan &check = entry->second.emplace_back();
    check.index = plan.checkCount++;
    check.location = plan.locations.add(op.getLoc(), op.getOpName());
    check.status = statusOf(op.getFailure());
    check.firstCell = kernel.firstCellOf(op);
    check.messages = op.getMessages();
    check.bound = op.getIndexBound().value_or(AffineExpr());
    plan.trapsNan |= check.status == TG_ERROR_NAN;
  }
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Joins the distinct names in the order of their first occurrence.
static std::string joinOnce(ArrayRef<std::string> names) {
  llvm::SmallSetVector<StringRef, 8> distinct;
  for (const std::string &name : names)
    if (!name.empty())
      distinct.insert(name);
  return llvm::join(distinct, ", ");
}

/// Returns the layers whose ops a step computes.
static std::string layersOf(Location step) {
  std::vector<std::string> layers;
  for (Location part : opLocationsOf(step))
    layers.push_back(SourceLocation::of(part, "").layer);
  return joinOnce(layers);
}

/// Returns the memory layout of an output of a kernel.
static ResultRows rowsOf(tgx::KernelOp kernel, Value output,
                         const ExtentAnalysis &extents) {
  ArrayRef<AffineExpr> dims = extents.extentsOf(output);
  MLIRContext *context = kernel.getContext();
  int64_t unit = elementBytes(getElementTypeOrSelf(output));
  tgx::RowsAttr rows = kernel.rowsOf(output);
  unsigned axis = rows ? rows.getAxis() : 0;
  AffineExpr bytes = productOf(dims.drop_front(axis), context) * unit;
  return {productOf(dims.take_front(axis), context), bytes,
          rows ? getAffineConstantExpr(rows.getRowStride() * unit, context)
               : bytes};
}

static FailureOr<ModelPlan::KernelFacts> findFacts(tgx::KernelOp kernel) {
  FailureOr<Cost> cost = costOf(kernel);
  if (failed(cost))
    return failure();
  std::vector<std::string> ops;
  StringRef main;
  for (Operation &op : kernel.getBlock().without_terminator()) {
    StringRef name = op.getName().getStringRef();
    ops.push_back(name.str());
    if (main.empty() || op.getLoc() == kernel.getLoc())
      main = name;
  }
  ExtentAnalysis extents(kernel.getContext());
  if (failed(kernel.analyzeExtents(extents)))
    return failure();
  SmallVector<ResultRows, 1> results;
  for (Value output : kernel.getOutputs())
    results.push_back(rowsOf(kernel, output, extents));
  return ModelPlan::KernelFacts{joinOnce(ops), main, *cost, std::move(results)};
}

LogicalResult tg::addLaunch(tgx::LaunchOp launch, FunctionPlan &function,
                            ModelPlan &plan) {
  tgx::KernelOp kernel = plan.kernelOf(launch.getKernelAttr());
  auto known = plan.facts.find(kernel);
  if (known == plan.facts.end()) {
    FailureOr<ModelPlan::KernelFacts> found = findFacts(kernel);
    if (failed(found))
      return failure();
    known = plan.facts.try_emplace(kernel, std::move(*found)).first;
  }
  const ModelPlan::KernelFacts &facts = known->second;
  AffineExpr iterations = iterationsOf(launch);
  function.steps.push_back(
      {kernel.getSymName().str(), facts.ops, layersOf(launch.getLoc()),
       plan.locations.add(opLocationsOf(launch.getLoc()).front(), facts.mainOp),
       Cost{substitute(facts.cost.flops, launch.getExtents()) * iterations,
            substitute(facts.cost.traffic, launch.getExtents()) * iterations}});
  return success();
}

void tg::addCopy(tgx::CopyOp copy, FunctionPlan &function, ModelPlan &plan) {
  Location loc = copy.getLoc();
  AffineExpr bytes = copy.getBytes().getResult(0);
  function.steps.push_back({"copy",
                            "",
                            layersOf(loc),
                            plan.locations.add(loc, "copy"),
                            {getAffineConstantExpr(0, copy.getContext()),
                             bytes * 2 * iterationsOf(copy)}});
}

/// Returns the index of the host function that a step calls. Equal functions
/// exist once.
static unsigned addNeed(tgx::HostOp host, unsigned location,
                        FunctionPlan &function) {
  auto typesOf = [](ValueRange values) {
    return llvm::map_to_vector(values.getTypes(), [](Type type) {
      return cast<RankedTensorType>(type);
    });
  };
  HostNeedPlan need = {host.getText().str(), location,
                       typesOf(host.getInputs()), typesOf(host.getOutputs())};
  for (auto [index, known] : llvm::enumerate(function.hostNeeds))
    if (known.name == need.name && known.inputs == need.inputs &&
        known.outputs == need.outputs)
      return index;
  function.hostNeeds.push_back(std::move(need));
  return function.hostNeeds.size() - 1;
}

/// Returns the index of the kernel of the user that a step launches.
static unsigned addCustomKernel(tgx::HostOp host, ModelPlan &plan) {
  for (auto [index, known] : llvm::enumerate(plan.customKernels))
    if (known.getKernelAttr() == host.getKernelAttr() &&
        known.countKernelArguments() == host.countKernelArguments())
      return index;
  plan.customKernels.push_back(host);
  return plan.customKernels.size() - 1;
}

/// Returns the name of the op that a step executes.
static std::string opNameOf(tgx::HostOp host) {
  if (host.getKernel())
    return "tg.cuda_call";
  bool calls = host.getAction() == HostAction::call;
  return ("tg." + (calls ? "host_call" : stringifyHostAction(host.getAction())))
      .str();
}

void tg::addHost(tgx::HostOp host, FunctionPlan &function, ModelPlan &plan) {
  bool calls = host.getAction() == HostAction::call;
  std::string op = opNameOf(host);
  unsigned location = plan.locations.add(host.getLoc(), op);
  unsigned need = plan.launchesCustom(host) ? addCustomKernel(host, plan)
                  : calls                   ? addNeed(host, location, function)
                                            : 0;
  function.hostSteps[host] = {location, need};
  function.steps.push_back(
      {calls ? host.getText().str() : op,
       op,
       layersOf(host.getLoc()),
       location,
       {getAffineConstantExpr(0, host.getContext()), host.countBytes()}});
}
