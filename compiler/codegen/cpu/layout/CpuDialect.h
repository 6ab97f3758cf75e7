//===- CpuDialect.h - layouts of operands for CPUs ------------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_LAYOUT_CPUDIALECT_H
#define TG_COMPILER_CODEGEN_CPU_LAYOUT_CPUDIALECT_H

#include "compiler/target/TargetModel.h"
#include "dialects/tgx/Tgx.h"

#include "compiler/codegen/cpu/layout/CpuDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "compiler/codegen/cpu/layout/CpuAttributes.h.inc"

namespace tg {

/// Returns the value of `algorithm` for a Winograd convolution with output
/// tiles of `positions` x `positions`.
llvm::StringRef winogradAlgorithm(int64_t positions);

/// Returns the panels of an op that packs or unpacks.
template <typename PackingOp> cpu::PanelsAttr panelsOf(PackingOp op) {
  return llvm::cast<cpu::PanelsAttr>(op.getLayout());
}

/// Returns the panels in which a contraction reads its rhs, an argument of
/// static extents; null if it reads the operand itself. A row of a panel has
/// `panelBytes` bytes.
cpu::PanelsAttr choosePanels(const Contraction &contraction,
                             const OperandUse &use, int64_t panelBytes);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_LAYOUT_CPUDIALECT_H
