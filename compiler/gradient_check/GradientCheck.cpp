//===- GradientCheck.cpp - compares gradients with differences ------------===//
#include "compiler/gradient_check/GradientCheck.h"
#include "compiler/gradient_check/Comparisons.h"
#include "compiler/gradient_check/WidenFloats.h"
#include "compiler/transforms/Passes.h"
#include "dialects/tg/Suggestions.h"
#include "dialects/tg/rules/SignatureRules.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tg;

/// Runs the passes that precede the expansion of gradients: checks rules,
/// inlines calls and infers extents.
static LogicalResult prepare(ModuleOp module,
                             const GradientCheckOptions &options) {
  PassManager passes(module.getContext());
  passes.enableVerifier();
  passes.addPass(createCheckModule());
  passes.addPass(createInlineCalls());
  passes.addPass(
      createSelectFunctions(SelectFunctionsOptions{options.functions, ""}));
  passes.addPass(createEmbedWeights(EmbedWeightsOptions{options.weights}));
  passes.addPass(createInferShapes(InferShapesOptions{options.dims}));
  return passes.run(module);
}

/// Wraps a host function for the widened model, so that it takes and returns
/// the types of the original model.
static HostFunction adapt(HostFunction function, HostTypes types) {
  return [function = std::move(function), types = std::move(types)](
             ArrayRef<HostTensor> inputs, MutableArrayRef<HostTensor> results) {
    SmallVector<HostTensor> modelInputs, modelResults;
    for (auto [input, type] : llvm::zip_equal(inputs, types.inputs))
      modelInputs.push_back(convertFloats(input, type));
    for (auto [result, type] : llvm::zip_equal(results, types.results))
      modelResults.emplace_back(type, result.getShape());
    std::string error = function(modelInputs, modelResults);
    for (auto [result, tensor] : llvm::zip_equal(results, modelResults))
      result = convertFloats(tensor, result.getElementType());
    return error;
  };
}

/// Fails if a given input belongs to no function, or does not fit a function
/// that requests a gradient.
static LogicalResult checkInputs(ModuleOp module,
                                 const GradientCheckOptions &options) {
  llvm::StringSet<> names;
  for (auto function : module.getOps<func::FuncOp>())
    for (BlockArgument argument : function.getArguments())
      if (auto name = function.getArgAttrOfType<StringAttr>(
              argument.getArgNumber(), "tg.name"))
        names.insert(name.getValue());
  SmallVector<StringRef> known = llvm::to_vector(names.keys());
  llvm::sort(known);
  auto check = [&](const std::string &name) -> LogicalResult {
    if (names.contains(name))
      return success();
    return emitError(UnknownLoc::get(module.getContext()))
           << "expected the name of an input of the model, found '" << name
           << "'" << suggestName(name, known);
  };
  for (const auto &[name, value] : options.inputs)
    if (failed(check(name)))
      return failure();
  for (const auto &[name, value] : options.numbers)
    if (failed(check(name)))
      return failure();
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.getOps<GradientOp>().empty() &&
        failed(checkGivenInputs(function, options)))
      return failure();
  return success();
}

/// Adds a note to the diagnostic of a wrong derivative of a request for each op
/// that was not judged because it has a kink at these values. Without a wrong
/// op these are where the derivative comes from.
static void explainByKinks(const CheckedRequest &request,
                           Diagnostic &diagnostic) {
  for (const CheckedOp &op : request.ops) {
    unsigned kinks = 0, all = 0;
    for (const ComparedDerivatives &operand : op.operands) {
      kinks += operand.kinks;
      all += operand.kinks + operand.compared + operand.undefined;
    }
    if (kinks > 0)
      diagnostic.attachNote(op.location)
          << kinks << " of " << all << " derivatives of '" << op.name
          << "' are at kinks, where it has several: start from other values, "
             "such as trained weights or a random init";
  }
}

/// Checks the derivatives of one gradient request and then its ops. The check
/// of the ops needs the result of the first check, but its diagnostics are
/// emitted first, because a wrong op causes wrong derivatives.
static LogicalResult checkRequest(GradientSubject &subject,
                                  const GradientCheckOptions &options,
                                  const TimeLimit &limit,
                                  CheckedRequest &request, unsigned &wrong) {
  DiagnosticEngine &engine = request.location->getContext()->getDiagEngine();
  std::vector<Diagnostic> deferred;
  LogicalResult derivatives = success();
  {
    ScopedDiagnosticHandler deferrer(
        request.location->getContext(), [&](Diagnostic &diagnostic) {
          deferred.push_back(std::move(diagnostic));
          return success();
        });
    derivatives =
        checkDerivatives(subject, options, limit.shareOf(2), request, wrong);
  }
  unsigned wrongOps = 0;
  LogicalResult ops = succeeded(derivatives)
                          ? checkOps(subject, options, limit, request, wrongOps)
                          : success();
  wrong += wrongOps;
  for (Diagnostic &diagnostic : deferred) {
    if (succeeded(derivatives) && wrongOps == 0)
      explainByKinks(request, diagnostic);
    engine.emit(std::move(diagnostic));
  }
  return success(succeeded(derivatives) && succeeded(ops));
}

/// Checks all gradient requests (tg.gradient) of a function.
static LogicalResult
checkFunction(func::FuncOp function, const Interpreter &initialState,
              const HostSignatures &host, const GradientCheckOptions &options,
              const TimeLimit &limit, GradientCheckResult &result) {
  auto requests = function.getOps<GradientOp>();
  if (requests.empty())
    return success();
  FailureOr<SmallVector<HostTensor>> inputs = sampleInputs(function, options);
  if (failed(inputs))
    return failure();
  unsigned count = std::distance(requests.begin(), requests.end());
  for (unsigned index = 0; index < count; ++index) {
    auto subject = GradientSubject::create(function, index, *inputs,
                                           initialState, host, options);
    if (failed(subject))
      return failure();
    CheckedRequest &request =
        result.requests.emplace_back(CheckedRequest{nameOf(function).str(),
                                                    (*subject)->getLoc(),
                                                    (*subject)->getTarget(),
                                                    {},
                                                    {}});
    TimeLimit share = limit.shareOf(count - index);
    if (failed(checkRequest(**subject, options, share, request, result.wrong)))
      return failure();
  }
  return success();
}

LogicalResult tg::checkGradients(ModuleOp module,
                                 const GradientCheckOptions &options,
                                 GradientCheckResult &result) {
  if (failed(prepare(module, options)) || failed(checkInputs(module, options)))
    return failure();
  HostSignatures host = collectHostTypes(module);
  Interpreter initialState;
  for (const auto &[name, function] : options.hostFunctions)
    if (auto types = host.find(name); types != host.end())
      initialState.hostFunctions[name] = adapt(function, types->second);
  if (failed(widenFloats(module)) ||
      failed(initializeVariables(module, options, initialState)))
    return failure();
  TimeLimit limit(options.seconds);
  auto functions = llvm::to_vector(module.getOps<func::FuncOp>());
  for (auto [index, function] : llvm::enumerate(functions))
    if (failed(checkFunction(function, initialState, host, options,
                             limit.shareOf(functions.size() - index), result)))
      return failure();
  if (result.requests.empty())
    return emitError(module.getLoc())
           << "expected a function that asks for a gradient (tg.gradient), "
              "found none: there is nothing to check";
  return success();
}
