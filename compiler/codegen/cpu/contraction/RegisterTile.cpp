//===- RegisterTile.cpp - the micro-kernel of matrix products -------------===//
#include "compiler/codegen/cpu/contraction/RegisterTile.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/kernel/IntegerOps.h"
#include "compiler/codegen/kernel/Loops.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tg;

/// One step of K: sums += lhs column x rhs row.
static SmallVector<Value> multiply(OpBuilder &builder, Location loc,
                                   const RegisterTile &tile, const Matrix &lhs,
                                   const Matrix &rhs, Value k,
                                   ValueRange sums) {
  IntegerOps ops(builder, loc);
  Lanes lanes{tile.lanes, {}};
  SmallVector<Value> row, next;
  Value from = ops.add(rhs.base, ops.mul(k, rhs.row));
  for (unsigned vector = 0; vector < tile.vectors; ++vector) {
    Value at = ops.add(from, ops.constant(int64_t(vector) * tile.lanes));
    row.push_back(loadElements(builder, loc, rhs.elements, at, lanes));
  }
  Value column = ops.add(lhs.base, ops.mul(k, lhs.column));
  for (unsigned i = 0; i < tile.rows; ++i) {
    Value at = ops.add(column, ops.mul(ops.constant(i), lhs.row));
    Value factor =
        splatTo(builder, loc, loadElements(builder, loc, lhs.elements, at, {}),
                tile.lanes);
    for (Value elements : row)
      next.push_back(LLVM::FMulAddOp::create(builder, loc, factor, elements,
                                             sums[next.size()]));
  }
  return next;
}

/// Few sums would wait for each other: they get interleaved accumulators, which
/// are added at the end. A single row has four at least, which also keeps long
/// sums precise.
static unsigned countAccumulators(const RegisterTile &tile) {
  return std::max(tile.rows == 1 ? tuning::kSingleRowAccumulators : 1u,
                  tuning::kLeastSums / tile.count());
}

SmallVector<Value> tg::emitRegisterTile(OpBuilder &builder, Location loc,
                                        const RegisterTile &tile,
                                        const Matrix &lhs, const Matrix &rhs,
                                        Value kExtent, ValueRange start,
                                        TileStep besides) {
  IntegerOps ops(builder, loc);
  unsigned count = tile.count(), interleaved = countAccumulators(tile);
  SmallVector<Value> initial(start);
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(start.front().getType()));
  initial.resize(size_t(count) * interleaved, zero);
  Value whole = ops.roundDown(kExtent, interleaved);
  SmallVector<Value> totals =
      buildFor(builder, loc, ops.constant(0), whole, interleaved, initial,
               [&](Value k, ValueRange carried) {
                 SmallVector<Value> next;
                 if (besides)
                   besides(k);
                 for (unsigned number = 0; number < interleaved; ++number)
                   llvm::append_range(
                       next, multiply(builder, loc, tile, lhs, rhs,
                                      ops.add(k, ops.constant(number)),
                                      carried.slice(number * count, count)));
                 return next;
               });
  for (unsigned other = count; other < totals.size(); ++other) {
    Value &total = totals[other % count];
    total = arith::AddFOp::create(builder, loc, total, totals[other]);
  }
  totals.truncate(count);
  if (interleaved == 1)
    return totals;
  return buildFor(builder, loc, whole, kExtent, 1, totals,
                  [&](Value k, ValueRange carried) {
                    return multiply(builder, loc, tile, lhs, rhs, k, carried);
                  });
}
