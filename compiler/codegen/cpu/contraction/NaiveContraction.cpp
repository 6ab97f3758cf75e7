//===- NaiveContraction.cpp - matrix products of any kind -----------------===//
#include "compiler/codegen/cpu/contraction/NaiveContraction.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/elementwise/ElementLoops.h"
#include "dialects/tg/ContractionOps.h"

using namespace mlir;
using namespace tg;

/// The position in an operand: leading dimensions broadcast, then row and
/// column, exchanged if the operand is transposed.
static Position operandPosition(KernelContext &frame, Value operand,
                                const Position &position,
                                std::pair<Value, int64_t> row,
                                std::pair<Value, int64_t> column,
                                bool transposed) {
  ArrayRef<AffineExpr> extents = frame.extentsOf(operand);
  Position place;
  unsigned shift = position.rank() - extents.size();
  for (unsigned axis = 0; axis + 2 < extents.size(); ++axis) {
    bool stretched = staticExtent(extents[axis]) == 1;
    place.index.push_back(stretched ? frame.integers().constant(0)
                                    : position.index[axis + shift]);
    place.laneStep.push_back(stretched ? 0 : position.laneStep[axis + shift]);
  }
  if (transposed)
    std::swap(row, column);
  for (auto [index, step] : {row, column}) {
    place.index.push_back(index);
    place.laneStep.push_back(step);
  }
  return place;
}

/// sum + lhs * rhs.
static Value multiplyAdd(KernelContext &frame, Value lhs, Value rhs,
                         Value sum) {
  OpBuilder &builder = frame.builder;
  if (isa<FloatType>(getElementTypeOrSelf(sum)))
    return math::FmaOp::create(builder, frame.loc, lhs, rhs, sum);
  Value product = arith::MulIOp::create(builder, frame.loc, lhs, rhs);
  return arith::AddIOp::create(builder, frame.loc, sum, product);
}

/// The elements of a product at `position`: a loop over the shared dimension.
static Value emitSum(ElementEmitter &elements, MatmulOp matmul,
                     const Position &position, unsigned lanes) {
  KernelContext &frame = elements.context;
  Value lhs = matmul.getLhs(), rhs = matmul.getRhs();
  unsigned rank = position.rank();
  std::pair<Value, int64_t> row{position.index[rank - 2],
                                position.laneStep[rank - 2]};
  std::pair<Value, int64_t> column{position.index[rank - 1],
                                   position.laneStep[rank - 1]};
  ArrayRef<AffineExpr> lhsExtents = frame.extentsOf(lhs);
  bool transposed = matmul.getTransposeLhs();
  AffineExpr depth = lhsExtents[lhsExtents.size() - (transposed ? 2 : 1)];
  Type type = registerType(getElementTypeOrSelf(matmul.getResult()));
  if (lanes > 1)
    type = VectorType::get({int64_t(lanes)}, type);
  Value zero = arith::ConstantOp::create(frame.builder, frame.loc,
                                         frame.builder.getZeroAttr(type));
  auto step = [&](Value k, ValueRange sum) -> SmallVector<Value> {
    std::pair<Value, int64_t> shared{k, 0};
    FailureOr<Value> left = elements.element(
        lhs, operandPosition(frame, lhs, position, row, shared, transposed),
        lanes);
    FailureOr<Value> right =
        elements.element(rhs,
                         operandPosition(frame, rhs, position, shared, column,
                                         matmul.getTransposeRhs()),
                         lanes);
    if (failed(left) || failed(right))
      return {sum[0]};
    return {multiplyAdd(frame, *left, *right, sum[0])};
  };
  return buildFor(frame.builder, frame.loc, frame.integers().constant(0),
                  frame.extent(depth), 1, {zero}, step)[0];
}

/// The element (k, n) of a matrix out of its panels [n / w, k, n % w].
static Value emitUnpacked(ElementEmitter &elements, tgx::UnpackOp unpack,
                          const Position &position, unsigned lanes) {
  // A vector may cross from one panel to the next.
  if (lanes > 1)
    return {};
  IntegerOps ops = elements.context.integers();
  ArrayRef<AffineExpr> panels = elements.context.extentsOf(unpack.getInput());
  Value width = elements.context.extent(panels[2]);
  Position place{{ops.div(position.index[1], width), position.index[0],
                  ops.rem(position.index[1], width)},
                 {0, 0, 0}};
  FailureOr<Value> value = elements.element(unpack.getInput(), place, lanes);
  return succeeded(value) ? *value : Value();
}

LogicalResult tg::emitNaiveContraction(KernelFrame &frame) {
  Block &body = frame.kernel.getBlock();
  ElementEmitter elements(frame);
  for (auto matmul : body.getOps<MatmulOp>())
    elements.provide(matmul.getResult(),
                     [&, matmul](const Position &position, unsigned lanes) {
                       return emitSum(elements, matmul, position, lanes);
                     });
  for (auto unpack : body.getOps<tgx::UnpackOp>())
    elements.provide(unpack.getResult(),
                     [&, unpack](const Position &position, unsigned lanes) {
                       return emitUnpacked(elements, unpack, position, lanes);
                     });
  return emitElementLoops(frame, elements, tuning::kNaiveTileElements);
}
