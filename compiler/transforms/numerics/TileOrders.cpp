//===- TileOrders.cpp - reductions of the results of convolutions ---------===//
#include "compiler/transforms/numerics/TileOrders.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tg;

/// The number of tiles of a part of a sum over Winograd tiles, a multiple of
/// the rows of every register tile; a line of a convolution with groups is a
/// part of its own. Parts are added in blocks of 64.
static constexpr int64_t kWinogradLines[] = {12, 64, 64},
                         kGroupedLines[] = {1, 64, 64};

/// Returns true if a reduction adds all elements of each channel, the last
/// axis.
static bool reducesPositions(ReductionOpInterface reduction) {
  SmallVector<int64_t> axes = reduction.getReducedAxes();
  int64_t rank =
      cast<RankedTensorType>(reduction->getOperand(0).getType()).getRank();
  return rank >= 3 && int64_t(axes.size()) == rank - 1 &&
         axes.back() == rank - 2;
}

/// Returns the last contraction of the block from whose result a value of the
/// same extents follows elementwise; null if there is none. Fusion computes the
/// value in the kernel of this contraction.
static ContractionOpInterface
findLastContraction(Value value, const ExtentAnalysis &extents) {
  Block *block = value.getParentBlock();
  ArrayRef<AffineExpr> space = extents.extentsOf(value);
  ContractionOpInterface last;
  llvm::SmallSetVector<Operation *, 16> reached;
  auto reach = [&](Value operand) {
    Operation *source = operand.getDefiningOp();
    if (source && source->getBlock() == block &&
        extents.extentsOf(operand) == space)
      reached.insert(source);
  };
  reach(value);
  for (unsigned index = 0; index < reached.size(); ++index) {
    Operation *op = reached[index];
    if (auto contraction = dyn_cast<ContractionOpInterface>(op)) {
      if (!last || last->isBeforeInBlock(op))
        last = contraction;
    } else if (isElementwise(op)) {
      llvm::for_each(op->getOperands(), reach);
    }
  }
  return last;
}

OrderAttr tg::orderOfRows(ContractionOpInterface op,
                          const ExtentAnalysis &extents) {
  MLIRContext *context = op.getContext();
  int64_t rank = cast<RankedTensorType>(op->getResult(0).getType()).getRank();
  auto rows = llvm::to_vector(llvm::seq<int64_t>(0, rank - 1));
  OrderAttr usual = chooseReductionOrder(context, rows, rank);
  auto composed = dyn_cast<DecomposableOpInterface>(op.getOperation());
  if (composed && composed.isComposed())
    return usual;
  if (int64_t positions = orderOf(op).getWinograd())
    return OrderAttr::get(context, 1, 1, {}, kWinogradLines,
                          {positions, positions}, 0);
  if (op.getContraction(extents).findGroupedWindows())
    return OrderAttr::get(context, 1, 1, {}, kGroupedLines, {1, 0}, 0);
  return usual;
}

unsigned tg::stateTileOrders(func::FuncOp function,
                             const ExtentAnalysis &extents) {
  unsigned count = 0;
  function.walk([&](ReductionOpInterface reduction) {
    if (reduction->hasAttr(kOrderAttr) || !reducesPositions(reduction))
      return;
    ContractionOpInterface contraction =
        findLastContraction(reduction->getOperand(0), extents);
    if (!contraction)
      return;
    reduction->setDiscardableAttr(kOrderAttr,
                                  orderOfRows(contraction, extents));
    ++count;
  });
  return count;
}
