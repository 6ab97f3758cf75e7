//===- Pipeline.cpp - from a model to a library, phase by phase -----------===//
#include "compiler/driver/Pipeline.h"
#include "compiler/codegen/Backend.h"
#include "compiler/codegen/kernel/RandomElements.h"
#include "compiler/driver/PhaseRun.h"
#include "compiler/reference/ConstantOps.h"
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/numerics/Orders.h"
#include "dialects/tg/Device.h"
#include "dialects/tg/Order.h"
#include "dialects/tg/evaluation/DefaultModesGuard.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "dialects/tgx/Tgx.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace mlir;
using namespace tg;

namespace tg {
#define GET_phases_IMPL
#include "compiler/transforms/Pipeline.inc"
} // namespace tg

llvm::ArrayRef<PhaseInfo> tg::getPhases() { return phases; }

/// Returns true if entry i of the pipeline is enumerator i of Phase.
static constexpr bool isInOrder() {
  for (unsigned index = 0; index < std::size(phases); ++index)
    if (phases[index].phase != Phase(index))
      return false;
  return std::size(phases) == unsigned(Phase::library) + 1;
}
static_assert(isInOrder(),
              "the phases of Pipeline.td differ in their order from the "
              "enum Phase");

const PhaseInfo &tg::getPhase(Phase phase) { return phases[unsigned(phase)]; }

std::string tg::sortTargetKinds(std::vector<std::string> &kinds) {
  std::vector<std::string> known, sorted;
  for (const Backend *backend : getBackends()) {
    known.push_back(backend->getKind().str());
    if (llvm::is_contained(kinds, known.back()))
      sorted.push_back(known.back());
  }
  std::string expected = llvm::join(known, " or ");
  if (kinds.empty())
    return "expected targets of the kinds " + expected + ", found none";
  for (const std::string &kind : kinds)
    if (!llvm::is_contained(known, kind))
      return "expected targets of the kinds " + expected + ", found '" + kind +
             "'";
  kinds = std::move(sorted);
  return "";
}

std::string tg::checkPrecision(StringRef precision,
                               ArrayRef<std::string> kinds) {
  if (!isPrecision(precision))
    return "expected " + kExactPrecision.str() + " or " + kTf32Precision.str() +
           " for the precision, found '" + precision.str() + "'";
  auto isForDevices = [](StringRef kind) {
    return findBackend(kind)->getDeviceCode() != nullptr;
  };
  if (precision != kExactPrecision && llvm::none_of(kinds, isForDevices))
    return "expected targets with a device for the precision " +
           precision.str() + ", found " + llvm::join(kinds, ", ");
  return "";
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
  attachExactEvaluation(registry);
  for (const Backend *backend : getBackends())
    backend->registerDialects(registry);
}

/// Returns the options that the library records, in a fixed order.
static std::string flagsOf(const CompileOptions &options) {
  std::string flags = "-O" + std::to_string(options.optimization);
  if (!options.dims.empty())
    flags += " --dim " + options.dims;
  if (!options.functions.empty())
    flags += " --functions " + options.functions;
  if (!options.keep.empty())
    flags += " --keep " + options.keep;
  // The path of the file is not recorded, so that it does not change the
  // library.
  if (!options.weights.empty())
    flags += " --weights";
  if (options.convAlgorithm != "auto")
    flags += " --conv-algorithm " + options.convAlgorithm;
  if (options.precision != kExactPrecision)
    flags += " --precision " + options.precision;
  if (!options.trapNan.empty())
    flags += " --trap-nan=" + options.trapNan;
  if (!options.tune.empty())
    flags += " --tune " + options.tune;
  if (options.kinds != CompileOptions().kinds)
    flags += " --targets " + llvm::join(options.kinds, ",");
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
  getPhase(phase).addPasses(passes, options);
  std::vector<std::string> names;
  for (Pass &pass : passes) {
    std::string name;
    llvm::raw_string_ostream stream(name);
    pass.printAsTextualPipeline(stream);
    names.push_back(phase < kFirstPlanPhase ? name
                                            : "builtin.module(" + name + ")");
  }
  return names;
}

SmallVector<ModuleOp> tg::getPlans(ModuleOp module) {
  return llvm::to_vector(module.getOps<ModuleOp>());
}

/// Checks that the module consists of plans if the phase that creates them does
/// not run.
static LogicalResult checkPlans(ModuleOp module,
                                const CompileOptions &options) {
  if (!options.startFrom || *options.startFrom < Phase::numerics)
    return success();
  for (Operation &op : *module.getBody())
    if (!op.hasAttr(tgx::kTargetAttr))
      return op.emitOpError() << "expected a module with the attribute '"
                              << tgx::kTargetAttr << "', which phase "
                              << getPhase(Phase::numerics).name << " creates";
  if (getPlans(module).empty())
    return module.emitOpError() << "expected a plan in the module, found none";
  return success();
}

/// Checks that a scheduled module contains only variables, kernels and
/// functions.
static LogicalResult checkScheduled(ModuleOp plan) {
  for (Operation &op : *plan.getBody())
    if (!isa<VariableOp, tgx::KernelOp, tgx::FunctionOp>(op))
      return op.emitOpError() << "is left after phase schedule, expected "
                                 "variables, kernels and scheduled "
                                 "functions alone";
  return success();
}

/// Checks that each sum has an order if the phase that states orders does not
/// run.
static LogicalResult checkOrders(ModuleOp module,
                                 const CompileOptions &options) {
  if (!options.startFrom || *options.startFrom < Phase::numerics)
    return success();
  Operation *found = findUnordered(module);
  if (!found)
    return success();
  return found->emitOpError()
         << "takes a sum in no order, expected the attribute '" << kOrderAttr
         << "', which phase " << getPhase(Phase::numerics).name << " adds";
}

/// Checks that the plans are for different kinds of targets.
static LogicalResult checkLibraryPlans(ModuleOp module) {
  llvm::SmallDenseSet<StringRef> kinds;
  for (ModuleOp plan : getPlans(module)) {
    auto target = plan->getAttrOfType<tgx::TargetAttr>(tgx::kTargetAttr);
    if (!kinds.insert(target.getKind()).second)
      return plan.emitOpError() << "expected one plan for targets of kind '"
                                << target.getKind() << "', found another";
  }
  return success();
}

/// Removes the plans for other kinds of targets than `kind`. Emits an error if
/// none is left.
static LogicalResult selectPlan(ModuleOp module, StringRef kind,
                                SmallVectorImpl<ModuleOp> &plans) {
  llvm::erase_if(plans, [&](ModuleOp plan) {
    auto target = plan->getAttrOfType<tgx::TargetAttr>(tgx::kTargetAttr);
    return target.getKind() != kind;
  });
  if (!plans.empty())
    return success();
  return module.emitOpError()
         << "expected a plan for targets of kind '" << kind << "', found none";
}

/// Counts, by device, the ops that are placed on a device other than the one on
/// which they run. Emits an error for the first of them if placement is hard.
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
    return emitError(op->getLoc()) << "expected " << kFirstDevice
                                   << ", the only device of a library, because "
                                      "placement is hard, found '"
                                   << device.getValue() << "'";
  });
  for (const auto &[device, count] : counts)
    result.placements.push_back({device, count});
  return failure(walk.wasInterrupted());
}

LogicalResult tg::compileModule(ModuleOp module, const CompileOptions &options,
                                CompileResult &result) {
  DefaultModesGuard guard;
  DialectRegistry registry;
  registerAllDialects(registry);
  module.getContext()->appendDialectRegistry(registry);
  if (failed(checkPlacements(module, options, result)) ||
      failed(checkOrders(module, options)) ||
      failed(checkPlans(module, options)))
    return failure();
  PhaseRun run(module, options, result);
  LibraryOptions library = libraryOptions(options);
  library.modelName = module.getSymName().value_or(options.modelName).str();

  // Transforms the model to launches over planned memory, in place. From phase
  // fuse on, passes run on the module of each plan.
  for (Phase phase : {Phase::graph, Phase::shapes, Phase::grad, Phase::trim,
                      Phase::numerics, Phase::fuse, Phase::schedule}) {
    if (options.startFrom && phase <= *options.startFrom)
      continue;
    OpPassManager &passes = run.getPasses();
    getPhase(phase).addPasses(
        phase < kFirstPlanPhase ? passes : passes.nest<ModuleOp>(), options);
    run.endPhase(phase);
    if (phase == options.stopAfter)
      break;
  }
  if (failed(run.run()))
    return failure();
  if (options.stopAfter <= Phase::schedule)
    return run.finishWithModule(module);
  if (failed(checkLibraryPlans(module)))
    return failure();
  SmallVector<ModuleOp> plans = getPlans(module);
  if (!options.onlyKind.empty() &&
      failed(selectPlan(module, options.onlyKind, plans)))
    return failure();
  for (ModuleOp each : plans)
    if (failed(checkScheduled(each)))
      return failure();
  ModuleOp plan = plans.front();
  if (options.describe) {
    FailureOr<std::string> description = describeModel(plans, library);
    if (failed(description))
      return failure();
    result.description = *description;
  }

  // 7. Emits kernels as loops for the first target, for people to read.
  if (options.stopAfter == Phase::kernels) {
    OwningOpRef<ModuleOp> kernels = buildKernels(plan, library);
    return kernels ? run.finishWithModule(*kernels) : failure();
  }
  // 8. Emits assembly, an object file or an image for one target.
  if (options.stopAfter == Phase::object)
    return buildObject(plan, library, options.assembly, result.file);
  // 9. Emits all targets with the tables, linked and sealed.
  return buildLibrary(plans, library, result.file, result);
}
