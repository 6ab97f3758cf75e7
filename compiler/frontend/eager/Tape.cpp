//===- Tape.cpp - recordings of tapes -------------------------------------===//
#include "compiler/frontend/eager/Engine.h"

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

//===----------------------------------------------------------------------===//
// Recording
//===----------------------------------------------------------------------===//

size_t Engine::countRecorded() const {
  return impl.top->getOperations().size();
}

Engine::Recording &Engine::recordingOf(TapeState &tape) {
  auto [found, isNew] = recordings.try_emplace(tape.number);
  if (isNew) {
    found->second.before = impl.top->empty() ? nullptr : &impl.top->back();
    tape.bodies.push_back(body.weak_from_this());
  }
  return found->second;
}

void Engine::setStandIn(Id id, Value value, bool isActive) {
  Slot &slot = slots[id];
  slot.recorded = value;
  slot.epoch = epoch;
  slot.isActive = isActive;
  recordedValues[value] = slot.value;
}

Value Engine::standInOf(Id id) {
  Slot &slot = slots[id];
  if (slot.epoch == epoch)
    return slot.recorded;
  Value argument = impl.top->addArgument(slot.value.getType(),
                                         UnknownLoc::get(&impl.context));
  setStandIn(id, argument, /*isActive=*/false);
  if (slot.variable)
    versions[*slot.variable].push_back(argument);
  return argument;
}

void Engine::watch(TapeState &tape, Id value) {
  Recording &recording = recordingOf(tape);
  recording.watched.insert(standInOf(value));
  slots[value].isActive = true;
}

/// Returns true if a cotangent of a result propagates to the operand. Gradient
/// ops have no rule, but propagate cotangents once they are expanded.
static bool passes(Operation *op, unsigned operand) {
  if (auto rule = dyn_cast<DifferentiableOpInterface>(op))
    return rule.passesGradient(operand);
  return !op->hasTrait<tg::OpTrait::NonDifferentiable>();
}

static bool isFloatTensor(const HostTensor &tensor) {
  return isa<FloatType>(tensor.getElementType());
}

bool Engine::needsRecording(Operation *op, std::span<const Id> inputs) {
  if (!customGradients.empty())
    return customGradients.back()->isTraced;
  if (openTapes().empty() || RecordingPause::isOn())
    return false;
  bool isWanted = false;
  for (const std::shared_ptr<TapeState> &tape : openTapes()) {
    if (!tape->records)
      continue;
    for (auto [number, input] : llvm::enumerate(inputs)) {
      const Slot &slot = slots[input];
      if (!isFloatTensor(slot.value) || (op && !passes(op, number)))
        continue;
      if (tape->watchesVariables && slot.isTrainable)
        watch(*tape, input);
      isWanted |= isActive(slot);
      if (isActive(slot) && !unrecorded.empty())
        unrecorded.back().push_back(input);
    }
    recordingOf(*tape);
  }
  return isWanted && unrecorded.empty();
}

std::vector<Id> Engine::endUnrecorded() {
  std::vector<Id> taken = std::move(unrecorded.back());
  unrecorded.pop_back();
  llvm::sort(taken);
  taken.erase(llvm::unique(taken), taken.end());
  if (!unrecorded.empty())
    unrecorded.back().insert(unrecorded.back().end(), taken.begin(),
                             taken.end());
  return taken;
}

void Engine::record(Operation *op, std::span<const Id> inputs,
                    std::span<const Id> results, Place where) {
  Operation *copy = op->clone();
  copy->setLoc(impl.locate(where));
  for (auto [number, input] : llvm::enumerate(inputs))
    copy->setOperand(number, recordedValueOf(input));
  for (auto [id, result] : llvm::zip_equal(results, copy->getResults()))
    result.setType(slots[id].value.getType());
  recordOp(copy, results);
}

void Engine::close(const TapeState &tape) {
  if (recordings.erase(tape.number) != 0 && recordings.empty())
    forgetAll();
}

void Engine::forgetAll() {
  ++epoch;
  recordedValues.clear();
  for (SmallVector<Value, 1> &contents : versions)
    contents.clear();
  // Erase from the end, because users come after the ops whose results they
  // use.
  while (!impl.top->empty())
    impl.top->back().erase();
  impl.top->eraseArguments(0, impl.top->getNumArguments());
}

//===----------------------------------------------------------------------===//
// Dependence
//===----------------------------------------------------------------------===//

bool Engine::isRecorded(Id value) const {
  const Slot &slot = slots[value];
  return isActive(slot) || (slot.variable && watches(nullptr, value));
}

bool Engine::watches(const TapeState *tape, Id variable) const {
  const Slot &slot = slots[variable];
  if (slot.isTrainable && (!tape || tape->watchesVariables))
    return isFloatTensor(slot.value);
  if (!tape)
    return isActive(slot);
  auto recording = recordings.find(tape->number);
  return recording != recordings.end() &&
         llvm::any_of(versions[*slot.variable], [&](Value content) {
           return recording->second.watched.contains(content);
         });
}

SmallVector<Value> Engine::standInsOf(Id source) const {
  const Slot &slot = slots[source];
  if (slot.variable)
    return llvm::to_vector_of<Value>(versions[*slot.variable]);
  if (slot.epoch == epoch)
    return {slot.recorded};
  return {};
}

llvm::DenseSet<Value> Engine::reachedFrom(Value target) const {
  llvm::DenseSet<Value> reached = {target};
  SmallVector<Value> work = {target};
  while (!work.empty()) {
    Operation *op = work.pop_back_val().getDefiningOp();
    if (!op)
      continue;
    for (OpOperand &operand : op->getOpOperands())
      if (isa<FloatType>(getElementTypeOrSelf(operand.get().getType())) &&
          passes(op, operand.getOperandNumber()) &&
          reached.insert(operand.get()).second)
        work.push_back(operand.get());
  }
  return reached;
}

llvm::DenseSet<Value> Engine::watchedBy(const TapeState &tape) {
  const Recording &recording = recordings.at(tape.number);
  llvm::DenseSet<Value> known = recording.watched;
  Operation *first = recording.before    ? recording.before->getNextNode()
                     : impl.top->empty() ? nullptr
                                         : &impl.top->front();
  for (Operation *op = first; op; op = op->getNextNode())
    for (OpOperand &operand : op->getOpOperands())
      if (known.contains(operand.get()) &&
          passes(op, operand.getOperandNumber()))
        known.insert_range(op->getResults());
  return known;
}

std::vector<bool> Engine::reaches(Id target,
                                  std::span<const Id> sources) const {
  llvm::DenseSet<Value> reached;
  std::vector<bool> result;
  if (slots[target].variable) {
    for (Id source : sources)
      result.push_back(source == target && isRecorded(target));
    return result;
  }
  if (isActive(slots[target]))
    reached = reachedFrom(slots[target].recorded);
  for (Id source : sources)
    result.push_back(llvm::any_of(standInsOf(source), [&](Value value) {
      return reached.contains(value);
    }));
  return result;
}
