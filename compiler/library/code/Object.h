//===- Object.h - from LLVM IR to machine code ----------------------------===//
#ifndef TG_COMPILER_LIBRARY_CODE_OBJECT_H
#define TG_COMPILER_LIBRARY_CODE_OBJECT_H

#include "compiler/library/code/StageClock.h"
#include "compiler/target/Target.h"
#include "mlir/IR/Operation.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>

namespace tg {

/// The level of code that runs on every x86-64 CPU: the checks and the tables.
inline constexpr int kBaselineLevel = 1;

/// A machine for position-independent code of `target.level`, for one thread.
/// Null when LLVM was built without x86-64.
std::unique_ptr<llvm::TargetMachine> createTargetMachine(const Target &target);

/// Gives all functions of `module` the CPU of `machine` and optimizes them.
/// Below -O3 the passes are those that code which is vectors already needs.
void optimize(llvm::Module &module, llvm::TargetMachine &machine,
              const Target &target);

/// The target of tables, which need no passes.
inline const Target kTablesTarget{kBaselineLevel, /*optimization=*/1,
                                  /*tune=*/""};

/// Optimizes `module` and gives the machine to write it with. Null, with a
/// diagnostic on `op`, for which it is, when LLVM has none.
std::unique_ptr<llvm::TargetMachine>
optimize(llvm::Module &module, mlir::Operation *op, const Target &target);

/// Optimizes `module` and writes its object file or assembly to `result`. Fails
/// with a diagnostic on `op` when LLVM cannot. The stages from `optimization`
/// on are counted by `clock`.
llvm::LogicalResult finishModule(llvm::Module &module, mlir::Operation *op,
                                 const Target &target,
                                 llvm::CodeGenFileType kind,
                                 llvm::SmallVectorImpl<char> &result,
                                 StageClock &clock);

/// The same, without a clock of the caller's.
inline llvm::LogicalResult
finishModule(llvm::Module &module, mlir::Operation *op, const Target &target,
             llvm::CodeGenFileType kind, llvm::SmallVectorImpl<char> &result) {
  StageClock clock;
  return finishModule(module, op, target, kind, result, clock);
}

} // namespace tg

#endif // TG_COMPILER_LIBRARY_CODE_OBJECT_H
