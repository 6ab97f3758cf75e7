//===- Library.h - from a scheduled module to a model library -------------===//
#ifndef TG_COMPILER_LIBRARY_LIBRARY_H
#define TG_COMPILER_LIBRARY_LIBRARY_H

#include "compiler/target/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/JSON.h"
#include <functional>
#include <string>
#include <vector>

namespace tg {

/// Returns the name and version of this compiler, which every library contains:
/// "tgc 0.1.0 (LLVM ...)".
std::string compilerVersion();

/// Options that control how a library is built.
struct LibraryOptions {
  /// The name of the model: tg_model_t.name.
  std::string modelName = "model";
  /// The ISA levels of the CPU to emit code for, in ascending order. Plans of
  /// other kinds are compiled for all targets of their back ends.
  std::vector<int> levels = {2, 3, 4};
  /// The optimization level: 0 to 3, as in -O0 to -O3.
  int optimization = 2;
  /// The CPU to tune for, as LLVM names it; "" for no tuning.
  std::string tune;
  /// The prefix of the exported function, <prefix>_tg_model_get; "" for none.
  std::string symbolPrefix;
  /// True to make a relocatable object without a trailer instead of a shared
  /// library.
  bool relocatable = false;
  /// True to keep a symbol table for debuggers and profilers, in which each
  /// function has the name of the kernel that it implements.
  bool keepsSymbols = false;
  /// The options as the user wrote them, for the metadata.
  std::string flags;
  /// The directory that receives the LLVM IR of each ISA level; "" for none.
  std::string saveTemps;
  /// The directory of the kernel cache, which keeps compiled kernels between
  /// compilations; "" for none. It is created if it does not exist. The library
  /// has the same bytes with and without a cache. The directory, or a file in
  /// it, is ignored with a remark unless the user or root owns it and every
  /// directory above it, and nobody else may write to them. Directories above
  /// may be sticky, like /tmp.
  std::string kernelCache;
  /// A read-only kernel cache that is searched for kernels that `kernelCache`
  /// does not have; "" for none. It is ignored silently if it does not exist or
  /// is not trusted.
  std::string kernelArchive;
  /// A function that reports progress; may be empty. It is called on any thread
  /// with the number of kernels that are compiled or found in the cache so far,
  /// and the number of all kernels. The last call reports all kernels as done,
  /// even after a failure.
  std::function<void(size_t done, size_t all)> progress;
  /// True to fill BuildRecord::workspaces.
  bool describesWorkspaces = false;
  /// True to place every variable of the module in the slab, used or not, in
  /// the order of the module: see SlabLayout.
  bool keepsVariables = false;
};

/// Returns the remark that the kernel cache in `directory` is ignored because
/// of `reason`.
std::string describeIgnoredCache(llvm::StringRef directory,
                                 llvm::StringRef reason);

/// The time in seconds of a phase of the work, and of its subphases. Subphases
/// may run in parallel, so their sum can exceed the total.
struct PhaseTime {
  std::string phase;
  double seconds;
  std::vector<PhaseTime> subphases;
};

/// The costs of building a library.
struct BuildRecord {
  std::vector<PhaseTime> times;
  /// The number of kernels over all ISA levels, counting equal ones once, and
  /// the number that the cache provided.
  size_t kernels = 0, cachedKernels = 0;
  /// The remark that says which part of `kernelCache` was ignored and why; ""
  /// if nothing was ignored.
  std::string cacheRemark;
  /// The memory that a run of each function needs, in the order of the
  /// functions, if LibraryOptions::describesWorkspaces is set. The format is
  /// described at describeWorkspaces() in WorkspaceReport.h.
  llvm::json::Array workspaces;
};

/// Compiles the modules of plans of different kinds of targets, at least one,
/// which went through the phase `schedule`, and writes the bytes of the library
/// to `file`. Equal modules and options give equal bytes.
/// Emits a diagnostic on failure, and a warning if kernels cannot be cached.
/// Writes no files except those of `saveTemps` and `kernelCache`. Runs on the
/// threads of the module's context, but links one library at a time in the
/// process. Adds the costs to `record`.
llvm::LogicalResult buildLibrary(llvm::ArrayRef<mlir::ModuleOp> scheduled,
                                 const LibraryOptions &options,
                                 llvm::SmallVectorImpl<char> &file,
                                 BuildRecord &record);

/// Returns the kernels of a plan for its first target as human-readable MLIR.
mlir::OwningOpRef<mlir::ModuleOp> buildKernels(mlir::ModuleOp scheduled,
                                               const LibraryOptions &options);

/// Writes the assembly or the object file of a plan for its first target, or
/// its image for a device, to `file`.
llvm::LogicalResult buildObject(mlir::ModuleOp scheduled,
                                const LibraryOptions &options, bool assembly,
                                llvm::SmallVectorImpl<char> &file);

/// Returns the signatures, sizes and costs of the first of some plans, with its
/// kernels, steps and memory, as JSON text. This is a superset of the metadata
/// of a library. Other plans are described in the member "plans", by kind.
llvm::FailureOr<std::string>
describeModel(llvm::ArrayRef<mlir::ModuleOp> scheduled,
              const LibraryOptions &options);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_LIBRARY_H
