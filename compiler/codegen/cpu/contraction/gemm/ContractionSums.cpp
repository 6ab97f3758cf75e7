//===- ContractionSums.cpp - the sums of a product between K-blocks -------===//
#include "compiler/codegen/cpu/contraction/gemm/ContractionEpilogue.h"

using namespace mlir;
using namespace tg;

/// Returns the offset of the sum at (row, column + shift) of the tile. Sums are
/// stored panel by panel, in the order in which the epilogue reads them.
Value ContractionEpilogue::sumOffset(Value row, Value column,
                                     int64_t shift) const {
  IntegerOps ops = plan.ops;
  Value width = ops.constant(plan.shape.panelColumns);
  Value panel = ops.roundDown(column, plan.shape.panelColumns);
  Value offset = ops.add(ops.sub(column, panel), ops.constant(shift));
  if (isOneBlock)
    return ops.add(ops.mul(ops.sub(row, rangeBegin), width), offset);
  return ops.add(ops.add(ops.mul(panel, tile.rows), ops.mul(row, width)),
                 offset);
}

SmallVector<Value> ContractionEpilogue::start(const RegisterTile &shape,
                                              Value row, Value column,
                                              const KBlock &block) const {
  OpBuilder &builder = plan.frame.builder;
  Location loc = plan.frame.loc;
  auto type = VectorType::get({int64_t(shape.lanes)}, plan.type);
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  SmallVector<Value> zeros(shape.count(), zero);
  if (constantNumber(block.isFirst) || !plan.blocks.empty())
    return zeros;
  auto branch = scf::IfOp::create(builder, loc, TypeRange(ValueRange(zeros)),
                                  block.isFirst, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, zeros);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, loadSums(shape, row, column, sums));
  return llvm::to_vector_of<Value>(branch.getResults());
}

/// Returns `values` plus the vectors at (row, column) of `from` if `condition`
/// holds, otherwise `values`.
SmallVector<Value> ContractionEpilogue::addStored(const RegisterTile &shape,
                                                  Value row, Value column,
                                                  ValueRange values,
                                                  const Elements &from,
                                                  Value condition) const {
  OpBuilder &builder = plan.frame.builder;
  Location loc = plan.frame.loc;
  auto branch = scf::IfOp::create(builder, loc, TypeRange(values), condition,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, values);
  builder.setInsertionPointToStart(branch.thenBlock());
  SmallVector<Value> added = loadSums(shape, row, column, from);
  for (auto [stored, value] : llvm::zip_equal(added, values))
    stored = arith::AddFOp::create(builder, loc, stored, value);
  scf::YieldOp::create(builder, loc, added);
  return llvm::to_vector_of<Value>(branch.getResults());
}

/// Returns the sums of a register tile at the end of a block: the sums of the
/// block plus those of the blocks before in its group and, at the end of a
/// group, plus the total of the groups before.
SmallVector<Value>
ContractionEpilogue::addBlocksBefore(const RegisterTile &shape, Value row,
                                     Value column, ValueRange values,
                                     const KBlock &block) const {
  if (plan.blocks.empty())
    return llvm::to_vector_of<Value>(values);
  OpBuilder &builder = plan.frame.builder;
  Location loc = plan.frame.loc;
  Value one = arith::ConstantIntOp::create(builder, loc, 1, /*width=*/1);
  auto isNot = [&](Value condition) -> Value {
    return arith::XOrIOp::create(builder, loc, condition, one);
  };
  SmallVector<Value> added =
      addStored(shape, row, column, values, sums, isNot(block.isFirst));
  if (!block.endsGroup)
    return added;
  Value continues = arith::AndIOp::create(builder, loc, block.endsGroup,
                                          isNot(block.isInFirstGroup));
  return addStored(shape, row, column, added, totals, continues);
}

/// Returns the memory that keeps the sums after a block: `totals` between
/// groups, otherwise `sums`, from which outputs are computed.
Elements ContractionEpilogue::memoryAfter(const KBlock &block) const {
  if (!block.endsGroup)
    return sums;
  OpBuilder &builder = plan.frame.builder;
  Location loc = plan.frame.loc;
  Value isEnd = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt,
                                      block.endsGroup, block.isLast);
  return {arith::SelectOp::create(builder, loc, isEnd, totals.pointer,
                                  sums.pointer),
          plan.type};
}

void ContractionEpilogue::finish(const RegisterTile &shape, Value row,
                                 Value column, ValueRange blockSums,
                                 const KBlock &block) {
  SmallVector<Value> added =
      addBlocksBefore(shape, row, column, blockSums, block);
  auto store = [&] {
    storeSums(shape, row, column, added, memoryAfter(block));
  };
  if (!takesRegisters)
    return store();
  ifLast(block, [&] { emitRegisters(shape, row, column, added); }, store);
}

SmallVector<Value> ContractionEpilogue::loadSums(const RegisterTile &shape,
                                                 Value row, Value column,
                                                 const Elements &from) const {
  SmallVector<Value> loaded;
  forEachVector(shape, row, column, [&](Value offset, unsigned) {
    loaded.push_back(loadElements(plan.frame.builder, plan.frame.loc, from,
                                  offset, {shape.lanes, {}}));
  });
  return loaded;
}

void ContractionEpilogue::storeSums(const RegisterTile &shape, Value row,
                                    Value column, ValueRange values,
                                    const Elements &to) const {
  forEachVector(shape, row, column, [&](Value offset, unsigned index) {
    storeElements(plan.frame.builder, plan.frame.loc, to, offset, values[index],
                  {shape.lanes, {}});
  });
}

/// Calls `visit` with the offset of each vector of sums.
void ContractionEpilogue::forEachVector(
    const RegisterTile &shape, Value row, Value column,
    function_ref<void(Value offset, unsigned index)> visit) const {
  for (unsigned index = 0; index < shape.count(); ++index) {
    Value sumRow = plan.ops.add(row, plan.ops.constant(index / shape.vectors));
    int64_t shift = int64_t(index % shape.vectors) * shape.lanes;
    visit(sumOffset(sumRow, column, shift), index);
  }
}
