//===- LibraryObjects.h - the object files of a library -------------------===//
#ifndef TG_COMPILER_LIBRARY_LIBRARYOBJECTS_H
#define TG_COMPILER_LIBRARY_LIBRARYOBJECTS_H

#include "compiler/codegen/Backend.h"
#include "compiler/library/Library.h"
#include "compiler/library/code/KernelCache.h"
#include "compiler/library/link/Link.h"
#include "compiler/library/plan/ModelPlan.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/JSON.h"

namespace tg {

/// The objects of a library, less the embedded runtime.
struct LibraryObjects {
  std::vector<FileBytes> files;
  /// The names of functions for people.
  SymbolNames names;
  /// See BuildRecord.
  size_t kernels = 0, cachedKernels = 0;
  std::string cacheRemark;
  llvm::json::Array workspaces;
};

/// The back end of a library's targets.
const Backend &backendOf(const LibraryOptions &options);

/// Compiles the kernels of all levels, each on its own, and the tables, on the
/// threads of the module's context. The files and their order do not depend on
/// the number of threads, nor on what the cache has. Fails with a diagnostic.
llvm::LogicalResult compileObjects(const ModelPlan &plan,
                                   const LibraryOptions &options,
                                   const KernelCache &cache,
                                   LibraryObjects &objects,
                                   std::vector<PartTime> &times);

/// The code of one level in one file, for people: under the names of its
/// kernels.
llvm::LogicalResult compileLevel(const ModelPlan &plan,
                                 const LibraryOptions &options, int level,
                                 llvm::CodeGenFileType kind,
                                 llvm::SmallVectorImpl<char> &result);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_LIBRARYOBJECTS_H
