//===- Regions.cpp - common code of ops with regions ----------------------===//
#include "dialects/tg/ops/control/Regions.h"
#include "dialects/tg/Builders.h"

using namespace mlir;
using namespace tg;

LogicalResult tg::checkTypes(Operation *op, TypeRange found, TypeRange expected,
                             StringRef what, StringRef label) {
  if (found.size() != expected.size())
    return op->emitOpError()
           << "expected " << expected.size() << " values of the " << what
           << ", found " << found.size() << " [" << label << "]";
  for (auto [index, type, expectedType] : llvm::enumerate(found, expected))
    if (type != expectedType)
      return op->emitOpError()
             << "expected value " << index << " of the " << what << " to be "
             << expectedType << ", found " << type << " [" << label << "]";
  return success();
}

LogicalResult tg::checkYield(RegionOpInterface op, unsigned region,
                             StringRef what, StringRef label) {
  Operation *end = op->getRegion(region).front().getTerminator();
  return checkTypes(op, end->getOperandTypes(), op.getYieldTypes(region), what,
                    label);
}

SmallVector<TensorExtents> tg::tensorExtentsOf(ShapeInference &inference,
                                               ValueRange values) {
  return llvm::map_to_vector(values, [&](Value value) {
    return TensorExtents{getElementTypeOrSelf(value),
                         inference.extentsOf(value)};
  });
}

void tg::castTo(MutableArrayRef<OpOperand> operands, TypeRange types) {
  OpBuilder builder(operands.empty() ? nullptr : operands[0].getOwner());
  for (auto [operand, type] : llvm::zip_equal(operands, types))
    operand.set(buildOfType(builder, operand.getOwner()->getLoc(),
                            operand.get(), cast<RankedTensorType>(type)));
}

void tg::castYield(RegionOpInterface op, unsigned region) {
  Operation *end = op->getRegion(region).front().getTerminator();
  if (end->getNumOperands())
    castTo(end->getOpOperands(), op.getYieldTypes(region));
}

void tg::setTypes(ValueRange values, TypeRange types) {
  for (auto [value, type] : llvm::zip_equal(values, types))
    value.setType(type);
}
