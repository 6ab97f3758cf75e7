//===- Pipeline.h - from a model to a library, phase by phase -------------===//
#ifndef TG_COMPILER_DRIVER_PIPELINE_H
#define TG_COMPILER_DRIVER_PIPELINE_H

#include "compiler/library/Library.h"
#include "compiler/target/Precision.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include <optional>
#include <string>
#include <vector>

namespace tg {

/// The phases of a compilation, in the order of the pipeline in
/// compiler/transforms/Pipeline.td. Each results in valid IR or in a file.
enum class Phase {
  graph,
  shapes,
  grad,
  trim,
  numerics,
  fuse,
  schedule,
  kernels,
  object,
  library
};

struct CompileOptions;

/// A phase of the pipeline.
struct PhaseInfo {
  /// The number of the phase in names of files, from 1.
  unsigned number;
  Phase phase;
  /// The name, and a one-line summary of what holds after the phase.
  llvm::StringRef name, summary;
  /// Adds the passes of the phase, none if it does not transform the module.
  void (*addPasses)(mlir::OpPassManager &passes, const CompileOptions &options);
};

/// The first phase whose passes run on the module of each plan.
inline constexpr Phase kFirstPlanPhase = Phase::fuse;

/// Returns all phases in order.
llvm::ArrayRef<PhaseInfo> getPhases();

/// Returns the entry of a phase in the pipeline.
const PhaseInfo &getPhase(Phase phase);

/// Sorts names of kinds of targets as in CompileOptions::kinds, and removes
/// repetitions. Returns the error if a name is unknown or there is none, or "".
std::string sortTargetKinds(std::vector<std::string> &kinds);

/// Checks a precision of products for kinds of targets. Returns a sentence
/// about the mistake, or an empty string.
std::string checkPrecision(llvm::StringRef precision,
                           llvm::ArrayRef<std::string> kinds);

/// Returns true if `name` is a choice of CompileOptions::convAlgorithm.
bool isConvAlgorithm(llvm::StringRef name);

/// Returns true if `name` is a choice of CompileOptions::trapNan other than "".
bool isTrap(llvm::StringRef name);

/// The options of a compilation. The defaults are those of `tgc`.
struct CompileOptions {
  /// The phase, up to `schedule`, that produced the module. Compilation starts
  /// with the next phase. None if the module is a model.
  std::optional<Phase> startFrom;
  /// The last phase to run.
  Phase stopAfter = Phase::library;
  /// True if IR printed as text has source locations. A library compiled from
  /// it needs them to report where it failed at run time.
  bool printLocations = false;
  /// The optimization level. -O0: one kernel per op, scalar loops; -O1: fusion;
  /// -O2: vectors; -O3: a longer LLVM pipeline.
  int optimization = 2;
  /// The kinds of targets of the library, each once: "cpu", "cuda", in this
  /// order. `kernels` and `object` use the first.
  std::vector<std::string> kinds = {"cpu"};
  /// The kind whose plan phases from `kernels` on use, also of a module with
  /// several plans. "": `kernels` and `object` use the first plan, `library`
  /// uses all plans.
  std::string onlyKind;
  /// The x86-64 ISA levels of the library; `kernels` and `object` use the
  /// first.
  std::vector<int> levels = {2, 3, 4};
  /// The CPU to tune for, as LLVM names it; "" for no tuning.
  std::string tune;
  /// The sizes of named extents: batch=32,classes=10.
  std::string dims;
  /// The functions to compile in addition to `init`: test,score. "" keeps all.
  std::string functions;
  /// The outputs to keep by function: train:loss;test:digit,score. "" keeps
  /// all.
  std::string keep;
  /// A safetensors file with a tensor for every variable of the library, which
  /// `init` then assigns; "" for the model's own `init`.
  std::string weights;
  /// The maximum number of bytes that a function may keep between its kernels,
  /// which costs time for recomputation; 0 for no limit.
  int64_t memoryBudget = 0;
  /// The use of Winograd's algorithm for convolutions, which rounds
  /// differently: where it is faster ("auto"), never ("direct"), or wherever
  /// possible ("winograd").
  std::string convAlgorithm = "auto";
  /// The precision of the operands of f32 products on targets that have faster
  /// instructions for less: exact ("f32"), or rounded to 10 bits of mantissa
  /// ("tf32").
  std::string precision = kExactPrecision.str();
  /// The values that stop a function at the first op whose result contains one:
  /// NaN and infinity ("all"), or NaN alone ("nan"); "" for no such checks.
  std::string trapNan;
  /// True if an op that is placed on a device other than `cpu:0` is an error. A
  /// library runs on `cpu:0` alone.
  bool hardPlacement = false;
  /// True if the memory of the variables (the slab) also contains variables
  /// that no function uses, in the order of the module. Then libraries with
  /// other functions over these variables, and with more variables after them,
  /// can share the memory.
  bool keepVariables = false;
  /// The name of the model if the module has no name.
  std::string modelName = "model";
  /// See LibraryOptions.
  std::string symbolPrefix;
  bool keepsSymbols = false;
  bool relocatable = false;
  /// True if `object` produces assembly instead of an object file.
  bool assembly = false;
  /// The directory for the output of each phase; "" for none.
  std::string saveTemps;
  /// The directory of the kernel cache, and the directory with compiled kernels
  /// of common networks, as in LibraryOptions; "" for none.
  std::string kernelCache, kernelArchive;
  /// See LibraryOptions.
  std::function<void(size_t done, size_t all)> progress;
  /// True to fill CompileResult::description.
  bool describe = false;
};

/// Returns the permissions, before applying the umask, of the output file of a
/// compilation. Like linkers, this is 0777 for a shared library and 0666 for
/// files that are linked or read.
unsigned modeOfOutput(const CompileOptions &options);

/// The number of ops that were placed on a device that a library does not have,
/// and run on `cpu:0`.
struct SoftPlacement {
  std::string device;
  int64_t operations = 0;
};

/// The results of a compilation. The base class has the seconds of each phase,
/// in order.
struct CompileResult : BuildRecord {
  /// The library, the object file, or the IR after `stopAfter` as text.
  llvm::SmallVector<char, 0> file;
  /// Signatures, kernels, steps, memory and costs as JSON; empty before
  /// `kernels`, and if not requested.
  std::string description;
  /// The placements in order of device names.
  std::vector<SoftPlacement> placements;
};

/// Returns the passes of a phase up to `schedule`, in order, each as an entry
/// of a textual pass pipeline of the module: "func.func(tg-lift-state)",
/// "builtin.module(tg-schedule)".
std::vector<std::string> listPasses(Phase phase, const CompileOptions &options);

/// Returns the modules of the plans of a module after phase numerics.
llvm::SmallVector<mlir::ModuleOp> getPlans(mlir::ModuleOp module);

/// Registers only the dialects of models. A model is parsed with these, so that
/// its text cannot use other dialects.
void registerModelDialects(mlir::DialectRegistry &registry);

/// Registers the dialects of models and of all IR that phases produce.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Compiles a model: verified IR of the tg dialect, which is changed in place.
/// Registers further dialects with the module's context. With `startFrom` the
/// module is verified IR of the dialects of that phase, and is trusted to be
/// output of the earlier phases. Emits diagnostics on the module's context on
/// failure. The context must not be in use elsewhere. Prints nothing, and
/// writes no files except those of `saveTemps` and `kernelCache`.
llvm::LogicalResult compileModule(mlir::ModuleOp module,
                                  const CompileOptions &options,
                                  CompileResult &result);

} // namespace tg

#endif // TG_COMPILER_DRIVER_PIPELINE_H
