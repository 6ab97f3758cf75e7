//===- LibraryObjects.cpp - the object files of a library -----------------===//
#include "compiler/library/LibraryObjects.h"
#include "compiler/library/code/KernelCode.h"
#include "compiler/library/code/Object.h"
#include "compiler/library/code/TargetCode.h"
#include "compiler/library/code/Timer.h"
#include "compiler/library/code/WorkDiagnostics.h"
#include "compiler/library/link/TempFile.h"
#include "compiler/library/report/WorkspaceReport.h"
#include "compiler/library/tables/Tables.h"
#include "dialects/tg/evaluation/DefaultModesGuard.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/ThreadPool.h"
#include <atomic>

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// The code of one ISA level in human-readable form
//===----------------------------------------------------------------------===//

static std::string nameOfIsaLevel(int level) {
  return "x86-64-v" + std::to_string(level);
}

LogicalResult tg::compileTarget(const ModelPlan &plan,
                                const LibraryOptions &options, int level,
                                llvm::CodeGenFileType kind,
                                SmallVectorImpl<char> &result) {
  Target target = targetOf(options, level);
  const Backend &backend = backendOf(options);
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module =
      emitTarget(plan, backend, target, context);
  if (!module)
    return failure();
  return finishModule(*module, plan.module, target, kind, result);
}

/// Saves the optimized LLVM IR of one ISA level.
static LogicalResult saveLevel(const ModelPlan &plan,
                               const LibraryOptions &options, int level) {
  Target target = targetOf(options, level);
  const Backend &backend = backendOf(options);
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module =
      emitTarget(plan, backend, target, context);
  if (!module || !optimize(*module, plan.module, target))
    return failure();
  return saveTempFile(plan.module, options.saveTemps,
                      nameOfIsaLevel(level) + ".ll",
                      [&](llvm::raw_ostream &stream) { stream << *module; });
}

//===----------------------------------------------------------------------===//
// Work items
//===----------------------------------------------------------------------===//

/// Runs work items 0 to `count` - 1 on the threads of `context`, and starts no
/// more once one has failed. Emits only the diagnostics of the first item that
/// failed. Items start in order, so the diagnostics do not depend on the number
/// of threads.
static LogicalResult runAll(MLIRContext *context, size_t count,
                            const LibraryOptions &options,
                            function_ref<LogicalResult(size_t)> work) {
  WorkDiagnostics diagnostics(context);
  std::atomic<size_t> next = 0, done = 0;
  std::atomic<bool> hasFailed = false;
  auto run = [&] {
    DefaultModesGuard guard; // pool threads may have other numeric modes
    for (;;) {
      size_t index = next++;
      if (index >= count || hasFailed)
        return;
      diagnostics.enter(index);
      if (failed(work(index)))
        hasFailed = true;
      if (size_t ready = ++done; options.progress && ready < count)
        options.progress(ready, count);
    }
  };
  if (context->isMultithreadingEnabled()) {
    llvm::ThreadPoolInterface &pool = context->getThreadPool();
    llvm::ThreadPoolTaskGroup group(pool);
    for (size_t i = 0, e = std::min<size_t>(pool.getMaxConcurrency(), count);
         i < e; ++i)
      group.async(run);
    group.wait();
  } else {
    run();
  }
  // Ends the progress line before diagnostics are printed.
  if (options.progress)
    options.progress(count, count);
  diagnostics.emitFirst();
  return failure(hasFailed);
}

namespace {
/// A kernel to compile for one ISA level.
struct Unit {
  tgx::KernelOp kernel;
  Target target;
  std::string key;
  KernelCode code = {};
  CacheErrors cacheErrors = {};
};

/// Compiles the objects of a library.
class ObjectsBuilder {
public:
  ObjectsBuilder(const ModelPlan &plan, const LibraryOptions &options,
                 const KernelCache &cache)
      : plan(plan), options(options), cache(cache),
        backend(backendOf(options)) {}

  LogicalResult build(LibraryObjects &objects, std::vector<PhaseTime> &times);

private:
  /// Collects the kernels to compile, equal kernels of an ISA level once.
  void addUnits();
  /// Returns the units in the order in which their work starts: the longest
  /// first, so that no thread is left with a long one when the others are done.
  std::vector<Unit *> sortUnits();
  LogicalResult compileUnits(FileBytes &tables, std::vector<PhaseTime> &times);
  LogicalResult compileTables(FileBytes &object, std::vector<PhaseTime> &times);
  /// Compiles the tables of each ISA level, which refer to its kernels.
  LogicalResult compileTargetTables(LibraryObjects &objects);
  void addTimes(std::vector<PhaseTime> &times) const;
  void addNames(SymbolNames &names) const;
  void finishCache(LibraryObjects &objects) const;

  const ModelPlan &plan;
  const LibraryOptions &options;
  const KernelCache &cache;
  const Backend &backend;
  std::vector<Unit> units;
  /// The unit of each kernel by ISA level, in the order of the plan.
  std::vector<std::vector<size_t>> unitsOf;
};
} // namespace

void ObjectsBuilder::addUnits() {
  SmallVector<tgx::KernelOp> kernels = kernelsOf(plan);
  auto hashes = llvm::map_to_vector(kernels, hashOfKernel);
  for (int level : options.levels) {
    Target target = targetOf(options, level);
    llvm::StringMap<size_t> known;
    std::vector<size_t> &indices = unitsOf.emplace_back();
    for (auto [kernel, hash] : llvm::zip_equal(kernels, hashes)) {
      auto [entry, isNew] = known.try_emplace(hash, units.size());
      if (isNew)
        units.push_back({kernel, target, keyOfKernel(hash, target)});
      indices.push_back(entry->second);
    }
  }
}

LogicalResult ObjectsBuilder::compileTables(FileBytes &object,
                                            std::vector<PhaseTime> &times) {
  Timer timer("tables", times);
  llvm::LLVMContext context;
  llvm::Module module("tables", context);
  if (failed(emitTables(plan, options, module)))
    return failure();
  return finishModule(module, plan.module, kTablesTarget,
                      llvm::CodeGenFileType::ObjectFile, object);
}

/// Estimates the relative compile time of a kernel: a contraction has many
/// loops, other kernels have about one for each op.
static size_t estimateWork(tgx::KernelOp kernel) {
  constexpr size_t kContraction = 100;
  size_t ops = llvm::range_size(kernel.getBlock().without_terminator());
  return kernel.getStrategy() == tgx::Strategy::contraction ? kContraction + ops
                                                            : ops;
}

std::vector<Unit *> ObjectsBuilder::sortUnits() {
  auto pointers = llvm::make_pointer_range(units);
  std::vector<Unit *> sorted(pointers.begin(), pointers.end());
  // Equal estimates keep the order of the plan.
  llvm::sort(sorted, [](const Unit *a, const Unit *b) {
    return std::pair(estimateWork(b->kernel), a) <
           std::pair(estimateWork(a->kernel), b);
  });
  return sorted;
}

LogicalResult ObjectsBuilder::compileUnits(FileBytes &tables,
                                           std::vector<PhaseTime> &times) {
  std::vector<Unit *> sorted = sortUnits();
  return runAll(
      plan.module->getContext(), units.size() + 1, options, [&](size_t index) {
        if (index == units.size())
          return compileTables(tables, times);
        Unit &unit = *sorted[index];
        return makeKernelCode(unit.kernel, unit.key, backend, unit.target,
                              cache, unit.code, unit.cacheErrors);
      });
}

LogicalResult ObjectsBuilder::compileTargetTables(LibraryObjects &objects) {
  llvm::LLVMContext context;
  llvm::Module module("levels", context);
  SmallVector<tgx::KernelOp> kernels = kernelsOf(plan);
  TargetKernels levels;
  for (auto [level, indices] : llvm::zip_equal(options.levels, unitsOf)) {
    EmittedKernels &emitted =
        levels.emplace_back(level, EmittedKernels()).second;
    for (auto [kernel, index] : llvm::zip_equal(kernels, indices))
      emitted[kernel] = units[index].code.emitted;
    if (failed(emitTargetTables(plan, backend, emitted, level, module)))
      return failure();
  }
  if (options.describesWorkspaces) {
    FailureOr<llvm::json::Array> workspaces = describeWorkspaces(plan, levels);
    if (failed(workspaces))
      return failure();
    objects.workspaces = std::move(*workspaces);
  }
  return finishModule(module, plan.module, kTablesTarget,
                      llvm::CodeGenFileType::ObjectFile, objects.files[1]);
}

/// Returns the total seconds of some stages with the seconds of each.
static PhaseTime timeOf(StringRef name, const StageClock &clock,
                        ArrayRef<Stage> stages) {
  PhaseTime time{name.str(), clock.secondsOf(stages), {}};
  for (Stage stage : stages)
    time.subphases.push_back({nameOf(stage).str(), clock.secondsOf(stage), {}});
  return time;
}

void ObjectsBuilder::addTimes(std::vector<PhaseTime> &times) const {
  for (int level : options.levels) {
    StageClock all;
    llvm::MapVector<StringRef, StageClock> methods;
    for (const Unit &unit : units)
      if (unit.target.level == level) {
        all += unit.code.clock;
        tgx::KernelOp kernel = unit.kernel;
        methods[kernel.getMethod()] += unit.code.clock;
      }
    auto add = [&](const Twine &name, ArrayRef<Stage> stages) {
      PhaseTime time{
          (nameOfIsaLevel(level) + name).str(), all.secondsOf(stages), {}};
      for (const auto &[method, clock] : methods)
        time.subphases.push_back(timeOf(method, clock, stages));
      times.push_back(std::move(time));
    };
    add(" emission", emissionStages());
    add(" LLVM", llvmStages());
  }
}

void ObjectsBuilder::addNames(SymbolNames &names) const {
  for (const Unit &unit : units) {
    tgx::KernelOp kernel = unit.kernel;
    EmittedKernel named = unit.code.emitted;
    CpuKernel symbols = backend.getCpuCode()->findCpuKernel(named);
    named.name = kernel.getSymName().str();
    CpuKernel readable = backend.getCpuCode()->findCpuKernel(named);
    names[symbols.body] = readable.body;
    names[symbols.tiles] = readable.tiles;
  }
}

/// Describes why files of the cache were not read; "" if all were.
static std::string describeRejections(StringRef directory,
                                      ArrayRef<Unit> units) {
  size_t count = 0;
  StringRef first;
  for (const Unit &unit : units)
    if (!unit.cacheErrors.rejection.empty() && count++ == 0)
      first = unit.cacheErrors.rejection;
  if (count == 0)
    return "";
  return llvm::formatv("option 'kernel-cache': ignored {0} {1} in '{2}', "
                       "where somebody else could write code: {3}",
                       count, count == 1 ? "file" : "files", directory, first);
}

void ObjectsBuilder::finishCache(LibraryObjects &objects) const {
  std::error_code error;
  for (const Unit &unit : units) {
    objects.cachedKernels += unit.code.wasFound;
    if (!error)
      error = unit.cacheErrors.storeError;
  }
  objects.kernels = units.size();
  if (cache && objects.cachedKernels < objects.kernels)
    cache.prune();
  objects.cacheRemark = describeRejections(options.kernelCache, units);
  if (error)
    emitWarning(UnknownLoc::get(plan.module->getContext()))
        << "option 'kernel-cache': cannot write to '" << options.kernelCache
        << "': " << error.message();
}

LogicalResult ObjectsBuilder::build(LibraryObjects &objects,
                                    std::vector<PhaseTime> &times) {
  addUnits();
  objects.files.resize(2);
  if (failed(compileUnits(objects.files[0], times)) ||
      failed(compileTargetTables(objects)))
    return failure();
  addTimes(times);
  addNames(objects.names);
  finishCache(objects);
  for (Unit &unit : units)
    objects.files.push_back(std::move(unit.code.object));
  return success();
}

LogicalResult tg::compileObjects(const ModelPlan &plan,
                                 const LibraryOptions &options,
                                 const KernelCache &cache,
                                 LibraryObjects &objects,
                                 std::vector<PhaseTime> &times) {
  if (!options.saveTemps.empty())
    for (int level : options.levels)
      if (failed(saveLevel(plan, options, level)))
        return failure();
  return ObjectsBuilder(plan, options, cache).build(objects, times);
}
