//===- CudaOps.td - operations of users, as CUDA kernels ------------------===//
//
// In descriptions, (ODS) marks a constraint that the types and traits of the
// definition check, not the verifier of the op.
//
//===----------------------------------------------------------------------===//
#ifndef TG_DIALECTS_TG_CUDAOPS_TD
#define TG_DIALECTS_TG_CUDAOPS_TD

include "dialects/tg/CudaKernelAttr.td"

//===----------------------------------------------------------------------===//
// cuda_call
//===----------------------------------------------------------------------===//

def Tg_CudaCallOp : Tg_Op<"cuda_call", [
    AttrSizedOperandSegments, NoMemoryEffect,
    DeclareOpInterfaceMethods<Tg_ExtentsOpInterface, ["inferExtents"]>,
    DeclareOpInterfaceMethods<Tg_DynamicSizesOpInterface,
                              ["getSizeAttributes", "setSize"]>,
    DeclareOpInterfaceMethods<Tg_HostOpInterface,
                              ["getHostInputs", "getDeviceKernel"]>,
    Tg_NonDifferentiable]> {
  let summary = "Calls an operation of the user: a CUDA kernel or its CPU version";
  let description = [{
    On a CPU the op is a `tg.host_call` with `pure`. On an NVIDIA device it
    launches `kernel`. Its parameters are a pointer to each input and to each
    result, in order, then all extents of all inputs and of all results, in
    order, as 64-bit integers. Tensors are dense and row-major. The kernel
    writes every element of the results, booleans as 0 or 1. If an earlier
    operation of the run found an error in its data, the kernel does nothing.

    ```mlir
    %y = tg.cuda_call "doubled"(%x) kernel <cuda = "extern \22C\22 __global__ void doubled(const float *x, float *y, long long n, long long) { long long i = blockIdx.x * 256ll + threadIdx.x; if (i < n) y[i] = 2 * x[i]; }"> : (tensor<10xf32>) -> tensor<10xf32>
    ```

    * C1: the name is valid for an input [M1]. C2: there is one `dynamic`
      operand for each dynamic extent of the results. C3: there is a result.
    * R0: sizes are not negative. R1: on a CPU, as for `tg.host_call`.
    * Not differentiable; `custom_gradient` around it gives it a gradient.
  }];
  let arguments = (ins StrAttr:$callee, Variadic<Tg_Tensor>:$inputs,
                       Variadic<Tg_Int64Scalar>:$dynamic,
                       Tg_CudaKernelAttr:$kernel);
  let results = (outs Variadic<Tg_Tensor>:$results);
  let assemblyFormat = [{
    $callee `(` $inputs `)` (`sizes` `(` $dynamic^ `)`)? `kernel` $kernel
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif // TG_DIALECTS_TG_CUDAOPS_TD
