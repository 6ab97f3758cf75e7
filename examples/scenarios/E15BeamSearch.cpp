/// The most likely sequences of tokens by beam search: the textbook version, in
/// which a finished beam fills others with copies of itself, and a version
/// without copies. Two beams find 0 1 2 0 and 0 1 2 3, of probability 0.1 each.
/// With four beams, all begin with the finished 0 2 3 of probability 0.12.
#include "Scenario.h"

#include <limits>
using namespace tg;

namespace {
constexpr int64_t tokens = 4, begin = 0, end = 3;
/// The probability of a token (column) after another one (row).
const std::vector<double> transitions = {.1, .5, .3, .1, .2,  .2,  .5,  .1,
                                         .4, .1, .1, .4, .25, .25, .25, .25};

/// The state of the beams [beams], with the tokens chosen so far [length + 1,
/// beams].
struct Beams {
  Tensor sums, ids, isOpen;
  TensorArray chosen;
};

struct BeamSearch {
  Program program{"beams"};
  int64_t width, length;
  bool keepsCopies;
  Tensor logits = log(program.constant(transitions, f32, {tokens, tokens}));

  Beams start();
  Beams step(const Beams &before, const Tensor &position) const;
  void run(bool loops, const std::vector<float> &ids,
           const std::vector<float> &probabilities);
};

/// Only one beam is possible at first, so that the beams become different.
Beams BeamSearch::start() {
  std::vector<double> first(size_t(width),
                            -std::numeric_limits<double>::infinity());
  first[0] = 0;
  return {program.constant(first, f32, {width}),
          program.fill({width}, begin, i64), program.ones({width}),
          TensorArray(program, length + 1, i64, {width})};
}

Beams BeamSearch::step(const Beams &before, const Tensor &position) const {
  Tensor next = logSoftmax(gather(logits, before.ids));
  if (keepsCopies) {
    next *= expandDims(before.isOpen, 1);
  } else { // a finished beam has one continuation
    Tensor continuations =
        select(iotaLike(next, 1) == double(end), 0.0,
               zerosLike(next) - std::numeric_limits<double>::infinity());
    next = select(expandDims(before.isOpen, 1) > 0.0, next, continuations);
  }
  TopK best = topK(flatten(expandDims(before.sums, 1) + next, 0), width);
  Tensor beam = best.indices / double(tokens);
  Tensor ids = best.indices % double(tokens);
  Tensor chosen = gather(before.chosen.stack(), beam, {.axis = 1});
  Tensor isOpen = gather(before.isOpen, beam) * cast(ids != double(end), f32);
  return {best.values, ids, isOpen, TensorArray(chosen).write(position, ids)};
}

void BeamSearch::run(bool loops, const std::vector<float> &ids,
                     const std::vector<float> &probabilities) {
  Beams beams = start();
  if (loops) {
    auto last = whileLoop([&](Tensor trip, Tensor, Tensor, Tensor,
                              TensorArray) { return trip < double(length); },
                          [&](Tensor trip, Tensor sums, Tensor ids,
                              Tensor isOpen, TensorArray chosen) {
                            Beams next =
                                step({sums, ids, isOpen, chosen}, trip + 1);
                            return std::tuple(trip + 1, next.sums, next.ids,
                                              next.isOpen, next.chosen);
                          },
                          {program.constant(0, i64), beams.sums, beams.ids,
                           beams.isOpen, beams.chosen});
    beams = {last[1], last[2], last[3], last[4]};
  } else {
    for (int64_t position = 1; position <= length; ++position)
      beams = step(beams, program.constant(double(position), i64));
  }
  Tensor rows = transpose(beams.chosen.stack(), {1, 0});
  program.function("run", {.outputs = {{"ids", cast(rows, f32)},
                                       {"probabilities", exp(beams.sums)}}});
  Context context = load(program).context();
  const Outputs &outputs = context.run("run", {});
  expect(outputs, "ids", ids);
  expect(outputs, "probabilities", probabilities, 1e-6);
}
} // namespace

int main() {
  for (bool loops : {false, true}) {
    BeamSearch{.width = 2, .length = 3, .keepsCopies = true}.run(
        loops, {0, 1, 2, 0, 0, 1, 2, 3}, {.1f, .1f});
    BeamSearch{.width = 4, .length = 3, .keepsCopies = true}.run(
        loops, {0, 2, 3, 0, 0, 2, 3, 1, 0, 2, 3, 2, 0, 2, 3, 3},
        {.12f, .12f, .12f, .12f});
    BeamSearch{.width = 4, .length = 3, .keepsCopies = false}.run(
        loops, {0, 2, 3, 3, 0, 1, 2, 0, 0, 1, 2, 3, 0, 2, 0, 1},
        {.12f, .1f, .1f, .06f});
  }
}
