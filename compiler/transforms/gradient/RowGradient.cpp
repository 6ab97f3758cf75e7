//===- RowGradient.cpp - gradients of few rows of a table -----------------===//
#include "compiler/transforms/gradient/RowGradient.h"
#include "dialects/tg/ops/movement/ConstantOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tg;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

std::optional<double> tg::findNumber(Value value) {
  SplatElementsAttr splat;
  if (!matchPattern(value, m_Constant(&splat)))
    return std::nullopt;
  std::optional<HostTensor> one = HostTensor::fromAttribute(
      splat.resizeSplat(RankedTensorType::get({}, splat.getElementType())),
      /*maximumBytes=*/sizeof(double));
  return one ? std::optional(one->numberAt(0)) : std::nullopt;
}

bool tg::isRowGradient(ScatterOp scatter) {
  return scatter.isSum() && scatter.getAxis() == 0 &&
         scatter.getBatchDims() == 0 && scatter.getType().hasStaticShape() &&
         matchPattern(scatter.getBase(), m_AnyZeroFloat());
}

//===----------------------------------------------------------------------===//
// Values computed from the gradient
//===----------------------------------------------------------------------===//

/// Evaluates an elementwise op for one element of known operands.
static std::optional<double> evaluate(Operation *op,
                                      ArrayRef<KnownElement> operands) {
  auto evaluable = dyn_cast<EvaluableOpInterface>(op);
  if (!evaluable)
    return std::nullopt;
  SmallVector<HostTensor> inputs;
  for (auto [operand, known] : llvm::zip_equal(op->getOperands(), operands)) {
    if (!known.number)
      return std::nullopt;
    HostTensor &tensor = inputs.emplace_back(typeOf(operand).getElementType(),
                                             ArrayRef<int64_t>());
    visitElementType(tensor.getElementType(), [&](auto zero) {
      using T = decltype(zero);
      tensor.values<T>()[0] = T(*known.number);
    });
  }
  HostTensor result(typeOf(op->getResult(0)).getElementType(),
                    ArrayRef<int64_t>());
  if (!evaluable.evaluate(inputs, result).empty())
    return std::nullopt;
  return result.numberAt(0);
}

bool RowGradient::hasRows(Value value) const {
  RankedTensorType table = typeOf(gradient);
  RankedTensorType type = typeOf(value);
  return type.getRank() == table.getRank() &&
         type.getDimSize(0) == table.getDimSize(0);
}

KnownElement RowGradient::elementOf(Value operand) const {
  auto known = values.find(operand);
  if (known != values.end())
    return known->second;
  if (std::optional<double> number = findNumber(operand))
    return {number, {}};
  return {std::nullopt, operand};
}

/// Returns true if the untouched rows of the assigned value are rows of another
/// value of the same type, such as the old table.
bool RowGradient::keepsUntouchedRows(AssignOp assign) const {
  Value old = oldOf(assign);
  return old && old.getType() == assign.getValue().getType();
}

/// Returns true if the untouched rows are the neutral element of the reduction.
bool RowGradient::ignoresUntouchedRows(ReductionOpInterface reduction) const {
  if (reduction->getNumOperands() != 1 || reduction->getNumResults() != 1 ||
      reduction.countTerms() != 1 || reduction.usesShift() ||
      !llvm::is_contained(reduction.getReducedAxes(), 0))
    return false;
  Value input = reduction->getOperand(0);
  KnownElement element = elementOf(input);
  if (!element.number || !isa<FloatType>(typeOf(input).getElementType()))
    return false;
  Block scratch;
  OpBuilder builder(input.getContext());
  builder.setInsertionPointToEnd(&scratch);
  Value neutral = reduction.buildNeutral(builder, reduction.getLoc(),
                                         typeOf(input).getElementType());
  FloatAttr number;
  return matchPattern(neutral, m_Constant(&number)) &&
         number.getValueAsDouble() == *element.number;
}

/// Adds a user of values with the table's shape. Returns false if the op needs
/// all rows.
bool RowGradient::add(Operation *op) {
  if (auto assign = dyn_cast<AssignOp>(op)) {
    assigns.push_back(assign);
    return keepsUntouchedRows(assign);
  }
  if (auto reduction = dyn_cast<ReductionOpInterface>(op)) {
    reductions.push_back(reduction);
    return ignoresUntouchedRows(reduction);
  }
  if (!isa<ElementwiseOpInterface>(op) || op->getNumResults() != 1 ||
      typeOf(op->getResult(0)).getShape() != typeOf(gradient).getShape() ||
      !llvm::all_of(op->getOperands(), [](Value operand) {
        return typeOf(operand).hasStaticShape();
      }))
    return false;
  SmallVector<KnownElement> operands = llvm::map_to_vector(
      op->getOperands(), [&](Value operand) { return elementOf(operand); });
  KnownElement result;
  if (std::optional<double> number = evaluate(op, operands))
    result = {number, {}};
  else if (auto linear = dyn_cast<LinearOpInterface>(op))
    result = linear.findResult(operands);
  values.insert({op->getResult(0), result});
  return true;
}

/// Visits all direct and indirect users in block order. Returns false if one
/// needs all rows.
bool RowGradient::collect() {
  llvm::SetVector<Operation *> users;
  Operation *scatter = gradient.getDefiningOp();
  users.insert(scatter);
  for (unsigned index = 0; index < users.size(); ++index) {
    Operation *op = users[index];
    if (op->getBlock() != scatter->getBlock())
      return false;
    if (op == scatter || isa<ElementwiseOpInterface>(op))
      users.insert(op->user_begin(), op->user_end());
  }
  SmallVector<Operation *> ordered(llvm::drop_begin(users));
  llvm::sort(ordered,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  values.insert({gradient, KnownElement{0.0, {}}});
  return llvm::all_of(ordered, [&](Operation *op) { return add(op); });
}

std::optional<RowGradient> RowGradient::find(ScatterOp gradient) {
  RowGradient found(gradient.getResult());
  // In a table of one row, a row could not be distinguished from a broadcast
  // value.
  RankedTensorType table = gradient.getType();
  bool isTable = table.getRank() > 0 && table.getDimSize(0) > 1 &&
                 table.getNumElements() > 0;
  if (!isTable || !found.collect() ||
      (found.assigns.empty() && found.reductions.empty()))
    return std::nullopt;
  return found;
}

SmallVector<Value> RowGradient::findChain(Value value) const {
  llvm::SetVector<Value> needed;
  needed.insert(value);
  for (unsigned index = 0; index < needed.size(); ++index)
    if (needed[index] != gradient)
      for (Value operand : needed[index].getDefiningOp()->getOperands())
        if (contains(operand))
          needed.insert(operand);
  SmallVector<Value> chain;
  for (const auto &entry : values)
    if (needed.contains(entry.first))
      chain.push_back(entry.first);
  return chain;
}

bool RowGradient::isLinear(AssignOp assign) const {
  Value old = oldOf(assign);
  return llvm::all_of(findChain(assign.getValue()), [&](Value value) {
    if (value == gradient)
      return true;
    Operation *op = value.getDefiningOp();
    auto linear = dyn_cast<LinearOpInterface>(op);
    SmallVector<bool> varied =
        llvm::map_to_vector(op->getOperands(), [&](Value operand) {
          return operand == old || contains(operand);
        });
    return linear && linear.isLinearIn(varied);
  });
}
