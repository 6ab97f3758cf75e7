//===- RegisterTile.cpp - the micro-kernel of matrix products -------------===//
#include "compiler/codegen/cpu/contraction/gemm/RegisterTile.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/kernel/Loops.h"
#include "compiler/codegen/kernel/sums/ProductBlocks.h"
#include "dialects/tg/elements/IntegerOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include <numeric>

using namespace mlir;
using namespace tg;

/// Emits one step of K: sums += lhs column x rhs row.
static SmallVector<Value> multiply(OpBuilder &builder, Location loc,
                                   const RegisterTile &tile,
                                   const LeftRows &lhs, const Matrix &rhs,
                                   Value k, ValueRange sums) {
  IntegerOps ops(builder, loc);
  Lanes lanes{tile.lanes, {}};
  SmallVector<Value> row, next;
  Value from = ops.add(rhs.base, ops.mul(k, rhs.rowStride));
  for (unsigned vector = 0; vector < tile.vectors; ++vector) {
    Value offset = ops.add(from, ops.constant(int64_t(vector) * tile.lanes));
    row.push_back(loadElements(builder, loc, rhs.elements, offset, lanes));
  }
  const Matrix &left = lhs.matrix;
  Value column = ops.add(left.base, ops.mul(k, left.columnStride));
  for (unsigned i = 0; i < tile.rows; ++i) {
    Value offset = ops.add(
        column, lhs.starts.empty() ? ops.mul(ops.constant(i), left.rowStride)
                                   : lhs.starts[i]);
    Value factor = splatTo(
        builder, loc, loadElements(builder, loc, left.elements, offset, {}),
        tile.lanes);
    for (Value elements : row)
      next.push_back(LLVM::FMulAddOp::create(builder, loc, factor, elements,
                                             sums[next.size()]));
  }
  return next;
}

/// Returns the number of K steps of a loop iteration: that of the tile. If K is
/// static but no multiple of the tile's steps, prefers a larger number, up to
/// kMaxUnrolledSteps, that divides K, so that no step remains.
static unsigned stepsOf(const RegisterTile &tile, const KExtent &k) {
  if (tile.steps == 1)
    return 1;
  std::optional<int64_t> size = constantNumber(k.size);
  if (!size || k.unit % tile.steps == 0)
    return tile.steps;
  for (int64_t steps = tuning::kMaxUnrolledSteps; steps >= tile.steps; --steps)
    if (*size % steps == 0)
      return steps;
  return tile.steps;
}

LeftRows LeftRows::advancedBy(IntegerOps ops, Value distance) const {
  LeftRows moved = *this;
  if (starts.empty())
    moved.matrix.base = ops.add(matrix.base, distance);
  for (Value &start : moved.starts)
    start = ops.add(start, distance);
  return moved;
}

Value KExtent::total(IntegerOps ops) const {
  Value steps = size;
  for (const KLevel &level : levels)
    steps = ops.mul(level.count, steps);
  return steps;
}

namespace {
/// Emits the steps of a register tile.
struct RegisterLoops {
  OpBuilder &builder;
  Location loc;
  const RegisterTile &tile;
  const TilePrefetches &prefetches;

  SmallVector<Value> emitKLevels(const LeftRows &lhs, const Matrix &rhs,
                                 const KExtent &k, Value stepsBefore,
                                 ValueRange start) const;
  SmallVector<Value> emitSteps(const LeftRows &lhs, const Matrix &rhs,
                               const KExtent &k, Value stepsBefore,
                               ValueRange start) const;
};
} // namespace

/// Emits the loops of `k`. `stepsBefore` is the number of K steps that precede
/// these loops.
SmallVector<Value> RegisterLoops::emitKLevels(const LeftRows &lhs,
                                              const Matrix &rhs,
                                              const KExtent &k,
                                              Value stepsBefore,
                                              ValueRange start) const {
  if (k.levels.empty())
    return emitSteps(lhs, rhs, k, stepsBefore, start);
  IntegerOps ops(builder, loc);
  KLevel level = k.levels.front();
  KExtent inner{k.size, k.unit, {}};
  inner.levels.append(k.levels.begin() + 1, k.levels.end());
  Value steps = inner.total(ops);
  return buildFor(builder, loc, ops.constant(0), level.count, 1, start,
                  [&](Value iteration, ValueRange carried) {
                    Value passed = ops.mul(iteration, steps);
                    Value rows =
                        level.rows ? ops.mul(iteration, level.rows) : passed;
                    Matrix right = rhs;
                    right.base =
                        ops.add(right.base, ops.mul(rows, right.rowStride));
                    return emitKLevels(
                        lhs.advancedBy(ops, ops.mul(iteration, level.stride)),
                        right, inner, ops.add(stepsBefore, passed), carried);
                  });
}

SmallVector<Value> RegisterLoops::emitSteps(const LeftRows &lhs,
                                            const Matrix &rhs, const KExtent &k,
                                            Value stepsBefore,
                                            ValueRange start) const {
  IntegerOps ops(builder, loc);
  unsigned steps = stepsOf(tile, k);
  SmallVector<Value> sums(start);
  Value fullEnd = ops.roundDown(k.size, steps);
  auto emitIteration = [&](Value first, ValueRange carried) {
    SmallVector<Value> next(carried);
    if (prefetches.inIteration)
      prefetches.inIteration(ops.add(stepsBefore, first));
    for (unsigned step = 0; step < steps; ++step)
      next = multiply(builder, loc, tile, lhs, rhs,
                      ops.add(first, ops.constant(step)), next);
    return next;
  };
  auto emitIterations = [&](Value begin, Value end, ValueRange carried) {
    return buildFor(builder, loc, begin, end, steps, carried, emitIteration);
  };
  if (prefetches.inPart) {
    int64_t size = *constantNumber(k.size) / prefetches.parts;
    sums = buildFor(builder, loc, ops.constant(0), k.size, size, sums,
                    [&](Value begin, ValueRange carried) {
                      prefetches.inPart(ops.div(begin, ops.constant(size)));
                      return emitIterations(
                          begin, ops.add(begin, ops.constant(size)), carried);
                    });
  } else {
    sums = emitIterations(ops.constant(0), fullEnd, sums);
  }
  std::optional<int64_t> size = constantNumber(k.size);
  if (k.unit % steps == 0 || (size && *size % steps == 0))
    return sums;
  return buildFor(builder, loc, fullEnd, k.size, 1, sums,
                  [&](Value step, ValueRange carried) {
                    return multiply(builder, loc, tile, lhs, rhs, step,
                                    carried);
                  });
}

SmallVector<Value> tg::emitRegisterTile(OpBuilder &builder, Location loc,
                                        const RegisterTile &tile,
                                        const LeftRows &lhs, const Matrix &rhs,
                                        const KExtent &k, ValueRange start,
                                        const TilePrefetches &prefetches) {
  Value zero = IntegerOps(builder, loc).constant(0);
  return RegisterLoops{builder, loc, tile, prefetches}.emitKLevels(lhs, rhs, k,
                                                                   zero, start);
}

SmallVector<Value> tg::emitBlockedTile(OpBuilder &builder, Location loc,
                                       const RegisterTile &tile,
                                       const LeftRows &lhs, const Matrix &rhs,
                                       const KExtent &k,
                                       ArrayRef<int64_t> blocks) {
  IntegerOps ops(builder, loc);
  auto type = VectorType::get({int64_t(tile.lanes)}, rhs.elements.elementType);
  if (blocks.empty()) {
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    return emitRegisterTile(builder, loc, tile, lhs, rhs, k,
                            SmallVector<Value>(tile.count(), zero));
  }
  int64_t size = countProducts(blocks);
  auto addBlock = [&](Value begin, ValueRange carried) {
    KExtent steps{ops.min(ops.constant(size), ops.sub(k.size, begin)),
                  std::gcd(k.unit, size)};
    Matrix right = rhs;
    right.base = ops.add(right.base, ops.mul(begin, right.rowStride));
    SmallVector<Value> sums = emitBlockedTile(
        builder, loc, tile,
        lhs.advancedBy(ops, ops.mul(begin, lhs.matrix.columnStride)), right,
        steps, blocks.drop_back());
    for (auto [sum, total] : llvm::zip_equal(sums, carried))
      sum = arith::AddFOp::create(builder, loc, total, sum);
    return sums;
  };
  SmallVector<Value> totals(tile.count(), buildEmptyTotal(builder, loc, type));
  return buildFor(builder, loc, ops.constant(0),
                  ops.max(ops.constant(1), k.size), size, totals, addBlock);
}
