//===- Library.cpp - from a scheduled module to a model library -----------===//
#include "compiler/codegen/library/Library.h"
#include "compiler/codegen/library/EmbeddedObject.h"
#include "compiler/codegen/library/LevelCode.h"
#include "compiler/codegen/library/Link.h"
#include "compiler/codegen/library/Metadata.h"
#include "compiler/codegen/library/Object.h"
#include "compiler/codegen/library/Report.h"
#include "compiler/codegen/library/Seal.h"
#include "compiler/codegen/library/Tables.h"
#include "compiler/codegen/library/TempFile.h"
#include "compiler/codegen/library/WorkDiagnostics.h"
#include "tg/abi.h"
#include <chrono>
#include <thread>

using namespace mlir;
using namespace tg;

namespace {

/// Adds the seconds of its life to a list.
class Timer {
public:
  Timer(std::string part, std::vector<PartTime> *times)
      : part(part), times(times), start(std::chrono::steady_clock::now()) {}
  ~Timer() {
    std::chrono::duration<double> passed =
        std::chrono::steady_clock::now() - start;
    if (times)
      times->push_back({part, passed.count(), parts});
  }

  /// What the part consists of.
  std::vector<PartTime> parts;

private:
  std::string part;
  std::vector<PartTime> *times;
  std::chrono::steady_clock::time_point start;
};

} // namespace

Target tg::targetOf(const LibraryOptions &options, int level) {
  return {level, options.optimization, options.tune};
}

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

/// Optimizes a module and makes machine code of it.
static LogicalResult finishModule(llvm::Module &module, const ModelPlan &plan,
                                  const LibraryOptions &options,
                                  const Target &target,
                                  llvm::CodeGenFileType kind,
                                  FileBytes &result) {
  ModuleOp scheduled = plan.module;
  std::unique_ptr<llvm::TargetMachine> machine = createTargetMachine(target);
  if (!machine)
    return scheduled.emitError("this LLVM has no x86-64 code generator");
  optimize(module, *machine, target);
  if (!options.saveTemps.empty() && target.level != kBaselineLevel &&
      failed(
          saveTempFile(scheduled, options.saveTemps,
                       "x86-64-v" + std::to_string(target.level) + ".ll",
                       [&](llvm::raw_ostream &stream) { stream << module; })))
    return failure();
  if (!emitCode(module, *machine, kind, result))
    return scheduled.emitError("this LLVM cannot write x86-64 files");
  return success();
}

/// The back end of a library's targets.
static const Backend &backendOf(const LibraryOptions &options) {
  return *findBackend(targetOf(options, options.levels.front()).kind);
}

/// The optimized code of one level in the given form.
static LogicalResult compileLevel(const ModelPlan &plan,
                                  const LibraryOptions &options, int level,
                                  llvm::CodeGenFileType kind, FileBytes &result,
                                  std::vector<PartTime> &times) {
  Target target = targetOf(options, level);
  std::string name = "x86-64-v" + std::to_string(level);
  llvm::LLVMContext context;
  const Backend &backend = backendOf(options);
  std::unique_ptr<llvm::Module> module;
  {
    Timer timer(name + " emission", &times);
    module = emitLevel(plan, backend, target, context);
  }
  if (!module)
    return failure();
  Timer timer(name + " LLVM", &times);
  return finishModule(*module, plan, options, backend.hostTarget(target), kind,
                      result);
}

/// The tables of all levels, which name functions of the embedded runtime.
static LogicalResult compileTables(const ModelPlan &plan,
                                   const LibraryOptions &options,
                                   FileBytes &object,
                                   std::vector<PartTime> &times) {
  Timer timer("tables", &times);
  llvm::LLVMContext context;
  llvm::Module module("tables", context);
  if (failed(emitTables(plan, options, module)))
    return failure();
  Target target{kBaselineLevel, /*optimization=*/1, /*tune=*/""};
  return finishModule(module, plan, options, target,
                      llvm::CodeGenFileType::ObjectFile, object);
}

/// Compiles levels and tables at the same time. The order of `objects` and
/// `times` is fixed.
static LogicalResult compileObjects(const ModelPlan &plan,
                                    const LibraryOptions &options,
                                    std::vector<FileBytes> &objects,
                                    std::vector<PartTime> &times) {
  ModuleOp module = plan.module;
  size_t count = options.levels.size() + 1;
  objects.resize(count);
  std::vector<char> succeeded(count);
  std::vector<std::vector<PartTime>> timesOf(count);
  WorkDiagnostics diagnostics(module.getContext());
  auto work = [&](size_t number) {
    diagnostics.enter(number);
    LogicalResult result =
        number == 0 ? compileTables(plan, options, objects[0], timesOf[0])
                    : compileLevel(plan, options, options.levels[number - 1],
                                   llvm::CodeGenFileType::ObjectFile,
                                   objects[number], timesOf[number]);
    succeeded[number] = result.succeeded();
  };
  bool isParallel = module.getContext()->isMultithreadingEnabled();
  std::vector<std::thread> threads;
  for (size_t number = 1; number < count; ++number) {
    threads.emplace_back(work, number);
    if (!isParallel)
      threads.back().join();
  }
  work(0);
  for (std::thread &thread : threads)
    if (thread.joinable())
      thread.join();
  diagnostics.emitFirst();
  for (const std::vector<PartTime> &each : timesOf)
    llvm::append_range(times, each);
  return success(llvm::all_of(succeeded, [](char each) { return each; }));
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Whether the text may begin the name of a C function.
static bool isIdentifier(StringRef text) {
  return !llvm::isDigit(text.front()) && llvm::all_of(text, [](char c) {
    return llvm::isAlnum(c) || c == '_';
  });
}

/// Reports what is wrong with the options; no line of the model is to blame.
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

/// Reads the module and loads what the threads need of its context.
static FailureOr<ModelPlan> preparePlan(ModuleOp module,
                                        const LibraryOptions &options) {
  loadKernelDialects(backendOf(options), *module.getContext());
  if (failed(checkOptions(module, options)))
    return failure();
  return ModelPlan::create(module);
}

/// Links and seals.
static llvm::Error assemble(const ModelPlan &plan,
                            const LibraryOptions &options,
                            ArrayRef<FileBytes> objects,
                            SmallVectorImpl<char> &file,
                            std::vector<PartTime> &times) {
  {
    Timer timer("linking", &times);
    if (options.relocatable)
      return linkRelocatable(objects, file, options.keepsSymbols);
    if (llvm::Error error = linkShared(objects, file, options.keepsSymbols))
      return error;
  }
  Timer timer("checks", &times);
  if (llvm::Error error = checkLibrary(file))
    return error;
  std::string symbol = exportedName(options);
  seal(file, {targetBits(options), modelId(plan, options), plan.slab.getId(),
              symbol});
  return llvm::Error::success();
}

LogicalResult tg::buildLibrary(ModuleOp scheduled,
                               const LibraryOptions &options,
                               SmallVectorImpl<char> &file,
                               std::vector<PartTime> *times) {
  FailureOr<ModelPlan> plan = preparePlan(scheduled, options);
  if (failed(plan))
    return failure();
  std::vector<FileBytes> objects;
  {
    Timer timer("object", times);
    if (failed(compileObjects(*plan, options, objects, timer.parts)))
      return failure();
  }
  objects.emplace_back(embeddedObject());
  Timer timer("library", times);
  if (llvm::Error error = assemble(*plan, options, objects, file, timer.parts))
    return scheduled.emitError() << llvm::toString(std::move(error));
  return success();
}

OwningOpRef<ModuleOp> tg::buildKernels(ModuleOp scheduled,
                                       const LibraryOptions &options) {
  FailureOr<ModelPlan> plan = preparePlan(scheduled, options);
  if (failed(plan))
    return nullptr;
  EmittedKernels kernels;
  return emitKernels(*plan, targetOf(options, options.levels.front()), kernels);
}

LogicalResult tg::buildObject(ModuleOp scheduled, const LibraryOptions &options,
                              bool assembly, SmallVectorImpl<char> &file) {
  FailureOr<ModelPlan> plan = preparePlan(scheduled, options);
  if (failed(plan))
    return failure();
  FileBytes bytes;
  std::vector<PartTime> times;
  auto kind = assembly ? llvm::CodeGenFileType::AssemblyFile
                       : llvm::CodeGenFileType::ObjectFile;
  if (failed(compileLevel(*plan, options, options.levels.front(), kind, bytes,
                          times)))
    return failure();
  file.assign(bytes.begin(), bytes.end());
  return success();
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
