//===- SplitKPlan.cpp - the division of a split-K product -----------------===//
#include "compiler/codegen/cpu/contraction/gemm/SplitKPlan.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/kernel/sums/ProductBlocks.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace tg;

SplitKPlan::SplitKPlan(const TargetDescription &target,
                       const Contraction &contraction, bool transposed)
    : target(target), left(contraction.lhs.value), right(contraction.rhs.value),
      isTransposed(transposed), type(contraction.accumulator),
      lanes(target.lanes(elementBytes(type))),
      rows(staticExtent(contraction.result.extents[0]).value_or(0)),
      columns(staticExtent(contraction.result.extents[1]).value_or(0)),
      k(contraction.lhs.extents[0]), blocks(findProductBlocks(contraction)) {
  if (!transposed)
    return;
  std::swap(left, right);
  std::swap(rows, columns);
}

/// Returns true if the columns are a multiple of the vector length, and the
/// rows and sums are few enough.
bool SplitKPlan::fits() const {
  return rows > 0 && columns > 0 && columns % lanes == 0 &&
         rows <= tuning::kMaxSplitKRows && size() <= tuning::kMaxSplitKElements;
}

std::optional<SplitKPlan> SplitKPlan::find(const TargetDescription &target,
                                           const Contraction &contraction) {
  for (bool transposed : {false, true})
    if (SplitKPlan plan(target, contraction, transposed); plan.fits())
      return plan;
  return std::nullopt;
}

RegisterTile SplitKPlan::chooseTile() const {
  bool hasManyRegisters = target.vectorRegisters >= 32;
  int64_t sums = hasManyRegisters ? tuning::kWideRows * tuning::kWideVectors
                                  : tuning::kWideRows * tuning::kNarrowVectors;
  int64_t columnVectors = columns / lanes,
          maxVectors =
              hasManyRegisters ? tuning::kWideVectors : tuning::kNarrowVectors;
  RegisterTile best{1, 1, unsigned(lanes), unsigned(tuning::kUnrolledSteps)};
  int64_t fewest = std::numeric_limits<int64_t>::max();
  for (int64_t vectors = 1; vectors <= std::min(maxVectors, columnVectors);
       ++vectors) {
    int64_t rowTiles = llvm::divideCeil(rows, std::min(rows, sums / vectors));
    int64_t loads = llvm::divideCeil(columnVectors, vectors) * rows +
                    rowTiles * columnVectors;
    if (loads > fewest)
      continue;
    fewest = loads;
    best.vectors = vectors;
    best.rows = llvm::divideCeil(rows, rowTiles);
  }
  return best;
}

int64_t SplitKPlan::stepsInCache() const {
  int64_t step = (rows + columns) * elementBytes(type);
  int64_t steps = std::max<int64_t>(1, target.l1Bytes / step);
  int64_t parts = llvm::divideCeil(blocks.front(), steps);
  return llvm::alignTo(llvm::divideCeil(blocks.front(), parts),
                       tuning::kBlockUnit);
}

Value SplitKPlan::blocksInUnit(IntegerOps ops, Value steps) const {
  Value one = ops.constant(1);
  if (blocks.size() < 2)
    return one;
  Value many = ops.constant(tuning::kManySplitKGroups * countProducts(blocks));
  Value hasMany = ops.min(one, ops.div(steps, many));
  return ops.add(one, ops.mul(hasMany, ops.constant(blocks.back() - 1)));
}

Value SplitKPlan::countUnits(IntegerOps ops, Value steps) const {
  Value unitSteps =
      ops.mul(blocksInUnit(ops, steps), ops.constant(blocks.front()));
  return ops.max(ops.constant(1), ops.ceilDiv(steps, unitSteps));
}

AffineExpr SplitKPlan::maxUnits() const {
  AffineExpr blockCount = k.ceilDiv(blocks.front()) + 1;
  if (blocks.size() < 2)
    return blockCount;
  int64_t group = countProducts(blocks);
  int64_t many = tuning::kManySplitKGroups * group;
  AffineExpr groupCount = k.ceilDiv(group) + 1;
  if (std::optional<int64_t> size = staticExtent(k))
    return *size < many ? blockCount : groupCount;
  // With few groups, units are blocks.
  return groupCount + many / blocks.front();
}

Value SplitKPlan::countSlices(EntryExtents &entry) const {
  IntegerOps ops = entry.integers();
  Value elements = ops.mul(entry.get(k), ops.constant(rows + columns));
  int64_t minElements =
      std::max(tuning::kPartElements, tuning::kSplitKReads * size());
  Value slices = ops.div(elements, ops.constant(minElements));
  Value limit =
      ops.min(countUnits(ops, entry.get(k)), ops.constant(tuning::kMaxParts));
  return ops.max(ops.constant(1), ops.min(slices, limit));
}
