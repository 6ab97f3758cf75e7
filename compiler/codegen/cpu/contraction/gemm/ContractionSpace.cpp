//===- ContractionSpace.cpp - the iteration space of a contraction --------===//
#include "compiler/codegen/cpu/contraction/gemm/ContractionSpace.h"

using namespace mlir;
using namespace tg;

ContractionSpace::ContractionSpace(KernelFrame &frame,
                                   const Contraction &contraction)
    : frame(frame), contraction(contraction),
      extents(contraction.result.extents),
      firstRowAxis(contraction.isMatrixProduct()
                       ? contraction.findFirstRowDimension()
                       : 0),
      space(makeSpace()) {
  for (unsigned group = 0; group < space.getNumGroups(); ++group) {
    unsigned axis = space.getLastAxis(group);
    if (axis + 1 == extents.size())
      columnGroups.push_back(group);
    else
      (axis < firstRowAxis ? matrixGroups : rowGroups).push_back(group);
  }
}

/// Returns true if an operand varies along both dimensions with one stride, or
/// along neither.
static bool haveCommonStride(const ContractionTensor &operand, unsigned outer,
                             unsigned inner) {
  bool varies = operand.varies(inner);
  return varies == operand.varies(outer) &&
         (!varies || operand.joins(outer, inner));
}

/// Collapses adjacent dimensions if each value of the body varies along both or
/// along neither. Collapses nothing if the body has ops that are not
/// elementwise, and never collapses a batch dimension with a row dimension or a
/// row dimension with the column dimension. Along batch dimensions, the
/// operands of the product must also have one stride.
IterationSpace ContractionSpace::makeSpace() const {
  Block &body = frame.kernel.getBlock();
  Operation *product = contraction.result.value.getDefiningOp();
  bool canJoin = true;
  SmallVector<Value> inner = {contraction.result.value};
  for (Operation &op : body.without_terminator()) {
    if (&op == product || isa<tgx::UnpackOp>(op))
      continue;
    canJoin &= isElementwise(&op);
    llvm::append_range(inner, op.getOperands());
    llvm::append_range(inner, op.getResults());
  }
  unsigned rank = extents.size();
  return IterationSpace(frame, extents, [&](unsigned axis, unsigned before) {
    bool isLeading = axis < firstRowAxis;
    if (!canJoin || axis + 1 == rank || isLeading != (before < firstRowAxis))
      return false;
    if (isLeading && !(haveCommonStride(contraction.lhs, before, axis) &&
                       haveCommonStride(contraction.rhs, before, axis)))
      return false;
    return llvm::all_of(inner, [&](Value value) {
      return IterationSpace::varies(frame, value, axis, rank) ==
             IterationSpace::varies(frame, value, before, rank);
    });
  });
}

AffineExpr ContractionSpace::countMatrices() const {
  return productOf(extents.take_front(firstRowAxis), frame.kernel.getContext());
}

AffineExpr ContractionSpace::getRows() const {
  return productOf(extents.drop_front(firstRowAxis).drop_back(),
                   frame.kernel.getContext());
}

AffineExpr ContractionSpace::getReduced() const {
  AffineExpr extent = getAffineConstantExpr(1, frame.kernel.getContext());
  for (unsigned dimension : contraction.dimensionsOf(DimensionKind::reduced))
    extent = extent * contraction.dimensions[dimension].extent;
  return extent;
}

SmallVector<Value> ContractionSpace::split(Value matrix) const {
  return space.split(matrix, matrixGroups);
}

Value ContractionSpace::startOf(const ContractionTensor &operand,
                                ArrayRef<Value> matrix) const {
  IntegerOps ops = frame.integers();
  Value start = ops.constant(0);
  for (auto [group, index] : llvm::zip_equal(matrixGroups, matrix)) {
    unsigned dimension = space.getLastAxis(group);
    if (operand.varies(dimension))
      start = ops.add(
          start, ops.mul(index, frame.extent(operand.strideOf(dimension))));
  }
  return start;
}

Position ContractionSpace::position(ArrayRef<Value> matrix, Value row,
                                    Value column, unsigned lanes) const {
  SmallVector<Value> rowIndices = space.split(row, rowGroups);
  ArrayRef<Value> columnIndex(column);
  Position position = space.position(
      {{matrixGroups, matrix},
       {rowGroups, rowIndices},
       {columnGroups, columnIndex.take_front(columnGroups.size())}},
      /*laneGroup=*/0, /*lanes=*/1);
  position.index.back() = column;
  position.laneStep.back() = lanes > 1 ? 1 : 0;
  return position;
}
