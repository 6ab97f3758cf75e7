//===- CudaBackend.h - the back end for NVIDIA GPUs -----------------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_CUDABACKEND_H
#define TG_COMPILER_CODEGEN_CUDA_CUDABACKEND_H

#include "compiler/codegen/Backend.h"

namespace tg {

/// Emits kernels as scalar code of threads, and compiles them to PTX.
class CudaBackend : public Backend, public DeviceCode {
public:
  llvm::StringRef getKind() const override { return "cuda"; }
  llvm::SmallVector<int> getLevels() const override;
  std::string nameOf(int level) const override;
  void registerDialects(mlir::DialectRegistry &registry) const override;
  TargetDescription describe(const Target &target) const override;
  llvm::FailureOr<EmittedKernel>
  emitKernel(tgx::KernelOp kernel, const Target &target,
             mlir::OpBuilder &builder) const override;
  llvm::LogicalResult legalize(mlir::ModuleOp kernels) const override;
  const DeviceCode *getDeviceCode() const override { return this; }
  llvm::FailureOr<DeviceImage> compile(mlir::ModuleOp module,
                                       llvm::ArrayRef<tgx::KernelOp> kernels,
                                       const Target &target) const override;
  llvm::FailureOr<CustomImage>
  compileCustom(tgx::HostOp step, const Target &target) const override;
  DeviceRequirement getRequirement(const Target &target) const override;

private:
  llvm::FailureOr<KernelLaunch> emitLaunch(tgx::KernelOp kernel,
                                           const Target &target,
                                           mlir::OpBuilder &builder) const;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_CUDABACKEND_H
