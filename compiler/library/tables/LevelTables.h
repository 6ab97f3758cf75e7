//===- LevelTables.h - what a level gives to the tables of a library ------===//
#ifndef TG_COMPILER_LIBRARY_TABLES_LEVELTABLES_H
#define TG_COMPILER_LIBRARY_TABLES_LEVELTABLES_H

#include "compiler/codegen/Backend.h"
#include "compiler/library/plan/ModelPlan.h"
#include "llvm/IR/Module.h"

namespace tg {

/// The kernels of one level by their tgx.kernel.
using EmittedKernels = llvm::DenseMap<mlir::Operation *, EmittedKernel>;

/// Names in the object files of a library, all hidden in the end: the kernels
/// of a level (tg_embedded_kernel_t[]), in the order of the plan, and what a
/// function has on a level (tg_embedded_level_t).
std::string kernelsName(int level);
std::string levelName(int level, unsigned function);

/// Adds both to `module`, which may hold the kernels. Fails with a diagnostic
/// where the tables have no room, and where a kernel that packs needs memory
/// that `pack` has not.
llvm::LogicalResult emitLevelTables(const ModelPlan &plan,
                                    const Backend &backend,
                                    const EmittedKernels &kernels, int level,
                                    llvm::Module &module);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_TABLES_LEVELTABLES_H
