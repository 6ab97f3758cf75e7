//===- WidenFloats.cpp - a model that computes in f64 ---------------------===//
#include "compiler/gradient_check/WidenFloats.h"
#include "dialects/tg/HostOps.h"
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
    for (size_t at = 0; at < elements.size(); ++at)
      elements[at] = static_cast<T>(tensor.numberAt(int64_t(at)));
  });
  return result;
}

void tg::collectHostTypes(ModuleOp module, HostInputs &inputs,
                          HostResults &results) {
  auto typesOf = [](ValueRange values) {
    return llvm::map_to_vector(values, [](Value value) {
      return getElementTypeOrSelf(value.getType());
    });
  };
  module.walk([&](HostCallOp op) {
    inputs[op.getCallee().str()] = typesOf(op.getInputs());
    results[op.getCallee().str()] = typesOf(op.getResults());
  });
}

/// The numbers of a constant in f64. A splat stays one.
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
