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
uint32_t targetBits(const LibraryOptions &options);

/// Adds the tables of all ISA levels and the exported function to `module`,
/// which holds the embedded runtime. Refers to the tables of each ISA level by
/// name. Emits a diagnostic and fails if the tables have no room.
llvm::LogicalResult emitTables(const ModelPlan &plan,
                               const LibraryOptions &options,
                               llvm::Module &module);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_TABLES_TABLES_H
