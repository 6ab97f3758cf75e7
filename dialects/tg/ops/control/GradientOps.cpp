//===- GradientOps.cpp - requests for gradients and their limits ----------===//
#include "dialects/tg/ops/control/GradientOps.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/Suggestions.h"
#include "dialects/tg/ops/control/ControlOps.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tg;

#include "dialects/tg/ops/control/GradientOpsDefinitions.inc"

//===----------------------------------------------------------------------===//
// gradient
//===----------------------------------------------------------------------===//

/// Checks C2: the requested values are floating point, there is at least one,
/// and none occurs twice.
static LogicalResult verifyRequested(GradientOp request) {
  llvm::SmallDenseSet<Value> values;
  for (auto [index, value] : llvm::enumerate(request.getValues())) {
    if (!isa<FloatType>(getElementTypeOrSelf(value.getType())))
      return request.emitOpError()
             << "expected values that are floating point, found "
             << value.getType() << " [C2]";
    if (!values.insert(value).second)
      return request.emitOpError() << "expected every value once, found value "
                                   << index << " twice [C2]";
  }
  llvm::SmallDenseSet<Attribute> variables;
  if (ArrayAttr names = request.getVariablesAttr())
    for (Attribute name : names)
      if (!variables.insert(name).second)
        return request.emitOpError()
               << "expected " << name << " once, found it twice [C2]";
  if (values.empty() && variables.empty())
    return request.emitOpError()
           << "expected at least one value or variable, found none [C2]";
  return success();
}

LogicalResult GradientOp::verify() {
  if (failed(verifyRequested(*this)))
    return failure();
  Operation *parent = (*this)->getParentOp();
  if (!isa_and_nonnull<func::FuncOp>(parent))
    return emitOpError()
           << "expected to be at the top level of a function body, found in "
           << (parent ? parent->getName().getStringRef() : "no op") << " [C3]";
  size_t requestedCount =
      getValues().size() + (getVariables() ? getVariables()->size() : 0);
  if (getNumResults() != requestedCount)
    return emitOpError() << "expected " << requestedCount << " results, found "
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
      return emitOpError() << "expected " << name << " to name a variable"
                           << suggestVariable(*this, name.getValue())
                           << " [C2]";
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

//===----------------------------------------------------------------------===//
// custom_gradient
//===----------------------------------------------------------------------===//

static bool isFloat(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value.getType()));
}

/// Returns the types of the values that have cotangents.
static SmallVector<Type> floatTypes(ValueRange values) {
  SmallVector<Type> types;
  for (Value value : values)
    if (isFloat(value))
      types.push_back(value.getType());
  return types;
}

/// Checks C1 or C2 of one region.
static LogicalResult verifyRegion(CustomGradientOp op, Region &region,
                                  TypeRange arguments, TypeRange yielded,
                                  StringRef name, StringRef label) {
  Block &block = region.front();
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield)
    return op.emitOpError()
           << "expected " << name << " to end in tg.yield [" << label << "]";
  auto check = [&](TypeRange found, TypeRange expected,
                   StringRef verb) -> LogicalResult {
    if (found.size() != expected.size())
      return op.emitOpError()
             << "expected " << name << " to " << verb << " " << expected.size()
             << " values, found " << found.size() << " [" << label << "]";
    for (auto [index, type, expectedType] : llvm::enumerate(found, expected))
      if (type != expectedType)
        return op.emitOpError() << "expected " << name << " to " << verb << " "
                                << expectedType << " as value " << index
                                << ", found " << type << " [" << label << "]";
    return success();
  };
  if (failed(check(block.getArgumentTypes(), arguments, "take")))
    return failure();
  return check(yield.getValues().getTypes(), yielded, "yield");
}

/// Checks C3: the ops are pure.
static LogicalResult verifyPure(CustomGradientOp op) {
  Operation *other = nullptr;
  op->walk([&](Operation *inner) {
    bool isPure = isMemoryEffectFree(inner) && !isa<GradientOp>(inner);
    if (inner != op && !isPure && !other)
      other = inner;
  });
  if (!other)
    return success();
  return op.emitOpError() << "expected only pure ops in its regions, found '"
                          << other->getName() << "' [C3]";
}

LogicalResult CustomGradientOp::verifyRegions() {
  if (failed(verifyPure(*this)) ||
      failed(verifyRegion(*this, getForward(), getInputs().getTypes(),
                          getResults().getTypes(), "forward", "C1")))
    return failure();
  SmallVector<Type> arguments(getInputs().getTypes());
  llvm::append_range(arguments, getResults().getTypes());
  llvm::append_range(arguments, floatTypes(getResults()));
  return verifyRegion(*this, getBackward(), arguments, floatTypes(getInputs()),
                      "backward", "C2");
}

/// Runs the shape rules of the ops in `forward` over the extents of the inputs.
LogicalResult
CustomGradientOp::inferExtents(ShapeInference &inference,
                               SmallVectorImpl<TensorExtents> &results) {
  Block &block = getForward().front();
  ExtentAnalysis analysis(getContext());
  for (auto [argument, input] :
       llvm::zip_equal(block.getArguments(), getInputs())) {
    analysis.setExtents(argument, inference.extentsOf(input));
    auto type = cast<RankedTensorType>(input.getType());
    if (type.getRank() == 0 && type.getElementType().isInteger(64))
      analysis.setSize(argument, inference.sizeOf(input));
  }
  // Unknown numbers in the region become symbols after those outside.
  auto firstUnknown = cast<AffineSymbolExpr>(inference.unknown());
  if (failed(analysis.run(block, firstUnknown.getPosition())))
    return failure();
  for (Value value : block.getTerminator()->getOperands()) {
    TensorExtents extents = {getElementTypeOrSelf(value.getType()), {}};
    for (AffineExpr extent : analysis.extentsOf(value)) {
      AffineExpr most = analysis.upperBoundOf(extent);
      if (!analysis.isKnownAtEntry(extent))
        extent = most ? inference.found(most) : inference.unknown();
      extents.dims.push_back(extent);
    }
    results.push_back(std::move(extents));
  }
  return success();
}

SmallVector<Value> CustomGradientOp::inlineRegion(OpBuilder &builder,
                                                  Region &region,
                                                  ValueRange arguments) {
  IRMapping values;
  values.map(region.front().getArguments(), arguments);
  for (Operation &op : region.front().without_terminator())
    builder.clone(op, values);
  return llvm::map_to_vector(region.front().getTerminator()->getOperands(),
                             [&](Value value) { return values.lookup(value); });
}

SmallVector<Value> CustomGradientOp::buildGradient(OpBuilder &builder,
                                                   ValueRange cotangents) {
  SmallVector<Value> arguments(getInputs());
  llvm::append_range(arguments, getResults());
  for (auto [result, cotangent] : llvm::zip_equal(getResults(), cotangents))
    if (isFloat(result))
      arguments.push_back(cotangent ? cotangent
                                    : buildZerosLike(builder, result));
  SmallVector<Value> yielded = inlineRegion(builder, getBackward(), arguments);
  SmallVector<Value> inputCotangents;
  size_t next = 0;
  for (Value input : getInputs())
    inputCotangents.push_back(isFloat(input) ? yielded[next++] : Value());
  return inputCotangents;
}
