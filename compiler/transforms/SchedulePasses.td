//===- SchedulePasses.td - the passes of phase schedule -------------------===//
#ifndef TG_COMPILER_TRANSFORMS_SCHEDULEPASSES_TD
#define TG_COMPILER_TRANSFORMS_SCHEDULEPASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// schedule
//===----------------------------------------------------------------------===//

def Rematerialize : Pass<"tg-rematerialize", "::mlir::ModuleOp"> {
  let summary = "Recompute values to stay within a memory budget";
  let description = [{
    If the planned arena of a function has more than `budget` bytes, calls of
    kernels are repeated just before the next use of their results, so that the
    results need not be kept at the peak of live bytes. The choice is greedy, by
    freed bytes per FLOPs and bytes spent. Random numbers follow from seed and
    counter, so the same kernels on the same inputs give the same results: no
    bit changes. Calls that may fail at run time are repeated without their
    checks, after the first call with the checks. Calls are not repeated if they
    write an output, stand in a branch or loop, or read the old content of a
    variable. If that is not enough, filters that the function packs are
    unpacked, starting with the largest one that is live at the peak. Their
    convolutions take longer.

    ```mlir
    // tgc-opt --tg-fuse-kernels="fuse=false" --tg-rematerialize="budget=1536"
    // expected-remark @+1 {{the arena of function 'f' has 1536 bytes instead of 2048, for 1 more launches with 128 FLOPs}}
    func.func @f(%x: tensor<128xf32> {tg.name = "x"}) -> (tensor<128xf32> {tg.name = "y"}) {
      %a = tg.exp %x : tensor<128xf32>
      %b = tg.neg %a : tensor<128xf32>
      %c = tg.tanh %b : tensor<128xf32>
      %d = tg.mul %b, %c : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
      %y = tg.mul %d, %a : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
      return %y : tensor<128xf32>
    }
    ```

    A remark and `tgx.recomputed` report the cost. Errors: dynamic extents; a
    budget that cannot be kept. The latter error names the smallest possible
    budget, and the scans that save values of their steps, with the number of
    `segments` that would save the fewest bytes.
  }];
  let options = [
    Option<"budget", "budget", "int64_t", /*default=*/"0",
           "Maximum bytes of the arena of a function; 0: no limit">,
    Option<"onlyChecks", "only-checks", "bool", /*default=*/"false",
           "If there is a budget, only report dynamic extents; change nothing">
  ];
  let statistics = [
    Statistic<"launchesRecomputed", "launches-recomputed",
              "Number of calls that run again">
  ];
  let dependentDialects = ["::tgx::TgxDialect"];
}

def Schedule : Pass<"tg-schedule", "::mlir::ModuleOp"> {
  let summary = "Order the launches and plan the memory";
  let description = [{
    Each function becomes a `tgx.function`: a list of launches and copies over
    buffers in inputs, outputs, variables and one arena. Among the ready steps,
    a step that frees more memory than it needs goes first. Variables are
    updated in place if all readers of the old content can run before. Steps
    that can fail run before the first write to a variable, and do not write
    variables themselves: the values that they depend on are computed elsewhere
    and copied. Host ops with effects keep the order of the program. Buffers
    that are live together are stacked in the order of the best of several
    greedy plans for extents of 64. The order is valid for all extents.

    `arena_bytes` and `lower_bound_bytes` of a function are the size of the
    arena and the largest sum of live bytes at those extents.

    ```mlir
    // tgc-opt --tg-fuse-kernels --tg-schedule
    tg.variable @w : tensor<4xf32>
    func.func @f(%x: tensor<4xf32> {tg.name = "x"}) {
      %w = tg.read @w : tensor<4xf32>
      %y = tg.add %w, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      tg.assign @w, %y : tensor<4xf32>
      return
    }
    // =>
    tg.variable @w : tensor<4xf32>
    tgx.function @f attributes {
        symbols = [], computed = affine_map<() -> ()>,
        inputs = [{name = "x", type = tensor<4xf32>, extents = affine_map<() -> (4)>} ],
        outputs = [], role = "", arena_bytes = 0 : i64, lower_bound_bytes = 0 : i64} {
      %w = tgx.slab @w : tensor<4xf32>
      %x = tgx.input 0 : tensor<4xf32>
      tgx.launch @add__f(%w, %x) into(%w) : tensor<4xf32>, tensor<4xf32> into tensor<4xf32>
    }
    tgx.kernel @add__f loop(%w: tensor<4xf32>, %x: tensor<4xf32>) {
      %y = tg.add %w, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    }
    ```
  }];
  let statistics = [
    Statistic<"arenaBytes", "arena-bytes",
              "Bytes of all arenas at the planned extents">
  ];
  let dependentDialects = ["::tgx::TgxDialect"];
}

def KnownAlignments : Pass<"tg-known-alignments", "::mlir::ModuleOp"> {
  let summary = "Tell kernels the alignment of their buffers";
  let description = [{
    If the target uses alignments, sets `alignments` of each kernel to those in
    bytes that all its launches have in common: that of a cache line for variables, constants,
    packed weights and buffers of the workspace, that of an element for inputs
    and outputs of functions and for elements of stacked buffers, and what
    follows from the offset for a part of a buffer. Without a buffer that is
    aligned to more than an element, the kernel has no `alignments`.

    ```mlir
    // tgc-opt --tg-fuse-kernels --tg-schedule --tg-known-alignments
    module attributes {tgx.target = #tgx.target<kind = "test", optimization = 2, properties = {uses_alignments = 1}>} {
      tg.variable @v : tensor<16xf32>
      func.func @f() -> (tensor<16xf32> {tg.name = "y"}) {
        %x = tg.read @v : tensor<16xf32>
        %y = tg.relu %x : tensor<16xf32>
        return %y : tensor<16xf32>
      }
    }
    // =>
    module attributes {tgx.target = #tgx.target<kind = "test", optimization = 2, properties = {uses_alignments = 1}>} {
      tg.variable @v : tensor<16xf32>
      tgx.function @f attributes {
          symbols = [], computed = affine_map<() -> ()>, inputs = [],
          outputs = [{name = "y", type = tensor<16xf32>, extents = affine_map<() -> (16)>} ],
          role = "", arena_bytes = 0 : i64, lower_bound_bytes = 0 : i64} {
        %x = tgx.slab @v : tensor<16xf32>
        %y = tgx.output 0 : tensor<16xf32>
        tgx.launch @relu__f(%x) into(%y) : tensor<16xf32> into tensor<16xf32>
      }
      tgx.kernel @relu__f loop(%x: tensor<16xf32>) attributes {alignments = array<i64: 64, 4>} {
        %y = tg.relu %x : tensor<16xf32>
        tgx.yield %y : tensor<16xf32>
      }
    }
    ```

    Cost: linear.
  }];
}

def NonTemporalOutputs : Pass<"tg-non-temporal-outputs", "::mlir::ModuleOp"> {
  let summary = "Mark outputs for non-temporal stores";
  let description = [{
    An ordinary store to a cache line that is in no cache first reads the line
    from memory. A non-temporal store does not, but the next use must then read
    from memory. The number of bytes touched between two uses of memory follows
    from the order of launches and the plan of the arena. An output is listed in
    `non_temporal_outputs` of the kernel, with its known alignment, if at least
    as many bytes as all caches of the target hold are touched between the last
    use of its memory, by any buffer, and the write, and at least as many as the
    caches of one worker hold between the write and the next use.
    A function is assumed to be called again and again. All launches of a kernel
    for the same extents must agree; launches for other extents that differ get
    a kernel of their own. A loop touches the bytes of its body once per
    iteration. Values written inside a loop never use non-temporal stores.

    ```mlir
    // tgc-opt --tg-fuse-kernels --tg-schedule --tg-non-temporal-outputs
    module attributes {tgx.target = #tgx.target<kind = "test", optimization = 2, properties = {near_cache_bytes = 32, total_cache_bytes = 32}>} {
      func.func @f(%x: tensor<16xf32> {tg.name = "x"}) -> (tensor<16xf32> {tg.name = "y"}) {
        %y = tg.relu %x : tensor<16xf32>
        return %y : tensor<16xf32>
      }
    }
    // =>
    module attributes {tgx.target = #tgx.target<kind = "test", optimization = 2, properties = {near_cache_bytes = 32, total_cache_bytes = 32}>} {
      tgx.function @f attributes {
          symbols = [], computed = affine_map<() -> ()>,
          inputs = [{name = "x", type = tensor<16xf32>, extents = affine_map<() -> (16)>} ],
          outputs = [{name = "y", type = tensor<16xf32>, extents = affine_map<() -> (16)>} ],
          role = "", arena_bytes = 0 : i64, lower_bound_bytes = 0 : i64} {
        %x = tgx.input 0 : tensor<16xf32>
        %y = tgx.output 0 : tensor<16xf32>
        tgx.launch @relu__f(%x) into(%y) : tensor<16xf32> into tensor<16xf32>
      }
      tgx.kernel @relu__f loop(%x: tensor<16xf32>) attributes {non_temporal_outputs = array<i64: 4>} {
        %y = tg.relu %x : tensor<16xf32>
      }
    }
    ```
  }];
  let statistics = [
    Statistic<"nonTemporalOutputs", "non-temporal-outputs",
              "Number of outputs of kernels with non-temporal stores">
  ];
}

#endif // TG_COMPILER_TRANSFORMS_SCHEDULEPASSES_TD
