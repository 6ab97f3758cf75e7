//===- Pipeline.cpp - from a model to a library, phase by phase -----------===//
#include "compiler/driver/Pipeline.h"
#include "compiler/codegen/Backend.h"
#include "compiler/codegen/kernel/RandomElements.h"
#include "compiler/driver/PhaseRun.h"
#include "compiler/transforms/Passes.h"
#include "dialects/tg/Device.h"
#include "dialects/tg/evaluation/PlainThread.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "dialects/tgx/Tgx.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include <map>

using namespace mlir;
using namespace tg;

llvm::ArrayRef<PhaseInfo> tg::getPhases() {
  static constexpr PhaseInfo phases[] = {
      {Phase::graph, "graph", "one module of tg ops that keeps all rules"},
      {Phase::shapes, "shapes", "extents are numbers or follow from inputs"},
      {Phase::grad, "grad", "gradients are ordinary ops"},
      {Phase::trim, "trim", "nothing that no output or update needs"},
      {Phase::fuse, "fuse", "every computing op stands in a kernel"},
      {Phase::schedule, "schedule", "launches in order over planned memory"},
      {Phase::kernels, "kernels", "kernels are loops, vectors and arithmetic"},
      {Phase::object, "object", "machine code of one x86-64 level"},
      {Phase::library, "library", "model.so, or model.o to link statically"}};
  return phases;
}

bool tg::isConvAlgorithm(StringRef name) {
  return llvm::is_contained({"auto", "direct", "winograd"}, name);
}

bool tg::isTrap(StringRef name) {
  return llvm::is_contained({"all", "nan"}, name);
}

unsigned tg::modeOfOutput(const CompileOptions &options) {
  bool isLibrary = options.stopAfter == Phase::library && !options.relocatable;
  return isLibrary ? 0777 : 0666;
}

void tg::registerModelDialects(DialectRegistry &registry) {
  registry.insert<func::FuncDialect, TgDialect>();
}

void tg::registerAllDialects(DialectRegistry &registry) {
  registerModelDialects(registry);
  registry.insert<tgx::TgxDialect>();
  registerRandomElements(registry);
  for (const Backend *backend : getBackends())
    backend->registerDialects(registry);
}

/// Describes the target for passes, which is the same for all ISA levels.
static TargetDescription describeTarget(const LibraryOptions &options) {
  Target target = targetOf(options, options.levels.front());
  return findBackend(target.kind)->describe(target);
}

/// Adds the passes of a phase that changes the module.
static void addPasses(Phase phase, const CompileOptions &options,
                      const TargetDescription &target, OpPassManager &passes) {
  switch (phase) {
  case Phase::graph:
    // 1. Checks rules that verifiers of single ops cannot see. Inlines calls,
    //    so that every function can be read from top to bottom. Removes
    //    functions and outputs that were not requested.
    passes.addPass(createCheckModule());
    passes.addPass(createInlineCalls());
    passes.addPass(createSelectFunctions(
        SelectFunctionsOptions{options.functions, options.keep}));
    return;
  case Phase::shapes:
    // 2. Binds named extents to their sizes. Every extent becomes a number or
    //    an expression over extents of inputs.
    passes.addPass(createInferShapes(InferShapesOptions{options.dims}));
    return;
  case Phase::grad:
    // 3. Expands requests for gradients to the ops that compute them.
    passes.addPass(createExpandGradients());
    return;
  case Phase::trim:
    // 4. Trims dead nodes first, to avoid folding them in vain, and again after
    //    folding and CSE, which leave ops without users.
    passes.addPass(
        createTrimDeadNodes(TrimDeadNodesOptions{options.keepVariables}));
    passes.addPass(createFoldConstants());
    passes.addPass(createCSEPass());
    passes.addPass(
        createTrimDeadNodes(TrimDeadNodesOptions{options.keepVariables}));
    // The remaining variables get their values. The program is final and gets
    // its hash.
    passes.addPass(createEmbedWeights(EmbedWeightsOptions{options.weights}));
    passes.addPass(createIdentifyProgram());
    return;
  case Phase::fuse:
    // 5. Lowers updates, checks and decompositions to plain ops, moves state
    //    out of regions and turns data-dependent extents into symbols. Then
    //    moves every op into a kernel.
    passes.addNestedPass<func::FuncOp>(createLiftState());
    passes.addNestedPass<func::FuncOp>(createMeasureExtents());
    if (options.optimization >= 1)
      passes.addNestedPass<func::FuncOp>(createSplitScans());
    if (options.optimization >= 1)
      passes.addNestedPass<func::FuncOp>(createUpdateRows());
    if (!options.trapNan.empty())
      passes.addPass(createTrapNan(TrapNanOptions{options.trapNan == "nan"}));
    passes.addNestedPass<func::FuncOp>(createPrepareKernels());
    if (options.optimization >= 1)
      passes.addNestedPass<func::FuncOp>(createDivideReductions());
    passes.addPass(createCSEPass());
    if (options.optimization >= 1)
      passes.addNestedPass<func::FuncOp>(createJoinConcatenations());
    passes.addPass(createFuseKernels(
        FuseKernelsOptions{/*fuse=*/options.optimization >= 1,
                           /*optimization=*/unsigned(options.optimization)}));
    passes.addPass(createPackWeights(
        PackWeightsOptions{target.panelBytes, options.convAlgorithm,
                           unsigned(options.optimization)}));
    // Kernels write concatenated values in place.
    passes.addPass(createPlaceParts());
    // The next phase rejects a budget for dynamic extents. If this phase is the
    // last, it checks that instead.
    if (options.memoryBudget && options.stopAfter == Phase::fuse)
      passes.addPass(createRematerialize(
          RematerializeOptions{options.memoryBudget, /*onlyChecks=*/true}));
    return;
  case Phase::schedule:
    // 6. Rematerializes values that exceed the memory budget. Functions become
    //    launches over buffers.
    passes.addPass(createRematerialize(RematerializeOptions{
        options.memoryBudget, /*onlyChecks=*/false, target.alignment}));
    passes.addPass(createSchedule(ScheduleOptions{target.alignment}));
    passes.addPass(createNonTemporalOutputs(NonTemporalOutputsOptions{
        target.l2Bytes, target.nearCacheBytes, target.totalCacheBytes}));
    return;
  default:
    llvm_unreachable("the phase makes something new");
  }
}

/// Returns the options that the library is stamped with, in a fixed order.
static std::string flagsOf(const CompileOptions &options) {
  std::string flags = "-O" + std::to_string(options.optimization);
  if (!options.dims.empty())
    flags += " --dim " + options.dims;
  if (!options.functions.empty())
    flags += " --functions " + options.functions;
  if (!options.keep.empty())
    flags += " --keep " + options.keep;
  // The path of the file does not belong to the library.
  if (!options.weights.empty())
    flags += " --weights";
  if (options.convAlgorithm != "auto")
    flags += " --conv-algorithm " + options.convAlgorithm;
  if (!options.trapNan.empty())
    flags += " --trap-nan=" + options.trapNan;
  if (!options.tune.empty())
    flags += " --tune " + options.tune;
  if (options.memoryBudget)
    flags += " --memory-budget " + std::to_string(options.memoryBudget);
  return flags;
}

static LibraryOptions libraryOptions(const CompileOptions &options) {
  LibraryOptions result;
  result.modelName = options.modelName;
  result.levels = options.levels;
  result.optimization = options.optimization;
  result.tune = options.tune;
  result.symbolPrefix = options.symbolPrefix;
  result.keepsSymbols = options.keepsSymbols;
  result.relocatable = options.relocatable;
  result.flags = flagsOf(options);
  result.saveTemps = options.saveTemps;
  result.kernelCache = options.kernelCache;
  result.kernelArchive = options.kernelArchive;
  result.progress = options.progress;
  result.describesWorkspaces = options.describe;
  result.keepsVariables = options.keepVariables;
  return result;
}

std::vector<std::string> tg::listPasses(Phase phase,
                                        const CompileOptions &options) {
  OpPassManager passes(ModuleOp::getOperationName(),
                       OpPassManager::Nesting::Implicit);
  addPasses(phase, options, describeTarget(libraryOptions(options)), passes);
  std::vector<std::string> names;
  for (Pass &pass : passes) {
    llvm::raw_string_ostream name(names.emplace_back());
    pass.printAsTextualPipeline(name);
  }
  return names;
}

/// Checks that a scheduled module contains only variables, kernels and
/// functions.
static LogicalResult checkScheduled(ModuleOp module) {
  for (Operation &op : *module.getBody())
    if (!isa<VariableOp, tgx::KernelOp, tgx::FunctionOp>(op))
      return op.emitOpError() << "is left after phase schedule, expected "
                                 "variables, kernels and scheduled "
                                 "functions alone";
  return success();
}

/// Counts ops that run on another device than they are placed on. Emits an
/// error if placement is hard.
static LogicalResult checkPlacements(ModuleOp module,
                                     const CompileOptions &options,
                                     CompileResult &result) {
  std::map<std::string, int64_t> counts;
  WalkResult walk = module.walk([&](Operation *op) -> WalkResult {
    auto device = op->getAttrOfType<StringAttr>(kDeviceAttr);
    if (!device || device == kFirstDevice || isa<func::FuncOp>(op))
      return WalkResult::advance();
    ++counts[device.str()];
    if (!options.hardPlacement)
      return WalkResult::advance();
    return emitError(op->getLoc())
           << "expected the device of a library, " << kFirstDevice
           << ", where placement is hard, found '" << device.getValue() << "'";
  });
  for (const auto &[device, count] : counts)
    result.placements.push_back({device, count});
  return failure(walk.wasInterrupted());
}

LogicalResult tg::compileModule(ModuleOp module, const CompileOptions &options,
                                CompileResult &result) {
  PlainThread plain;
  DialectRegistry registry;
  registerAllDialects(registry);
  module.getContext()->appendDialectRegistry(registry);
  if (failed(checkPlacements(module, options, result)))
    return failure();
  PhaseRun run(module, options, result);
  LibraryOptions library = libraryOptions(options);
  library.modelName = module.getSymName().value_or(options.modelName).str();
  TargetDescription target = describeTarget(library);

  // Transforms the model to launches over planned memory, in place.
  for (Phase phase : {Phase::graph, Phase::shapes, Phase::grad, Phase::trim,
                      Phase::fuse, Phase::schedule}) {
    if (options.startFrom && phase <= *options.startFrom)
      continue;
    addPasses(phase, options, target, run.getPasses());
    run.endPhase(phase);
    if (phase == options.stopAfter)
      break;
  }
  if (failed(run.run()))
    return failure();
  if (options.stopAfter <= Phase::schedule)
    return run.finishWithModule(module);
  if (failed(checkScheduled(module)))
    return failure();
  if (options.describe) {
    FailureOr<std::string> description = describeModel(module, library);
    if (failed(description))
      return failure();
    result.description = *description;
  }

  // 7. Emits kernels as loops for the first ISA level, for people to read.
  if (options.stopAfter == Phase::kernels) {
    OwningOpRef<ModuleOp> kernels = buildKernels(module, library);
    return kernels ? run.finishWithModule(*kernels) : failure();
  }
  // 8. Emits assembly or an object file for one ISA level.
  if (options.stopAfter == Phase::object)
    return buildObject(module, library, options.assembly, result.file);
  // 9. Emits all ISA levels with the tables, linked and sealed.
  return buildLibrary(module, library, result.file, result);
}
