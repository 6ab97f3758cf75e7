//===- BodyOps.cpp - builds ops by name, and constants --------------------===//
#include "compiler/frontend/body/BodyImpl.h"
#include "compiler/frontend/body/EagerEvaluator.h"
#include "dialects/tg/Sentences.h"
#include "dialects/tg/evaluation/DefaultModesGuard.h"
#include "dialects/tg/ops/movement/ConstantOps.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

/// Infers the result types of an op from its operands and attributes. Ops store
/// declared attributes as properties, so temporary properties are made for the
/// call.
static LogicalResult inferTypes(OperationState &state) {
  RegisteredOperationName name = *state.name.getRegisteredInfo();
  DictionaryAttr attributes =
      state.attributes.getDictionary(state.getContext());
  auto infer = [&](OpaqueProperties properties) {
    return name.getInterface<InferTypeOpInterface>()->inferReturnTypes(
        state.getContext(), state.location, state.operands, attributes,
        properties, state.regions, state.types);
  };
  if (name.getOpPropertyByteSize() == 0)
    return infer(nullptr);
  SmallVector<std::max_align_t> storage(
      name.getOpPropertyByteSize() / sizeof(std::max_align_t) + 1);
  OpaqueProperties properties(storage.data());
  name.initOpProperties(properties, OpaqueProperties(nullptr));
  LogicalResult inferred = name.setOpPropertiesFromAttribute(
      state.name, properties, attributes,
      [&] { return emitError(state.location); });
  if (succeeded(inferred))
    inferred = infer(properties);
  name.destroyOpProperties(properties);
  return inferred;
}

LogicalResult dsl::verifyWithOwnMessages(Operation *op) {
  ScopedDiagnosticHandler handler(
      op->getContext(), [op](Diagnostic &diagnostic) -> LogicalResult {
        std::string said = diagnostic.str();
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error ||
            hasRule(said))
          return failure();
        std::string sentence = rephraseOpError(op, said);
        if (sentence == said)
          return failure();
        emitInstead(diagnostic, diagnostic.getLocation(), sentence);
        return success();
      });
  return verify(op);
}

bool Body::Impl::verifyOrErase(Operation *op) {
  if (succeeded(verifyWithOwnMessages(op)))
    return true;
  op->erase();
  return false;
}

Operation *Body::Impl::buildOp(OpBuilder &builder, llvm::StringRef mnemonic,
                               ValueRange operands, DictionaryAttr attributes,
                               Location loc) {
  OperationState state(loc, ("tg." + mnemonic).str());
  state.addOperands(operands);
  state.addAttributes(attributes.getValue());
  if (failed(inferTypes(state)))
    return nullptr;
  Operation *op = builder.create(state);
  return verifyOrErase(op) ? op : nullptr;
}

Result<std::vector<Id>> Body::build(std::string_view op,
                                    std::span<const Id> inputs,
                                    std::span<const dsl::Attribute> attributes,
                                    Place where) {
  DefaultModesGuard guard;
  if (impl->evaluator)
    return impl->evaluator->build(op, inputs, attributes, where);
  if (auto error = impl->checkVisible(inputs, effectivePlace(where)))
    return {{}, impl->inScope(std::move(*error))};
  SmallVector<Value> operands;
  for (Id input : inputs)
    operands.push_back(impl->use(input));
  NamedAttrList list;
  for (const dsl::Attribute &attribute : attributes)
    list.set(llvm::StringRef(attribute.name), impl->convert(attribute));
  Capture capture(&impl->context);
  Operation *built =
      impl->buildOp(*impl->builder, op, operands,
                    list.getDictionary(&impl->context), impl->locate(where));
  if (!built)
    return {{}, impl->inScope(capture.take("a valid op"))};
  impl->trackExtents(built);
  return {impl->addAll(built->getResults())};
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// The C++ type of an element as a number; bool for booleans, the type whose
/// rounding is TG_ROUNDING_TRUTH.
template <ElementType element>
using Number =
    std::conditional_t<typeInfoOf(element).rounding == TG_ROUNDING_TRUTH, bool,
                       HostType<element>>;

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
static bool isRepresentable(double number, Type type) {
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
  DefaultModesGuard guard;
  for (const Extent &extent : type.shape)
    if (extent.value < 0)
      return {0, makeError("expected a constant of known shape, found " +
                               toString(type.shape),
                           effectivePlace(where))};
  RankedTensorType converted = impl->convert(type);
  const char *kind = isa<FloatType>(converted.getElementType()) ? "" : "whole ";
  for (double element : elements) {
    if (isRepresentable(element, converted.getElementType()))
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
  if (impl->evaluator)
    return {impl->evaluator->addNumbers(converted, elements)};
  Operation *op = ConstantOp::create(*impl->builder, impl->locate(where),
                                     convertElements(converted, elements));
  return {impl->add(op->getResult(0))};
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

std::shared_ptr<const void> Body::hold(Id value) {
  return impl->evaluator ? impl->evaluator->hold(shared_from_this(), value)
                         : nullptr;
}

std::optional<std::span<const char>> Body::bytesOf(Id value) const {
  if (!impl->evaluator)
    return std::nullopt;
  const HostTensor &tensor = impl->evaluator->valueOf(value);
  return std::span(tensor.data(), tensor.getNumBytes());
}

Result<Id> Body::fromBytes(const tg::TensorType &type,
                           std::span<const char> bytes, Place where) {
  RankedTensorType converted = impl->convert(type);
  HostTensor tensor(converted.getElementType(), converted.getShape());
  std::copy(bytes.begin(), bytes.end(), tensor.data());
  if (impl->evaluator)
    return {impl->evaluator->add(std::move(tensor))};
  Operation *op = ConstantOp::create(*impl->builder, impl->locate(where),
                                     tensor.toAttribute());
  return {impl->add(op->getResult(0))};
}
