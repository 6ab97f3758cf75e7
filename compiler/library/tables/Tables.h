//===- Tables.h - the constant tables of a library ------------------------===//
#ifndef TG_COMPILER_LIBRARY_TABLES_TABLES_H
#define TG_COMPILER_LIBRARY_TABLES_TABLES_H

#include "compiler/library/Library.h"
#include "compiler/library/plan/ModelPlan.h"
#include "llvm/IR/Module.h"

namespace tg {

/// The name of the one exported function.
std::string exportedName(const LibraryOptions &options);

/// The bits of tg_model_t.targets.
uint32_t targetBits(const LibraryOptions &options);

/// Adds the tables of all levels and the exported function to `module`, which
/// holds the embedded runtime. Refers to the tables of each level by name.
/// Fails with a diagnostic where the tables have no room.
llvm::LogicalResult emitTables(const ModelPlan &plan,
                               const LibraryOptions &options,
                               llvm::Module &module);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_TABLES_TABLES_H
