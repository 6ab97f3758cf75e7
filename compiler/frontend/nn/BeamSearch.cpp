//===- BeamSearch.cpp - beam search for sequences of tokens ---------------===//
#include "compiler/frontend/graph/Build.h"
#include "tg/nn/beam_search.h"

#include <cmath>
#include <limits>

using namespace tg;
using namespace tg::dsl;

using Tensors = std::vector<Tensor>;

namespace {
/// The loop-carried values. Beam j of example i is row i · width + j.
struct State {
  /// The iteration number, a scalar i64.
  Tensor iteration;
  /// The last tokens, i64 [n · width], and all tokens so far [n · width,
  /// length].
  Tensor tokens, history;
  /// The scores [n, width], and true for beams that are not finished, [n ·
  /// width].
  Tensor scores, isUnfinished;
  /// The states of the step, [n · width, ...] each.
  Tensors model;

  explicit State(const Tensors &all)
      : iteration(all[0]), tokens(all[1]), history(all[2]), scores(all[3]),
        isUnfinished(all[4]), model(all.begin() + 5, all.end()) {}
  State() = default;

  LoopValues list() const {
    LoopValues values = {iteration, tokens, history, scores, isUnfinished};
    values.insert(values.end(), model.begin(), model.end());
    return values;
  }
};
} // namespace

static void checkStates(const Tensors &states, const Operand &begin,
                        Place where) {
  if (states.empty() && begin.isNumber())
    throw GraphError("expected states [n, ...] of n examples or their begin "
                     "tokens [n], found neither",
                     where);
  std::vector<Operand> given(states.begin(), states.end());
  if (!begin.isNumber())
    given.push_back(begin);
  bodyOf(given, where);
  for (const Tensor &state : states)
    if (state.rank() == 0)
      throw GraphError("expected states [n, ...] of n examples, found a scalar",
                       where);
}

/// Throws GraphError unless the begin tokens are a whole number or integers
/// [n], one per example.
static void checkBegin(const Tensors &states, const Operand &begin) {
  Place where = begin.where();
  if (begin.isNumber()) {
    if (begin.number() != std::floor(begin.number()))
      throw GraphError("expected a whole number as begin token, found " +
                           std::to_string(begin.number()),
                       where);
    return;
  }
  const Tensor &tokens = begin.tensor();
  if (tokens.rank() != 1 || isFloat(tokens.dtype()) ||
      tokens.dtype() == boolean)
    throw GraphError("expected begin tokens [n] of integers, found " +
                         toString(tokens.dtype()) + " " +
                         toString(tokens.shape()),
                     where);
  int64_t found = extentList(tokens)[0];
  int64_t count = states.empty() ? -1 : extentList(states[0])[0];
  if (found != -1 && count != -1 && found != count)
    throw GraphError("expected a begin token for each of " +
                         std::to_string(count) + " examples, found " +
                         std::to_string(found),
                     where);
}

static void check(const RegionFunction &step, const Tensors &states,
                  const BeamSearchOptions &options, Place where) {
  checkStates(states, options.begin, where);
  checkBegin(states, options.begin);
  if (!step.run)
    throw GraphError("expected a step, found an empty function", where);
  if (step.parameters != SIZE_MAX && step.parameters != states.size() + 1)
    throw GraphError("expected a step of " + std::to_string(states.size() + 1) +
                         " parameters, the tokens and each of the states, "
                         "found one of " +
                         std::to_string(step.parameters),
                     where);
  if (options.width < 1 || options.length < 1)
    throw GraphError("expected a width and a length of at least 1, found " +
                         std::to_string(options.width) + " and " +
                         std::to_string(options.length),
                     where);
}

/// Returns the index of each beam within its example, [n, width].
static Tensor beamIndices(const Tensor &examples, int64_t width, DType dtype,
                          Place where) {
  int64_t count = extentList(examples)[0];
  std::vector<Operand> extents;
  if (count == -1)
    extents.push_back(extentOf(Operand(examples, where), 0));
  return iota(examples.body(), {count, width}, extents, 1, dtype, where);
}

/// Returns the initial state. Only the first beam of each example has a finite
/// score, so that the first step chooses different tokens for the beams.
static State start(const Tensors &states, const BeamSearchOptions &options,
                   Place where) {
  State state;
  DType dtype = f32;
  for (const Tensor &each : states) {
    if (isFloat(each.dtype()))
      dtype = each.dtype();
    state.model.push_back(repeat(Operand(each, where), options.width, 0));
  }
  const Operand &begin = options.begin;
  const Tensor &examples = states.empty() ? begin.tensor() : states[0];
  Tensor beams = beamIndices(examples, options.width, dtype, where);
  state.scores =
      select(beams == 0.0, 0.0,
             zerosLike(beams) - std::numeric_limits<double>::infinity());
  Tensor rows = flatten(beams, 0);
  state.iteration = scalar(examples.body(), 0, i64, where);
  state.tokens = begin.isNumber() ? cast(zerosLike(rows), i64) + begin.number()
                                  : repeat(cast(begin, i64), options.width, 0);
  state.history =
      tile(expandDims(cast(zerosLike(rows), i64), 1), {1, options.length}) +
      double(options.end);
  state.isUnfinished = rows >= 0.0;
  return state;
}

/// Returns the logits and the next states that a step computes.
static Tensors runStep(const RegionFunction &step, const State &state,
                       Place where) {
  Tensors arguments = {state.tokens};
  arguments.insert(arguments.end(), state.model.begin(), state.model.end());
  Tensors results;
  for (const LoopValue &value : step.run(arguments))
    results.push_back(value.tensor);
  if (results.size() != arguments.size())
    throw GraphError("expected a step that returns logits and " +
                         std::to_string(state.model.size()) +
                         " states, found " + std::to_string(results.size()) +
                         " values",
                     where);
  return results;
}

/// Returns the log probabilities of all next tokens, [n · width, k]. A finished
/// beam continues with the end token only, or with any token, at no cost.
static Tensor likelihoods(const Tensor &logits, const State &state,
                          const BeamSearchOptions &options,
                          FinishedBeams finished, Place where) {
  if (logits.rank() != 2 || !isFloat(logits.dtype()))
    raise("expected logits [n * width, k] of floats as first result of the "
          "step, found " +
              toString(logits.dtype()) + " " + toString(logits.shape()),
          logits.body(), where);
  if (int64_t count = logits.dim(1, where);
      options.end < 0 || options.end >= count)
    raise("expected an end token in [0, " + std::to_string(count) +
              "), found " + std::to_string(options.end),
          logits.body(), where);
  Tensor next = logSoftmax(cast(logits, state.scores.dtype()));
  Tensor stays = zerosLike(next);
  if (finished == FinishedBeams::once)
    stays = select(iotaLike(next, 1) == double(options.end), 0.0,
                   stays - std::numeric_limits<double>::infinity());
  return select(expandDims(state.isUnfinished, 1), next, stays);
}

/// Selects the best beams of each example, and gathers the state of the beams
/// that they extend.
static State choose(const State &before, const Tensor &next,
                    const Tensors &model, const BeamSearchOptions &options) {
  int64_t width = options.width;
  int64_t count = next.dim(1);
  Tensor sums = reshape(next, {-1, width, count});
  sums += expandDims(before.scores, 2);
  TopK best = topK(flatten(sums, 1), width);
  double tokens = double(count);
  Tensor beam = best.indices / tokens, token = best.indices % tokens;
  Tensor example = iotaLike(beam, 0) * double(width);
  Tensor row = flatten(example + beam, 0);
  State state;
  state.iteration = before.iteration + 1;
  state.tokens = flatten(token, 0);
  state.history =
      updateSlice(gather(before.history, row), expandDims(state.tokens, 1),
                  {0, before.iteration});
  state.scores = best.values;
  state.isUnfinished =
      gather(before.isUnfinished, row) & (state.tokens != double(options.end));
  for (const Tensor &each : model)
    state.model.push_back(gather(each, row));
  return state;
}

Beams dsl::buildBeamSearch(const RegionFunction &step, const Tensors &states,
                           const BeamSearchOptions &options,
                           FinishedBeams finished, Place where) {
  check(step, states, options, where);
  State first = start(states, options, where);
  // With copied beams, the loop runs for all tokens, since finished beams are
  // extended.
  auto continues = [&](const Tensors &all) {
    State state(all);
    Tensor isShort = state.iteration < double(options.length);
    return finished == FinishedBeams::once
               ? isShort & reduceAny(state.isUnfinished)
               : isShort;
  };
  auto advance = [&](const Tensors &all) {
    State state(all);
    Tensors made = runStep(step, state, where);
    Tensor next = likelihoods(made[0], state, options, finished, where);
    made.erase(made.begin());
    return choose(state, next, made, options).list();
  };
  State last(buildWhile(regionOf(continues), regionOf(advance), first.list(),
                        {.maxTrip = options.length}, where));
  Tensor tokens = reshape(last.history, {-1, options.width, options.length});
  if (finished == FinishedBeams::copied)
    tokens = concat({reshape(first.tokens, {-1, options.width, 1}), tokens}, 2);
  return {tokens, last.scores};
}
