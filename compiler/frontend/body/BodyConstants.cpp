//===- BodyConstants.cpp - constants --------------------------------------===//
#include "compiler/frontend/eager/Engine.h"
#include "dialects/tg/evaluation/PlainThread.h"
#include "dialects/tg/ops/elementwise/ConstantOps.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

/// The C++ type of an element as a number; bool for booleans.
template <ElementType element>
using Number = std::conditional_t<rowOf(element).rounding == TG_ROUNDING_TRUTH,
                                  bool, HostType<element>>;

/// Converts the elements to an attribute. A single element is a splat.
static DenseElementsAttr convertElements(RankedTensorType type,
                                         std::span<const double> elements) {
  return visitElement(
      tg::elementOf(type.getElementType()), [&]<ElementType element>() {
        SmallVector<Number<element>> numbers;
        for (double number : elements)
          numbers.push_back(static_cast<Number<element>>(number));
        return DenseElementsAttr::get(type,
                                      llvm::ArrayRef<Number<element>>(numbers));
      });
}

/// Returns true if an element type can hold a number. Floats round it, but a
/// finite number must not become infinite.
static bool isElement(double number, Type type) {
  return visitElement(tg::elementOf(type), [&]<ElementType element>() {
    using Limits = std::numeric_limits<Number<element>>;
    if (!Limits::is_integer)
      return !std::isfinite(number) ||
             std::isfinite(static_cast<Number<element>>(number));
    // The largest i64 is no double, but the number after it, 2^63, is one.
    return number == std::trunc(number) && number >= double(Limits::min()) &&
           number < std::ldexp(1.0, Limits::digits);
  });
}

Result<Id> Body::constant(const tg::TensorType &type,
                          std::span<const double> elements, Place where) {
  PlainThread plain;
  for (const Extent &extent : type.shape)
    if (extent.value < 0)
      return {0, makeError("expected a constant of known shape, found " +
                               toString(type.shape),
                           effectivePlace(where))};
  RankedTensorType converted = impl->convert(type);
  const char *kind = isa<FloatType>(converted.getElementType()) ? "" : "whole ";
  for (double element : elements) {
    if (isElement(element, converted.getElementType()))
      continue;
    // The sign of NaN has no meaning.
    double printed = std::isnan(element) ? std::abs(element) : element;
    return {0, makeError(llvm::formatv("expected {0}numbers that the element "
                                       "type holds, found {1}",
                                       kind, llvm::format("%.10g", printed))
                             .str(),
                         effectivePlace(where))};
  }
  if (elements.size() != 1 &&
      int64_t(elements.size()) != converted.getNumElements())
    return {0,
            makeError("expected " + std::to_string(converted.getNumElements()) +
                          " elements for " + toString(type.shape) + ", found " +
                          std::to_string(elements.size()),
                      effectivePlace(where))};
  if (impl->engine)
    return {impl->engine->addNumbers(converted, elements)};
  Operation *op = ConstantOp::create(*impl->builder, impl->locate(where),
                                     convertElements(converted, elements));
  return {impl->add(op->getResult(0))};
}
