//===- NumericsPasses.td - the passes of phase numerics -------------------===//
#ifndef TG_COMPILER_TRANSFORMS_NUMERICSPASSES_TD
#define TG_COMPILER_TRANSFORMS_NUMERICSPASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// numerics
//===----------------------------------------------------------------------===//

def LiftState : Pass<"tg-lift-state", "::mlir::func::FuncOp"> {
  let summary = "Move state out of regions";
  let description = [{
    ```
    tg.update groups { body }     =>    tg.read, the body on whole tensors, tg.assign
    tg.read in a region           =>    a value from outside, or one that is carried
    tg.assign in a region         =>    a carried value; tg.assign after the op
    condition of a tg.while       =>    carried: computed before and in each
                                        iteration
    ```

    The results stay the same. Cost: linear.

    ```mlir
    tg.variable @w : tensor<4xf32>
    func.func @f(%p: tensor<i1> {tg.name = "p"}) {
      tg.if %p : (tensor<i1>) -> () {
        %old = tg.read @w : tensor<4xf32>
        %new = tg.neg %old : tensor<4xf32>
        tg.assign @w, %new : tensor<4xf32>
      } else {
      }
      return
    }
    // =>
    tg.variable @w : tensor<4xf32>
    func.func @f(%p: tensor<i1> {tg.name = "p"}) {
      %old = tg.read @w : tensor<4xf32>
      %w = tg.if %p : (tensor<i1>) -> tensor<4xf32> {
        %new = tg.neg %old : tensor<4xf32>
        tg.yield %new : tensor<4xf32>
      } else {
        tg.yield %old : tensor<4xf32>
      }
      tg.assign @w, %w : tensor<4xf32>
      return
    }
    ```
  }];
}

def MeasureExtents : Pass<"tg-measure-extents", "::mlir::func::FuncOp"> {
  let summary = "Bind data-dependent sizes to symbols";
  let description = [{
    ```
    tg.nonzero                    =>    a count for each chunk; tgx.measure of their sum; the coordinates
                                        of each chunk, from its offset on
    tg.ensure_shape with bounds   =>    tgx.measure of the extent, a slice
    a number used as a size       =>    tgx.measure before its first use;
                                        tgx.size at its uses
    extents that differ between   =>    carried: a buffer with the upper bound of the
    regions or iterations               extent, and the extent; a slice of the buffer at each use
    ```

    Afterwards every extent follows from numbers that inputs and measures bind.
    Extents for which this held before stay as they are. Cost: linear per level
    of regions, and per extent that is bounded by another one. Error: more
    data-dependent sizes than a library has room for.

    ```mlir
    func.func @f(%x: tensor<?xf32> {tg.name = "x", tg.dims = ["n"]}, %k: tensor<i64> {tg.name = "k"}) -> (tensor<?xf32> {tg.name = "y"}) {
      %y = tg.slice %x, %k {sizes = [-1], starts = [0]} : (tensor<?xf32>, tensor<i64>) -> tensor<?xf32>
      return %y : tensor<?xf32>
    }
    // =>
    func.func @f(%x: tensor<?xf32> {tg.dims = ["n"], tg.name = "x"}, %k: tensor<i64> {tg.name = "k"}) -> (tensor<?xf32> {tg.name = "y"}) {
      tgx.measure %k as 1 at_most [s0, s1] -> (s0) {label = "R1", op_name = "tg.slice", what = "size on dim 0, which follows from input 'k',"} : tensor<i64>
      %n = tgx.size [s0, s1] -> (s1) : tensor<i64>
      %y = tg.slice %x, %n {sizes = [-1], starts = [0]} : (tensor<?xf32>, tensor<i64>) -> tensor<?xf32>
      return %y : tensor<?xf32>
    }
    ```
  }];
  let dependentDialects = ["::tgx::TgxDialect"];
  let statistics = [
    Statistic<"measured", "measured", "Number of values whose extents became symbols">,
    Statistic<"analyses", "analyses", "Number of analyses of the function">
  ];
}

def SplitScans : Pass<"tg-split-scans", "::mlir::func::FuncOp"> {
  let summary = "Compute the products of all iterations of a loop at once";
  let description = [{
    Moves loop-invariant products and sums, with the ops that they depend on,
    before a `tg.scan` or `tg.while`, and out of all loops in which they are
    invariant. From the body of a `tg.while` they move into a branch under its
    first condition. From a branch with an invariant condition they move under
    this condition. Loops that are invariant as a whole also move. Ops stay if
    they would take more memory than their operands, or if they may fail and the
    loop or branch might not run.

    In the body of a `tg.scan`, products of elements of inputs move before the
    loop. Products that are only stacked move after it. Sums over all steps,
    which a gradient carries, also move after it: the sum of a weight's gradient
    becomes one product, whose rows are the rows of all steps. The operands of
    the moved ops are stacked, if they are not already. An op declares whether
    it can be computed for all steps at once (`BatchableOpInterface`), or from
    the sums of its operands (`LinearOpInterface`). The order of additions
    changes.

    ```mlir
    func.func @f(%x: tensor<9x2x3xf32>, %h: tensor<2x3xf32>, %w: tensor<3x3xf32>) -> tensor<2x3xf32> {
      %y = tg.scan inits(%h) inputs(%x) : (tensor<2x3xf32>, tensor<9x2x3xf32>) -> tensor<2x3xf32> {
      ^bb0(%old: tensor<2x3xf32>, %in: tensor<2x3xf32>):
        %p = tg.matmul %in, %w : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
        %new = tg.mul %old, %p : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
        tg.yield %new : tensor<2x3xf32>
      }
      return %y : tensor<2x3xf32>
    }
    // =>
    func.func @f(%x: tensor<9x2x3xf32>, %h: tensor<2x3xf32>, %w: tensor<3x3xf32>) -> tensor<2x3xf32> {
      %rows = tg.reshape %x {shape = [18, 3]} : (tensor<9x2x3xf32>) -> tensor<18x3xf32>
      %all = tg.matmul %rows, %w : (tensor<18x3xf32>, tensor<3x3xf32>) -> tensor<18x3xf32>
      %p = tg.reshape %all {shape = [9, 2, 3]} : (tensor<18x3xf32>) -> tensor<9x2x3xf32>
      %y = tg.scan inits(%h) inputs(%p) : (tensor<2x3xf32>, tensor<9x2x3xf32>) -> tensor<2x3xf32> {
      ^bb0(%old: tensor<2x3xf32>, %in: tensor<2x3xf32>):
        %new = tg.mul %old, %in : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
        tg.yield %new : tensor<2x3xf32>
      }
      return %y : tensor<2x3xf32>
    }
    ```
  }];
  let statistics = [
    Statistic<"opsMoved", "ops-moved", "Number of ops moved out of loops">
  ];
}

def UpdateRows : Pass<"tg-update-rows", "::mlir::func::FuncOp"> {
  let summary = "Update only the rows of tables that have gradients";
  let description = [{
    The gradient of a lookup consists of rows that are added to zeros of the
    size of the table. Values that depend on it are computed from these rows
    alone, if that is possible for all of them:

    ```
    assign(w, f(w, scatter(0, i, g)))     =>    assign(w, scatter(w, i, f(0, g)))
        if f is linear and f(w, 0) = w
    assign(w, f(w, v, scatter(0, i, g)))  =>    assign(w, set(w, i, f(w[i], v[i], s)))
        if f(w, v, 0) = w; s holds, for each row, the sum of its updates
    reduce(f(scatter(0, i, g)))           =>    reduce(f(s)), each row once
        if f(0) is neutral: the norm of a gradient
    scatter(0, i, g) + scatter(0, j, h)   =>    scatter(0, concat(i, j), concat(g, h))
    x + scatter(0, i, g)                  =>    scatter(x, i, g), in all other cases
    ```

    The value of f for a gradient of 0 is found op by op. Algebraic ops
    (`LinearOpInterface`) declare their result for operands of 0, and other ops
    are evaluated on known numbers. Plain gradient descent and Adagrad therefore
    touch only the rows that were used, also with clipping by value, norm and
    global norm. Updates that change rows without a gradient still update all
    rows: weight decay, momentum, Adam and RMSProp, whose slots decay. They do
    not become the lazy variants of other systems, which omit that decay. Ops
    that need all rows by definition also stay: the step that uses and clears
    gradients accumulated in a slot over several runs (no run knows the rows of
    earlier runs), and a table that a product also reads (tied weights).

    Rows that were not used stay as they are, even if an infinite rate or a slot
    of 0 in a denominator would make them NaN. Sums of equal rows
    (`tgx.first_equal`) are added in the order of the indices, for any number of
    threads. The linear form adds one row after the other to the table. If there
    are more indices than half the rows of the table, updates that need sums
    stay as they are.

    ```mlir
    tg.variable @w {trainable} : tensor<1000x8xf32>
    func.func @train(%i: tensor<4xi32>, %g: tensor<4x8xf32>, %rate: tensor<f32>) {
      %w = tg.read @w : tensor<1000x8xf32>
      %none = tg.constant dense<0.0> : tensor<1000x8xf32>
      %sum = tg.scatter %none, %i, %g : (tensor<1000x8xf32>, tensor<4xi32>, tensor<4x8xf32>) -> tensor<1000x8xf32>
      %step = tg.mul %sum, %rate : (tensor<1000x8xf32>, tensor<f32>) -> tensor<1000x8xf32>
      %new = tg.sub %w, %step : (tensor<1000x8xf32>, tensor<1000x8xf32>) -> tensor<1000x8xf32>
      tg.assign @w, %new : tensor<1000x8xf32>
      return
    }
    // =>
    tg.variable @w {trainable} : tensor<1000x8xf32>
    func.func @train(%i: tensor<4xi32>, %g: tensor<4x8xf32>, %rate: tensor<f32>) {
      %w = tg.read @w : tensor<1000x8xf32>
      %step = tg.mul %g, %rate : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
      %zero = tg.constant dense<0.0> : tensor<f32>
      %none = tg.broadcast_to %zero {shape = [4, 8]} : (tensor<f32>) -> tensor<4x8xf32>
      %rows = tg.sub %none, %step : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
      %new = tg.scatter %w, %i, %rows : (tensor<1000x8xf32>, tensor<4xi32>, tensor<4x8xf32>) -> tensor<1000x8xf32>
      tg.assign @w, %new : tensor<1000x8xf32>
      return
    }
    ```
  }];
  let dependentDialects = ["::tgx::TgxDialect", "::mlir::arith::ArithDialect"];
  let statistics = [
    Statistic<"valuesReplaced", "values-replaced",
              "Number of assigned and reduced values computed from rows">,
    Statistic<"sumsInPlace", "sums-in-place",
              "Number of sums to which rows are added in place">
  ];
}

def StateOrders : Pass<"tg-state-orders", "::mlir::func::FuncOp"> {
  let summary = "State the order of each sum";
  let description = [{
    Floating-point sums depend on the order of their additions. Adds the order
    as an attribute to each op that takes a sum, if it has none. Later passes
    and code generation keep the order, so that levels of optimization, fusion,
    threads and targets change no bit. Composed ops get no order. The ops that
    replace them in `tg-prepare-kernels` do.

    The order of a convolution of 3x3 windows with strides of 1 in f32, or of a
    gradient of one, says whether it is computed by Winograd's algorithm. That
    is so if it is faster (WinogradChoice), with at least 32 channels on both
    sides. The choice assumes a usual number of images, so that it does not
    depend on the size of a batch.

    ```mlir
    func.func @f(%x: tensor<4x100xf32>) -> tensor<4xf32> {
      %y = tg.reduce_sum %x {axes = [1]} : (tensor<4x100xf32>) -> tensor<4xf32>
      return %y : tensor<4xf32>
    }
    // =>
    func.func @f(%x: tensor<4x100xf32>) -> tensor<4xf32> {
      %y = tg.reduce_sum %x {axes = [1], tg.order = #tg.order<lanes = 16, accumulators = 4, blocks = [64, 8, 64]>} : (tensor<4x100xf32>) -> tensor<4xf32>
      return %y : tensor<4xf32>
    }
    ```
  }];
  let options = [
    Option<"convAlgorithm", "conv-algorithm", "std::string", /*default=*/"\"auto\"",
           "Use of Winograd's algorithm for convolutions: where it is faster "
           "(auto), never (direct), wherever it is possible (winograd)">
  ];
  let statistics = [
    Statistic<"ordersStated", "orders-stated", "Number of orders stated">
  ];
}

def CreatePlans : Pass<"tg-create-plans", "::mlir::ModuleOp"> {
  let summary = "Make one module for each plan of targets";
  let description = [{
    Moves the program into one nested module for each kind of target, with the
    attribute `tgx.target`. The targets of a kind share the kernels, the order
    of launches and the layout of memory that the passes after this one choose;
    these passes run on the nested modules.

    ```mlir
    module @m {
      func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
        return %x : tensor<4xf32>
      }
    }
    // =>
    module @m {
      module @cpu attributes {tgx.target = #tgx.target<kind = "cpu", optimization = 2>} {
        func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
          return %x : tensor<4xf32>
        }
      }
    }
    ```

    Cost: linear; only programs for several kinds are copied.
  }];
  let options = [
    ListOption<"kinds", "kinds", "std::string",
               "The kinds of targets; cpu alone if there are none">,
    Option<"optimization", "optimization", "unsigned", "2", "The -O level">,
    Option<"precision", "precision", "std::string", "\"f32\"",
           "The precision of operands of f32 products (tf32), a property of all "
           "plans that only targets with tensor cores read">
  ];
  let dependentDialects = ["::tgx::TgxDialect"];
}

#endif // TG_COMPILER_TRANSFORMS_NUMERICSPASSES_TD
