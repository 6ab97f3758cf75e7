//===- TargetCode.h - kernels as LLVM IR ----------------------------------===//
#ifndef TG_COMPILER_LIBRARY_CODE_TARGETCODE_H
#define TG_COMPILER_LIBRARY_CODE_TARGETCODE_H

#include "compiler/library/tables/TargetTables.h"
#include "mlir/IR/OwningOpRef.h"
#include <memory>

namespace tg {

/// Loads into `context` all dialects that the lowering of kernels uses. Call it
/// before the threads start, because threads cannot load dialects concurrently.
void loadKernelDialects(const Backend &backend, mlir::MLIRContext &context);

/// Returns a module with copies of kernels of `original`. Emitters may change
/// the copies while other threads read the originals.
mlir::OwningOpRef<mlir::ModuleOp>
copyKernels(mlir::ModuleOp original, llvm::ArrayRef<tgx::KernelOp> kernels);

/// Replaces the kernels of a module by the code that the target's back end
/// emits for them. Emits a diagnostic and fails if it cannot emit one.
llvm::LogicalResult emitKernels(mlir::ModuleOp kernels, const Target &target);

/// Returns the record of the emitted kernel with this name.
EmittedKernel findEmitted(mlir::ModuleOp emitted, llvm::StringRef name);

/// Emits the kernels and tables of one ISA level to a module of `context`, in
/// which functions have the names of their kernels. Returns null after a
/// diagnostic.
std::unique_ptr<llvm::Module> emitTarget(const ModelPlan &plan,
                                         const Target &target,
                                         llvm::LLVMContext &context);

/// Compiles all code of one target to one human-readable file, in which
/// functions have the names of their kernels: assembly or an object of a CPU,
/// the images of a device.
llvm::LogicalResult compileTarget(const ModelPlan &plan, const Target &target,
                                  llvm::CodeGenFileType kind,
                                  llvm::SmallVectorImpl<char> &result);

/// Returns the kernels of a plan, in its order.
llvm::SmallVector<tgx::KernelOp> kernelsOf(const ModelPlan &plan);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_CODE_TARGETCODE_H
