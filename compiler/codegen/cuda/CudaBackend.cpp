//===- CudaBackend.cpp - the back end for NVIDIA GPUs ---------------------===//
#include "compiler/codegen/cuda/CudaBackend.h"
#include "compiler/codegen/cuda/ChannelElements.h"
#include "compiler/codegen/cuda/CopyKernel.h"
#include "compiler/codegen/cuda/CudaTargetModel.h"
#include "compiler/codegen/cuda/LegalOps.h"
#include "compiler/codegen/cuda/Ptx.h"
#include "compiler/codegen/cuda/ThreadEmitters.h"
#include "compiler/codegen/cuda/custom/CustomThreads.h"
#include "compiler/codegen/cuda/source/KernelSource.h"
#include "compiler/codegen/kernel/Lowering.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/Module.h"

using namespace mlir;
using namespace tg;

const CudaTarget *tg::findCudaTarget(int level) {
  const CudaTarget *found =
      llvm::find_if(kCudaTargets, [&](const CudaTarget &each) {
        return each.level == level;
      });
  return found == std::end(kCudaTargets) ? nullptr : found;
}

SmallVector<int> CudaBackend::getLevels() const {
  return llvm::map_to_vector(kCudaTargets,
                             [](const CudaTarget &each) { return each.level; });
}

std::string CudaBackend::nameOf(int level) const {
  return "cuda-" + std::to_string(findCudaTarget(level)->capability);
}

void CudaBackend::registerDialects(DialectRegistry &registry) const {
  registry.addExtension(+[](MLIRContext *, tgx::TgxDialect *dialect) {
    registerTargetModel(*dialect, getCudaTargetModel());
  });
  registerKernelDialects(registry);
  registerCustomThreads(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

TargetDescription CudaBackend::describe(const Target &) const {
  TargetDescription description;
  // Allocations of the driver have at least this alignment.
  description.alignment = 256;
  description.usesAlignments = true;
  description.joinedSlots = kMaxParameters;
  description.fusesProducts = true;
  return description;
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

/// Emits the code of a thread.
static LogicalResult emitThreads(ThreadFrame &frame) {
  if (frame.kernel.getParts())
    return emitParts(frame);
  ElementEmitter elements(frame);
  switch (frame.kernel.getStrategy()) {
  case tgx::Strategy::loop:
    if (unsigned count = countChannels(frame); count > 1)
      return emitChannels(frame, count);
    return keepsColumns(frame) ? emitColumns(frame, elements)
                               : emitElements(frame, elements);
  case tgx::Strategy::reduction:
    return emitReducedGroups(frame, elements);
  case tgx::Strategy::contraction:
    return emitProducts(frame);
  case tgx::Strategy::custom:
    return emitCustomThreads(frame);
  }
  llvm_unreachable("a strategy without an emitter");
}

/// Returns true if a function has a division of 32 bits by a number that is not
/// constant.
static bool hasNarrowDivision(func::FuncOp function) {
  WalkResult result = function.walk([](Operation *op) {
    bool divides = isa<arith::DivUIOp, arith::RemUIOp>(op) &&
                   op->getResult(0).getType().getIntOrFloatBitWidth() == 32 &&
                   !constantNumber(op->getOperand(1));
    return divides ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// Emits the code of a kernel with indices of a width as function `name`.
/// Returns null after a diagnostic.
static std::unique_ptr<ThreadFrame>
emitFunction(tgx::KernelOp kernel, StringRef name,
             const TargetDescription &target, IndexWidth width,
             OpBuilder &builder) {
  std::unique_ptr<ThreadFrame> frame =
      ThreadFrame::create(kernel, name, target, width, builder);
  if (!frame || failed(emitThreads(*frame)))
    return nullptr;
  return frame;
}

// Other instructions than divisions take hardly more time with 64 bits, so that
// a kernel without divisions by extents needs no second version.
FailureOr<EmittedKernel> CudaBackend::emitKernel(tgx::KernelOp kernel,
                                                 const Target &target,
                                                 OpBuilder &builder) const {
  auto emit = [&](IndexWidth width) {
    return emitFunction(kernel, kernel.getSymName(), describe(target), width,
                        builder);
  };
  std::unique_ptr<ThreadFrame> frame = emit(IndexWidth::narrow);
  if (!frame)
    return failure();
  EmittedKernel emitted = frame->finish();
  if (!emitted.excess || hasNarrowDivision(frame->getFunction()))
    return emitted;
  frame->erase();
  frame = emit(IndexWidth::wide);
  return frame->finish();
}

/// Emits the functions of a kernel.
FailureOr<KernelLaunch> CudaBackend::emitLaunch(tgx::KernelOp kernel,
                                                const Target &target,
                                                OpBuilder &builder) const {
  FailureOr<EmittedKernel> emitted = emitKernel(kernel, target, builder);
  if (failed(emitted))
    return failure();
  KernelLaunch launch{ptxNameOf(emitted->name), ArgumentBlock(kernel).count(),
                      emitted->blockThreads, emitted->threads};
  launch.scratchBytes = emitted->scratchBytes;
  if (emitted->excess) {
    std::string name = "tg.wide." + emitted->name;
    emitFunction(kernel, name, describe(target), IndexWidth::wide, builder);
    launch.wideEntry = ptxNameOf(name);
    launch.excess = emitted->excess;
  }
  return launch;
}

/// Replaces llvm.intr.fmuladd, which may round twice, by llvm.intr.fma: every
/// target has the instruction.
static void fuseProducts(ModuleOp module) {
  module.walk([](LLVM::FMulAddOp op) {
    OpBuilder builder(op);
    op.replaceAllUsesWith(LLVM::FMAOp::create(builder, op.getLoc(), op.getA(),
                                              op.getB(), op.getC())
                              .getResult());
    op.erase();
  });
}

LogicalResult CudaBackend::legalize(ModuleOp kernels) const {
  if (failed(lowerToLLVMDialect(kernels)))
    return failure();
  fuseProducts(kernels);
  return verifyLegalOps(kernels);
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

FailureOr<DeviceImage> CudaBackend::compile(ModuleOp module,
                                            ArrayRef<tgx::KernelOp> kernels,
                                            const Target &target) const {
  Location loc = module.getLoc();
  OwningOpRef<ModuleOp> emitted = ModuleOp::create(loc);
  OpBuilder builder = OpBuilder::atBlockEnd(emitted->getBody());
  DeviceImage image;
  for (tgx::KernelOp kernel : kernels) {
    FailureOr<KernelLaunch> launch = emitLaunch(kernel, target, builder);
    if (failed(launch))
      return failure();
    image.launches.push_back(*launch);
  }
  image.copy = emitCopyKernel(builder, loc);
  if (failed(legalize(*emitted)))
    return failure();
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(*emitted, context, "kernels");
  if (!translated)
    return failure();
  std::optional<std::string> ptx =
      emitPtx(*translated, *findCudaTarget(target.level));
  if (!ptx)
    return module.emitError("expected an LLVM with a code generator for PTX, "
                            "found one without");
  image.code = std::move(*ptx);
  return image;
}

FailureOr<CustomImage> CudaBackend::compileCustom(tgx::HostOp step,
                                                  const Target &target) const {
  return compileKernelSource(step, findCudaTarget(target.level)->capability);
}

DeviceRequirement CudaBackend::getRequirement(const Target &target) const {
  return {TG_DEVICE_CUDA, findCudaTarget(target.level)->capability};
}
