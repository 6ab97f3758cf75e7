//===- ContractionSpace.cpp - products as matrices of rows and columns ----===//
#include "compiler/codegen/cpu/contraction/ContractionSpace.h"
#include "dialects/tg/ContractionOps.h"

using namespace mlir;
using namespace tg;

/// The first dimension of the result that makes rows.
static unsigned findFirstRowAxis(KernelFrame &frame, MatmulOp matmul) {
  ArrayRef<AffineExpr> extents = frame.extentsOf(matmul.getResult());
  unsigned rank = extents.size(), axis = rank - 2;
  auto isRow = [&](unsigned leading) {
    if (staticExtent(extents[leading]) == 1)
      return true;
    return !matmul.getTransposeLhs() &&
           IterationSpace::varies(frame, matmul.getLhs(), leading, rank) &&
           !IterationSpace::varies(frame, matmul.getRhs(), leading, rank);
  };
  while (axis > 0 && isRow(axis - 1))
    --axis;
  return axis;
}

ContractionSpace::ContractionSpace(KernelFrame &frame, MatmulOp matmul)
    : frame(frame), extents(frame.extentsOf(matmul.getResult())),
      depth(frame.extentsOf(matmul.getLhs())
                .drop_back(matmul.getTransposeLhs() ? 1 : 0)
                .back()),
      firstRowAxis(findFirstRowAxis(frame, matmul)), space(makeSpace(matmul)) {
  for (unsigned group = 0; group < space.getNumGroups(); ++group) {
    unsigned axis = space.getLastAxis(group);
    if (axis + 1 < extents.size())
      (axis < firstRowAxis ? matrixGroups : rowGroups).push_back(group);
  }
}

/// Whether an op maps elements, so that its values share the result's space.
static bool isElementwise(Operation &op) {
  auto rule = dyn_cast<ElementOpInterface>(&op);
  return op.hasTrait<mlir::OpTrait::ConstantLike>() ||
         (rule && rule.isElementwise());
}

/// Dimensions are joined where all values have both or neither; the operands of
/// the product count among the leading ones alone.
IterationSpace ContractionSpace::makeSpace(MatmulOp matmul) const {
  Block &body = frame.kernel.getBlock();
  auto isProduct = [](Operation *op) {
    return isa<MatmulOp, tgx::UnpackOp>(op);
  };
  bool canJoin = true;
  SmallVector<Value> inner = {matmul.getResult()};
  for (Operation &op : body.without_terminator()) {
    if (isProduct(&op))
      continue;
    canJoin &= isElementwise(op);
    llvm::append_range(inner, op.getOperands());
    llvm::append_range(inner, op.getResults());
  }
  SmallVector<Value> leading(inner);
  llvm::append_range(leading, ValueRange{matmul.getLhs(), matmul.getRhs()});
  unsigned rank = extents.size();
  return IterationSpace(frame, extents, [&](unsigned axis, unsigned before) {
    bool isLeading = axis < firstRowAxis;
    if (!canJoin || axis + 1 == rank || isLeading != (before < firstRowAxis))
      return false;
    return llvm::all_of(isLeading ? leading : inner, [&](Value value) {
      return IterationSpace::varies(frame, value, axis, rank) ==
             IterationSpace::varies(frame, value, before, rank);
    });
  });
}

AffineExpr ContractionSpace::getMatrices() const {
  return productOf(extents.take_front(firstRowAxis), frame.kernel.getContext());
}

AffineExpr ContractionSpace::getRows() const {
  return productOf(extents.drop_front(firstRowAxis).drop_back(),
                   frame.kernel.getContext());
}

SmallVector<Value> ContractionSpace::split(Value matrix) const {
  return space.split(matrix, matrixGroups);
}

Value ContractionSpace::startOf(Value operand, ArrayRef<Value> matrix) const {
  IntegerOps ops = frame.integers();
  ArrayRef<AffineExpr> own = frame.extentsOf(operand);
  unsigned shift = extents.size() - own.size();
  Value start = ops.constant(0);
  for (auto [group, index] : llvm::zip_equal(matrixGroups, matrix)) {
    unsigned axis = space.getLastAxis(group);
    if (!IterationSpace::varies(frame, operand, axis, extents.size()))
      continue;
    Value stride = frame.extent(
        productOf(own.drop_front(axis - shift + 1), frame.kernel.getContext()));
    start = ops.add(start, ops.mul(index, stride));
  }
  return start;
}

Position ContractionSpace::position(ArrayRef<Value> matrix, Value row,
                                    Value column, unsigned lanes) const {
  SmallVector<Value> indices(space.getNumGroups(), column);
  for (auto [group, index] : llvm::zip_equal(matrixGroups, matrix))
    indices[group] = index;
  for (auto [group, index] :
       llvm::zip_equal(rowGroups, space.split(row, rowGroups)))
    indices[group] = index;
  Position position = space.position(indices, /*laneGroup=*/0, /*lanes=*/1);
  position.index.back() = column;
  position.laneStep.back() = lanes > 1 ? 1 : 0;
  return position;
}
