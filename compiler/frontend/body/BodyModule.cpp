//===- BodyModule.cpp - the module of a body, as text and as a library ----===//
#include "compiler/codegen/Backend.h"
#include "compiler/driver/CompileReport.h"
#include "compiler/driver/Defaults.h"
#include "compiler/frontend/body/BodyImpl.h"
#include "compiler/frontend/body/ModuleView.h"
#include "compiler/frontend/text/OutputFile.h"
#include "compiler/frontend/text/ProgressLine.h"
#include "dialects/tg/evaluation/DefaultModesGuard.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "dialects/tg/ops/control/VariableAccess.h"
#include "dialects/tg/rules/ModuleRules.h"
#include "dialects/tg/rules/UnusedRules.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

/// Erases the variables of the seed and the step if no function uses them, and
/// returns their names. Functions that change no variable take samples without
/// these variables.
static std::set<std::string>
eraseUnusedCounters(ModuleOp module, ArrayRef<VariableInfo> variables) {
  llvm::StringSet<> used;
  module.walk([&](Operation *op) {
    for (StringRef name : readVariables(op))
      used.insert(name);
    for (StringRef name : assignedVariables(op))
      used.insert(name);
  });
  std::set<std::string> unused;
  for (const VariableInfo &variable : variables) {
    const std::string &name = variable.spec.name;
    bool isCounter =
        variable.spec.role == "step" || variable.spec.role == "random";
    if (!isCounter || used.contains(name))
      continue;
    for (auto op : llvm::make_early_inc_range(module.getOps<VariableOp>()))
      if (op.getSymName() == name)
        op.erase();
    unused.insert(name);
  }
  return unused;
}

/// Renames functions that have the name of a variable: a module has one name
/// space.
static void separateFunctions(ModuleOp module) {
  llvm::StringSet<> taken;
  for (auto variable : module.getOps<VariableOp>())
    taken.insert(variable.getSymName());
  for (auto function : module.getOps<func::FuncOp>()) {
    std::string name = function.getSymName().str();
    std::string symbol = name;
    while (!taken.insert(symbol).second)
      symbol += ".function";
    if (symbol == name)
      continue;
    function->setAttr("tg.name", StringAttr::get(module.getContext(), name));
    function.setSymName(symbol);
  }
}

OwningOpRef<ModuleOp> Body::Impl::finish() {
  if (evaluator) {
    emitError(function.getLoc())
        << needsGraph("a program that is written or compiled", Place()).message;
    return {};
  }
  if (failed(checkEffects()))
    return {};
  OwningOpRef<ModuleOp> copy = module->clone();
  copy->lookupSymbol(function.getName())->erase();
  std::set<std::string> unused = eraseUnusedCounters(*copy, variables);
  if (variables.size() > unused.size()) {
    FunctionSpec spec;
    spec.excludedVariables = unused;
    spec.name = kInit;
    spec.isInit = true;
    spec.inputs = {*seed};
    FailureOr<func::FuncOp> init = cut(spec, function.getLoc());
    if (failed(init))
      return {};
    auto functions = copy->getOps<func::FuncOp>();
    if (functions.empty())
      copy->push_back(*init);
    else
      copy->getBody()->getOperations().insert(
          Block::iterator(*functions.begin()), init->getOperation());
  }
  separateFunctions(*copy);
  if (failed(mlir::verify(*copy)) || failed(verifyModuleRules(*copy)))
    return {};
  collectWarnings(*copy);
  return copy;
}

void Body::addPenalty(const std::string &variable, Id penalty) {
  if (impl->evaluator)
    return; // an eager program has no functions that could use it
  if (Operation *op = impl->values[penalty].getDefiningOp())
    impl->penalties[variable].push_back(impl->top->findAncestorOpInBlock(*op));
}

void Body::Impl::warnOfPenalties(ModuleOp finished) {
  llvm::StringSet<> trained;
  for (auto function : finished.getOps<func::FuncOp>())
    if (function.getName() != kInit)
      function.walk(
          [&](Operation *op) { trained.insert_range(assignedVariables(op)); });
  llvm::SetVector<llvm::StringRef> layers;
  const VariableInfo *first = nullptr;
  for (const VariableInfo &variable : variables) {
    llvm::StringRef name = variable.spec.name;
    if (!variable.spec.regularizer || !variable.spec.trainable ||
        !trained.contains(name) ||
        llvm::any_of(penalties.lookup(name),
                     [&](Operation *op) { return functionOps.contains(op); }))
      continue;
    layers.insert(name.contains('/') ? name.rsplit('/').first : name);
    first = first ? first : &variable;
  }
  if (!first)
    return;
  std::string message =
      layers.size() == 1 ? "the penalty of '" : "the penalties of '";
  message += llvm::join(layers, "', '");
  message += layers.size() == 1 ? "' is in no loss" : "' are in no loss";
  warnings.push_back(makeError(
      message + ": add regularization() of the variables to it", first->where));
}

void Body::Impl::collectWarnings(ModuleOp finished) {
  Capture capture(&context, DiagnosticSeverity::Warning);
  for (auto [argument, input] : llvm::zip(top->getArguments(), inputs))
    if (!listedInputs.contains(argument) &&
        !(seed && values[*seed] == argument))
      emitWarning(argument.getLoc())
          << "no function uses input '" << input.first << "'";
  warnOfUnused(finished);
  llvm::append_range(warnings, capture.all());
  warnOfPenalties(finished);
}

/// Prints the module of a body with a function that may fail with diagnostics.
template <typename Print>
static Result<std::string> printModule(Body::Impl &impl, Print print) {
  DefaultModesGuard guard;
  Capture capture(&impl.context);
  OwningOpRef<ModuleOp> module = impl.finish();
  Result<std::string> result;
  llvm::raw_string_ostream stream(result.value);
  if (!module || failed(print(*module, stream)))
    return {{}, capture.takeAll("a valid module")};
  return result;
}

Result<std::string> Body::text() {
  return printModule(*impl, [](ModuleOp module, llvm::raw_ostream &stream) {
    module->print(stream, OpPrintingFlags().enableDebugInfo());
    return success();
  });
}

Result<std::string> Body::summary() { return printModule(*impl, printSummary); }

/// Writes a file under a temporary name and renames it.
static Result<Nothing> writeFile(const std::string &path,
                                 llvm::StringRef content, unsigned mode) {
  if (llvm::Error error = writeFileAtomically(path, content, mode))
    return {{}, dsl::Error{llvm::toString(std::move(error)), "", 0, 0}};
  return {};
}

Result<Nothing> Body::write(const std::string &path) {
  if (impl->evaluator)
    return {{}, impl->needsGraph("a program that is written", Place())};
  llvm::StringRef name(path);
  if (name.ends_with(".so") || name.ends_with(".o"))
    return {{},
            dsl::Error{"expected a path that ends in .mlir for text, or in "
                       ".dot for a graph, found '" +
                           path + "'",
                       "", 0, 0}};
  bool isGraph = name.ends_with(".dot");
  Result<std::string> printed =
      isGraph ? printModule(*impl,
                            [](ModuleOp module, llvm::raw_ostream &stream) {
                              return printGraph(module, stream);
                            })
              : text();
  if (printed.error)
    return {{}, printed.error};
  return writeFile(path, printed.value, kDataMode);
}

std::string Body::checkIsaLevels(const std::vector<int> &levels) {
  return getCpuBackend().getCpuCode()->checkLevels(levels);
}

/// Returns the error in the options, or "".
static std::string checkOptions(const ModelOptions &options) {
  if (options.optimization < 0 || options.optimization > 3)
    return "expected an optimization of 0 to 3, found " +
           std::to_string(options.optimization);
  std::string mistake =
      options.levels.empty() ? "" : Body::checkIsaLevels(options.levels);
  std::vector<std::string> kinds = options.targets;
  if (mistake.empty())
    mistake = sortTargetKinds(kinds);
  if (mistake.empty())
    mistake = checkPrecision(options.precision, kinds);
  if (!mistake.empty())
    return mistake;
  for (const std::string &name : options.functions)
    if (name.empty() || name.find(',') != std::string::npos)
      return "expected names of functions, found '" + name + "'";
  if (options.memoryBudget < 0)
    return "expected a memory budget of 0 bytes or more, found " +
           std::to_string(options.memoryBudget);
  if (!isConvAlgorithm(options.convAlgorithm))
    return "expected auto, direct or winograd for convolutions, found '" +
           options.convAlgorithm + "'";
  if (!options.trapNan.empty() && !isTrap(options.trapNan))
    return "expected trapNan to be 'all', 'nan' or empty, found '" +
           options.trapNan + "'";
  if (!options.tune.empty() &&
      !getCpuBackend().getCpuCode()->canTuneFor(options.tune))
    return "expected LLVM's name of a CPU to tune for, as znver4, found '" +
           options.tune + "'";
  return "";
}

/// Returns the error in the path of the library, or "".
static std::string checkPath(llvm::StringRef path,
                             const ModelOptions &options) {
  llvm::StringRef ending = options.relocatable ? ".o" : ".so";
  llvm::StringRef name = llvm::sys::path::filename(path);
  bool isVersioned = !options.relocatable && name.contains(".so.");
  if (name.ends_with(ending) || isVersioned || !name.contains('.'))
    return "";
  return ("expected a path that ends in " + ending + " for " +
          (options.relocatable ? "an object file" : "a library") + ", found '" +
          path + "'")
      .str();
}

/// Returns the error in the path of the report, or "".
static std::string checkReport(const std::string &library,
                               const ModelOptions &options) {
  const std::string &report = options.report;
  if (report.empty())
    return "";
  if (!reportFormatOf(report))
    return reportFormatError("option 'report'", report);
  if (isSameFile(report, library))
    return "expected another file for the report than '" + report +
           "', which is the library";
  if (!options.weights.empty() && isSameFile(report, options.weights))
    return "expected another file for the report than '" + report +
           "', which has the weights";
  return "";
}

Result<Nothing> Body::compile(const std::string &path,
                              const ModelOptions &options) {
  if (impl->evaluator)
    return {{}, impl->needsGraph("a program that is compiled", Place())};
  DefaultModesGuard guard;
  std::string mistake = checkOptions(options);
  if (mistake.empty())
    mistake = checkPath(path, options);
  if (mistake.empty())
    mistake = checkReport(path, options);
  if (!mistake.empty())
    return {{}, dsl::Error{mistake, "", 0, 0}};
  Capture capture(&impl->context);
  OwningOpRef<ModuleOp> module = impl->finish();
  if (!module)
    return {{}, capture.takeAll("a valid module")};
  CompileOptions settings;
  settings.kinds = options.targets;
  (void)sortTargetKinds(settings.kinds);
  settings.optimization = options.optimization;
  settings.levels = options.levels.empty() ? std::vector<int>{nativeIsaLevel()}
                                           : options.levels;
  settings.tune = options.tune;
  settings.dims = options.dims;
  settings.functions = llvm::join(options.functions, ",");
  settings.weights = options.weights;
  settings.memoryBudget = options.memoryBudget;
  settings.kernelCache = options.kernelCache.value_or(defaultCache());
  settings.kernelArchive = defaultKernelArchive(options.kernelCache);
  settings.convAlgorithm = options.convAlgorithm;
  settings.precision = options.precision;
  settings.trapNan = options.trapNan;
  settings.hardPlacement = options.hardPlacement;
  settings.relocatable = options.relocatable;
  settings.symbolPrefix = options.symbolPrefix;
  settings.describe = !options.report.empty();
  CompileResult result;
  ProgressLine line(llvm::errs());
  if (options.showsProgress)
    settings.progress = [&](size_t done, size_t all) { line.show(done, all); };
  if (failed(compileModule(*module, settings, result)))
    return {{}, capture.takeAll("the model to compile")};
  if (!result.cacheRemark.empty())
    impl->warnings.push_back({nameModelOptions(result.cacheRemark), "", 0, 0});
  // The library is written last, so that its existence means success.
  if (settings.describe)
    if (Result<Nothing> written = writeFile(
            options.report,
            formatReport(result, *reportFormatOf(options.report)), kDataMode);
        written.error)
      return written;
  return writeFile(path, {result.file.data(), result.file.size()},
                   modeOfOutput(settings));
}
