//===- BodySession.cpp - fetches of sessions, and the graph as a file -----===//
#include "compiler/codegen/Backend.h"
#include "compiler/driver/Defaults.h"
#include "compiler/driver/Pipeline.h"
#include "compiler/frontend/body/BodyImpl.h"
#include "compiler/frontend/body/Cut.h"
#include "compiler/frontend/body/EagerEvaluator.h"
#include "compiler/frontend/body/ModuleView.h"
#include "compiler/frontend/text/OutputFile.h"
#include "compiler/library/code/KernelCache.h"
#include "compiler/library/plan/SlabLayout.h"
#include "compiler/transforms/devices/DevicePlacement.h"
#include "compiler/transforms/devices/PartitionDevices.h"
#include "dialects/tg/Device.h"
#include "dialects/tg/evaluation/DefaultModesGuard.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "dialects/tg/ops/control/VariableAccess.h"
#include "dialects/tg/rules/ModuleRules.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

/// Returns a verified module of the body's variables and one function; null
/// after an error.
static OwningOpRef<ModuleOp> moduleOf(Body::Impl &impl, func::FuncOp function) {
  OwningOpRef<ModuleOp> module =
      ModuleOp::create(impl.module->getLoc(), llvm::StringRef(impl.name));
  OpBuilder builder(module->getBodyRegion());
  for (auto variable : impl.module->getOps<VariableOp>())
    builder.clone(*variable);
  module->push_back(function);
  if (failed(mlir::verify(*module)) || failed(verifyModuleRules(*module)))
    return {};
  return module;
}

//===----------------------------------------------------------------------===//
// Fetches
//===----------------------------------------------------------------------===//

/// Collects the variables that a function reads before it assigns them, and the
/// variables that it assigns. Determines mayFailLate.
static void collectState(const Body::Impl &impl, func::FuncOp function,
                         FetchLibrary &library) {
  llvm::SetVector<size_t> reads, writes;
  bool hasOtherEffects = false;
  auto read = [&](llvm::StringRef name) {
    size_t index = impl.variableByName.lookup(name);
    if (writes.contains(index))
      library.mayFailLate = true;
    else
      reads.insert(index);
  };
  function.walk([&](Operation *op) {
    for (StringRef name : readVariables(op))
      read(name);
    for (StringRef name : assignedVariables(op))
      writes.insert(impl.variableByName.lookup(name));
    if (op->getBlock() == &function.getBody().front() &&
        !op->hasTrait<mlir::OpTrait::IsTerminator>() && !accessesVariables(op))
      hasOtherEffects |= !isMemoryEffectFree(op);
  });
  library.mayFailLate |= hasOtherEffects && !writes.empty();
  library.reads.assign(reads.begin(), reads.end());
  library.writes.assign(writes.begin(), writes.end());
}

/// Collects the names of the inputs and outputs.
static void collectPorts(func::FuncOp function, FetchLibrary &library) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    library.inputs.push_back(
        function.getArgAttrOfType<StringAttr>(i, "tg.name").str());
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    library.outputs.push_back(
        function.getResultAttrOfType<StringAttr>(i, "tg.name").str());
}

bool Body::canCache(const std::string &directory, std::string &remark) {
  remark.clear();
  if (directory.empty())
    return false;
  std::string rejection;
  llvm::Expected<KernelCache> cache = KernelCache::open(directory, rejection);
  if (!cache) {
    llvm::consumeError(cache.takeError());
    return false;
  }
  if (!rejection.empty())
    remark = nameModelOptions(describeIgnoredCache(directory, rejection));
  return bool(*cache);
}

std::string Body::defaultCache() { return defaultKernelCache(); }

int Body::nativeIsaLevel() {
  return getCpuBackend().getCpuCode()->getNativeLevel();
}

/// Partitions the function of a module by the devices of its ops. Expands
/// gradients first, because the partition needs all ops.
static LogicalResult partitionByDevice(ModuleOp module, CompileOptions settings,
                                       ArrayRef<std::string> devices,
                                       FetchLibrary &library) {
  auto function = *module.getOps<func::FuncOp>().begin();
  bool isPlaced =
      devices.size() > 1 && function
                                .walk([](Operation *op) {
                                  return op->hasAttr(kDeviceAttr)
                                             ? WalkResult::interrupt()
                                             : WalkResult::advance();
                                })
                                .wasInterrupted();
  if (!isPlaced)
    return success();
  settings.stopAfter = Phase::trim;
  CompileResult trimmed;
  if (failed(compileModule(module, settings, trimmed)))
    return failure();
  module->removeAttr("tg.program"); // the parts are programs of their own
  library.parts.clear();
  bool hasWritten = false;
  for (const DevicePart &part :
       partitionDevices(*module.getOps<func::FuncOp>().begin(), devices)) {
    // A part that fails after an earlier part has assigned variables leaves
    // them changed.
    library.mayFailLate |= hasWritten;
    func::FuncOp made = part.function;
    hasWritten |=
        made->getAttrOfType<StringAttr>("tg.role").getValue() == "train";
    library.parts.push_back({made.getSymName().str(), part.device, part.stage});
  }
  return success();
}

/// Returns the kind of targets that a device of a session runs.
static StringRef kindOf(StringRef device) {
  return device.starts_with("gpu:") ? "cuda" : "cpu";
}

/// Returns the kinds of targets that the devices of a library run.
static std::vector<std::string> kindsOf(const FetchLibrary &library,
                                        ArrayRef<std::string> devices) {
  std::vector<std::string> kinds;
  for (const FetchPart &part : library.parts)
    kinds.push_back(kindOf(devices[part.device]).str());
  [[maybe_unused]] std::string mistake = sortTargetKinds(kinds);
  assert(mistake.empty() && "every kind has a back end");
  return kinds;
}

Result<std::vector<SlabPlace>> Body::slabPlaces() {
  Capture capture(&impl->context);
  FailureOr<SlabLayout> layout =
      SlabLayout::create(*impl->module, /*keepsAll=*/true);
  if (failed(layout))
    return {{}, capture.take("variables that fit into memory")};
  std::vector<SlabPlace> places;
  for (const SlabEntry &entry : layout->getEntries())
    places.push_back({entry.offset, entry.bytes});
  return {places};
}

Result<FetchLibrary> Body::compileFetch(const FunctionSpec &spec,
                                        const FetchOptions &options,
                                        Place where) {
  if (impl->evaluator)
    return {{}, impl->needsGraph("a session", where)};
  DefaultModesGuard guard;
  for (const auto &[name, value] : spec.outputs)
    if (auto error = impl->checkVisible({&value, 1}, where))
      return {{}, std::move(error)};
  Capture capture(&impl->context);
  FetchLibrary library;
  Cut cut(*impl, spec, impl->locate(where));
  FailureOr<func::FuncOp> function = cut.run();
  if (failed(function))
    return {{}, capture.takeAll("a valid function")};
  library.sources = cut.sources;
  library.takesSeed = cut.takesSeed();
  library.takesSample = cut.takesSample;
  collectState(*impl, *function, library);
  collectPorts(*function, library);
  OwningOpRef<ModuleOp> module = moduleOf(*impl, *function);
  if (!module ||
      failed(placeOnDevices(*function, options.devices, options.softPlacement)))
    return {{}, capture.takeAll("a valid module")};
  CompileOptions settings;
  settings.optimization = options.optimization;
  settings.levels = options.levels;
  settings.kernelCache = options.kernelCache;
  settings.kernelArchive = defaultKernelArchive(options.kernelCache);
  settings.trapNan = options.trapNan;
  settings.keepVariables = true;
  CompileResult result;
  if (failed(partitionByDevice(*module, settings, options.devices, library)))
    return {{}, capture.takeAll("fetches that compile")};
  settings.kinds = kindsOf(library, options.devices);
  if (failed(compileModule(*module, settings, result)))
    return {{}, capture.takeAll("fetches that compile")};
  if (!result.cacheRemark.empty())
    warn(nameModelOptions(result.cacheRemark), where);
  library.file.assign(result.file.begin(), result.file.end());
  return {std::move(library)};
}

//===----------------------------------------------------------------------===//
// The whole graph
//===----------------------------------------------------------------------===//

/// Returns a spec with all effects, and all values without uses as outputs.
static FunctionSpec specOfAll(Body &body, Body::Impl &impl) {
  FunctionSpec spec;
  spec.name = "graph";
  while (impl.variableByName.contains(spec.name))
    spec.name += "_";
  spec.isFetch = spec.namesOps = true;
  for (BlockArgument argument : impl.top->getArguments())
    if (!impl.isSeed(argument))
      spec.inputs.push_back(impl.add(argument));
  for (auto [number, effect] : llvm::enumerate(impl.effects))
    if (effect) // null if its region was erased
      spec.effects.push_back(Id(number));
  for (Operation &op : *impl.top)
    if (op.use_empty() && !impl.initialOps.contains(&op) && !isa<ReadOp>(op))
      for (Value result : op.getResults()) {
        Id id = impl.add(result);
        spec.outputs.emplace_back(impl.opNameOf(result), id);
      }
  return spec;
}

/// Returns a module of the function `graph`; null after an error.
static OwningOpRef<ModuleOp> graphOf(Body &body, Body::Impl &impl) {
  FunctionSpec spec = specOfAll(body, impl);
  FailureOr<func::FuncOp> function =
      Cut(impl, spec, impl.function.getLoc()).run();
  return failed(function) ? OwningOpRef<ModuleOp>() : moduleOf(impl, *function);
}

Result<std::string> Body::graphText() {
  if (impl->evaluator)
    return {{}, impl->needsGraph("a graph as text", Place())};
  DefaultModesGuard guard;
  Capture capture(&impl->context);
  Result<std::string> result;
  llvm::raw_string_ostream stream(result.value);
  OwningOpRef<ModuleOp> module = graphOf(*this, *impl);
  if (!module)
    return {{}, capture.takeAll("a valid graph")};
  module->print(stream, OpPrintingFlags().enableDebugInfo());
  return result;
}

Result<Nothing> Body::writeGraph(const std::string &path) {
  if (impl->evaluator)
    return {{}, impl->needsGraph("a graph as text", Place())};
  DefaultModesGuard guard;
  Capture capture(&impl->context);
  std::string text;
  llvm::raw_string_ostream stream(text);
  OwningOpRef<ModuleOp> module = graphOf(*this, *impl);
  bool isGraph = llvm::StringRef(path).ends_with(".dot");
  if (!module ||
      (isGraph && failed(printGraph(*module, stream, /*namesOps=*/true))))
    return {{}, capture.takeAll("a valid graph")};
  if (!isGraph)
    module->print(stream, OpPrintingFlags().enableDebugInfo());
  if (llvm::Error error = writeFileAtomically(path, StringRef(text), kDataMode))
    return {{}, dsl::Error{llvm::toString(std::move(error)), "", 0, 0}};
  return {};
}
