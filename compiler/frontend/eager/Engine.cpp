//===- Engine.cpp - evaluation of the ops of a body as they are built -----===//
#include "compiler/frontend/eager/Engine.h"
#include <cmath>

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

namespace {
/// A reference to a value of a body, which keeps the value alive.
class Holder {
public:
  Holder(std::shared_ptr<Body> owner, Engine &engine, Id id)
      : owner(std::move(owner)), engine(engine), id(id) {}
  ~Holder() { engine.release(id); }
  Holder(const Holder &) = delete;

private:
  std::shared_ptr<Body> owner;
  Engine &engine;
  Id id;
};
} // namespace

Engine::Engine(Body &body, Body::Impl &impl, bool isExact)
    : body(body), impl(impl), isExact(isExact), cache(impl) {}

Engine::~Engine() = default;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Id Engine::add(HostTensor value) {
  if (freeIds.empty()) {
    freeIds.push_back(Id(slots.size()));
    slots.emplace_back();
  }
  Id id = freeIds.back();
  freeIds.pop_back();
  slots[id].value = std::move(value);
  return id;
}

std::shared_ptr<const void> Engine::hold(const std::shared_ptr<Body> &owner,
                                         Id id) {
  Slot &slot = slots[id];
  if (slot.variable)
    return nullptr;
  std::shared_ptr<const void> holder = slot.holder.lock();
  if (!holder) {
    holder = std::make_shared<Holder>(owner, *this, id);
    slot.holder = holder;
  }
  return holder;
}

void Engine::release(Id id) {
  for (const std::unique_ptr<CustomGradient> &open : customGradients)
    open->values.erase(id);
  slots[id] = Slot();
  impl.initSamples.erase(id);
  freeIds.push_back(id);
}

tg::TensorType Engine::type(Id id) const {
  return Body::Impl::convert(slots[id].value.getType());
}

Id Engine::addNumbers(RankedTensorType type, std::span<const double> numbers) {
  HostTensor tensor(type.getElementType(), type.getShape());
  visitElementType(type.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    MutableArrayRef<T> elements = tensor.values<T>();
    for (size_t i = 0; i < elements.size(); ++i)
      elements[i] = static_cast<T>(numbers[numbers.size() == 1 ? 0 : i]);
  });
  return add(std::move(tensor));
}

Id Engine::addSeed(const std::string &variable) {
  HostTensor tensor(IntegerType::get(&impl.context, 64), {});
  tensor.values<int64_t>()[0] = seed;
  Id id = add(std::move(tensor));
  impl.initSamples[id].first = variable;
  return id;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

Error Engine::errorAt(const std::string &message, Place where) const {
  Place place = body.effectivePlace(where);
  return impl.inScope(
      {message, place.file_name(), place.line(), place.column()});
}

std::string Engine::nameOp(llvm::StringRef op, const std::string &sentence) {
  if (llvm::StringRef(sentence).starts_with("'"))
    return sentence;
  return ("'" + op + "' op " + sentence).str();
}

namespace {
/// The presence and the first positions of NaN and infinity in a tensor.
struct BadNumbers {
  bool hasNan = false, hasInfinity = false;
  int64_t nanAt = 0, infinityAt = 0;

  explicit BadNumbers(const HostTensor &tensor) {
    visitElementType(tensor.getElementType(), [&](auto zero) {
      using T = decltype(zero);
      if constexpr (std::is_floating_point_v<T>)
        for (auto [index, number] : llvm::enumerate(tensor.values<T>()))
          note(number, int64_t(index));
    });
  }

private:
  template <typename T> void note(T number, int64_t index) {
    if (std::isfinite(number))
      return;
    bool isNan = number != number;
    bool &has = isNan ? hasNan : hasInfinity;
    if (!has)
      (isNan ? nanAt : infinityAt) = index;
    has = true;
  }
};
} // namespace

std::string Engine::findBadNumber(llvm::StringRef op,
                                  ArrayRef<HostTensor> operands,
                                  ArrayRef<HostTensor> results) const {
  for (const HostTensor &result : results) {
    BadNumbers found(result);
    if (!found.hasNan && !found.hasInfinity)
      continue;
    // Infinity may be intended. An error is reported only for the op that
    // produced the first NaN or infinity, not for ops that propagate it.
    for (const HostTensor &operand : operands) {
      BadNumbers input(operand);
      found.hasNan &= !input.hasNan;
      found.hasInfinity &= !input.hasNan && !input.hasInfinity;
    }
    if (!found.hasNan && !found.hasInfinity)
      continue;
    int64_t position = found.hasNan ? found.nanAt : found.infinityAt;
    std::string text;
    for (int64_t index : unflatten(position, result.getShape()))
      text += (text.empty() ? " at position [" : ", ") + std::to_string(index);
    return nameOp(op, "expected a finite number" + text +
                          (text.empty() ? "" : "]") + ", found " +
                          (found.hasNan                    ? "NaN"
                           : result.numberAt(position) < 0 ? "-infinity"
                                                           : "infinity"));
  }
  return "";
}

Result<std::vector<Id>>
Engine::build(std::string_view op, std::span<const Id> inputs,
              std::span<const dsl::Attribute> attributes, Place where) {
  SmallVector<HostTensor, 4> operands;
  for (Id input : inputs)
    operands.push_back(slots[input].value);
  auto [cached, mistake] = cache.find(op, operands, attributes, where);
  if (mistake)
    return {{}, impl.inScope(std::move(*mistake))};
  auto rule = cast<EvaluableOpInterface>(cached->op);
  SmallVector<HostTensor, 2> results;
  std::string error;
  if (isExact) {
    if (!cached->reference)
      cached->reference = std::make_unique<OpReference>(cached->op);
    error = cached->reference->evaluate(operands, results);
  } else if (cached->results) {
    for (const auto &[type, shape] : *cached->results)
      results.emplace_back(type, shape);
    error = rule.evaluate(operands, results);
  } else {
    error = evaluateOp(rule, operands, results);
  }
  llvm::StringRef name = cached->op->getName().getStringRef();
  if (!error.empty())
    return {{}, errorAt(nameOp(name, error), where)};
  if (checksNumerics)
    if (error = findBadNumber(name, operands, results); !error.empty())
      return {{}, errorAt(error, where)};
  std::vector<Id> ids;
  for (HostTensor &result : results)
    ids.push_back(add(std::move(result)));
  if (needsRecording(cached->op, inputs))
    record(cached->op, inputs, ids, where);
  return {ids};
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

Id Engine::addVariable(const VariableSpec &spec) {
  RankedTensorType type = impl.convert(spec.type);
  Id id = add(HostTensor(type.getElementType(), type.getShape()));
  slots[id].variable = unsigned(versions.size());
  slots[id].isTrainable = spec.trainable;
  versions.emplace_back();
  return id;
}

void Engine::assign(Id variable, Id value) {
  assign(variable, slots[value].value);
}

void Engine::assign(Id variable, HostTensor value) {
  slots[variable].value = std::move(value);
  // Recorded ops read the previous value, so the variable needs a new stand-in.
  slots[variable].epoch = 0;
}
