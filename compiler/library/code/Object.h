//===- Object.h - from LLVM IR to machine code ----------------------------===//
#ifndef TG_COMPILER_LIBRARY_CODE_OBJECT_H
#define TG_COMPILER_LIBRARY_CODE_OBJECT_H

#include "compiler/codegen/kernel/StageClock.h"
#include "compiler/target/Target.h"
#include "mlir/IR/Operation.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>

namespace tg {

/// The ISA level of the checks and the tables, whose code runs on every x86-64
/// CPU.
inline constexpr int kBaselineIsaLevel = 1;

/// Returns a target machine for position-independent code of `target.level`,
/// for use by one thread. Returns null if LLVM was built without x86-64.
std::unique_ptr<llvm::TargetMachine> createTargetMachine(const Target &target);

/// Sets the CPU of `machine` on all functions of `module` and optimizes them.
/// Below -O3, runs only a few passes, because kernels are already vectorized.
void optimize(llvm::Module &module, llvm::TargetMachine &machine,
              const Target &target);

/// The target of tables, which need no passes.
inline const Target kTablesTarget{kBaselineIsaLevel, /*optimization=*/1,
                                  /*tune=*/""};

/// Optimizes `module`, the code of `op`, and returns the target machine that
/// writes it to a file. If LLVM was built without x86-64, emits a diagnostic on
/// `op` and returns null.
std::unique_ptr<llvm::TargetMachine>
optimize(llvm::Module &module, mlir::Operation *op, const Target &target);

/// Optimizes `module` and writes its object file or assembly to `result`. Emits
/// a diagnostic on `op` on failure. `clock` measures the stages from
/// `optimization` on.
llvm::LogicalResult finishModule(llvm::Module &module, mlir::Operation *op,
                                 const Target &target,
                                 llvm::CodeGenFileType kind,
                                 llvm::SmallVectorImpl<char> &result,
                                 StageClock &clock);

/// Optimizes and writes a module without measuring its stages.
inline llvm::LogicalResult
finishModule(llvm::Module &module, mlir::Operation *op, const Target &target,
             llvm::CodeGenFileType kind, llvm::SmallVectorImpl<char> &result) {
  StageClock clock;
  return finishModule(module, op, target, kind, result, clock);
}

} // namespace tg

#endif // TG_COMPILER_LIBRARY_CODE_OBJECT_H
