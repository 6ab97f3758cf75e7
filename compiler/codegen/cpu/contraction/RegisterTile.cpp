//===- RegisterTile.cpp - the innermost loop of a contraction -------------===//
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/contraction/ContractionEmitter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tg;

/// Where vector `number` of the register tile at (row, column) lies: in the
/// order in which the epilogue reads, whole rows of the tile or whole panels.
Value ContractionEmitter::sumOffset(Value row, Value column, unsigned number) {
  bool byRows = hasFullArguments();
  int64_t columns = byRows ? shape.tileColumns : shape.panelColumns;
  Value width = ops.constant(columns);
  Value panel =
      byRows ? ops.constant(0) : ops.roundDown(column, shape.panelColumns);
  Value at = ops.add(row, ops.constant(number / shape.vectors));
  int64_t shift = int64_t(number % shape.vectors) * shape.lanes;
  return ops.add(ops.add(ops.mul(panel, rows), ops.mul(at, width)),
                 ops.add(ops.sub(column, panel), ops.constant(shift)));
}

Value ContractionEmitter::zeroVector() {
  auto vectorType = VectorType::get({int64_t(shape.lanes)}, type);
  return arith::ConstantOp::create(frame.builder, frame.loc,
                                   frame.builder.getZeroAttr(vectorType));
}

/// What a register tile starts from: zeros in the first block of depth, else
/// the sums so far.
SmallVector<Value> ContractionEmitter::firstSums(unsigned rows, Value row,
                                                 Value column) {
  OpBuilder &builder = frame.builder;
  SmallVector<Value> zeros(size_t(rows) * shape.vectors, zeroVector());
  Value isFirst =
      ops.compare(arith::CmpIPredicate::eq, blockBegin, ops.constant(0));
  if (constantNumber(isFirst))
    return zeros;
  auto branch =
      scf::IfOp::create(builder, frame.loc, TypeRange(ValueRange(zeros)),
                        isFirst, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, frame.loc, zeros);
  builder.setInsertionPointToStart(branch.elseBlock());
  SmallVector<Value> sumsSoFar;
  for (unsigned number = 0; number < zeros.size(); ++number)
    sumsSoFar.push_back(loadElements(builder, frame.loc, sums,
                                     sumOffset(row, column, number),
                                     {shape.lanes, {}}));
  scf::YieldOp::create(builder, frame.loc, sumsSoFar);
  return llvm::to_vector_of<Value>(branch.getResults());
}

/// Asks for a part of the next panel, so that all of it has come when the
/// register tiles are done: memory works while the registers do.
void ContractionEmitter::prefetch(Value share, Value k) {
  Value at = ops.add(share, ops.mul(k, shareStep));
  Value address = addressOf(frame.builder, frame.loc, packedRhsPanels(), at);
  LLVM::Prefetch::create(frame.builder, frame.loc, address, /*rw=*/0,
                         /*hint=*/2, /*cache=*/1);
}

/// One step of depth: sums += lhs column x rhs row.
SmallVector<Value> ContractionEmitter::multiply(ValueRange sums, unsigned rows,
                                                Value k, const Matrix &lhs,
                                                const Matrix &panel) {
  OpBuilder &builder = frame.builder;
  SmallVector<Value> row, next;
  Value from = ops.add(panel.base, ops.mul(k, panel.row));
  for (unsigned vector = 0; vector < shape.vectors; ++vector)
    row.push_back(
        loadElements(builder, frame.loc, panel.elements,
                     ops.add(from, ops.constant(int64_t(vector) * shape.lanes)),
                     {shape.lanes, {}}));
  Value column = ops.add(lhs.base, ops.mul(k, lhs.column));
  for (unsigned i = 0; i < rows; ++i) {
    Value at = ops.add(column, ops.mul(ops.constant(i), lhs.row));
    Value factor = splatTo(
        builder, frame.loc,
        loadElements(builder, frame.loc, lhs.elements, at, {}), shape.lanes);
    for (unsigned vector = 0; vector < shape.vectors; ++vector)
      next.push_back(LLVM::FMulAddOp::create(builder, frame.loc, factor,
                                             row[vector], sums[next.size()]));
  }
  return next;
}

/// sums[rows x vectors] += lhs[rows x depth] x panel[depth x vectors]. Few rows
/// would wait for each other's sums: they get several sets, added at the end.
/// A single row has four at least, which also keeps long sums precise.
void ContractionEmitter::emitRegisterTile(unsigned rows, Value row,
                                          Value column, const Matrix &lhs,
                                          const Matrix &panel, Value depth,
                                          Value share) {
  OpBuilder &builder = frame.builder;
  unsigned count = rows * shape.vectors;
  unsigned sets = std::max(rows == 1 ? tuning::kSingleRowAccumulators : 1u,
                           tuning::kLeastSums / count);
  SmallVector<Value> initial = firstSums(rows, row, column);
  initial.resize(size_t(count) * sets, zeroVector());
  Value whole = ops.roundDown(depth, sets);
  SmallVector<Value> totals = buildFor(
      builder, frame.loc, ops.constant(0), whole, sets, initial,
      [&](Value k, ValueRange carried) {
        SmallVector<Value> next;
        if (share)
          prefetch(share, k);
        for (unsigned set = 0; set < sets; ++set)
          llvm::append_range(next, multiply(carried.slice(set * count, count),
                                            rows, ops.add(k, ops.constant(set)),
                                            lhs, panel));
        return next;
      });
  for (unsigned set = 1; set < sets; ++set)
    for (unsigned number = 0; number < count; ++number)
      totals[number] = arith::AddFOp::create(builder, frame.loc, totals[number],
                                             totals[set * count + number]);
  totals.truncate(count);
  if (sets > 1)
    totals = buildFor(builder, frame.loc, whole, depth, 1, totals,
                      [&](Value k, ValueRange carried) {
                        return multiply(carried, rows, k, lhs, panel);
                      });
  for (unsigned number = 0; number < count; ++number)
    storeElements(builder, frame.loc, sums, sumOffset(row, column, number),
                  totals[number], {shape.lanes, {}});
}
