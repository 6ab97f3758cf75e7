//===- PlanSteps.cpp - the kernels and steps of a plan --------------------===//
#include "compiler/library/plan/PlanSteps.h"
#include "compiler/codegen/kernel/OpElement.h"
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

static_assert(kCellLockBytes == offsetof(tg_embedded_cell_t, lock));
static_assert(kCellFoundBytes == offsetof(tg_embedded_cell_t, found));

/// Sets the fields that depend on the operand whose elements are checked.
static void describeOperand(Value operand, KernelCheckPlan &check) {
  check.elementType = getElementTypeOrSelf(operand);
  if (auto argument = dyn_cast<BlockArgument>(operand))
    check.argument = argument.getArgNumber();
}

/// Returns the name that messages use for the value that the op `opName`
/// checks.
static StringRef checkedName(Operation *check, StringRef opName) {
  auto op = RegisteredOperationName::lookup(opName, check->getContext());
  auto *checked = op ? op->getInterface<CheckedOpInterface>() : nullptr;
  return checked ? checked->getCheckedName() : "index";
}

/// Returns the status of a run in which the check fails.
static int32_t statusOf(RunTimeCheckOpInterface check) {
  if (isa<tgx::CheckFiniteOp>(check))
    return TG_ERROR_NAN;
  return check.getIndexBound() ? TG_ERROR_INDEX : TG_ERROR_DIVIDE;
}

/// Returns the checks of a kernel in program order; empty if it cannot fail. At
/// most one check may be a check of integers, because a step can refer to the
/// data of only one check.
static FailureOr<SmallVector<KernelCheckPlan, 1>> checksOf(tgx::KernelOp kernel,
                                                           ModelPlan &plan) {
  SmallVector<KernelCheckPlan, 1> result;
  bool hasOther = false;
  for (Operation &op : kernel.getBlock()) {
    auto checking = dyn_cast<RunTimeCheckOpInterface>(op);
    if (!checking)
      continue;
    KernelCheckPlan &check = result.emplace_back();
    StringRef name = checking.getOpName();
    check.number = plan.checkCount++;
    check.location = plan.locations.add(op.getLoc(), name);
    check.status = statusOf(checking);
    describeOperand(op.getOperand(0), check);
    check.what = checkedName(&op, name);
    if (check.status == TG_ERROR_NAN) {
      check.what = name.starts_with("input") ? "value" : "result";
      plan.trapsNan = true;
      continue;
    }
    if (std::exchange(hasOther, true))
      return op.emitOpError() << "expected one check in a kernel, found two";
    if (auto bound = checking.getIndexBound())
      check.bound = *bound;
  }
  return result;
}

LogicalResult tg::addKernel(tgx::KernelOp kernel, ModelPlan &plan) {
  if (plan.kernels.contains(kernel))
    return success();
  FailureOr<SmallVector<KernelCheckPlan, 1>> checks = checksOf(kernel, plan);
  if (failed(checks))
    return failure();
  plan.kernels.insert({kernel, std::move(*checks)});
  return success();
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
  for (Location part : partsOf(step))
    layers.push_back(SourceLocation::of(part, "").layer);
  return joinOnce(layers);
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
  return ModelPlan::KernelFacts{joinOnce(ops), main, *cost};
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
       plan.locations.add(partsOf(launch.getLoc()).front(), facts.mainOp),
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
  for (auto [number, known] : llvm::enumerate(function.hostNeeds))
    if (known.name == need.name && known.inputs == need.inputs &&
        known.outputs == need.outputs)
      return number;
  function.hostNeeds.push_back(std::move(need));
  return function.hostNeeds.size() - 1;
}

void tg::addHost(tgx::HostOp host, FunctionPlan &function, ModelPlan &plan) {
  bool calls = host.getAction() == HostAction::call;
  std::string op =
      "tg." +
      std::string(calls ? "host_call" : stringifyHostAction(host.getAction()));
  unsigned location = plan.locations.add(host.getLoc(), op);
  unsigned need = calls ? addNeed(host, location, function) : 0;
  function.hostSteps[host] = {location, need};
  function.steps.push_back(
      {calls ? host.getText().str() : op,
       op,
       layersOf(host.getLoc()),
       location,
       {getAffineConstantExpr(0, host.getContext()), host.countBytes()}});
}
