// Declaration, registration and manual of the passes that expand math ops.
#ifndef TG_COMPILER_CODEGEN_KERNEL_MATH_PASSES_TD
#define TG_COMPILER_CODEGEN_KERNEL_MATH_PASSES_TD

include "mlir/Pass/PassBase.td"

def ExpandMath : Pass<"tgx-expand-math"> {
  let summary = "Replace math functions by inline polynomials";
  let description = [{
    Problem: LLVM lowers `math.exp` and similar ops to C library calls, one per
    lane. The calls are ten to a hundred times slower than vector code, and
    their results depend on the library.

    Rewrite, on f32, f64 and vectors of them:

    ```
    exp x     = 2^n (1 + r + r² q(r)),           r = x - n ln 2
    expm1 x   = 2^n (r + r² q(r)) + (2^n - 1)
    log x     = e ln 2 + f + f² p(f),            x = 2^e (1 + f)
    log1p x   = log with f = x 2^-e + (2^-e - 1)
    tanh x    = x + x³ p(x²) below 5/8, else 1 - 2 / (e^2|x| + 1), in f32;
                t / (t + 2), t = expm1 2|x|, in f64; with the sign of x
    erf x     = x + x p(x²) below 1;             polynomials in x above
    sin x     = ± (r + r³ p(r²)) or ± (1 - r²/2 + r⁴ q(r²)) by n mod 4,
                r = x - n π/2, with as many digits of 2/π as x needs; cos likewise
    atan x    = r + r³ p(r²) plus 0, π/4 or π/2: r = |x|,
                (|x| - 1) / (|x| + 1) or -1 / |x|; with the sign of x
    powf x, y = exp(y log |x|) with extra digits; sign and limits as in C
    remf x, y = long division of the significands, bit by bit, in a loop
    fma a,b,c = llvm.intr.fmuladd
    ```

    The op sequence does not depend on the vector width, so that scalars and
    vectors give the same bits. On targets without a fused multiply-add the
    last digits of results may differ. The error of every function is at most
    4 ulp on every ISA level.

    Not done: f16 and bf16 (extend them first), tensors, other math ops (`sqrt`,
    `floor`, `roundeven`, `absf` and `copysign` are instructions; the others are
    not rewritten), fast-math flags (ignored).

    Cost: one walk. A function expands to 20 to 120 ops, sine and cosine in f64
    to 400; CSE shares common ones.

    ```mlir
    func.func @f(%a: vector<8xf32>, %b: vector<8xf32>, %c: vector<8xf32>) -> vector<8xf32> {
      %y = math.fma %a, %b, %c : vector<8xf32>
      return %y : vector<8xf32>
    }
    // =>
    func.func @f(%a: vector<8xf32>, %b: vector<8xf32>, %c: vector<8xf32>) -> vector<8xf32> {
      %y = llvm.intr.fmuladd(%a, %b, %c) : (vector<8xf32>, vector<8xf32>, vector<8xf32>) -> vector<8xf32>
      return %y : vector<8xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

#endif // TG_COMPILER_CODEGEN_KERNEL_MATH_PASSES_TD
