//===- PanelPacking.cpp - copies of operands as panels --------------------===//
#include "compiler/codegen/cpu/contraction/gemm/PanelPacking.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tg;

Value tg::keepInRegister(OpBuilder &builder, Location loc, Value value) {
  if (constantNumber(value))
    return value;
  auto hidden = LLVM::InlineAsmOp::create(
      builder, loc, value.getType(), value, /*asm_string=*/"",
      /*constraints=*/"=r,0", /*has_side_effects=*/false,
      /*is_align_stack=*/false, LLVM::TailCallKind::None,
      /*asm_dialect=*/nullptr, /*operand_attrs=*/nullptr);
  return hidden.getResult(0);
}

void tg::copyElements(KernelFrame &frame, const Elements &source,
                      Value sourceOffset, const Elements &target,
                      Value targetOffset, unsigned count) {
  Value values =
      loadElements(frame.builder, frame.loc, source, sourceOffset, {count, {}});
  storeElements(frame.builder, frame.loc, target, targetOffset, values,
                {count, {}});
}

/// Calls `visit` for each full vector of a row of `count` elements, then for
/// each remaining element.
static void
forEachVector(KernelFrame &frame, Value count, unsigned lanes,
              function_ref<void(Value offset, unsigned width)> visit) {
  IntegerOps ops = frame.integers();
  Value whole = ops.roundDown(count, lanes);
  auto visitAll = [&](Value begin, Value end, unsigned width) {
    buildFor(frame.builder, frame.loc, begin, end, width,
             [&](Value offset) { visit(offset, width); });
  };
  visitAll(ops.constant(0), whole, lanes);
  visitAll(whole, count, /*width=*/1);
}

void tg::copyRow(KernelFrame &frame, const Elements &source, Value sourceOffset,
                 const Elements &target, Value targetOffset, Value count,
                 unsigned lanes) {
  IntegerOps ops = frame.integers();
  forEachVector(frame, count, lanes, [&](Value position, unsigned width) {
    copyElements(frame, source, ops.add(sourceOffset, position), target,
                 ops.add(targetOffset, position), width);
  });
}

void tg::fillRow(KernelFrame &frame, const Elements &target, Value offset,
                 Value count, unsigned lanes) {
  IntegerOps ops = frame.integers();
  OpBuilder &builder = frame.builder;
  auto zeroOf = [&](Type type) {
    return arith::ConstantOp::create(builder, frame.loc,
                                     builder.getZeroAttr(type));
  };
  forEachVector(frame, count, lanes, [&](Value position, unsigned width) {
    Type type = target.elementType;
    Value zero = width == 1 ? zeroOf(type)
                            : zeroOf(VectorType::get({int64_t(width)}, type));
    storeElements(builder, frame.loc, target, ops.add(offset, position), zero,
                  {width, {}});
  });
}

// Exchanges single elements between adjacent rows, then pairs of elements
// between rows at distance 2, and so on up to halves of rows.
void tg::transposeBlock(OpBuilder &builder, Location loc,
                        SmallVectorImpl<Value> &rows) {
  int64_t lanes = rows.size();
  for (int64_t distance = 1; distance < lanes; distance *= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      bool upper = lane & distance;
      low.push_back(upper ? lanes + lane - distance : lane);
      high.push_back(upper ? lanes + lane : lane + distance);
    }
    for (int64_t row = 0; row < lanes; ++row) {
      if (row & distance)
        continue;
      Value first = rows[row], second = rows[row + distance];
      rows[row] = vector::ShuffleOp::create(builder, loc, first, second, low);
      rows[row + distance] =
          vector::ShuffleOp::create(builder, loc, first, second, high);
    }
  }
}

namespace {
/// Packs one panel.
class PanelPacker {
public:
  PanelPacker(KernelFrame &frame, const PanelSource &source,
              const Elements &target, Value kExtent, int64_t width,
              unsigned lanes)
      : frame(frame), source(source), target(target), kExtent(kExtent),
        width(width), lanes(lanes), ops(frame.integers()) {}

  void copyRows();
  void copyMasked();
  void transpose();
  void transposeBlockAt(Value row, Value column);
  void copyElementwise(Value row, Value column);

private:
  Value offset(Value row, Value column) {
    return ops.add(ops.add(source.first, source.columnOffset),
                   ops.add(ops.mul(row, source.rowStride),
                           ops.mul(column, source.columnStride)));
  }

  KernelFrame &frame;
  const PanelSource &source;
  const Elements &target;
  Value kExtent;
  int64_t width;
  unsigned lanes;
  IntegerOps ops;
};
} // namespace

/// Copies the rows of a full panel from a row-major source.
void PanelPacker::copyRows() {
  buildFor(frame.builder, frame.loc, ops.constant(0), kExtent, 1,
           [&](Value row) {
             Value from = offset(row, ops.constant(0));
             Value to = ops.mul(row, ops.constant(width));
             for (int64_t column = 0; column < width; column += lanes)
               copyElements(frame, source.elements,
                            ops.add(from, ops.constant(column)), target,
                            ops.add(to, ops.constant(column)), lanes);
           });
}

/// Copies the rows of a panel that is not full. Masked loads give zeros after
/// the last column.
void PanelPacker::copyMasked() {
  OpBuilder &builder = frame.builder;
  SmallVector<Value> masks;
  for (int64_t column = 0; column < width; column += lanes)
    masks.push_back(buildMask(builder, frame.loc, ops.constant(column),
                              source.columns, lanes));
  buildFor(builder, frame.loc, ops.constant(0), kExtent, 1, [&](Value row) {
    Value from = offset(row, ops.constant(0));
    Value to = ops.mul(row, ops.constant(width));
    for (auto [vector, mask] : llvm::enumerate(masks)) {
      Value column = ops.constant(int64_t(vector) * lanes);
      Value values = loadElements(builder, frame.loc, source.elements,
                                  ops.add(from, column), {lanes, mask});
      storeElements(builder, frame.loc, target, ops.add(to, column), values,
                    {lanes, {}});
    }
  });
}

/// Transposes blocks of lanes x lanes. The inner loop runs along K, so that
/// only `lanes` columns of the source are read at a time; hardware prefetchers
/// might not follow more. Remaining elements are copied one by one.
void PanelPacker::transpose() {
  Value zero = ops.constant(0);
  Value wholeRows = ops.roundDown(kExtent, lanes);
  Value wholeColumns = ops.roundDown(source.columns, lanes);
  buildFor(frame.builder, frame.loc, zero, wholeColumns, lanes,
           [&](Value column) {
             buildFor(frame.builder, frame.loc, zero, wholeRows, lanes,
                      [&](Value row) { transposeBlockAt(row, column); });
           });
  copyElementwise(wholeRows, zero);
  if (constantNumber(wholeColumns) != width)
    copyElementwise(zero, wholeColumns);
}

/// Transposes the block at (row, column) of the panel.
void PanelPacker::transposeBlockAt(Value row, Value column) {
  OpBuilder &builder = frame.builder;
  SmallVector<Value> block;
  for (unsigned lane = 0; lane < lanes; ++lane)
    block.push_back(loadElements(
        builder, frame.loc, source.elements,
        offset(row, ops.add(column, ops.constant(lane))), {lanes, {}}));
  transposeBlock(builder, frame.loc, block);
  for (auto [lane, values] : llvm::enumerate(block)) {
    Value targetRow =
        ops.mul(ops.add(row, ops.constant(lane)), ops.constant(width));
    storeElements(builder, frame.loc, target, ops.add(targetRow, column),
                  values, {lanes, {}});
  }
}

/// Copies the elements from row `firstRow` and column `firstColumn` on, one by
/// one, and fills the columns of the panel after the last one with zeros.
void PanelPacker::copyElementwise(Value firstRow, Value firstColumn) {
  OpBuilder &builder = frame.builder;
  Value zero = arith::ConstantOp::create(
      builder, frame.loc, builder.getZeroAttr(source.elements.elementType));
  buildFor(builder, frame.loc, firstRow, kExtent, 1, [&](Value row) {
    Value to = ops.mul(row, ops.constant(width));
    buildFor(builder, frame.loc, firstColumn, source.columns, 1,
             [&](Value column) {
               Value value = loadElements(builder, frame.loc, source.elements,
                                          offset(row, column), {});
               storeElements(builder, frame.loc, target, ops.add(to, column),
                             value, {});
             });
    buildFor(builder, frame.loc, source.columns, ops.constant(width), 1,
             [&](Value column) {
               storeElements(builder, frame.loc, target, ops.add(to, column),
                             zero, {});
             });
  });
}

void tg::packPanel(KernelFrame &frame, const PanelSource &source,
                   const Elements &target, Value kExtent, int64_t width,
                   unsigned lanes, bool transposed) {
  PanelPacker packer(frame, source, target, kExtent, width, lanes);
  IntegerOps ops = frame.integers();
  Value zero = ops.constant(0);
  // With one lane, transpose() copies element by element and pads, so it serves
  // for all layouts.
  if (transposed || lanes == 1)
    return packer.transpose();
  auto packFull = [&] { packer.copyRows(); };
  auto packPartial = [&] {
    frame.target.masksWords ? packer.copyMasked()
                            : packer.copyElementwise(zero, zero);
  };
  Value isFull = ops.compare(arith::CmpIPredicate::eq, source.columns,
                             ops.constant(width));
  if (std::optional<int64_t> known = constantNumber(source.columns)) {
    *known == width ? packFull() : packPartial();
    return;
  }
  auto branch =
      scf::IfOp::create(frame.builder, frame.loc, isFull, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(frame.builder);
  frame.builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  packFull();
  frame.builder.setInsertionPoint(branch.elseBlock()->getTerminator());
  packPartial();
}
