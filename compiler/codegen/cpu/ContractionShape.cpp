//===- ContractionShape.cpp - sizes of the blocks of a contraction --------===//
#include "compiler/codegen/cpu/ContractionShape.h"
#include "llvm/Support/MathExtras.h"

using namespace tg;

/// Depth that keeps a panel of the rhs, 128 bytes wide, in the first cache.
static constexpr int64_t kDepth = 256;

/// Blocks of nearly equal depth, so that none is a short rest.
static int64_t balancedDepth(std::optional<int64_t> k) {
  if (!k)
    return kDepth;
  int64_t blocks = std::max<int64_t>(1, llvm::divideCeil(*k, kDepth));
  int64_t depth = llvm::divideCeil(*k, blocks);
  return std::max<int64_t>(4, llvm::alignTo(depth, 4));
}

ContractionShape::ContractionShape(const CpuTarget &target,
                                   unsigned elementBytes, mlir::AffineExpr k,
                                   mlir::AffineExpr n) {
  lanes = target.lanes(elementBytes);
  panelColumns = 128 / elementBytes;
  std::optional<int64_t> columns = staticExtent(n);
  vectors = columns && *columns <= int64_t(lanes) ? 1 : 2;
  // rows x vectors sums, `vectors` of the rhs and one of the lhs stay in
  // registers; 12 and 6 rows leave a spare one.
  rows = target.vectorRegisters() >= 32 ? 12 : 6;
  tileRows = 192;
  tileColumns = 16 * panelColumns;
  depth = balancedDepth(staticExtent(k));
}
