//===- CustomThreads.td - ops that are a kernel of their own --------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_CUSTOM_CUSTOMTHREADS_TD
#define TG_COMPILER_CODEGEN_CUDA_CUSTOM_CUSTOMTHREADS_TD

include "mlir/IR/OpBase.td"

def Tg_CustomThreadsOpInterface : OpInterface<"CustomThreadsOpInterface"> {
  let cppNamespace = "::tg";
  let description = [{
    Emission of the threads of an op that is the only op of its kernel. The
    interface is attached to ops as an external model, because ops do not depend
    on targets.
  }];
  let methods = [
    InterfaceMethod<[{
        Emits the code of a thread, and the number of threads, through the
        frame. The operands are arguments or constants; the results are
        outputs, unless they are unused.
      }], "::llvm::LogicalResult", "emitCustomThreads",
      (ins "::tg::ThreadFrame &":$frame)>
  ];
}

#endif // TG_COMPILER_CODEGEN_CUDA_CUSTOM_CUSTOMTHREADS_TD
