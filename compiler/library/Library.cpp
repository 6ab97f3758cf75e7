//===- Library.cpp - from a scheduled module to a model library -----------===//
#include "compiler/library/Library.h"
#include "compiler/library/LibraryObjects.h"
#include "compiler/library/code/KernelCache.h"
#include "compiler/library/code/TargetCode.h"
#include "compiler/library/code/Timer.h"
#include "compiler/library/link/EmbeddedObject.h"
#include "compiler/library/link/Link.h"
#include "compiler/library/link/Seal.h"
#include "compiler/library/report/LibraryReport.h"
#include "compiler/library/tables/Metadata.h"
#include "compiler/library/tables/Tables.h"
#include "tg/abi.h"

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// Building a library
//===----------------------------------------------------------------------===//

/// Returns true if the text is a valid beginning of a C identifier.
static bool isIdentifier(StringRef text) {
  return !llvm::isDigit(text.front()) && llvm::all_of(text, [](char c) {
    return llvm::isAlnum(c) || c == '_';
  });
}

/// Reports invalid options. The diagnostic has no location, because no line of
/// the model is to blame.
static LogicalResult checkOptions(ModuleOp module,
                                  const LibraryOptions &options) {
  Location nowhere = UnknownLoc::get(module.getContext());
  StringRef prefix = options.symbolPrefix;
  if (!prefix.empty() && !isIdentifier(prefix))
    return emitError(nowhere) << "option 'symbol-prefix': expected letters, "
                                 "digits and underscores, found '"
                              << prefix << "'";
  if (exportedName(options).size() < sizeof(tg_trailer_t::symbol))
    return success();
  return emitError(nowhere)
         << "option 'symbol-prefix': expected at most "
         << sizeof(tg_trailer_t::symbol) - sizeof("_" TG_MODEL_SYMBOL)
         << " bytes, found " << prefix.size();
}

/// Returns the targets of a back end that a library has code for.
static std::vector<Target> findTargets(const Backend &backend,
                                       const LibraryOptions &options) {
  SmallVector<int> levels = backend.getLevels();
  if (backend.getKind() == Target().kind)
    levels.assign(options.levels.begin(), options.levels.end());
  std::vector<Target> targets;
  for (int level : levels)
    targets.push_back(
        {level, options.optimization, options.tune, backend.getKind().str()});
  return targets;
}

/// Loads the dialects that the threads need, checks the options, and reads the
/// module.
static FailureOr<ModelPlan> preparePlan(ModuleOp module,
                                        const LibraryOptions &options) {
  if (failed(checkOptions(module, options)))
    return failure();
  FailureOr<ModelPlan> plan = ModelPlan::create(module, options.keepsVariables);
  if (failed(plan))
    return failure();
  loadKernelDialects(*plan->backend, *module.getContext());
  plan->targets = findTargets(*plan->backend, options);
  return plan;
}

/// Returns true if two lists of inputs or outputs are equal.
static bool areEqual(ArrayRef<ValuePlan> values, ArrayRef<ValuePlan> others) {
  return llvm::equal(values, others,
                     [](const ValuePlan &a, const ValuePlan &b) {
                       return a.name == b.name && a.type == b.type &&
                              a.dims == b.dims && a.flags == b.flags;
                     });
}

/// Returns true if a caller can use either of two functions.
static bool areEqual(const FunctionPlan &one, const FunctionPlan &other) {
  return one.name == other.name && areEqual(one.inputs, other.inputs) &&
         areEqual(one.outputs, other.outputs) &&
         one.slabBytes == other.slabBytes &&
         one.boundCount == other.boundCount &&
         one.symbolCount == other.symbolCount;
}

/// Checks that a plan has the layout of the slab and the functions of the first
/// plan of a library.
static LogicalResult checkSame(const ModelPlan &first, const ModelPlan &plan) {
  ModuleOp module = plan.module;
  if (first.slab.getId() != plan.slab.getId())
    return module.emitOpError()
           << "expected the variables of the plan before, found a slab of "
           << plan.slab.getBytes() << " bytes with another layout";
  if (first.functions.size() != plan.functions.size())
    return module.emitOpError()
           << "expected the " << first.functions.size()
           << " functions of the plan before, found " << plan.functions.size();
  for (auto [one, other] : llvm::zip_equal(first.functions, plan.functions))
    if (!areEqual(one, other))
      return tgx::FunctionOp(other.op).emitOpError()
             << "expected the signature of '" << one.name
             << "' in the plan before, found another";
  return success();
}

/// Reads the modules of all plans.
static FailureOr<std::vector<ModelPlan>>
preparePlans(ArrayRef<ModuleOp> scheduled, const LibraryOptions &options) {
  std::vector<ModelPlan> plans;
  for (ModuleOp module : scheduled) {
    FailureOr<ModelPlan> plan = preparePlan(module, options);
    if (failed(plan) ||
        (!plans.empty() && failed(checkSame(plans.front(), *plan))))
      return failure();
    plans.push_back(std::move(*plan));
  }
  return plans;
}

/// Links and seals the library.
static llvm::Error assemble(ArrayRef<ModelPlan> plans,
                            const LibraryOptions &options,
                            const LibraryObjects &objects,
                            SmallVectorImpl<char> &file,
                            std::vector<PhaseTime> &times) {
  {
    Timer timer("linking", times);
    const llvm::StringMap<std::string> *names =
        options.keepsSymbols ? &objects.names : nullptr;
    if (options.relocatable)
      return linkRelocatable(objects.files, file, names);
    if (llvm::Error error = linkShared(objects.files, file, names))
      return error;
  }
  Timer timer("checks", times);
  if (llvm::Error error = checkLibrary(file))
    return error;
  std::string symbol = exportedName(options);
  const ModelPlan &plan = plans.front();
  seal(file, {abiVersion(plans), targetBits(plans), modelId(plan, options),
              plan.slab.getId(), symbol});
  return llvm::Error::success();
}

std::string tg::describeIgnoredCache(StringRef directory, StringRef reason) {
  return ("option 'kernel-cache': ignored '" + directory +
          "', where somebody else could write code: " + reason)
      .str();
}

/// Opens the kernel cache that the options request. Sets `remark` to the reason
/// if it is ignored.
static FailureOr<KernelCache>
openCache(ModuleOp module, const LibraryOptions &options, std::string &remark) {
  std::string rejection;
  llvm::Expected<KernelCache> cache =
      options.kernelCache.empty()
          ? KernelCache()
          : KernelCache::open(options.kernelCache, rejection);
  if (!cache)
    return emitError(UnknownLoc::get(module.getContext()))
           << "option 'kernel-cache': expected a directory, found "
           << llvm::toString(cache.takeError());
  if (!rejection.empty())
    remark = describeIgnoredCache(options.kernelCache, rejection);
  if (!options.kernelArchive.empty())
    cache->addArchive(options.kernelArchive);
  return *cache;
}

LogicalResult tg::buildLibrary(ArrayRef<ModuleOp> scheduled,
                               const LibraryOptions &options,
                               SmallVectorImpl<char> &file,
                               BuildRecord &record) {
  FailureOr<std::vector<ModelPlan>> plans = preparePlans(scheduled, options);
  if (failed(plans))
    return failure();
  ModuleOp module = scheduled.front();
  FailureOr<KernelCache> cache = openCache(module, options, record.cacheRemark);
  if (failed(cache))
    return failure();
  LibraryObjects objects;
  {
    Timer timer("object", record.times);
    if (failed(
            compileObjects(*plans, options, *cache, objects, timer.subphases)))
      return failure();
  }
  record.kernels = objects.kernels;
  record.cachedKernels = objects.cachedKernels;
  record.workspaces = std::move(objects.workspaces);
  if (record.cacheRemark.empty())
    record.cacheRemark = objects.cacheRemark;
  if (!record.cacheRemark.empty())
    emitRemark(UnknownLoc::get(module.getContext())) << record.cacheRemark;
  objects.files.emplace_back(embeddedObject());
  Timer timer("library", record.times);
  if (llvm::Error error =
          assemble(*plans, options, objects, file, timer.subphases))
    return module.emitError() << llvm::toString(std::move(error));
  return success();
}

OwningOpRef<ModuleOp> tg::buildKernels(ModuleOp scheduled,
                                       const LibraryOptions &options) {
  FailureOr<ModelPlan> plan = preparePlan(scheduled, options);
  if (failed(plan))
    return nullptr;
  SmallVector<tgx::KernelOp> kernels = kernelsOf(*plan);
  OwningOpRef<ModuleOp> module = copyKernels(scheduled, kernels);
  if (failed(emitKernels(*module, plan->targets.front())))
    return nullptr;
  return module;
}

LogicalResult tg::buildObject(ModuleOp scheduled, const LibraryOptions &options,
                              bool assembly, SmallVectorImpl<char> &file) {
  FailureOr<ModelPlan> plan = preparePlan(scheduled, options);
  if (failed(plan))
    return failure();
  return compileTarget(*plan, plan->targets.front(),
                       assembly ? llvm::CodeGenFileType::AssemblyFile
                                : llvm::CodeGenFileType::ObjectFile,
                       file);
}

FailureOr<std::string> tg::describeModel(ArrayRef<ModuleOp> scheduled,
                                         const LibraryOptions &options) {
  FailureOr<std::vector<ModelPlan>> plans = preparePlans(scheduled, options);
  if (failed(plans))
    return failure();
  FailureOr<llvm::json::Object> found = report(plans->front(), options);
  if (failed(found))
    return failure();
  llvm::json::Object others;
  for (const ModelPlan &plan : llvm::drop_begin(*plans)) {
    FailureOr<llvm::json::Object> other = report(plan, options);
    if (failed(other))
      return failure();
    others[plan.backend->getKind()] = std::move(*other);
  }
  if (!others.empty())
    (*found)["plans"] = std::move(others);
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(*found));
  return text;
}
