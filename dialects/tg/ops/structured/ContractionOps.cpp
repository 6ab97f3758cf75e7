//===- ContractionOps.cpp - sums of products over shared dimensions -------===//
#include "dialects/tg/ops/structured/ContractionOps.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/evaluation/Product.h"
#include "dialects/tg/ops/elementwise/Elementwise.h"
#include "dialects/tg/ops/elementwise/MixedTypeOps.h"
#include "dialects/tg/ops/movement/ShapeOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <Eigen/Core>

using namespace mlir;
using namespace tg;

#include "dialects/tg/ops/structured/ContractionOpsDefinitions.inc"

//===----------------------------------------------------------------------===//
// matmul
//===----------------------------------------------------------------------===//

/// Returns the type in which products of elements are summed.
static Type accumulatorOf(Type operand) {
  return mlirTypeOf(typeInfoOf(elementOf(operand)).product,
                    operand.getContext());
}

/// Returns the default result type: integer products are as wide as their sums,
/// float products as the operands.
static Type defaultResult(Type operand) {
  return isInClass(operand, ElementClass::integer) ? accumulatorOf(operand)
                                                   : operand;
}

/// Checks C4: the operands have one element type, and `element_type`, if
/// present, equals their default result type. Returns the element type of the
/// result.
static FailureOr<Type> resultElementType(MatmulOp::Adaptor adaptor,
                                         ShapeInference &inference) {
  Type left = getElementTypeOrSelf(adaptor.getLhs());
  Type right = getElementTypeOrSelf(adaptor.getRhs());
  Type expected = defaultResult(left);
  Type result = adaptor.getElementType().value_or(expected);
  std::string found;
  llvm::raw_string_ostream stream(found);
  if (left != right) {
    stream << left << " and " << right;
    return inference.fail("expected lhs and rhs of one element type, found " +
                          Twine(found) + " [C4]");
  }
  if (!isInClass(left, ElementClass::numeric)) {
    stream << left;
    return inference.fail("expected operands of " +
                          describe(ElementClass::numeric) + ", found " + found +
                          " [C4]");
  }
  if (result == expected)
    return result;
  stream << expected << " for operands of " << left << ", found " << result;
  return inference.fail("expected element_type " + Twine(found) + " [C4]");
}

LogicalResult MatmulOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                                     SmallVectorImpl<TensorExtents> &results) {
  SmallVector<AffineExpr> lhs = inference.extentsOf(adaptor.getLhs());
  SmallVector<AffineExpr> rhs = inference.extentsOf(adaptor.getRhs());
  if (lhs.size() < 2 || rhs.size() < 2)
    return inference.fail("expected ranks of at least 2, found " +
                          Twine(lhs.size()) + " and " + Twine(rhs.size()) +
                          " [C1]");
  FailureOr<Type> elementType = resultElementType(adaptor, inference);
  if (failed(elementType))
    return failure();
  int64_t lhsRows = lhs.size() - 2;
  int64_t lhsK = lhs.size() - 1;
  int64_t rhsK = rhs.size() - 2;
  int64_t rhsColumns = rhs.size() - 1;
  if (adaptor.getTransposeLhs())
    std::swap(lhsRows, lhsK);
  if (adaptor.getTransposeRhs())
    std::swap(rhsK, rhsColumns);
  if (failed(inference.merge(lhs[lhsK], rhs[rhsK], "lhs dim " + Twine(lhsK),
                             "rhs dim " + Twine(rhsK), "C2")))
    return failure();
  FailureOr<BroadcastExtents> leading = inference.broadcast(
      inference.broadcastExtentsOf(adaptor.getLhs(), /*dropped=*/2),
      inference.broadcastExtentsOf(adaptor.getRhs(), /*dropped=*/2), "C3");
  if (failed(leading))
    return failure();
  SmallVector<AffineExpr> dims = std::move(leading->dims);
  dims.push_back(lhs[lhsRows]);
  dims.push_back(rhs[rhsColumns]);
  results.push_back({*elementType, dims});
  return success();
}

/// Describes an operand whose last two dimensions are the dimensions `row` and
/// `column` of the iteration space. Its leading dimensions are the last of the
/// result's leading dimensions. An extent of 1 is broadcast if the extent of
/// the result is not 1.
static ContractionTensor matrixTensor(Value operand,
                                      const ExtentAnalysis &analysis,
                                      ArrayRef<AffineExpr> result, unsigned row,
                                      unsigned column) {
  ArrayRef<AffineExpr> extents = analysis.extentsOf(operand);
  SmallVector<std::optional<unsigned>> dimensions;
  for (auto [axis, extent] : llvm::enumerate(extents.drop_back(2))) {
    std::optional<unsigned> dimension = result.size() - extents.size() + axis;
    bool repeats =
        staticExtent(extent) == 1 && staticExtent(result[*dimension]) != 1;
    dimensions.push_back(repeats ? std::nullopt : dimension);
  }
  dimensions.append({row, column});
  return plainTensor(operand, extents, dimensions);
}

// The iteration space has the leading dimensions, the rows, the columns, and
// the reduced dimension. Leading dimensions that the rhs lacks or broadcasts
// are also rows.
Contraction MatmulOp::getContraction(const ExtentAnalysis &analysis) {
  ArrayRef<AffineExpr> extents = analysis.extentsOf(getResult());
  unsigned rank = extents.size();
  unsigned row = rank - 2, column = rank - 1, reduced = rank;
  auto tensorOf = [&](Value operand, bool transposed, unsigned outer,
                      unsigned inner) {
    if (transposed)
      std::swap(outer, inner);
    return matrixTensor(operand, analysis, extents, outer, inner);
  };
  Contraction contraction;
  contraction.lhs = tensorOf(getLhs(), getTransposeLhs(), row, reduced);
  contraction.rhs = tensorOf(getRhs(), getTransposeRhs(), reduced, column);
  contraction.result = tensorOf(getResult(), false, row, column);
  contraction.accumulator = accumulatorOf(getLhs().getType().getElementType());
  for (unsigned axis = 0; axis < column; ++axis) {
    bool isRow = !contraction.rhs.varies(axis);
    contraction.dimensions.push_back(
        {isRow ? DimensionKind::row : DimensionKind::batch, extents[axis]});
  }
  contraction.dimensions.push_back({DimensionKind::column, extents[column]});
  unsigned axis = *contraction.lhs.axisOf(reduced);
  contraction.dimensions.push_back(
      {DimensionKind::reduced, contraction.lhs.extents[axis]});
  return contraction;
}

OrderAttr MatmulOp::chooseOrder() { return chooseProductOrder(getContext()); }

/// Returns true if the operands are narrower than the sums.
static bool isWidening(MatmulOp op) {
  return op.getLhs().getType().getElementType() !=
         op.getType().getElementType();
}

bool MatmulOp::isComposed() { return isWidening(*this); }

// Builds the product of operands that are cast to the type of the sums.
SmallVector<Value> MatmulOp::decompose(OpBuilder &builder) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  Type type = getType().getElementType();
  return {MatmulOp::create(b, CastOp::create(b, getLhs(), type),
                           CastOp::create(b, getRhs(), type), getTransposeLhs(),
                           getTransposeRhs())};
}

// With C = A B, the cotangent g of C, and ' for the transpose: dA = g B' and
// dB = A' g. A transposed operand gets the transposed product: d(A') = B g' and
// d(B') = g' A.
SmallVector<Value> MatmulOp::buildGradient(OpBuilder &builder,
                                           ValueRange cotangents) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  bool transposeLhs = getTransposeLhs();
  bool transposeRhs = getTransposeRhs();
  Value lhs = getLhs();
  Value rhs = getRhs();
  Value g = cotangents[0];
  Value lhsGradient = transposeLhs
                          ? MatmulOp::create(b, rhs, g, transposeRhs, true)
                          : MatmulOp::create(b, g, rhs, false, !transposeRhs);
  // Reshaping to one matrix makes dB one contraction over all rows. A
  // transposed lhs has its rows last, and no reshape can merge them.
  bool isFlat = getRhs().getType().getRank() == 2 &&
                getLhs().getType().getRank() > 2 && !transposeLhs;
  Value a = isFlat ? buildAsMatrix(b, getLoc(), lhs) : lhs;
  Value flatG = isFlat ? buildAsMatrix(b, getLoc(), g) : g;
  Value rhsGradient = transposeRhs
                          ? MatmulOp::create(b, flatG, a, true, transposeLhs)
                          : MatmulOp::create(b, a, flatG, !transposeLhs, false);
  return {buildSumTo(b, lhsGradient, lhs), buildSumTo(b, rhsGradient, rhs)};
}

// An operand with steps gets their axis as its first axis. Leading axes are
// aligned at the end, so this axis meets the wrong axis of the other operand if
// that one had the higher rank before.
bool MatmulOp::canBatch(ArrayRef<bool> stepped) {
  int64_t left = getLhs().getType().getRank();
  int64_t right = getRhs().getType().getRank();
  return (!stepped[0] || left >= right) && (!stepped[1] || right >= left);
}

// The products of all rows of all steps with one matrix are one product.
Value MatmulOp::buildBatched(OpBuilder &builder, ValueRange operands,
                             ArrayRef<bool> stepped) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  Value lhs = operands[0], rhs = operands[1];
  bool isFlat =
      !stepped[1] && getRhs().getType().getRank() == 2 && !getTransposeLhs();
  Value a = isFlat ? buildAsMatrix(b, getLoc(), lhs) : lhs;
  Value product = MatmulOp::create(b, a, rhs, getTransposeLhsAttr(),
                                   getTransposeRhsAttr(), getElementTypeAttr());
  if (!isFlat)
    return product;
  SmallVector<int64_t> shape = extentList(lhs);
  SmallVector<Value> dynamic = buildDynamicExtents(b, lhs);
  if (shape.back() == -1)
    dynamic.pop_back();
  shape.back() = extentList(product)[1];
  if (shape.back() == -1)
    dynamic.push_back(buildDim(b, getLoc(), product, 1));
  return ReshapeOp::create(b, product, dynamic, shape);
}

// The sum over all steps is one product, whose reduced dimension has the rows
// of all steps.
bool MatmulOp::canSumSteps(ArrayRef<bool> stepped) {
  return stepped[0] && stepped[1] && getTransposeLhs() && !getTransposeRhs() &&
         getLhs().getType().getRank() == 2 && getRhs().getType().getRank() == 2;
}

Value MatmulOp::buildSumOfSteps(OpBuilder &builder, ValueRange operands,
                                ArrayRef<bool>) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  return MatmulOp::create(b, buildAsMatrix(b, getLoc(), operands[0]),
                          buildAsMatrix(b, getLoc(), operands[1]),
                          getTransposeLhsAttr(), getTransposeRhsAttr(),
                          getElementTypeAttr());
}

/// Returns, for each matrix of the result, the linear index of the first
/// element of the matrix of an operand.
static std::vector<int64_t> matrixStarts(const HostTensor &operand,
                                         const HostTensor &result) {
  ArrayRef<int64_t> shape = operand.getShape();
  std::vector<int64_t> starts =
      broadcastElements(shape.drop_back(2), result.getShape().drop_back(2));
  for (int64_t &start : starts)
    start *= shape[shape.size() - 2] * shape.back();
  return starts;
}

AffineExpr MatmulOp::countFlops(const ExtentAnalysis &extents) {
  return getContraction(extents).getFlops();
}

std::string MatmulOp::evaluate(ArrayRef<HostTensor> operands,
                               MutableArrayRef<HostTensor> results) {
  const HostTensor &lhs = operands[0], &rhs = operands[1];
  int64_t rows = results[0].getShape().drop_back(1).back();
  int64_t columns = results[0].getShape().back();
  int64_t k = lhs.getShape().drop_back(getTransposeLhs() ? 1 : 0).back();
  std::vector<int64_t> left = matrixStarts(lhs, results[0]);
  std::vector<int64_t> right = matrixStarts(rhs, results[0]);
  visitElement(elementOf(lhs.getElementType()), [&]<ElementType element>() {
    using T = HostType<element>;
    using Result = HostType<typeInfoOf(element).product>;
    using Sum = Wrapping<Result>;
    using Strides = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
    using Matrix =
        Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    using Product =
        Eigen::Matrix<Result, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    using View = Eigen::Map<const Matrix, 0, Strides>;
    // The elements of a column are contiguous in a transposed operand.
    Strides lhsStrides = getTransposeLhs() ? Strides(1, rows) : Strides(k, 1);
    Strides rhsStrides =
        getTransposeRhs() ? Strides(1, k) : Strides(columns, 1);
    Result *target = results[0].values<Result>().data();
    for (size_t matrix = 0; matrix < left.size(); ++matrix) {
      if constexpr (std::is_floating_point_v<T>) {
        Result *first = target + matrix * rows * columns;
        multiply(StridedMatrix<T>{lhs.values<T>().data() + left[matrix], rows,
                                  k, lhsStrides.outer(), lhsStrides.inner()},
                 StridedMatrix<T>{rhs.values<T>().data() + right[matrix], k,
                                  columns, rhsStrides.outer(),
                                  rhsStrides.inner()},
                 [&](int64_t row, int64_t column, double sum) {
                   first[row * columns + column] = Result(sum);
                 });
      } else {
        View a(lhs.values<T>().data() + left[matrix], rows, k, lhsStrides);
        View b(rhs.values<T>().data() + right[matrix], k, columns, rhsStrides);
        Eigen::Map<Product>(target + matrix * rows * columns, rows, columns) =
            (a.template cast<Sum>() * b.template cast<Sum>())
                .template cast<Result>();
      }
    }
  });
  return {};
}
