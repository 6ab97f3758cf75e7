//===- CudaKernelAttr.td - kernels of users -------------------------------===//
#ifndef TG_DIALECTS_TG_CUDAKERNELATTR_TD
#define TG_DIALECTS_TG_CUDAKERNELATTR_TD

include "dialects/tg/TgBase.td"

/// A kernel of the user.
def Tg_CudaKernelAttr : AttrDef<Tg_Dialect, "CudaKernel"> {
  let mnemonic = "cuda_kernel";
  let summary = "A CUDA kernel of the user, and its launch";
  let description = [{
    `cuda` is source text in CUDA C++, which the CUDA toolkit compiles when the
    model is compiled; `ptx` is a source that was compiled before. One of both
    is given. `entry` is the name of the kernel, declared extern "C"; it may be
    omitted if the source has one kernel.

    `block` is the number of threads of a block, in up to three dimensions, by
    default 256. `grid` is the number of blocks. Without it there is one block
    for each `elements_per_block` elements of the first result, by default the
    number of threads of a block, hence a thread for each element.
    `shared_bytes` is the size of the dynamic shared memory of a block.

    ```mlir
    %y = tg.cuda_call "doubled"(%x) kernel <cuda = "extern \22C\22 __global__ void doubled(const float *x, float *y, long long n, long long) { long long i = blockIdx.x * 256ll + threadIdx.x; if (i < n) y[i] = 2 * x[i]; }", entry = "doubled"> : (tensor<10xf32>) -> tensor<10xf32>
    ```

    A block has at most 1024 threads, at most 64 of them in the third dimension,
    and at most 232448 bytes of shared memory; the launch fails if the device
    has less. A grid has at most 2^31 - 1 blocks in its first dimension and
    65535 in the others.
  }];
  let parameters = (ins
    OptionalParameter<"::mlir::StringAttr">:$cuda,
    OptionalParameter<"::mlir::StringAttr">:$ptx,
    OptionalParameter<"::mlir::StringAttr">:$entry,
    OptionalParameter<"::mlir::DenseI64ArrayAttr">:$block,
    OptionalParameter<"::mlir::DenseI64ArrayAttr">:$grid,
    DefaultValuedParameter<"int64_t", "0">:$elements_per_block,
    DefaultValuedParameter<"int64_t", "0">:$shared_bytes);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns the threads of a block in three dimensions.
    ::std::array<uint32_t, 3> getThreads() const;
    /// Returns the number of blocks in three dimensions, over the number of
    /// elements of the first result.
    ::std::array<::mlir::AffineExpr, 3>
    countBlocks(::mlir::AffineExpr elements) const;
  }];
}

#endif // TG_DIALECTS_TG_CUDAKERNELATTR_TD
