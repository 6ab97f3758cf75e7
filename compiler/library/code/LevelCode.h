//===- LevelCode.h - kernels as LLVM IR -----------------------------------===//
#ifndef TG_COMPILER_LIBRARY_CODE_LEVELCODE_H
#define TG_COMPILER_LIBRARY_CODE_LEVELCODE_H

#include "compiler/library/tables/LevelTables.h"
#include "mlir/IR/OwningOpRef.h"
#include <memory>

namespace tg {

/// Loads into `context` all dialects that kernels pass through, which several
/// threads cannot do at once.
void loadKernelDialects(const Backend &backend, mlir::MLIRContext &context);

/// A module of copies of kernels of `original`. Emitters may use the values of
/// a kernel; other threads read the original.
mlir::OwningOpRef<mlir::ModuleOp>
copyKernels(mlir::ModuleOp original, llvm::ArrayRef<tgx::KernelOp> kernels);

/// Replaces the kernels of a module by what the target's back end emits for
/// them. Fails, with a diagnostic, when it cannot emit one.
llvm::LogicalResult emitKernels(mlir::ModuleOp kernels, const Target &target);

/// Returns the record of the emitted kernel of a name.
EmittedKernel findEmitted(mlir::ModuleOp emitted, llvm::StringRef name);

/// Kernels and tables of one level in a module of `context`, under the names of
/// the kernels. Null after a diagnostic.
std::unique_ptr<llvm::Module> emitLevel(const ModelPlan &plan,
                                        const Backend &backend,
                                        const Target &target,
                                        llvm::LLVMContext &context);

/// The kernels of a plan, in its order.
llvm::SmallVector<tgx::KernelOp> kernelsOf(const ModelPlan &plan);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_CODE_LEVELCODE_H
