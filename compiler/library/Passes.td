//===- Passes.td - the pass that emits kernels ----------------------------===//
#ifndef TG_COMPILER_LIBRARY_PASSES_TD
#define TG_COMPILER_LIBRARY_PASSES_TD

include "mlir/Pass/PassBase.td"

def EmitKernels : Pass<"tgx-emit-kernels", "::mlir::ModuleOp"> {
  let summary = "Turn kernels into loops over pointers";
  let description = [{
    Lets the back end emit each kernel. The CPU back end replaces it with a
    function that runs a range of its tiles and a function that counts them, in
    the dialects func, scf, arith, math and vector:

    ```
    tgx.kernel @relu loop    =>    func.func @relu(task, first, last, worker)
                                   func.func @relu.tiles(task) -> i64
    ```

    The attributes of the function that runs tiles are the sizes of its
    temporary memory, as maps over the kernel's symbols: `tgx.scratch_bytes` is
    the scratch memory of each worker, and `tgx.partials_bytes` the partials
    buffer that all tiles share. A kernel with a partials buffer has one more
    tile, which finalizes the result.

    The CUDA back end replaces it with the function of one thread, which has a
    parameter for each slot of the argument block. Its attribute `tgx.threads`
    maps the kernel's symbols to the number of threads:

    ```
    tgx.kernel @relu loop    =>    func.func @relu(slots)
    ```

    Vectors are as wide as the registers of the ISA level. Below optimization 2
    the code is scalar. The order of each sum depends on extents alone.

    Does the same in plans of this kind, and removes other plans. Removes the
    rest of a scheduled module (functions, variables), from which the library
    builds its tables.

    ```mlir
    tgx.kernel @relu loop[s0](%x: tensor<?xf32> [s0]) {
      %y = tg.relu %x : tensor<?xf32>
      tgx.yield %y : tensor<?xf32>
    }
    ```
  }];
  let options = [
    Option<"level", "level", "int", /*default=*/"3",
           "The number of the target: for the CPU an ISA level, 2, 3 or 4">,
    Option<"optimization", "optimization", "int", /*default=*/"2",
           "As -O of tgc, from 0 to 3">,
    Option<"kind", "kind", "std::string", /*default=*/"\"cpu\"",
           "The back end">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

#endif // TG_COMPILER_LIBRARY_PASSES_TD
