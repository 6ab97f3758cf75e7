//===- TestTarget.h - a target for tests of passes ------------------------===//
//
// Targets of kind "test" exist in tgc-opt alone, and no code is emitted for
// them. They compute no op together with a contraction and pack no operand. The
// properties of the attribute set the numbers that passes ask for:
//
//   #tgx.target<kind = "test", optimization = 2, properties =
//               {alignment = 256, joined_slots = 512,
//                least_part_row_bytes = 128, l2_bytes = 1024,
//                near_cache_bytes = 32, total_cache_bytes = 32}>
//
//===----------------------------------------------------------------------===//
#ifndef TG_TOOLS_TGC_OPT_TESTTARGET_H
#define TG_TOOLS_TGC_OPT_TESTTARGET_H

#include "mlir/IR/DialectRegistry.h"

namespace tg {

/// Registers the kind "test" of targets.
void registerTestTarget(mlir::DialectRegistry &registry);

/// Registers the pass tg-set-target, which sets `tgx.target` of a module.
void registerSetTargetPass();

} // namespace tg

#endif // TG_TOOLS_TGC_OPT_TESTTARGET_H
