//===- Passes.td - the passes over tg and tgx -----------------------------===//
//
// One def per pass, in the order of the pipeline, in the file of its phase, and
// then the pipeline itself. Declaration, registration, options, statistics, the
// generated manual and the phases of the driver all come from here.
//
//===----------------------------------------------------------------------===//
#ifndef TG_COMPILER_TRANSFORMS_PASSES_TD
#define TG_COMPILER_TRANSFORMS_PASSES_TD

include "compiler/transforms/GraphPasses.td"
include "compiler/transforms/NumericsPasses.td"
include "compiler/transforms/FusePasses.td"
include "compiler/transforms/SchedulePasses.td"
include "compiler/transforms/Pipeline.td"

#endif // TG_COMPILER_TRANSFORMS_PASSES_TD
