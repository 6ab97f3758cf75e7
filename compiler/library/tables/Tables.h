//===- Tables.h - the constant tables of a library ------------------------===//
#ifndef TG_COMPILER_LIBRARY_TABLES_TABLES_H
#define TG_COMPILER_LIBRARY_TABLES_TABLES_H

#include "compiler/library/Library.h"
#include "compiler/library/plan/ModelPlan.h"
#include "llvm/IR/Module.h"

namespace tg {

/// Returns the name of the exported function.
std::string exportedName(const LibraryOptions &options);

/// Returns the bits of tg_model_t.targets.
uint32_t targetBits(llvm::ArrayRef<ModelPlan> plans);

/// Returns the lowest ABI version of the tables of a library.
uint32_t abiVersion(llvm::ArrayRef<ModelPlan> plans);

/// Adds a tg_model_t for each target, the tables that the targets of a plan
/// share, and the exported function to `module`. They refer by name to the
/// embedded runtime and to the tables of TargetTables.h, which other objects
/// define. Emits a diagnostic and fails if a limit of the tables is exceeded.
llvm::LogicalResult emitTables(llvm::ArrayRef<ModelPlan> plans,
                               const LibraryOptions &options,
                               llvm::Module &module);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_TABLES_TABLES_H
