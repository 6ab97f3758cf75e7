//===- GradientOps.cpp - requests for gradients and their limits ----------===//
#include "dialects/tg/GradientOps.h"
#include "dialects/tg/StateOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace tg;

#define GET_OP_CLASSES
#include "dialects/tg/GradientOps.cpp.inc"

//===----------------------------------------------------------------------===//
// gradient
//===----------------------------------------------------------------------===//

/// C2: what is asked for is floating point, given, and given once.
static LogicalResult verifyWanted(GradientOp request) {
  llvm::SmallDenseSet<Value> values;
  for (Value value : request.getValues()) {
    if (!isa<FloatType>(getElementTypeOrSelf(value.getType())))
      return request.emitOpError()
             << "expected values that are floating point, found "
             << value.getType() << " [C2]";
    if (!values.insert(value).second)
      return request.emitOpError() << "expected every value once [C2]";
  }
  llvm::SmallDenseSet<Attribute> variables;
  if (ArrayAttr names = request.getVariablesAttr())
    for (Attribute name : names)
      if (!variables.insert(name).second)
        return request.emitOpError() << "expected " << name << " once [C2]";
  if (values.empty() && variables.empty())
    return request.emitOpError()
           << "expected at least one value or variable [C2]";
  return success();
}

LogicalResult GradientOp::verify() {
  if (failed(verifyWanted(*this)))
    return failure();
  if (!isa_and_nonnull<func::FuncOp>((*this)->getParentOp()))
    return emitOpError()
           << "expected to be at the top level of a function body [C3]";
  size_t wanted =
      getValues().size() + (getVariables() ? getVariables()->size() : 0);
  if (getNumResults() != wanted)
    return emitOpError() << "expected " << wanted << " results, found "
                         << getNumResults() << " [C3]";
  for (auto [value, gradient] : llvm::zip(getValues(), getGradients()))
    if (value.getType() != gradient.getType())
      return emitOpError() << "expected a gradient of type " << value.getType()
                           << ", found " << gradient.getType() << " [C3]";
  return success();
}

LogicalResult GradientOp::verifySymbolUses(SymbolTableCollection &symbols) {
  ArrayAttr names = getVariablesAttr();
  if (!names)
    return success();
  ResultRange gradients = getGradients().drop_front(getValues().size());
  for (auto [entry, gradient] : llvm::zip_equal(names, gradients)) {
    auto name = cast<FlatSymbolRefAttr>(entry);
    auto variable = symbols.lookupNearestSymbolFrom<VariableOp>(*this, name);
    if (!variable)
      return emitOpError() << "expected " << name << " to name a variable [C2]";
    if (!isa<FloatType>(getElementTypeOrSelf(variable.getType())))
      return emitOpError() << "expected variables that are floating point, "
                              "found "
                           << variable.getType() << " [C2]";
    if (variable.getType() != gradient.getType())
      return emitOpError() << "expected a gradient of type "
                           << variable.getType() << ", found "
                           << gradient.getType() << " [C3]";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// stop_gradient
//===----------------------------------------------------------------------===//

LogicalResult
StopGradientOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                             SmallVectorImpl<TensorExtents> &results) {
  results.push_back({getElementTypeOrSelf(adaptor.getInput().getType()),
                     inference.extentsOf(adaptor.getInput())});
  return success();
}

bool StopGradientOp::passesGradient(unsigned) { return false; }

SmallVector<Value> StopGradientOp::buildGradient(OpBuilder &, ValueRange) {
  return {Value()};
}

std::string StopGradientOp::evaluate(ArrayRef<HostTensor> operands,
                                     MutableArrayRef<HostTensor> results) {
  results[0] = operands[0];
  return {};
}

Value StopGradientOp::buildElement(ElementBuilder &element,
                                   const Position &position) {
  return element.operand(0, position);
}

bool StopGradientOp::isElementwise() { return true; }
