//===- CpuBackend.h - the back end for x86-64 CPUs ------------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CPUBACKEND_H
#define TG_COMPILER_CODEGEN_CPU_CPUBACKEND_H

#include "compiler/codegen/Backend.h"

namespace tg {

/// Emits kernels as loops over tiles, into the LLVM module of the CPU code.
class CpuBackend : public Backend, public CpuCode {
public:
  llvm::StringRef getKind() const override { return "cpu"; }
  llvm::SmallVector<int> getLevels() const override;
  std::string nameOf(int level) const override;
  std::optional<int> parseTarget(llvm::StringRef word) const override;
  void registerDialects(mlir::DialectRegistry &registry) const override;
  TargetDescription describe(const Target &target) const override;
  llvm::FailureOr<EmittedKernel>
  emitKernel(tgx::KernelOp kernel, const Target &target,
             mlir::OpBuilder &builder) const override;
  llvm::LogicalResult legalize(mlir::ModuleOp kernels) const override;
  const CpuCode *getCpuCode() const override { return this; }
  std::unique_ptr<llvm::Module>
  makeCpuModule(mlir::ModuleOp legalized,
                llvm::LLVMContext &context) const override;
  CpuKernel findCpuKernel(const EmittedKernel &emitted) const override;
  Target getTablesTarget() const override;
  llvm::LogicalResult optimize(llvm::Module &module, mlir::Operation *op,
                               const Target &target) const override;
  llvm::LogicalResult write(llvm::Module &module, mlir::Operation *op,
                            const Target &target, llvm::CodeGenFileType kind,
                            llvm::SmallVectorImpl<char> &result,
                            StageClock &clock) const override;
  int getNativeLevel() const override;
  std::string checkLevels(llvm::ArrayRef<int> levels) const override;
  bool canTuneFor(llvm::StringRef cpu) const override;
  const void *getCodeGenerator() const override;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CPUBACKEND_H
