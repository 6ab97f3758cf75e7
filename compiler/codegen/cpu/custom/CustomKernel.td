//===- CustomKernel.td - ops that are a kernel of their own ---------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CUSTOM_CUSTOMKERNEL_TD
#define TG_COMPILER_CODEGEN_CPU_CUSTOM_CUSTOMKERNEL_TD

include "mlir/IR/OpBase.td"

def Tg_CustomKernelOpInterface : OpInterface<"CustomKernelOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Emission of CPU code for an op that is the only op of its kernel. The
    interface is attached to ops as an external model, because ops do not depend
    on targets.
  }];
  let methods = [
    InterfaceMethod<[{
        Emits the kernel's body and its number of tiles through the frame. The
        operands are arguments or splat constants; the results are outputs.
      }], "::llvm::LogicalResult", "emitCustomKernel",
      (ins "::tg::KernelFrame &":$frame)>
  ];
}

#endif // TG_COMPILER_CODEGEN_CPU_CUSTOM_CUSTOMKERNEL_TD
