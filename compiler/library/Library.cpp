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

Target tg::targetOf(const LibraryOptions &options, int level) {
  return {level, options.optimization, options.tune};
}

const Backend &tg::backendOf(const LibraryOptions &options) {
  return *findBackend(targetOf(options, options.levels.front()).kind);
}

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

/// Loads the dialects that the threads need, checks the options, and reads the
/// module.
static FailureOr<ModelPlan> preparePlan(ModuleOp module,
                                        const LibraryOptions &options) {
  loadKernelDialects(backendOf(options), *module.getContext());
  if (failed(checkOptions(module, options)))
    return failure();
  return ModelPlan::create(module, options.keepsVariables);
}

/// Links and seals the library.
static llvm::Error assemble(const ModelPlan &plan,
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
  seal(file, {plan.abiVersion(), targetBits(options), modelId(plan, options),
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

LogicalResult tg::buildLibrary(ModuleOp scheduled,
                               const LibraryOptions &options,
                               SmallVectorImpl<char> &file,
                               BuildRecord &record) {
  FailureOr<ModelPlan> plan = preparePlan(scheduled, options);
  if (failed(plan))
    return failure();
  FailureOr<KernelCache> cache =
      openCache(scheduled, options, record.cacheRemark);
  if (failed(cache))
    return failure();
  LibraryObjects objects;
  {
    Timer timer("object", record.times);
    if (failed(
            compileObjects(*plan, options, *cache, objects, timer.subphases)))
      return failure();
  }
  record.kernels = objects.kernels;
  record.cachedKernels = objects.cachedKernels;
  record.workspaces = std::move(objects.workspaces);
  if (record.cacheRemark.empty())
    record.cacheRemark = objects.cacheRemark;
  if (!record.cacheRemark.empty())
    emitRemark(UnknownLoc::get(scheduled.getContext())) << record.cacheRemark;
  objects.files.emplace_back(embeddedObject());
  Timer timer("library", record.times);
  if (llvm::Error error =
          assemble(*plan, options, objects, file, timer.subphases))
    return scheduled.emitError() << llvm::toString(std::move(error));
  return success();
}

OwningOpRef<ModuleOp> tg::buildKernels(ModuleOp scheduled,
                                       const LibraryOptions &options) {
  FailureOr<ModelPlan> plan = preparePlan(scheduled, options);
  if (failed(plan))
    return nullptr;
  SmallVector<tgx::KernelOp> kernels = kernelsOf(*plan);
  OwningOpRef<ModuleOp> module = copyKernels(scheduled, kernels);
  if (failed(emitKernels(*module, targetOf(options, options.levels.front()))))
    return nullptr;
  return module;
}

LogicalResult tg::buildObject(ModuleOp scheduled, const LibraryOptions &options,
                              bool assembly, SmallVectorImpl<char> &file) {
  FailureOr<ModelPlan> plan = preparePlan(scheduled, options);
  if (failed(plan))
    return failure();
  return compileTarget(*plan, options, options.levels.front(),
                       assembly ? llvm::CodeGenFileType::AssemblyFile
                                : llvm::CodeGenFileType::ObjectFile,
                       file);
}

FailureOr<std::string> tg::describeModel(ModuleOp scheduled,
                                         const LibraryOptions &options) {
  FailureOr<ModelPlan> plan = preparePlan(scheduled, options);
  if (failed(plan))
    return failure();
  FailureOr<llvm::json::Object> found = report(*plan, options);
  if (failed(found))
    return failure();
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(*found));
  return text;
}
