//===- Targets.cpp - checks of the operands of losses and metrics ---------===//
#include "compiler/frontend/training/Targets.h"

using namespace tg;
using namespace tg::dsl;

void dsl::raiseAt(const Operand &operand, const std::string &message) {
  raise(message, operand.tensor().body(), operand.where());
}

std::vector<int64_t> dsl::axesFrom(const Operand &operand, int64_t first,
                                   int64_t without) {
  std::vector<int64_t> axes;
  for (int64_t axis = first; axis < operand.tensor().rank() - without; ++axis)
    axes.push_back(axis);
  return axes;
}

/// Throws GraphError if one of the first `count` extents is static in both
/// operands and differs between them.
static void expectEqualExtents(const Operand &prediction, const Operand &target,
                               int64_t count, const std::string &expected) {
  std::vector<int64_t> lhs = extentList(prediction);
  std::vector<int64_t> rhs = extentList(target);
  for (int64_t axis = 0; axis < count; ++axis)
    if (lhs[axis] != rhs[axis] && lhs[axis] != -1 && rhs[axis] != -1)
      raiseAt(prediction,
              expected + ", found " + toString(target.tensor().shape()));
}

/// Returns the operand with a run-time check that its dynamic extents are 1
/// where the static extents of `other` are 1. Operations check other dynamic
/// extents themselves, but would broadcast an extent of 1.
static Operand withOnesOf(const Operand &operand, const Operand &other) {
  std::vector<int64_t> found = extentList(operand);
  std::vector<int64_t> ones(found.size(), -1);
  bool differs = false;
  for (size_t axis = 0; axis < ones.size(); ++axis)
    if (found[axis] == -1 && extentList(other)[axis] == 1) {
      ones[axis] = 1;
      differs = true;
    }
  return differs ? Operand(ensureShape(operand, ones), operand.where())
                 : operand;
}

void dsl::matchShapes(Operand &prediction, Operand &target) {
  if (target.isNumber())
    return;
  const Shape shape = prediction.tensor().shape();
  std::string expected =
      "expected a target of the prediction's shape " + toString(shape);
  int64_t rank = target.tensor().rank();
  if (rank != prediction.tensor().rank())
    raiseAt(prediction,
            expected + ", found " + toString(target.tensor().shape()));
  expectEqualExtents(prediction, target, rank, expected);
  prediction = withOnesOf(prediction, target);
  target = withOnesOf(target, prediction);
}

void dsl::matchTargets(Operand &prediction, Operand &target,
                       const std::string &loss) {
  matchShapes(prediction, target);
  if (target.isNumber())
    return;
  DType expected = prediction.tensor().dtype();
  DType found = target.tensor().dtype();
  if (found != expected)
    raiseAt(prediction,
            loss + ": expected targets of the predictions' element type " +
                toString(expected) + ", found " + toString(found) + " " +
                toString(target.tensor().shape()));
}

void dsl::matchFloats(Operand &prediction, Operand &target) {
  DType dtype = prediction.tensor().dtype();
  if (!isFloat(dtype))
    dtype = target.tensor().dtype();
  if (!isFloat(dtype))
    dtype = f32;
  matchShapes(prediction, target);
  for (Operand *operand : {&prediction, &target})
    if (operand->tensor().dtype() != dtype)
      *operand = Operand(cast(*operand, dtype), operand->where());
}

void dsl::expectClasses(const Operand &prediction, const Operand &label) {
  const Tensor &rows = prediction.tensor();
  Shape shape = rows.shape();
  std::string expected = "expected class numbers for rows " + toString(shape);
  if (!shape.empty())
    shape.pop_back();
  expected += ", of shape " + toString(shape);
  if (rows.rank() == 0 || label.tensor().rank() != rows.rank() - 1)
    raiseAt(prediction,
            expected + ", found " + toString(label.tensor().shape()));
  expectEqualExtents(prediction, label, rows.rank() - 1, expected);
  if (DType dtype = label.tensor().dtype(); isFloat(dtype))
    raiseAt(prediction, "labels of class numbers must be integers, found " +
                            toString(dtype));
}
