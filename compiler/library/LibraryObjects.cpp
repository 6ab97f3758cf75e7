//===- LibraryObjects.cpp - the object files of a library -----------------===//
#include "compiler/library/LibraryObjects.h"
#include "compiler/library/code/ImageCode.h"
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
// The code of one target in human-readable form
//===----------------------------------------------------------------------===//

/// Saves the optimized LLVM IR of one ISA level, or the image of one device.
static LogicalResult saveTarget(const ModelPlan &plan,
                                const LibraryOptions &options,
                                const Target &target) {
  std::string name = plan.backend->nameOf(target.level);
  if (plan.isForDevice()) {
    SmallVector<char> image;
    if (failed(compileTarget(plan, target, llvm::CodeGenFileType::AssemblyFile,
                             image)))
      return failure();
    return saveTempFile(plan.module, options.saveTemps, name + ".ptx",
                        [&](llvm::raw_ostream &stream) {
                          stream << StringRef(image.data(), image.size());
                        });
  }
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = emitTarget(plan, target, context);
  if (!module || failed(plan.backend->getCpuCode()->optimize(
                     *module, plan.module, target)))
    return failure();
  return saveTempFile(plan.module, options.saveTemps, name + ".ll",
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
  const ModelPlan *plan;
  tgx::KernelOp kernel;
  Target target;
  std::string key;
  KernelCode code = {};
  CacheErrors cacheErrors = {};
};

/// The code of a target: the units of the kernels of an ISA level, or the image
/// of a device.
struct TargetCode {
  const ModelPlan &plan;
  const Target &target;
  /// The unit of each kernel, in the order of the plan.
  std::vector<size_t> units;
  ImageCode image;
  std::vector<CustomImage> customs;
  CacheErrors cacheErrors;
};

/// Compiles the objects of a library.
class ObjectsBuilder {
public:
  ObjectsBuilder(ArrayRef<ModelPlan> plans, const LibraryOptions &options,
                 const KernelCache &cache)
      : plans(plans), options(options), cache(cache),
        module(plans.front().module) {}

  LogicalResult build(LibraryObjects &objects, std::vector<PhaseTime> &times);

private:
  /// Collects the targets, and the kernels to compile: equal kernels of an ISA
  /// level once.
  void addTargets();
  void addUnits(TargetCode &code, ArrayRef<std::string> hashes);
  /// Returns the units in the order in which their work starts: the longest
  /// first, so that no thread is left with a long one when the others are done.
  std::vector<Unit *> sortUnits();
  /// Compiles the tables, the images and the units.
  LogicalResult compileCode(FileBytes &tables, std::vector<PhaseTime> &times);
  LogicalResult compileTables(FileBytes &object, std::vector<PhaseTime> &times);
  LogicalResult compileImage(TargetCode &code);
  /// Compiles the tables of each target, which refer to its kernels.
  LogicalResult compileTargetTables(LibraryObjects &objects);
  LogicalResult describeMemory(const TargetKernels &levels,
                               LibraryObjects &objects);
  void addTimes(std::vector<PhaseTime> &times) const;
  void addNames(SymbolNames &names) const;
  void finishCache(LibraryObjects &objects) const;

  ArrayRef<ModelPlan> plans;
  const LibraryOptions &options;
  const KernelCache &cache;
  ModuleOp module;
  std::vector<TargetCode> targets;
  std::vector<Unit> units;
};
} // namespace

void ObjectsBuilder::addTargets() {
  for (const ModelPlan &plan : plans) {
    SmallVector<std::string> hashes;
    if (!plan.isForDevice())
      hashes = llvm::map_to_vector(kernelsOf(plan), hashOfKernel);
    for (const Target &target : plan.targets) {
      targets.push_back({plan, target, {}, {}, {}, {}});
      addUnits(targets.back(), hashes);
    }
  }
}

void ObjectsBuilder::addUnits(TargetCode &code, ArrayRef<std::string> hashes) {
  if (code.plan.isForDevice())
    return;
  llvm::StringMap<size_t> known;
  for (auto [kernel, hash] : llvm::zip_equal(kernelsOf(code.plan), hashes)) {
    auto [entry, isNew] = known.try_emplace(hash, units.size());
    if (isNew)
      units.push_back(
          {&code.plan, kernel, code.target, keyOfKernel(hash, code.target)});
    code.units.push_back(entry->second);
  }
}

/// Compiles a module of tables to an object file.
static LogicalResult writeTables(llvm::Module &tables, ModuleOp module,
                                 FileBytes &object) {
  const CpuCode &cpu = *getCpuBackend().getCpuCode();
  StageClock clock;
  return cpu.write(tables, module, cpu.getTablesTarget(),
                   llvm::CodeGenFileType::ObjectFile, object, clock);
}

LogicalResult ObjectsBuilder::compileTables(FileBytes &object,
                                            std::vector<PhaseTime> &times) {
  Timer timer("tables", times);
  llvm::LLVMContext context;
  llvm::Module tables("tables", context);
  if (failed(emitTables(plans, options, tables)))
    return failure();
  return writeTables(tables, module, object);
}

LogicalResult ObjectsBuilder::compileImage(TargetCode &code) {
  if (failed(makeImageCode(code.plan, code.target, cache, code.image,
                           code.cacheErrors)))
    return failure();
  const DeviceCode &device = *code.plan.backend->getDeviceCode();
  for (tgx::HostOp step : code.plan.customKernels) {
    FailureOr<CustomImage> custom = device.compileCustom(step, code.target);
    if (failed(custom))
      return failure();
    code.customs.push_back(std::move(*custom));
  }
  return success();
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

LogicalResult ObjectsBuilder::compileCode(FileBytes &tables,
                                          std::vector<PhaseTime> &times) {
  std::vector<Unit *> sorted = sortUnits();
  SmallVector<TargetCode *> devices;
  for (TargetCode &code : targets)
    if (code.plan.isForDevice())
      devices.push_back(&code);
  size_t count = devices.size() + units.size() + 1;
  return runAll(module->getContext(), count, options, [&](size_t index) {
    if (index < devices.size())
      return compileImage(*devices[index]);
    if (index == count - 1)
      return compileTables(tables, times);
    Unit &unit = *sorted[index - devices.size()];
    return makeKernelCode(unit.kernel, unit.key, *unit.plan->backend,
                          unit.target, cache, unit.code, unit.cacheErrors);
  });
}

LogicalResult ObjectsBuilder::describeMemory(const TargetKernels &levels,
                                             LibraryObjects &objects) {
  FailureOr<llvm::json::Array> workspaces =
      describeWorkspaces(plans.front(), levels);
  if (failed(workspaces))
    return failure();
  objects.workspaces = std::move(*workspaces);
  return success();
}

LogicalResult ObjectsBuilder::compileTargetTables(LibraryObjects &objects) {
  llvm::LLVMContext context;
  llvm::Module tables("levels", context);
  TargetKernels levels;
  for (const TargetCode &code : targets) {
    int level = code.target.level;
    if (code.plan.isForDevice()) {
      if (failed(emitDeviceTables(code.plan, code.image.image, code.customs,
                                  level, tables)))
        return failure();
      if (plans.front().isForDevice()) // which the description is about
        levels.emplace_back(level,
                            findDeviceScratch(code.plan, code.image.image));
      continue;
    }
    EmittedKernels &emitted =
        levels.emplace_back(level, EmittedKernels()).second;
    for (auto [kernel, index] :
         llvm::zip_equal(kernelsOf(code.plan), code.units))
      emitted[kernel] = units[index].code.emitted;
    if (failed(emitTargetTables(code.plan, emitted, level, tables)))
      return failure();
  }
  if (options.describesWorkspaces && failed(describeMemory(levels, objects)))
    return failure();
  return writeTables(tables, module, objects.files[1]);
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
  for (const TargetCode &code : targets) {
    if (code.plan.isForDevice())
      continue;
    int level = code.target.level;
    std::string target = code.plan.backend->nameOf(level);
    StageClock all;
    llvm::MapVector<StringRef, StageClock> methods;
    for (const Unit &unit : units)
      if (unit.target.level == level) {
        all += unit.code.clock;
        tgx::KernelOp kernel = unit.kernel;
        methods[kernel.getMethod()] += unit.code.clock;
      }
    auto add = [&](const Twine &name, ArrayRef<Stage> stages) {
      PhaseTime time{(target + name).str(), all.secondsOf(stages), {}};
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
    const CpuCode *cpu = unit.plan->backend->getCpuCode();
    CpuKernel symbols = cpu->findCpuKernel(named);
    named.name = kernel.getSymName().str();
    CpuKernel readable = cpu->findCpuKernel(named);
    names[symbols.body] = readable.body;
    names[symbols.tiles] = readable.tiles;
  }
}

/// Describes why files of the cache were not read; "" if all were.
static std::string describeRejections(StringRef directory,
                                      ArrayRef<const CacheErrors *> errors) {
  size_t count = 0;
  StringRef first;
  for (const CacheErrors *each : errors)
    if (!each->rejection.empty() && count++ == 0)
      first = each->rejection;
  if (count == 0)
    return "";
  return llvm::formatv("option 'kernel-cache': ignored {0} {1} in '{2}', "
                       "where somebody else could write code: {3}",
                       count, count == 1 ? "file" : "files", directory, first);
}

void ObjectsBuilder::finishCache(LibraryObjects &objects) const {
  SmallVector<const CacheErrors *> errors;
  for (const Unit &unit : units) {
    errors.push_back(&unit.cacheErrors);
    objects.cachedKernels += unit.code.wasFound;
  }
  objects.kernels = units.size();
  for (const TargetCode &code : targets) {
    errors.push_back(&code.cacheErrors);
    size_t count = code.image.image.launches.size();
    objects.kernels += count;
    objects.cachedKernels += code.image.wasFound ? count : 0;
  }
  if (cache && objects.cachedKernels < objects.kernels)
    cache.prune();
  objects.cacheRemark = describeRejections(options.kernelCache, errors);
  const auto *failed = llvm::find_if(
      errors, [](const CacheErrors *each) { return bool(each->storeError); });
  if (failed != errors.end())
    emitWarning(UnknownLoc::get(ModuleOp(module).getContext()))
        << "option 'kernel-cache': cannot write to '" << options.kernelCache
        << "': " << (*failed)->storeError.message();
}

LogicalResult ObjectsBuilder::build(LibraryObjects &objects,
                                    std::vector<PhaseTime> &times) {
  addTargets();
  objects.files.resize(2);
  if (failed(compileCode(objects.files[0], times)) ||
      failed(compileTargetTables(objects)))
    return failure();
  addTimes(times);
  addNames(objects.names);
  finishCache(objects);
  for (Unit &unit : units)
    objects.files.push_back(std::move(unit.code.object));
  return success();
}

LogicalResult tg::compileObjects(ArrayRef<ModelPlan> plans,
                                 const LibraryOptions &options,
                                 const KernelCache &cache,
                                 LibraryObjects &objects,
                                 std::vector<PhaseTime> &times) {
  if (!options.saveTemps.empty())
    for (const ModelPlan &plan : plans)
      for (const Target &target : plan.targets)
        if (failed(saveTarget(plan, options, target)))
          return failure();
  return ObjectsBuilder(plans, options, cache).build(objects, times);
}
