//===- Passes.td - the pass that emits kernels ------------------------===//
#ifndef TG_COMPILER_LIBRARY_PASSES_TD
#define TG_COMPILER_LIBRARY_PASSES_TD

include "mlir/Pass/PassBase.td"

def EmitKernels : Pass<"tgx-emit-kernels", "::mlir::ModuleOp"> {
  let summary = "Turn kernels into loops over pointers";
  let description = [{
    Asks the back end for each kernel. For the CPU it becomes a function that
    runs a range of its tiles and one that counts them, of func, scf, arith, math
    and vector ops:

    ```
    tgx.kernel @relu loop    =>    func.func @relu(task, first, last, worker)
                                   func.func @relu.tiles(task) -> i64
    ```

    `tgx.scratch_bytes` of the former are the bytes of scratch memory that a
    worker needs, over the kernel's symbols; `tgx.shared_bytes` are those of
    memory that all tiles share, and one more tile combines what they left.

    Vectors are as wide as the registers of the x86-64 level, and scalars below
    optimization 2. The order of each sum follows from extents alone.

    Everything else of a scheduled module (functions, variables) is taken out:
    the library makes its tables and the bodies of functions from it.

    ```mlir
    tgx.kernel @relu loop[s0](%x: tensor<?xf32> [s0]) {
      %y = tg.relu %x : tensor<?xf32>
      tgx.yield %y : tensor<?xf32>
    }
    ```
  }];
  let options = [
    Option<"level", "level", "int", /*default=*/"3",
           "The x86-64 level: 2, 3 or 4">,
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
