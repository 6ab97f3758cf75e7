//===- Pipeline.h - from a model to a library, phase by phase -------------===//
#ifndef TG_COMPILER_DRIVER_PIPELINE_H
#define TG_COMPILER_DRIVER_PIPELINE_H

#include "compiler/library/Library.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include <optional>
#include <string>
#include <vector>

namespace tg {

/// The stages of a compilation, in order. Each leaves IR that a verifier
/// accepts, or a file.
enum class Phase {
  graph,
  shapes,
  grad,
  trim,
  fuse,
  schedule,
  kernels,
  object,
  library
};

/// A phase by name, and in one line what holds after it.
struct PhaseInfo {
  Phase phase;
  llvm::StringRef name, summary;
};

/// All phases in order.
llvm::ArrayRef<PhaseInfo> getPhases();

/// Returns true if this is a choice of CompileOptions::convAlgorithm.
bool isConvAlgorithm(llvm::StringRef name);

/// Returns true if this is a choice of CompileOptions::trapNan beside "".
bool isTrap(llvm::StringRef name);

/// The options of a compilation. The defaults are those of `tgc`.
struct CompileOptions {
  /// The module is what this phase left, up to `schedule`: the phases after it
  /// run. None for a model.
  std::optional<Phase> startFrom;
  /// The last phase to run.
  Phase stopAfter = Phase::library;
  /// True if IR as text has source locations, which libraries tell when they
  /// fail at run time.
  bool printLocations = false;
  /// -O0: one kernel per op, scalar loops; -O1: fusion; -O2: vectors; -O3: a
  /// longer LLVM pipeline.
  int optimization = 2;
  /// x86-64 levels of the library; `kernels` and `object` show the first.
  std::vector<int> levels = {2, 3, 4};
  /// LLVM's name of the CPU to tune for; "" for none.
  std::string tune;
  /// Numbers for named extents: batch=32,classes=10.
  std::string dims;
  /// The functions that the library has beside `init`: test,score. "" keeps
  /// all.
  std::string functions;
  /// Outputs to keep by function: train:loss;test:digit,score. "" keeps all.
  std::string keep;
  /// A safetensors file with a tensor for every variable of the library, which
  /// `init` then assigns; "" for an `init` as the model has it.
  std::string weights;
  /// The most bytes that a function may keep between its kernels, for which it
  /// takes more time; 0 for no limit.
  int64_t memoryBudget = 0;
  /// Convolutions by Winograd's algorithm, whose rounding differs: where it
  /// takes less time ("auto"), never ("direct"), wherever it can be done
  /// ("winograd").
  std::string convAlgorithm = "auto";
  /// Functions stop at the first result of an op that is no finite number
  /// ("all"), or NaN ("nan"); "" for no such checks.
  std::string trapNan;
  /// True if ops that are placed on another device than `cpu:0`, which runs all
  /// of a library, are an error.
  bool hardPlacement = false;
  /// True if variables that no function uses have their place in the library,
  /// and all lie in the order of the module: libraries of other functions over
  /// these variables, and more behind them, can use the same memory.
  bool keepVariables = false;
  /// Name of a model whose module has none.
  std::string modelName = "model";
  /// See LibraryOptions.
  std::string symbolPrefix;
  bool keepsSymbols = false;
  bool relocatable = false;
  /// `object` gives assembly instead of an object file.
  bool assembly = false;
  /// A directory for what each phase leaves; "" for none.
  std::string saveTemps;
  /// Directories that keep the code of kernels, and that have that of common
  /// ones, as those of LibraryOptions; "" for none.
  std::string kernelCache, kernelArchive;
  /// See LibraryOptions.
  std::function<void(size_t done, size_t all)> progress;
  /// True if the result shall describe the model.
  bool describe = false;
};

/// Returns the permissions, less the umask, of the file that a compilation
/// gives. They are those that linkers give: 0777 for a shared library, 0666 for
/// what is linked or read.
unsigned modeOfOutput(const CompileOptions &options);

/// Ops that were placed on a device that a library does not have, and run on
/// `cpu:0`.
struct SoftPlacement {
  std::string device;
  int64_t operations = 0;
};

/// The results of a compilation, and the seconds of each phase, in order.
struct CompileResult : BuildRecord {
  /// The library, the object file, or the IR after `stopAfter` as text.
  llvm::SmallVector<char, 0> file;
  /// Signature, kernels, steps, memory and costs as JSON; empty before
  /// `kernels`, and where nobody asked.
  std::string description;
  /// In order of their names.
  std::vector<SoftPlacement> placements;
};

/// Returns the passes of a phase up to `schedule`, in order, each as an entry
/// of a textual pass pipeline: "func.func(tg-lift-state)".
std::vector<std::string> listPasses(Phase phase, const CompileOptions &options);

/// Registers the dialects of models alone: what a model is read with, so that
/// no parser of another dialect sees its text.
void registerModelDialects(mlir::DialectRegistry &registry);

/// Registers all dialects of models and of what becomes of them.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Compiles a model: verified IR of the tg dialect, which is changed in place.
/// Registers what else it needs with the module's context. With `startFrom` it
/// is verified IR of the dialects of that phase, which is trusted to be what
/// the phases before leave. Fails with diagnostics on the module's context,
/// which must not be in use elsewhere. Prints nothing; writes nothing but the
/// files of `saveTemps` and `kernelCache`.
llvm::LogicalResult compileModule(mlir::ModuleOp module,
                                  const CompileOptions &options,
                                  CompileResult &result);

} // namespace tg

#endif // TG_COMPILER_DRIVER_PIPELINE_H
