//===- FunctionCode.h - what a function does, as LLVM IR ------------------===//
//
// Per function and level two functions of the stub's contract: `sizes`
// (tg_stub_sizes_fn) and `body` (tg_stub_body_fn); and one `pack` per level
// (tg_stub_pack_fn).
//
//===----------------------------------------------------------------------===//
#ifndef TG_COMPILER_CODEGEN_LIBRARY_FUNCTIONCODE_H
#define TG_COMPILER_CODEGEN_LIBRARY_FUNCTIONCODE_H

#include "compiler/codegen/Backend.h"
#include "compiler/codegen/library/AffineCode.h"
#include "compiler/codegen/library/ModelPlan.h"
#include "llvm/IR/Module.h"

namespace tg {

/// The kernels of one level by their tgx.kernel.
using EmittedKernels = llvm::DenseMap<mlir::Operation *, EmittedKernel>;

/// Names in the object files of a library; all are hidden in the end.
std::string sizesName(int level, unsigned function);
std::string bodyName(int level, unsigned function);
std::string packName(int level);
std::string constantName(unsigned number);
std::string checkName(unsigned number);

/// The arena of a function: bytes from its start.
struct Arena {
  /// By the place's `id`.
  llvm::DenseMap<int64_t, llvm::Value *> offsets;
  /// The end of the last place, a multiple of 64.
  llvm::Value *end;
};

/// Emits where each tgx.workspace begins: at the first multiple of 64 at or
/// after the end of all places that it lies above.
Arena emitArena(tgx::FunctionOp function, AffineCode &code);

/// The largest scratch of all workers over the launches; null when none is
/// needed.
llvm::Value *emitScratch(tgx::FunctionOp function,
                         const EmittedKernels &kernels, llvm::Value *workers,
                         AffineCode &code);

/// Adds `sizes` to `module`.
void emitSizes(const FunctionPlan &function, const EmittedKernels &kernels,
               llvm::StringRef name, llvm::Module &module);

/// Adds `body` to `module`, which holds the kernels.
void emitBody(const FunctionPlan &function, const ModelPlan &plan,
              const Backend &backend, const EmittedKernels &kernels,
              llvm::StringRef name, llvm::Module &module);

/// Adds `pack` to `module`, which holds the kernels.
void emitPack(const ModelPlan &plan, const Backend &backend,
              const EmittedKernels &kernels, llvm::StringRef name,
              llvm::Module &module);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_LIBRARY_FUNCTIONCODE_H
