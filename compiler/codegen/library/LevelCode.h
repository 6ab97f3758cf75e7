//===- LevelCode.h - all code of one x86-64 level -------------------------===//
#ifndef TG_COMPILER_CODEGEN_LIBRARY_LEVELCODE_H
#define TG_COMPILER_CODEGEN_LIBRARY_LEVELCODE_H

#include "compiler/codegen/library/LevelTables.h"
#include "mlir/IR/OwningOpRef.h"
#include <memory>

namespace tg {

/// Loads into `context` all dialects that kernels pass through, which several
/// threads cannot do at once.
void loadKernelDialects(const Backend &backend, mlir::MLIRContext &context);

/// The kernels of a plan as the target's back end emits them. Null, with a
/// diagnostic, when it cannot emit one.
mlir::OwningOpRef<mlir::ModuleOp> emitKernels(const ModelPlan &plan,
                                              const Target &target,
                                              EmittedKernels &kernels);

/// Kernels and tables of one level in a module of `context`. Null
/// after a diagnostic. May run at the same time as for other levels, with
/// another `context`.
std::unique_ptr<llvm::Module> emitLevel(const ModelPlan &plan,
                                        const Backend &backend,
                                        const Target &target,
                                        llvm::LLVMContext &context);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_LIBRARY_LEVELCODE_H
