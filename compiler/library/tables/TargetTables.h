//===- TargetTables.h - the tables of one ISA level -----------------------===//
#ifndef TG_COMPILER_LIBRARY_TABLES_TARGETTABLES_H
#define TG_COMPILER_LIBRARY_TABLES_TARGETTABLES_H

#include "compiler/codegen/Backend.h"
#include "compiler/library/plan/ModelPlan.h"
#include "llvm/IR/Module.h"

namespace tg {

/// The emitted kernels of one ISA level by their tgx.kernel.
using EmittedKernels = llvm::DenseMap<mlir::Operation *, EmittedKernel>;

/// Return the names of the tables of one ISA level, which are hidden symbols of
/// the library: the array of its kernels in the order of the plan
/// (tg_embedded_kernel_t), and the data of a function for the level
/// (tg_embedded_target_t).
std::string kernelsName(int level);
std::string functionTargetName(int level, unsigned function);

/// Adds the tables of an ISA level to `module`, which may also define the
/// kernels. Emits a diagnostic and fails if a limit of the tables is exceeded,
/// or if a packing kernel needs scratch memory, which `pack` does not provide.
llvm::LogicalResult emitTargetTables(const ModelPlan &plan,
                                     const Backend &backend,
                                     const EmittedKernels &kernels, int level,
                                     llvm::Module &module);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_TABLES_TARGETTABLES_H
