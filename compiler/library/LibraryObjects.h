//===- LibraryObjects.h - the object files of a library -------------------===//
#ifndef TG_COMPILER_LIBRARY_LIBRARYOBJECTS_H
#define TG_COMPILER_LIBRARY_LIBRARYOBJECTS_H

#include "compiler/codegen/Backend.h"
#include "compiler/library/Library.h"
#include "compiler/library/code/KernelCache.h"
#include "compiler/library/link/Link.h"
#include "compiler/library/plan/ModelPlan.h"
#include "llvm/Support/JSON.h"

namespace tg {

/// The objects that are linked to a library, except the embedded runtime.
struct LibraryObjects {
  std::vector<FileBytes> files;
  /// The readable names of functions.
  SymbolNames names;
  /// See BuildRecord.
  size_t kernels = 0, cachedKernels = 0;
  std::string cacheRemark;
  llvm::json::Array workspaces;
};

/// Compiles the tables and the kernels of all targets, each kernel of a CPU on
/// its own, on the threads of the module's context. The files and their order
/// depend neither on the number of threads nor on the content of the cache.
/// Emits a diagnostic on failure.
llvm::LogicalResult compileObjects(llvm::ArrayRef<ModelPlan> plans,
                                   const LibraryOptions &options,
                                   const KernelCache &cache,
                                   LibraryObjects &objects,
                                   std::vector<PhaseTime> &times);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_LIBRARYOBJECTS_H
