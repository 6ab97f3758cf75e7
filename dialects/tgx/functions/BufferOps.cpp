//===- BufferOps.cpp - buffers, and the ops that access them --------------===//
#include "dialects/tg/ops/control/StateOps.h"
#include "dialects/tg/ops/movement/Movement.h"
#include "dialects/tgx/Checks.h"
#include "dialects/tgx/verification/Verification.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace tgx;

/// Returns the size, in bytes, of a buffer of a static type.
static AffineExpr staticBytes(Value buffer) {
  auto type = cast<RankedTensorType>(buffer.getType());
  std::optional<int64_t> bytes =
      tg::checkedByteCount(type.getShape(), type.getElementType());
  return getAffineConstantExpr(*bytes, type.getContext());
}

//===----------------------------------------------------------------------===//
// input, output
//===----------------------------------------------------------------------===//

/// Checks C1 of tgx.input and tgx.output: entry `index` of `values`, the inputs
/// or outputs of the function, has the type of the buffer.
static LogicalResult verifyIndex(Operation *buffer, ArrayAttr values,
                                 int64_t index) {
  if (index < 0 || index >= int64_t(values.size()))
    return buffer->emitOpError() << "expected an index below " << values.size()
                                 << ", found " << index << " [C1]";
  // The verifier of the function reports values that are not valid.
  auto value = dyn_cast<DictionaryAttr>(values[index]);
  auto type = value ? value.getAs<TypeAttr>("type") : nullptr;
  Type found = buffer->getResult(0).getType();
  if (!type || type.getValue() == found)
    return success();
  return buffer->emitOpError()
         << "expected the type of value " << index << ", " << type.getValue()
         << ", found " << found << " [C1]";
}

/// Returns the size, in bytes, of entry `index` of `values`, the inputs or
/// outputs of a function.
static AffineExpr countValueBytes(Value buffer, ArrayAttr values,
                                  int64_t index) {
  auto extents = cast<DictionaryAttr>(values[index])
                     .getAs<AffineMapAttr>("extents")
                     .getValue();
  return tg::productOf(extents.getResults(), buffer.getContext()) *
         tg::elementBytes(getElementTypeOrSelf(buffer));
}

static FunctionOp functionOf(Operation *buffer) {
  return buffer->getParentOfType<FunctionOp>();
}

LogicalResult InputOp::verify() {
  return verifyIndex(*this, functionOf(*this).getInputs(), getIndex());
}

AffineExpr InputOp::countBytes() {
  return countValueBytes(getBuffer(), functionOf(*this).getInputs(),
                         getIndex());
}

Attribute InputOp::getIdentity() { return getIndexAttr(); }

LogicalResult OutputOp::verify() {
  return verifyIndex(*this, functionOf(*this).getOutputs(), getIndex());
}

AffineExpr OutputOp::countBytes() {
  return countValueBytes(getBuffer(), functionOf(*this).getOutputs(),
                         getIndex());
}

Attribute OutputOp::getIdentity() { return getIndexAttr(); }

bool OutputOp::isWritable() { return true; }

bool OutputOp::isFilledAtEntry() { return false; }

//===----------------------------------------------------------------------===//
// slab, packed
//===----------------------------------------------------------------------===//

/// Returns the variable that a buffer names, or null after a diagnostic.
static tg::VariableOp lookupVariable(Operation *buffer, FlatSymbolRefAttr name,
                                     SymbolTableCollection &symbols) {
  auto variable = symbols.lookupNearestSymbolFrom<tg::VariableOp>(buffer, name);
  if (!variable)
    buffer->emitOpError() << "expected " << name << " to name a variable [C1]";
  return variable;
}

/// Checks C1: variables have static types.
static LogicalResult verifyStatic(Operation *buffer) {
  auto type = cast<RankedTensorType>(buffer->getResult(0).getType());
  if (type.hasStaticShape())
    return success();
  return buffer->emitOpError()
         << "expected a static type, found " << type << " [C1]";
}

LogicalResult SlabOp::verify() { return verifyStatic(*this); }

LogicalResult SlabOp::verifySymbolUses(SymbolTableCollection &symbols) {
  tg::VariableOp variable = lookupVariable(*this, getVariableAttr(), symbols);
  if (!variable)
    return failure();
  if (variable.getType() == getBuffer().getType())
    return success();
  return emitOpError() << "expected the type of " << getVariableAttr() << ", "
                       << variable.getType() << ", found "
                       << getBuffer().getType() << " [C1]";
}

AffineExpr SlabOp::countBytes() { return staticBytes(getBuffer()); }

Attribute SlabOp::getIdentity() { return getVariableAttr(); }

bool SlabOp::isWritable() { return true; }

LogicalResult PackedOp::verify() { return verifyStatic(*this); }

LogicalResult PackedOp::verifySymbolUses(SymbolTableCollection &symbols) {
  tg::VariableOp variable = lookupVariable(*this, getVariableAttr(), symbols);
  if (!variable)
    return failure();
  auto extents = AffineMap::get(getContext());
  KernelOp kernel = verifyKernelUse(*this, getKernelAttr(), variable.getType(),
                                    getBuffer().getType(), extents, symbols);
  if (!kernel)
    return failure();
  if (unsigned cells = kernel.countCells())
    return emitOpError() << "expected a kernel without checks, found " << cells
                         << " predicates [C2]";
  if (kernel.getStrategy() == Strategy::custom)
    return success();
  return emitOpError() << "expected a kernel of strategy custom, found "
                       << stringifyStrategy(kernel.getStrategy()) << " [C2]";
}

AffineExpr PackedOp::countBytes() { return staticBytes(getBuffer()); }

Attribute PackedOp::getIdentity() {
  return ArrayAttr::get(getContext(), {getVariableAttr(), getKernelAttr()});
}

//===----------------------------------------------------------------------===//
// constant, workspace, view
//===----------------------------------------------------------------------===//

LogicalResult ConstantOp::verify() {
  if (getValue().getType() != getBuffer().getType())
    return emitOpError() << "expected a value of " << getBuffer().getType()
                         << ", found " << getValue().getType() << " [C1]";
  return tg::verifyConstantValue(*this, getValue());
}

AffineExpr ConstantOp::countBytes() { return staticBytes(getBuffer()); }

LogicalResult WorkspaceOp::verify() {
  int64_t last = -1;
  for (int64_t below : getAbove()) {
    if (below <= last || below >= int64_t(getId()))
      return emitOpError() << "expected ids of buffers below " << getId()
                           << " in ascending order, found " << below << " [C1]";
    last = below;
  }
  if (failed(verifyNumber(*this, getBytes(), "bytes", "C2")))
    return failure();
  std::optional<int64_t> bytes = tg::staticExtent(countBytes());
  auto type = cast<RankedTensorType>(getBuffer().getType());
  bool fits = type.hasStaticShape() ? countBytes() == staticBytes(getBuffer())
                                    : bytes.value_or(0) >= 0;
  if (fits)
    return success();
  return emitOpError() << "expected the size of " << type << ", found "
                       << getBytesAttr() << " [C2]";
}

AffineExpr WorkspaceOp::countBytes() { return getBytes().getResult(0); }

bool WorkspaceOp::isWritable() { return true; }

bool WorkspaceOp::isFilledAtEntry() { return false; }

LogicalResult ViewOp::verify() {
  Type found = getElementTypeOrSelf(getBuffer());
  Type expected = getElementTypeOrSelf(getSource());
  if (found == expected)
    return success();
  return emitOpError() << "expected elements of " << expected << ", found "
                       << found << " [C1]";
}

AffineExpr ViewOp::countBytes() { return {}; }

Value ViewOp::getViewed() { return getSource(); }

//===----------------------------------------------------------------------===//
// launch, copy, host, entry_check
//===----------------------------------------------------------------------===//

OperandRange LaunchOp::getSources() { return getInputs(); }

OperandRange LaunchOp::getTargets() { return getOutputs(); }

LogicalResult CopyOp::verify() {
  if (failed(verifyNumber(*this, getBytes(), "bytes", "C1")))
    return failure();
  Type found = getElementTypeOrSelf(getTarget());
  Type expected = getElementTypeOrSelf(getSource());
  if (found == expected)
    return success();
  return emitOpError() << "expected a target of " << expected << ", found "
                       << found << " [C2]";
}

OperandRange CopyOp::getSources() {
  return getOperation()->getOperands().take_front();
}

OperandRange CopyOp::getTargets() {
  return getOperation()->getOperands().drop_front();
}

ArrayRef<AffineExpr> HostOp::getExtentsOf(unsigned operand) {
  int64_t before = 0;
  for (Value value : getOperation()->getOperands().take_front(operand))
    before += cast<RankedTensorType>(value.getType()).getRank();
  auto type = cast<RankedTensorType>(getOperand(operand).getType());
  return getExtents().getResults().slice(before, type.getRank());
}

AffineExpr HostOp::countBytesOf(unsigned operand) {
  return tg::productOf(getExtentsOf(operand), getContext()) *
         tg::elementBytes(getElementTypeOrSelf(getOperand(operand)));
}

AffineExpr HostOp::countBytes() {
  AffineExpr bytes = getAffineConstantExpr(0, getContext());
  for (unsigned operand = 0; operand < getNumOperands(); ++operand)
    bytes = bytes + countBytesOf(operand);
  return bytes;
}

/// Checks C2 and C3 of tgx.host: the op has the inputs, outputs and kernel that
/// its action allows.
static LogicalResult verifyAction(HostOp op) {
  bool calls = op.getAction() == tg::HostAction::call;
  if (op.getKernel() && (!calls || op.getOutputs().empty()))
    return op.emitOpError() << "expected a call with an output to have the "
                               "kernel, found "
                            << op.getOutputs().size() << " outputs of a "
                            << stringifyHostAction(op.getAction()) << " [C3]";
  if (calls)
    return success();
  if (op.getInputs().size() != 1 || !op.getOutputs().empty())
    return op.emitOpError() << "expected one input and no output, found "
                            << op.getInputs().size() << " and "
                            << op.getOutputs().size() << " [C2]";
  auto type = cast<RankedTensorType>(op.getInputs().front().getType());
  if (op.getAction() == tg::HostAction::print ||
      (type.getRank() == 0 && type.getElementType().isInteger(1)))
    return success();
  return op.emitOpError() << "expected an input of tensor<i1>, found " << type
                          << " [C2]";
}

LogicalResult HostOp::verify() {
  AffineMap all = getExtents();
  int64_t count = 0;
  for (Type type : getOperandTypes())
    count += cast<RankedTensorType>(type).getRank();
  if (all.getNumResults() != count)
    return emitOpError() << "expected " << count << " extents, found "
                         << all.getNumResults() << " [C1]";
  for (unsigned operand = 0; operand < getNumOperands(); ++operand) {
    auto map = AffineMap::get(0, all.getNumSymbols(), getExtentsOf(operand),
                              getContext());
    if (failed(verifyExtents(
            *this, map, cast<RankedTensorType>(getOperand(operand).getType()),
            all.getNumSymbols(), "operand " + Twine(operand), "C1")))
      return failure();
  }
  return verifyAction(*this);
}

OperandRange HostOp::getSources() { return getInputs(); }

OperandRange HostOp::getTargets() { return getOutputs(); }

LogicalResult MeasureOp::verify() {
  auto type = cast<RankedTensorType>(getNumber().getType());
  if (type.getRank() != 0 || !type.getElementType().isInteger(64))
    return emitOpError() << "expected a number of tensor<i64>, found " << type
                         << " [C1]";
  if (failed(verifyNumber(*this, getMost(), "most", "C1")))
    return failure();
  auto function = (*this)->getParentOfType<FunctionOp>();
  int64_t symbol = getSymbolAttr().getInt();
  if (!function && symbol >= 0)
    return success();
  if (!function || symbol < function.getBoundCount() ||
      symbol >= function.countUncomputed())
    return emitOpError() << "expected a data-dependent symbol, found " << symbol
                         << " [C1]";
  AffineExpr most =
      function.getFound()->getResult(symbol - function.getBoundCount());
  if (getMost().getResult(0) == most)
    return success();
  return emitOpError() << "expected the upper bound " << llvm::to_string(most)
                       << ", found " << llvm::to_string(getMost().getResult(0))
                       << " [C1]";
}

OperandRange MeasureOp::getSources() { return getOperation()->getOperands(); }

OperandRange MeasureOp::getTargets() {
  return getOperation()->getOperands().drop_front();
}

tg::ExtentRelation EntryCheckOp::getRelation() {
  if (getAtMost())
    return tg::ExtentRelation::atMost;
  return getAtLeast() ? tg::ExtentRelation::atLeast : tg::ExtentRelation::equal;
}

std::string EntryCheckOp::getMessage() {
  return (getWhat() + " is %f, expected " + tg::boundPhrase(getRelation()) +
          "%e [" + getLabel() + "]")
      .str();
}

ExtentCheckOpInterface tgx::checkExtents(OpBuilder &builder,
                                         const tg::ExtentCheck &check,
                                         AffineMap found, AffineMap expected) {
  auto flag = [&](tg::ExtentRelation relation) {
    return check.relation == relation ? builder.getUnitAttr() : UnitAttr();
  };
  return EntryCheckOp::create(
      builder, check.op->getLoc(), AffineMapAttr::get(found),
      AffineMapAttr::get(expected), flag(tg::ExtentRelation::atMost),
      flag(tg::ExtentRelation::atLeast), builder.getStringAttr(check.what),
      builder.getStringAttr(check.op->getName().getStringRef()),
      builder.getStringAttr(check.label));
}

LogicalResult
EntryCheckOp::inferExtents(tg::ShapeInference &inference,
                           SmallVectorImpl<tg::TensorExtents> &results) {
  if (getRelation() == tg::ExtentRelation::equal)
    inference.assume(getFound().getResult(0), getExpected().getResult(0));
  return success();
}

LogicalResult EntryCheckOp::verify() {
  if (failed(verifyNumber(*this, getFound(), "found", "C1")) ||
      failed(verifyNumber(*this, getExpected(), "expected", "C1")))
    return failure();
  if (getAtMost() && getAtLeast())
    return emitOpError() << "expected at_most or at_least, found both [C1]";
  return verifySymbols(*this, getFound().getNumSymbols(), "C1");
}
