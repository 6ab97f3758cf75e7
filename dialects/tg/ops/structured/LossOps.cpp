//===- LossOps.cpp - losses in numerically stable form --------------------===//
#include "dialects/tg/ops/structured/LossOps.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/ops/elementwise/BinaryOps.h"
#include "dialects/tg/ops/elementwise/Elementwise.h"
#include "dialects/tg/ops/elementwise/MixedTypeOps.h"
#include "dialects/tg/ops/elementwise/UnaryOps.h"
#include "dialects/tg/ops/movement/ConstantOps.h"
#include "dialects/tg/ops/structured/NormalizationOps.h"
#include "dialects/tg/ops/structured/Reduction.h"
#include "dialects/tg/ops/structured/ReductionOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <cmath>

using namespace mlir;
using namespace tg;

#include "dialects/tg/ops/structured/LossOpsDefinitions.inc"

//===----------------------------------------------------------------------===//
// softmax_cross_entropy
//===----------------------------------------------------------------------===//

/// Checks the element type of the labels (C3). Returns true if they are class
/// numbers, which need one label for each row of logits.
static FailureOr<bool> checkLabelType(Type labels, Type logits, bool isPerRow,
                                      ShapeInference &inference) {
  if (isInClass(labels, ElementClass::label))
    return true;
  std::string found;
  if (isPerRow && isa<FloatType>(labels)) {
    llvm::raw_string_ostream(found) << labels;
    return inference.fail("labels of class numbers must be integers, found " +
                          found + ", expected " +
                          describe(ElementClass::label) +
                          " for labels of one rank less than logits [C3]");
  }
  if (labels == logits)
    return false;
  llvm::raw_string_ostream(found) << labels << " and " << logits;
  return inference.fail("expected labels of the logits' type or of " +
                        describe(ElementClass::label) + ", found " + found +
                        " [C3]");
}

LogicalResult
SoftmaxCrossEntropyOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                                    SmallVectorImpl<TensorExtents> &results) {
  SmallVector<AffineExpr> logits = inference.extentsOf(adaptor.getLogits());
  SmallVector<AffineExpr> labels = inference.extentsOf(adaptor.getLabels());
  Type type = getElementTypeOrSelf(adaptor.getLogits());
  if (logits.empty())
    return inference.fail("expected logits of a rank of at least 1, found 0 "
                          "[C1]");
  if (staticExtent(logits.back()).value_or(0) == 0)
    return inference.fail("expected the last extent of logits to be static and "
                          "at least 1, found " +
                          printExtent(logits.back()) + " [C2]");
  FailureOr<bool> areClasses =
      checkLabelType(getElementTypeOrSelf(adaptor.getLabels()), type,
                     labels.size() + 1 == logits.size(), inference);
  if (failed(areClasses))
    return failure();
  size_t rank = logits.size() - (*areClasses ? 1 : 0);
  if (labels.size() != rank)
    return inference.fail(
        "expected labels of rank " + Twine(rank) + " for " +
        (*areClasses ? "class numbers" : "distributions of the logits' type") +
        ", found " + Twine(labels.size()) + " [C3]");
  for (size_t axis = 0; axis < rank; ++axis) {
    FailureOr<AffineExpr> extent =
        inference.merge(logits[axis], labels[axis], "logits dim " + Twine(axis),
                        "labels dim " + Twine(axis), "C3");
    if (failed(extent))
      return failure();
    logits[axis] = *extent;
  }
  logits.pop_back();
  results.push_back({type, logits});
  return success();
}

static bool hasClasses(SoftmaxCrossEntropyOp op) {
  return isa<IntegerType>(op.getLabels().getType().getElementType());
}

static int64_t classAxis(SoftmaxCrossEntropyOp op) {
  return op.getLogits().getType().getRank() - 1;
}

std::optional<unsigned> SoftmaxCrossEntropyOp::getCheckedOperand() {
  if (hasClasses(*this))
    return 1;
  return std::nullopt;
}

std::optional<std::pair<unsigned, unsigned>>
SoftmaxCrossEntropyOp::getIndexBound() {
  return std::pair<unsigned, unsigned>(0, classAxis(*this));
}

StringRef SoftmaxCrossEntropyOp::getCheckedName() { return "label"; }

/// Builds an i1 mask [B..., K] that is true at the class number of each row.
static Value buildIsLabel(ImplicitLocOpBuilder b, SoftmaxCrossEntropyOp op) {
  int64_t axis = classAxis(op);
  Value classes = IotaOp::create(
      b, ValueRange(),
      SmallVector<int64_t>{op.getLogits().getType().getShape().back()},
      /*axis=*/0, TypeAttr::get(b.getI64Type()));
  Value labels = CastOp::create(b, op.getLabels(), b.getI64Type());
  labels = buildKeptDims(b, labels, op.getLogits(), axis);
  return CompareOp::create(b, Predicate::eq, classes, labels);
}

// Let z = x - max(x) and s = sum(exp(z)). The loss is ln s - z[label] for class
// numbers, and -sum(select(t = 0, 0, t (z - ln s))) for a distribution t.
SmallVector<Value> SoftmaxCrossEntropyOp::decompose(OpBuilder &builder) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  Value x = getLogits();
  Value zero = buildScalarLike(b, x, 0);
  int64_t axis = classAxis(*this);
  Value greatest = ReduceMaxOp::create(b, x, ArrayRef(axis), /*keepDims=*/true);
  Value shifted = SubOp::create(b, x, greatest);
  Value e = ExpOp::create(b, shifted);
  if (hasClasses(*this)) {
    Value logSum = LogOp::create(b, ReduceSumOp::create(b, e, ArrayRef(axis)));
    Value atLabel = SelectOp::create(b, buildIsLabel(b, *this), shifted, zero);
    Value picked = ReduceSumOp::create(b, atLabel, ArrayRef(axis));
    return {SubOp::create(b, logSum, picked)};
  }
  Value total = ReduceSumOp::create(b, e, ArrayRef(axis), /*keepDims=*/true);
  Value logSoftmax = SubOp::create(b, shifted, LogOp::create(b, total));
  Value isUnused = CompareOp::create(b, Predicate::eq, getLabels(), zero);
  Value terms = SelectOp::create(b, isUnused, zero,
                                 MulOp::create(b, getLabels(), logSoftmax));
  Value sum = ReduceSumOp::create(b, terms, ArrayRef(axis));
  return {SubOp::create(b, zero, sum)};
}

// Counts 7 operations per element: maximum, difference, exponential, and two
// for each of two sums of products.
AffineExpr SoftmaxCrossEntropyOp::countFlops(const ExtentAnalysis &extents) {
  return extents.countElements(getLogits()) * 7;
}

// The cotangent of the logits is g (softmax sum(t) - t) for distributions t,
// and g (softmax - one_hot) for class numbers. The cotangent of distributions
// is -g log_softmax.
SmallVector<Value> SoftmaxCrossEntropyOp::buildGradient(OpBuilder &builder,
                                                        ValueRange cotangents) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  int64_t axis = classAxis(*this);
  Value x = getLogits();
  Value labels = getLabels();
  Value g = buildKeptDims(b, cotangents[0], x, axis);
  Value softmax = SoftmaxOp::create(b, x, axis);
  if (hasClasses(*this)) {
    Value oneHot =
        SelectOp::create(b, buildIsLabel(b, *this), buildScalarLike(b, x, 1),
                         buildScalarLike(b, x, 0));
    Value slope = SubOp::create(b, softmax, oneHot);
    return {buildSumTo(b, MulOp::create(b, g, slope), x), Value()};
  }
  Value total =
      ReduceSumOp::create(b, labels, ArrayRef(axis), /*keepDims=*/true);
  Value excess = SubOp::create(b, MulOp::create(b, softmax, total), labels);
  Value logSoftmax = LogSoftmaxOp::create(b, x, axis);
  return {
      buildSumTo(b, MulOp::create(b, g, excess), x),
      buildSumTo(b, NegOp::create(b, MulOp::create(b, g, logSoftmax)), labels)};
}

/// Returns -log_softmax of element `label` of a row.
template <typename T>
static double negativeLogSoftmax(ArrayRef<T> row, int64_t label) {
  double greatest = -INFINITY, sum = 0;
  for (T x : row)
    greatest = x != x || x > greatest ? x : greatest;
  for (T x : row)
    sum += std::exp(x - greatest);
  return std::log(sum) - (row[label] - greatest);
}

std::string
SoftmaxCrossEntropyOp::evaluate(ArrayRef<HostTensor> operands,
                                MutableArrayRef<HostTensor> results) {
  int64_t classes = operands[0].getShape().back();
  const HostTensor &labels = operands[1];
  int64_t rows = results[0].getNumElements();
  for (int64_t row = 0; hasClasses(*this) && row < rows; ++row) {
    int64_t label = labels.integerAt(row);
    if (label < 0 || label >= classes)
      return "label " + std::to_string(label) + " at element " +
             std::to_string(row) +
             " is out of range, expected at least 0 and below " +
             std::to_string(classes) + " [R1]";
  }
  visitFloatType(operands[0].getElementType(), [&](auto zero) {
    using T = decltype(zero);
    for (int64_t row = 0; row < rows; ++row) {
      ArrayRef<T> x = operands[0].values<T>().slice(row * classes, classes);
      double loss = 0;
      if (hasClasses(*this))
        loss = negativeLogSoftmax(x, labels.integerAt(row));
      else
        for (auto [k, t] :
             llvm::enumerate(labels.values<T>().slice(row * classes, classes)))
          loss += t == 0 ? 0 : t * negativeLogSoftmax(x, k);
      results[0].values<T>()[row] = T(loss);
    }
  });
  return {};
}
