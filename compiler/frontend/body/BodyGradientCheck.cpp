//===- BodyGradientCheck.cpp - checks gradients of a program's functions --===//
#include "compiler/frontend/body/BodyImpl.h"
#include "compiler/frontend/body/EagerEvaluator.h"
#include "compiler/gradient_check/GradientCheck.h"
#include "dialects/tg/evaluation/DefaultModesGuard.h"
#include "tg/graph/gradient_check.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

/// Returns a row of a report.
static GradientRow rowOf(const std::string &function, std::string name,
                         Location location,
                         const ComparedDerivatives &derivatives) {
  GradientRow row;
  row.function = function;
  row.name = std::move(name);
  location->walk([&](Location nested) {
    auto range = dyn_cast<FileLineColRange>(nested);
    if (!range)
      return WalkResult::advance();
    row.file = range.getFilename().str();
    row.line = range.getStartLine();
    return WalkResult::interrupt();
  });
  row.error = derivatives.worst;
  row.compared = derivatives.compared;
  row.isWrong = derivatives.isWrong;
  return row;
}

static GradientReport reportOf(const GradientCheckResult &result,
                               const Capture &capture) {
  GradientReport report;
  report.text = formatGradientCheck(result);
  for (const CheckedRequest &request : result.requests) {
    for (const ComparedDerivatives &wanted : request.wanted)
      report.rows.push_back(
          rowOf(request.function, wanted.name, request.location, wanted));
    for (const CheckedOp &op : request.ops)
      for (const ComparedDerivatives &operand : op.operands)
        report.rows.push_back(rowOf(request.function,
                                    op.name + " " + operand.name, op.location,
                                    operand));
  }
  for (const dsl::Error &error : capture.all())
    report.text += error.file + ":" + std::to_string(error.line) + ":" +
                   std::to_string(error.column) + ": " + error.message + "\n";
  return report;
}

/// Calls a host function. Returns its error, or "".
static std::string callHost(Body::Impl &impl, const HostRunner &runHost,
                            const std::string &name,
                            ArrayRef<HostTensor> arguments,
                            MutableArrayRef<HostTensor> results) {
  HostCallSpec spec{name, {}, {}, {}};
  for (const HostTensor &result : results)
    spec.results.push_back(Body::Impl::convert(result.getType()));
  std::vector<SavedTensor> saved;
  for (const HostTensor &argument : arguments)
    saved.push_back(Body::Impl::save(argument));
  auto [outputs, error] = runHost(spec, saved);
  if (error)
    return error->message;
  for (auto [result, output] : llvm::zip_equal(results, outputs))
    result = impl.tensorOf(output);
  return "";
}

Result<GradientReport> Body::checkGradients(
    const GradientCheck &options,
    const std::vector<std::pair<std::string, SavedTensor>> &inputs,
    const std::vector<std::string> &hostFunctions, const HostRunner &runHost,
    Place where) {
  if (impl->evaluator)
    return {{}, impl->needsGraph("a check of gradients", where)};
  DefaultModesGuard guard;
  Capture capture(&impl->context);
  OwningOpRef<ModuleOp> module = impl->finish();
  if (!module)
    return {{}, capture.takeAll("a valid module")};
  GradientCheckOptions settings;
  settings.delta = options.delta;
  settings.tolerance = options.tolerance;
  settings.elements = options.elements;
  settings.seed = options.seed;
  settings.extent = options.extent;
  settings.dims = options.dims;
  settings.functions = llvm::join(options.functions, ",");
  settings.holdsStopped = options.holdsStopped;
  settings.holdsGiven = options.holdsGiven;
  settings.weights = options.weights;
  for (const auto &[name, saved] : inputs)
    settings.inputs[name] = impl->tensorOf(saved);
  for (const std::string &name : hostFunctions)
    settings.hostFunctions[name] = [&,
                                    name](ArrayRef<HostTensor> arguments,
                                          MutableArrayRef<HostTensor> results) {
      return callHost(*impl, runHost, name, arguments, results);
    };
  GradientCheckResult result;
  if (failed(tg::checkGradients(*module, settings, result)))
    return {{}, capture.take("gradients that can be checked")};
  return {reportOf(result, capture)};
}
