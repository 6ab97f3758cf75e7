//===- Object.h - from LLVM IR to machine code ----------------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CODE_OBJECT_H
#define TG_COMPILER_CODEGEN_CPU_CODE_OBJECT_H

#include "compiler/codegen/kernel/StageClock.h"
#include "compiler/target/Target.h"
#include "mlir/IR/Operation.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>

namespace tg {

/// Sets the CPU of a target on all functions of `module`, the code of `op`, and
/// optimizes them. Below -O3, runs only a few passes, because kernels are
/// already vectorized. Returns the machine that writes position-independent
/// code of `module` to a file, for use by one thread. If LLVM was built without
/// x86-64, emits a diagnostic on `op` and returns null.
std::unique_ptr<llvm::TargetMachine>
optimizeForCpu(llvm::Module &module, mlir::Operation *op, const Target &target);

/// Optimizes `module` and writes its object file or assembly to `result`. Emits
/// a diagnostic on `op` on failure. `clock` measures the stages from
/// `optimization` on.
llvm::LogicalResult writeCpuCode(llvm::Module &module, mlir::Operation *op,
                                 const Target &target,
                                 llvm::CodeGenFileType kind,
                                 llvm::SmallVectorImpl<char> &result,
                                 StageClock &clock);

/// Returns an address in the file of LLVM's code generator for x86-64.
const void *addressOfCodeGenerator();

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CODE_OBJECT_H
