//===- IndexingOps.cpp - parts of tensors picked by indices ---------------===//
#include "dialects/tg/ops/movement/IndexingOps.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/ops/elementwise/BinaryOps.h"
#include "dialects/tg/ops/elementwise/MixedTypeOps.h"
#include "dialects/tg/ops/movement/ConstantOps.h"
#include "dialects/tg/ops/movement/Movement.h"
#include "dialects/tg/ops/structured/ReductionOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace tg;

#include "dialects/tg/ops/movement/IndexingOpsDefinitions.inc"

//===----------------------------------------------------------------------===//
// gather
//===----------------------------------------------------------------------===//

namespace {
/// Maps a position in gather's result to the position in `indices` of the index
/// that selects its element. Once that index is read, maps it to the position
/// of the element in the tensor.
struct GatherPositions {
  int64_t axis, batchDims, indexRank;

  /// Returns the position in `indices`: the batch dimensions, then the
  /// dimensions that replace the axis.
  template <typename T> SmallVector<T> inIndices(ArrayRef<T> index) const {
    SmallVector<T> result(index.take_front(batchDims));
    llvm::append_range(result, index.slice(axis, indexRank - batchDims));
    return result;
  }

  /// Returns the position in the tensor: `found`, the index that was read,
  /// replaces the dimensions of `indices`.
  template <typename T>
  SmallVector<T> inTensor(ArrayRef<T> index, T found) const {
    SmallVector<T> result(index.take_front(axis));
    result.push_back(found);
    llvm::append_range(result, index.drop_front(axis + indexRank - batchDims));
    return result;
  }
};
} // namespace

/// Checks R1: all indices lie in [0, extent). Returns the error message, or "".
static std::string checkIndices(const HostTensor &indices, int64_t extent) {
  for (int64_t element = 0; element < indices.getNumElements(); ++element) {
    int64_t index = indices.integerAt(element);
    if (index < 0 || index >= extent)
      return "expected index " + std::to_string(index) + " to be in [0, " +
             std::to_string(extent) + ") [R1]";
  }
  return {};
}

LogicalResult GatherOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                                     SmallVectorImpl<TensorExtents> &results) {
  FailureOr<SmallVector<AffineExpr>> dims =
      gatherExtents(inference, inference.extentsOf(adaptor.getInput()),
                    inference.extentsOf(adaptor.getIndices()),
                    adaptor.getAxis(), adaptor.getBatchDims());
  if (failed(dims))
    return failure();
  results.push_back({typeOf(adaptor.getInput()).getElementType(), *dims});
  return success();
}

std::optional<unsigned> GatherOp::getCheckedOperand() { return 1; }

std::optional<std::pair<unsigned, unsigned>> GatherOp::getIndexBound() {
  return std::pair<unsigned, unsigned>(0, getAxis());
}

bool GatherOp::passesGradient(unsigned operand) { return operand == 0; }

Value GatherOp::getAccessed() { return getResult(); }

SmallVector<Value> GatherOp::buildGradient(OpBuilder &builder,
                                           ValueRange cotangents) {
  Value zeros = buildZerosLike(builder, getInput());
  Value gradient = ScatterOp::create(builder, getLoc(), zeros, getIndices(),
                                     cotangents[0], getAxis(), getBatchDims());
  return {gradient, Value()};
}

std::string GatherOp::evaluate(ArrayRef<HostTensor> operands,
                               MutableArrayRef<HostTensor> results) {
  const HostTensor &indices = operands[1];
  std::string error = checkIndices(indices, operands[0].getShape()[getAxis()]);
  if (!error.empty())
    return error;
  GatherPositions positions{int64_t(getAxis()), int64_t(getBatchDims()),
                            indices.getRank()};
  fillFrom(results[0], operands[0], [&](ArrayRef<int64_t> index) {
    int64_t found = indices.integerAt(
        flatten(positions.inIndices(index), indices.getShape()));
    return positions.inTensor(index, found);
  });
  return {};
}

Value GatherOp::buildElement(ElementBuilder &element,
                             const Position &position) {
  OpBuilder &builder = element.builder;
  GatherPositions positions{int64_t(getAxis()), int64_t(getBatchDims()),
                            typeOf(getIndices()).getRank()};
  ArrayRef<Value> index = position.index;
  ArrayRef<int64_t> step = position.laneStep;
  Position indexPosition{positions.inIndices(index), positions.inIndices(step)};
  if (!indexPosition.isUniform())
    return {};
  Value found = element.operand(1, indexPosition);
  if (!found)
    return {};
  if (isa<VectorType>(found.getType()))
    found = vector::ExtractOp::create(builder, element.loc, found,
                                      ArrayRef<int64_t>{0});
  if (!found.getType().isInteger(64))
    found = arith::ExtSIOp::create(builder, element.loc, builder.getI64Type(),
                                   found);
  return element.operand(0, Position{positions.inTensor(index, found),
                                     positions.inTensor(step, int64_t(0))});
}

//===----------------------------------------------------------------------===//
// scatter
//===----------------------------------------------------------------------===//

LogicalResult ScatterOp::inferResults(Adaptor adaptor,
                                      ShapeInference &inference,
                                      SmallVectorImpl<TensorExtents> &results) {
  Type elementType = typeOf(adaptor.getBase()).getElementType();
  SmallVector<AffineExpr> base = inference.extentsOf(adaptor.getBase());
  FailureOr<SmallVector<AffineExpr>> dims =
      gatherExtents(inference, base, inference.extentsOf(adaptor.getIndices()),
                    adaptor.getAxis(), adaptor.getBatchDims());
  if (failed(dims))
    return failure();
  SmallVector<AffineExpr> updates = inference.extentsOf(adaptor.getUpdates());
  if (updates.size() != dims->size() ||
      typeOf(adaptor.getUpdates()).getElementType() != elementType)
    return inference.fail("expected updates of rank " + Twine(dims->size()) +
                          " and the element type of the base, found " +
                          llvm::to_string(typeOf(adaptor.getUpdates())) +
                          " [C3]");
  if (elementType.isInteger(1) && adaptor.getCombine() == "add")
    return inference.fail("expected a base of " +
                          describe(ElementClass::numeric) + ", found i1 [C3]");
  for (auto [axis, extent] : llvm::enumerate(updates))
    if (failed(inference.merge(extent, (*dims)[axis],
                               "updates dim " + Twine(axis),
                               "that of the gathered shape", "C3")))
      return failure();
  results.push_back({elementType, base});
  return success();
}

std::optional<unsigned> ScatterOp::getCheckedOperand() { return 1; }

std::optional<std::pair<unsigned, unsigned>> ScatterOp::getIndexBound() {
  return std::pair<unsigned, unsigned>(0, getAxis());
}

bool ScatterOp::passesGradient(unsigned operand) { return operand != 1; }

/// Builds an id for each update: the linear position, in the index tensor, of
/// the index that selects the position of the update. Updates of the same
/// position have different ids.
static Value buildUpdateIds(ImplicitLocOpBuilder &b, ScatterOp op) {
  Value updates = op.getUpdates();
  Value id = buildScalarConstant(b, b.getLoc(), b.getI64Type(), 0);
  int64_t indexedRank = op.getIndices().getType().getRank() - op.getBatchDims();
  for (int64_t axis = op.getAxis(), end = axis + indexedRank; axis < end;
       ++axis) {
    Value coordinate =
        IotaOp::create(b, buildDynamicExtents(b, updates), extentList(updates),
                       axis, TypeAttr::get(b.getI64Type()));
    Value extent = buildDim(b, b.getLoc(), updates, axis);
    id = AddOp::create(b, MulOp::create(b, id, extent), coordinate);
  }
  return buildBroadcastLike(b, id, updates);
}

// If several updates set the same position, only the last of them gets its
// cotangent. A scatter of the ids finds it: its id remains at the position.
SmallVector<Value> ScatterOp::buildGradient(OpBuilder &builder,
                                            ValueRange cotangents) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  Value g = cotangents[0];
  auto gather = [&](Value tensor) -> Value {
    return GatherOp::create(b, tensor, getIndices(), getAxisAttr(),
                            getBatchDimsAttr());
  };
  if (isSum())
    return {g, Value(), gather(g)};
  auto set = [&](Value base, Value updates) -> Value {
    return ScatterOp::create(b, base, getIndices(), updates, getAxisAttr(),
                             getBatchDimsAttr(), getCombineAttr());
  };
  Value ids = buildUpdateIds(b, *this);
  Value zeros = CastOp::create(b, buildZerosLike(b, getBase()), b.getI64Type());
  Value isLast =
      CompareOp::create(b, Predicate::eq, ids, gather(set(zeros, ids)));
  Value updates =
      SelectOp::create(b, isLast, gather(g), buildScalarLike(b, g, 0));
  return {set(g, buildZerosLike(b, getUpdates())), Value(), updates};
}

OpOperand &ScatterOp::getOverwrittenOperand() { return getBaseMutable(); }

Value ScatterOp::getAccessed() { return getUpdates(); }

//===----------------------------------------------------------------------===//
// scatter over all steps of a loop
//===----------------------------------------------------------------------===//

bool ScatterOp::canBatch(ArrayRef<bool>) { return false; }

Value ScatterOp::buildBatched(OpBuilder &, ValueRange, ArrayRef<bool>) {
  llvm_unreachable("scatter is not batched");
}

// If the base is zero, the sum over the steps is a single scatter of the
// indices and updates of all steps.
bool ScatterOp::canSumSteps(ArrayRef<bool> stepped) {
  return !stepped[0] && stepped[2] && isSum() && getAxis() == 0 &&
         getBatchDims() == 0 && matchPattern(getBase(), m_AnyZeroFloat());
}

// The loop would add a tensor as large as the result in each step. The scatter
// after the loop adds only the updates.
bool ScatterOp::isSummedForLess(ArrayRef<bool>) {
  RankedTensorType updates = getUpdates().getType();
  return !updates.hasStaticShape() || !getType().hasStaticShape() ||
         updates.getNumElements() <= getType().getNumElements();
}

Value ScatterOp::buildSumOfSteps(OpBuilder &builder, ValueRange operands,
                                 ArrayRef<bool> stepped) {
  Value updates = operands[2];
  if (!stepped[1])
    updates = ReduceSumOp::create(builder, getLoc(), updates,
                                  SmallVector<int64_t>{0});
  return ScatterOp::create(builder, getLoc(), operands[0], operands[1], updates,
                           /*axis=*/0, /*batch_dims=*/0);
}

std::string ScatterOp::evaluate(ArrayRef<HostTensor> operands,
                                MutableArrayRef<HostTensor> results) {
  const HostTensor &indices = operands[1], &updates = operands[2];
  HostTensor &result = results[0];
  std::string error = checkIndices(indices, result.getShape()[getAxis()]);
  if (!error.empty())
    return error;
  GatherPositions positions{int64_t(getAxis()), int64_t(getBatchDims()),
                            indices.getRank()};
  visitElementType(result.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    // Floats are summed in double. Integers are summed as unsigned ones, which
    // wrap.
    using Sum =
        std::conditional_t<std::is_floating_point_v<T>, double, uint64_t>;
    ArrayRef<T> base = operands[0].values<T>();
    std::vector<Sum> sums(base.begin(), base.end());
    for (int64_t element = 0; element < updates.getNumElements(); ++element) {
      Index index = unflatten(element, updates.getShape());
      int64_t found = indices.integerAt(flatten(
          positions.inIndices(ArrayRef<int64_t>(index)), indices.getShape()));
      Sum &sum =
          sums[flatten(positions.inTensor(ArrayRef<int64_t>(index), found),
                       result.getShape())];
      Sum update = Sum(updates.values<T>()[element]);
      sum = isSum() ? sum + update : update;
    }
    llvm::transform(sums, result.values<T>().begin(),
                    [](Sum sum) { return T(sum); });
  });
  return {};
}

//===----------------------------------------------------------------------===//
// nonzero
//===----------------------------------------------------------------------===//

LogicalResult NonzeroOp::inferResults(Adaptor adaptor,
                                      ShapeInference &inference,
                                      SmallVectorImpl<TensorExtents> &results) {
  RankedTensorType type = typeOf(adaptor.getInput());
  if (type.getRank() == 0)
    return inference.fail("expected an input of rank 1 or more, found rank 0 "
                          "[C1]");
  results.push_back({IntegerType::get(inference.getContext(), 64),
                     {inference.countTrue(adaptor.getInput()),
                      inference.constant(type.getRank())}});
  return success();
}

std::string NonzeroOp::evaluate(ArrayRef<HostTensor> operands,
                                MutableArrayRef<HostTensor> results) {
  ArrayRef<uint8_t> flags = operands[0].values<uint8_t>();
  int64_t *next = results[0].values<int64_t>().data();
  for (auto [element, flag] : llvm::enumerate(flags))
    if (flag)
      next = llvm::copy(unflatten(element, operands[0].getShape()), next);
  return {};
}
