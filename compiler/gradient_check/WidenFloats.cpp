//===- WidenFloats.cpp - a model that computes in f64 ---------------------===//
#include "compiler/gradient_check/WidenFloats.h"
#include "dialects/tg/Tg.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace tg;

Type tg::widenElement(Type elementType) {
  return isa<FloatType>(elementType)
             ? mlirTypeOf(ElementType::f64, elementType.getContext())
             : elementType;
}

HostTensor tg::convertFloats(const HostTensor &tensor, Type elementType) {
  if (tensor.getElementType() == elementType)
    return tensor;
  HostTensor result(elementType, tensor.getShape());
  visitFloatType(elementType, [&](auto zero) {
    using T = decltype(zero);
    MutableArrayRef<T> elements = result.values<T>();
    for (size_t i = 0; i < elements.size(); ++i)
      elements[i] = static_cast<T>(tensor.numberAt(int64_t(i)));
  });
  return result;
}

HostSignatures tg::collectHostTypes(ModuleOp module) {
  auto typesOf = [](ValueRange values) {
    return llvm::map_to_vector(values, [](Value value) {
      return getElementTypeOrSelf(value.getType());
    });
  };
  HostSignatures signatures;
  module.walk([&](HostOpInterface op) {
    if (op.getHostAction() == HostAction::call)
      signatures[op.getHostText().str()] = {typesOf(op.getHostInputs()),
                                            typesOf(op->getResults())};
  });
  return signatures;
}

/// Returns the machine epsilon of a type, 0 for integers.
static double epsilonOf(Type elementType) {
  double epsilon = 0;
  visitFloatType(elementType, [&](auto zero) {
    epsilon = double(std::numeric_limits<decltype(zero)>::epsilon());
  });
  return epsilon;
}

double tg::roundingOf(Operation *op, const HostSignatures &host) {
  double rounding = std::numeric_limits<double>::epsilon();
  op->walk([&](HostOpInterface call) {
    auto types = host.find(call.getHostText().str());
    if (types == host.end())
      return;
    for (Type type : types->second.inputs)
      rounding = std::max(rounding, epsilonOf(type));
    for (Type type : types->second.results)
      rounding = std::max(rounding, epsilonOf(type));
  });
  return rounding;
}

/// Converts the numbers of a constant to f64. A splat stays a splat.
static Attribute widenNumbers(ElementsAttr numbers) {
  auto type = cast<RankedTensorType>(numbers.getType());
  RankedTensorType wide = type.clone(widenElement(type.getElementType()));
  if (auto dense = dyn_cast<DenseElementsAttr>(numbers))
    if (dense.isSplat() && isa<FloatType>(type.getElementType())) {
      double number = dense.getSplatValue<APFloat>().convertToDouble();
      return DenseElementsAttr::get(wide, ArrayRef(number));
    }
  std::optional<HostTensor> values =
      HostTensor::fromAttribute(numbers, std::numeric_limits<int64_t>::max());
  return values ? convertFloats(*values, wide.getElementType()).toAttribute()
                : Attribute(numbers);
}

LogicalResult tg::widenFloats(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [](FloatType type) -> Type { return widenElement(type); });
  using Replaced = std::optional<std::pair<Attribute, WalkResult>>;
  replacer.addReplacement([](ElementsAttr numbers) -> Replaced {
    auto type = dyn_cast<RankedTensorType>(numbers.getType());
    if (!type || !isa<FloatType>(type.getElementType()))
      return std::pair(Attribute(numbers), WalkResult::skip());
    return std::pair(widenNumbers(numbers), WalkResult::skip());
  });
  replacer.addReplacement([](FloatAttr number) -> Replaced {
    return std::pair(Attribute(FloatAttr::get(widenElement(number.getType()),
                                              number.getValueAsDouble())),
                     WalkResult::skip());
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  return verify(module);
}
