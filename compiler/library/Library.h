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

/// The name and version that libraries are stamped with: "tgc 0.1.0 (LLVM
/// ...)".
std::string compilerVersion();

/// The options of a library.
struct LibraryOptions {
  /// tg_model_t.name.
  std::string modelName = "model";
  /// The levels to hold code for, ascending: 2, 3, 4.
  std::vector<int> levels = {2, 3, 4};
  /// -O0 to -O3.
  int optimization = 2;
  /// LLVM's name of the CPU to tune for; "" for none.
  std::string tune;
  /// The exported function is called <prefix>_tg_model_get; "" for no prefix.
  std::string symbolPrefix;
  /// A relocatable file without trailer instead of a shared library.
  bool relocatable = false;
  /// Keep the names of functions for debuggers and profilers: a kernel's is its
  /// own.
  bool keepsSymbols = false;
  /// The options as the user wrote them, for the metadata.
  std::string flags;
  /// A directory for the LLVM IR of each level; "" for none.
  std::string saveTemps;
  /// A directory that keeps the code of kernels from one compilation to the
  /// next, made if need be; "" for none. The library is the same with it and
  /// without. It is ignored with a remark, as is a file in it, unless the user
  /// or root owns it and all directories above it and nobody else may write to
  /// them; directories above may be sticky, as /tmp.
  std::string kernelCache;
  /// A directory of the same kind that is read alone, where the cache does not
  /// have a kernel; "" for none. Nothing is said where it is not there or not
  /// to be trusted.
  std::string kernelArchive;
  /// Is told, on any thread, how many of all kernels are compiled or found;
  /// last that all are, also where one failed. None: nobody is told.
  std::function<void(size_t done, size_t all)> progress;
  /// Fills `workspaces` of the record of the work.
  bool describesWorkspaces = false;
  /// Every variable of the module has its place in the slab, used or not, in
  /// the order of the module: see SlabLayout.
  bool keepsVariables = false;
};

/// Returns the remark on a kernel cache that is ignored, of its path and what
/// is wrong with it.
std::string describeIgnoredCache(llvm::StringRef directory,
                                 llvm::StringRef reason);

/// Returns the target of the code of one level.
Target targetOf(const LibraryOptions &options, int level);

/// Seconds that a part of the work took, and those of its own parts, of which
/// some may have run at the same time.
struct PartTime {
  std::string part;
  double seconds;
  std::vector<PartTime> parts;
};

/// The costs of building a library.
struct BuildRecord {
  std::vector<PartTime> times;
  /// The kernels that were compiled or found, all levels together, equal ones
  /// once, and those that the cache had.
  size_t kernels = 0, cachedKernels = 0;
  /// The remark that says which part of `kernelCache` was ignored and why; ""
  /// if nothing was.
  std::string cacheRemark;
  /// The memory of a run of each function, in order, where the options ask for
  /// it: see describeWorkspaces.
  llvm::json::Array workspaces;
};

/// Compiles a module that went through the phase `schedule`; `file` becomes the
/// bytes of the library. Equal modules and options give equal bytes. Fails with
/// a diagnostic, and warns where kernels cannot be kept. Writes nothing but the
/// files of `saveTemps` and `kernelCache`; runs on the threads of the module's
/// context, one link at a time in the process. Adds to `record`.
llvm::LogicalResult buildLibrary(mlir::ModuleOp scheduled,
                                 const LibraryOptions &options,
                                 llvm::SmallVectorImpl<char> &file,
                                 BuildRecord &record);

/// The kernels of the first level of `options` as MLIR, for people.
mlir::OwningOpRef<mlir::ModuleOp> buildKernels(mlir::ModuleOp scheduled,
                                               const LibraryOptions &options);

/// The assembly or the object file of the first level of `options`.
llvm::LogicalResult buildObject(mlir::ModuleOp scheduled,
                                const LibraryOptions &options, bool assembly,
                                llvm::SmallVectorImpl<char> &file);

/// Signature, sizes and costs of a scheduled module, its kernels, steps and
/// memory, as JSON text: what the library says as its metadata, and more.
llvm::FailureOr<std::string> describeModel(mlir::ModuleOp scheduled,
                                           const LibraryOptions &options);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_LIBRARY_H
