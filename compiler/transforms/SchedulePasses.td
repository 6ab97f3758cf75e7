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

def JoinLoops : Pass<"tg-join-loops", "::mlir::ModuleOp"> {
  let summary = "Let independent loops share a launch";
  let description = [{
    If launches are expensive for the target, replaces calls of loops that do
    not depend on each other by one call of a kernel with `parts`:

    ```
    loops whose results are only assigned      =>    one call at the end of the block
    assigned value that would be copied        =>    a loop that copies it, joined with these
    loops without another step between them    =>    one call
    ```

    A kernel has as many parts as fit the argument block of a launch. Loops with
    checks stay alone, and so do loops that read or write parts of larger
    buffers. A loop that reads the old content of a variable does not join one
    that writes it, which would need a copy. If all values of a loop are numbers or have the same shape, its part
    has one dimension, and numbers that several parts read are passed once. The
    code of such parts is the same, so that a target emits it once. Other loops
    take part if their kernel has no other call. Locations are fused.

    ```mlir
    // tgc-opt --tg-fuse-kernels --tg-join-loops
    module attributes {tgx.target = #tgx.target<kind = "test", optimization = 2, properties = {joined_slots = 512}>} {
      tg.variable @v : tensor<4xf32>
      tg.variable @w : tensor<2x3xf32>
      func.func @f(%rate: tensor<f32> {tg.name = "rate"}) {
        %v = tg.read @v : tensor<4xf32>
        %w = tg.read @w : tensor<2x3xf32>
        %v1 = tg.mul %v, %rate : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
        %w1 = tg.mul %w, %rate : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
        tg.assign @v, %v1 : tensor<4xf32>
        tg.assign @w, %w1 : tensor<2x3xf32>
        return
      }
    }
    // =>
    module attributes {tgx.target = #tgx.target<kind = "test", optimization = 2, properties = {joined_slots = 512}>} {
      tg.variable @v : tensor<4xf32>
      tg.variable @w : tensor<2x3xf32>
      func.func @f(%rate: tensor<f32> {tg.name = "rate"}) {
        %v = tg.read @v : tensor<4xf32>
        %w = tg.read @w : tensor<2x3xf32>
        %w0 = tg.reshape %w {shape = [6]} : (tensor<2x3xf32>) -> tensor<6xf32>
        %new:2 = tgx.call @mul__f_2_and_1_more(%w0, %rate, %v) : (tensor<6xf32>, tensor<f32>, tensor<4xf32>) -> (tensor<6xf32>, tensor<4xf32>)
        %w1 = tg.reshape %new#0 {shape = [2, 3]} : (tensor<6xf32>) -> tensor<2x3xf32>
        tg.assign @v, %new#1 : tensor<4xf32>
        tg.assign @w, %w1 : tensor<2x3xf32>
        return
      }
      tgx.kernel @mul__f_2_and_1_more loop(%w: tensor<?xf32> [6], %rate: tensor<f32>, %v: tensor<?xf32> [4]) attributes {parts = array<i64: 1, 1>} {
        %w1 = tg.mul %w, %rate : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
        %v1 = tg.mul %v, %rate : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
        tgx.yield %w1, %v1 : tensor<?xf32>, tensor<?xf32>
      }
    }
    ```

    Buffers that the joined loops read stay live until the last of them is
    ready. Functions whose values were recomputed for a memory budget do not
    change. Cost: linear, and square in the number of parts of a kernel.
  }];
  let statistics = [
    Statistic<"joinedLoops", "joined-loops",
              "Number of loops that share a launch with others">
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
    packed weights and buffers of the workspace, 16 bytes for inputs and outputs
    of functions, which callers align in the memory of a device, that of an
    element for elements of stacked buffers, and what follows from the offset
    for a part of a buffer. Without a buffer that is aligned to more than an
    element, the kernel has no `alignments`.

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
      tgx.kernel @relu__f loop(%x: tensor<16xf32>) attributes {alignments = array<i64: 64, 16>} {
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
