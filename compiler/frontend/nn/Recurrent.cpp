//===- Recurrent.cpp - recurrent layers -----------------------------------===//
#include "tg/nn/Recurrent.h"
#include "compiler/frontend/graph/Build.h"
#include "tg/tensor/control.h"

using namespace tg;

using Tensors = std::vector<Tensor>;

namespace {
/// The inputs of a recurrent layer by role.
struct Sequence {
  /// [n, t, d], or [n, d] for a single step.
  Tensor rows;
  /// [n], or undefined.
  Tensor lengths;
  /// All states, or empty.
  Tensors states;
};
} // namespace

static Sequence sequenceOf(const Tensors &inputs, size_t states, int64_t units,
                           std::source_location where) {
  Sequence sequence{inputs[0], {}, {}};
  bool isStep = inputs[0].rank() == 2 && inputs.size() == states + 1;
  if ((inputs[0].rank() != 3 && !isStep) || !dsl::isFloat(inputs[0].dtype()))
    throw GraphError("expected a sequence [n, t, d] of floats, found " +
                         toString(inputs[0].dtype()) + " " +
                         toString(inputs[0].shape()),
                     where);
  size_t used = 1;
  // Initial states are floats of rank 2; lengths are neither.
  if (!isStep && inputs.size() > 1 &&
      (inputs[1].rank() == 1 || !dsl::isFloat(inputs[1].dtype()))) {
    sequence.lengths = inputs[1];
    ++used;
    if (inputs[1].rank() != 1 || inputs[1].dtype() == boolean ||
        dsl::isFloat(inputs[1].dtype()))
      throw GraphError("expected lengths [n] of integers, found " +
                           toString(inputs[1].dtype()) + " " +
                           toString(inputs[1].shape()),
                       where);
  }
  sequence.states.assign(inputs.begin() + int64_t(used), inputs.end());
  if (!sequence.states.empty() && sequence.states.size() != states)
    throw GraphError("expected " + std::to_string(states) +
                         " initial states or none, found " +
                         std::to_string(sequence.states.size()),
                     where);
  for (const Tensor &state : sequence.states)
    if (state.rank() != 2 || state.shape()[1].value != units)
      throw GraphError("expected states [n, " + std::to_string(units) +
                           "], found " + toString(state.shape()),
                       where);
  return sequence;
}

/// Returns zeros [n, units] for a sequence.
static Tensor zeroState(const Tensor &rows, int64_t units,
                        std::source_location where) {
  std::vector<Operand> operands = {
      dsl::scalar(rows.body(), 0, rows.dtype(), where)};
  int64_t count = rows.shape()[0].value;
  if (count < 0)
    operands.emplace_back(extentOf(rows, 0), where);
  return dsl::call(
      "broadcast_to", operands,
      {{"shape", std::vector<int64_t>{count < 0 ? -1 : count, units}}});
}

/// Returns the mask [t, n, 1] of the steps before the length of each row.
static Tensor maskOf(const Sequence &sequence, std::source_location where) {
  std::vector<int64_t> shape;
  std::vector<Operand> extents;
  for (int64_t axis : {1, 0}) {
    shape.push_back(dsl::extentList(sequence.rows).at(size_t(axis)));
    if (shape.back() == -1)
      extents.emplace_back(extentOf(sequence.rows, axis), where);
  }
  Tensor steps = dsl::iota(sequence.rows.body(), shape, extents, 0,
                           sequence.lengths.dtype(), where);
  return expandDims(steps < sequence.lengths, -1);
}

Recurrent::Recurrent(RecurrentOptions chosen, int64_t gates, int64_t states,
                     std::source_location where)
    : BaseLayer(where, chosen.name, chosen.variables),
      options(std::move(chosen)), where(where), gates(gates),
      stateCount(states) {
  if (options.units < 1)
    throw GraphError("expected at least 1 unit, found " +
                         std::to_string(options.units),
                     where);
  if (options.segments < 0)
    throw GraphError("expected segments of at least 0, found " +
                         std::to_string(options.segments),
                     where);
  if (options.returnIndices.empty())
    for (int64_t result = 0; result <= states; ++result)
      options.returnIndices.push_back(result);
  for (int64_t result : options.returnIndices)
    if (result < 0 || result > states)
      throw GraphError("expected results from 0 to " + std::to_string(states) +
                           ", found " + std::to_string(result),
                       where);
}

/// Returns the requested results.
static Tensors pick(const Tensors &results, const std::vector<int64_t> &which) {
  Tensors chosen;
  for (int64_t result : which)
    chosen.push_back(results[size_t(result)]);
  return chosen;
}

/// Returns the rows of a weight that multiply the input, and the rows that
/// multiply the state. The slices are built outside all enclosing loops, which
/// would otherwise slice the weight in each iteration.
static std::pair<Tensor, Tensor> splitWeight(const Variable &weight,
                                             int64_t width) {
  dsl::TopLevel outside(weight.body());
  return {weight[Slice(0, width)], weight[Slice(width)]};
}

/// The part of a step that depends only on the input is a single product for
/// all steps before the loop. The time dimension comes first, so that a step is
/// a slice of rows.
std::vector<Tensor> Recurrent::link(std::vector<Tensor> inputs, Mode) {
  Sequence sequence =
      sequenceOf(inputs, size_t(stateCount), options.units, where);
  const Tensor &rows = sequence.rows;
  int64_t units = options.units;
  int64_t width = rows.dim(-1, where);
  Variable weight =
      variable("weight", {width + units, gates * units},
               options.weightInitializer, {.dtype = rows.dtype()});
  Tensor bias = variable("bias", {gates * units}, options.biasInitializer,
                         {.dtype = rows.dtype(), .isWeight = false});
  buildCell(rows.dtype());
  auto [outer, inner] = splitWeight(weight, width);
  if (rows.rank() == 2) {
    Tensors next = step(matmul(rows, outer) + bias,
                        matmul(sequence.states.back(), inner), sequence.states);
    next.insert(next.begin(), next.back());
    return pick(next, options.returnIndices);
  }
  Tensor projected = matmul(transpose(rows, {1, 0, 2}), outer) + bias;
  dsl::LoopValues inits(sequence.states.begin(), sequence.states.end());
  if (inits.empty())
    inits.assign(size_t(stateCount), zeroState(rows, units, where));
  Tensors elements = {projected};
  if (sequence.lengths.isDefined())
    elements.push_back(maskOf(sequence, where));
  auto body = [&](const Tensors &arguments) {
    Tensors states(arguments.begin(), arguments.begin() + stateCount);
    Tensor gated = arguments[size_t(stateCount)];
    Tensors next = step(gated, matmul(states.back(), inner), states);
    next.push_back(next.back());
    if (elements.size() > 1) {
      const Tensor &isInside = arguments.back();
      for (size_t i = 0; i < states.size(); ++i)
        next[i] = select(isInside, next[i], states[i]);
      next.back() = select(isInside, next.back(), 0.0);
    }
    return next;
  };
  Tensors results =
      scan(body, inits, elements,
           {.reverse = options.reverse, .segments = options.segments}, where);
  results.insert(results.begin(), transpose(results.back(), {1, 0, 2}));
  return pick(results, options.returnIndices);
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

SimpleRNN::SimpleRNN(SimpleRNNOptions options, std::source_location where)
    : Recurrent({.units = options.units,
                 .returnIndices = std::move(options.returnIndices),
                 .reverse = options.reverse,
                 .segments = options.segments,
                 .weightInitializer = std::move(options.weightInitializer),
                 .biasInitializer = std::move(options.biasInitializer),
                 .variables = std::move(options.variables),
                 .name = std::move(options.name)},
                1, 1, where),
      activation(std::move(options.activation)) {}

Tensors SimpleRNN::step(Tensor projected, Tensor recurrent, const Tensors &) {
  Tensor sum = projected + recurrent;
  return {activation ? activation(sum) : sum};
}

void GRU::buildCell(DType dtype) {
  candidateBias =
      variable("candidate_bias", {options.units}, options.biasInitializer,
               {.dtype = dtype, .isWeight = false});
}

Tensors GRU::step(Tensor projected, Tensor recurrent, const Tensors &states) {
  Tensors outer = split(projected, 3, 1);
  Tensors inner = split(recurrent, 3, 1);
  Tensor reset = sigmoid(outer[0] + inner[0]);
  Tensor keep = sigmoid(outer[1] + inner[1]);
  Tensor candidate = tanh(outer[2] + reset * (inner[2] + candidateBias));
  return {(1.0 - keep) * candidate + keep * states[0]};
}

Tensors LSTM::step(Tensor projected, Tensor recurrent, const Tensors &states) {
  Tensors gates = split(projected + recurrent, 4, 1);
  Tensor cell =
      states[0] * sigmoid(gates[2] + 1.0) + sigmoid(gates[0]) * tanh(gates[1]);
  return {cell, tanh(cell) * sigmoid(gates[3])};
}

//===----------------------------------------------------------------------===//
// Lengths and both directions
//===----------------------------------------------------------------------===//

DynamicLSTM::DynamicLSTM(DynamicLSTMOptions options, std::source_location where)
    : LSTM({.units = options.units,
            .reverse = options.reverse,
            .weightInitializer = std::move(options.weightInitializer),
            .biasInitializer = std::move(options.biasInitializer),
            .variables = std::move(options.variables),
            .name = std::move(options.name)},
           where),
      constantSequenceLength(options.constantSequenceLength) {}

Tensors DynamicLSTM::link(Tensors inputs, Mode mode) {
  bool hasLengths = inputs.size() > 1 && !dsl::isFloat(inputs[1].dtype());
  bool isStep = inputs[0].rank() == 2 && !hasLengths;
  if (hasLengths == constantSequenceLength && !isStep)
    throw GraphError(
        constantSequenceLength
            ? "expected no lengths if constantSequenceLength is true, "
              "found some"
            : "expected lengths of the sequences as second input, "
              "or constantSequenceLength, found neither",
        where);
  return LSTM::link(std::move(inputs), mode);
}

static DynamicLSTMOptions direction(const DynamicBiLSTMOptions &options,
                                    bool isBackward) {
  return {.units = isBackward ? options.backwardUnits : options.forwardUnits,
          .constantSequenceLength = options.constantSequenceLength,
          .reverse = isBackward,
          .weightInitializer = options.weightInitializer,
          .name = isBackward ? "backward" : "forward"};
}

DynamicBiLSTM::DynamicBiLSTM(DynamicBiLSTMOptions options,
                             std::source_location where)
    : BaseLayer(where, options.name, options.variables),
      forward(direction(options, false), where),
      backward(direction(options, true), where) {}

Tensors DynamicBiLSTM::link(Tensors inputs, Mode mode) {
  if (inputs.size() > 2)
    dsl::raise("expected a sequence and its lengths, found " +
                   std::to_string(inputs.size()) + " inputs",
               inputs.front().body(), std::source_location::current());
  Tensors first = forward.fprop(inputs, mode);
  Tensors second = backward.fprop(inputs, mode);
  return {first[0], second[0], first[1], first[2], second[1], second[2]};
}

/// Returns the options of both directions for the merging layers.
template <typename Options>
static DynamicBiLSTMOptions bothDirections(const Options &options) {
  return {.forwardUnits = options.forwardUnits,
          .backwardUnits = options.backwardUnits,
          .constantSequenceLength = options.constantSequenceLength,
          .weightInitializer = options.weightInitializer,
          .variables = options.variables,
          .name = options.name};
}

BiLSTMMerge::BiLSTMMerge(BiLSTMMergeOptions options, std::source_location where)
    : DynamicBiLSTM(bothDirections(options), where),
      merge(std::move(options.merge)), where(where) {}

BiLSTMLastMerge::BiLSTMLastMerge(BiLSTMLastMergeOptions options,
                                 std::source_location where)
    : DynamicBiLSTM(bothDirections(options), where),
      merge(std::move(options.merge)), where(where) {}

Tensors BiLSTMMerge::link(Tensors inputs, Mode mode) {
  Tensors all = DynamicBiLSTM::link(std::move(inputs), mode);
  return merge->merge({all[0], all[1]}, where);
}

Tensors BiLSTMLastMerge::link(Tensors inputs, Mode mode) {
  Tensors all = DynamicBiLSTM::link(std::move(inputs), mode);
  return merge->merge({all[3], all[5]}, where);
}
