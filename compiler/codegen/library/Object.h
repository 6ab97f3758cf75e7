//===- Object.h - from LLVM IR to machine code ----------------------------===//
#ifndef TG_COMPILER_CODEGEN_LIBRARY_OBJECT_H
#define TG_COMPILER_CODEGEN_LIBRARY_OBJECT_H

#include "compiler/target/Target.h"
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

/// Writes the object file or the assembly of `module` to `result`. False when
/// the machine cannot write the kind of file.
bool emitCode(llvm::Module &module, llvm::TargetMachine &machine,
              llvm::CodeGenFileType kind, llvm::SmallVectorImpl<char> &result);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_LIBRARY_OBJECT_H
