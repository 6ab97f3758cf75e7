//===- CustomKernel.td - ops that are a kernel of their own ---------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_SINGLEKERNEL_TD
#define TG_COMPILER_CODEGEN_CPU_SINGLEKERNEL_TD

include "mlir/IR/OpBase.td"

def Tg_CustomKernelOpInterface : OpInterface<"CustomKernelOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    How the CPU computes an op that shares its kernel with no other. Attached to
    the op from outside: ops know nothing of targets.
  }];
  let methods = [
    InterfaceMethod<[{
        Emits the kernel's body and its tiles at the frame's builder. Operands
        are arguments or splat constants; results are outputs.
      }], "::llvm::LogicalResult", "emitCustomKernel",
      (ins "::tg::KernelFrame &":$frame)>
  ];
}

#endif // TG_COMPILER_CODEGEN_CPU_SINGLEKERNEL_TD
