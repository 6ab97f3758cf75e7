/// Beam search for the most likely sequences of tokens.
///
///   Beams beams = beamSearch(
///       [&](Tensor tokens, Tensor cell, Tensor output) {
///         auto [next, nextCell, nextOutput] =
///             lstm.testFprop<3>(embed.testFprop(tokens), cell, output);
///         return std::array{logits.testFprop(next), nextCell, nextOutput};
///       },
///       {cell, output}, {.width = 4, .length = 20, .begin = 1, .end = 2});
#ifndef TG_NN_BEAM_SEARCH_H
#define TG_NN_BEAM_SEARCH_H

#include "../tensor/control.h"

namespace tg {

struct BeamSearchOptions {
  /// The number of beams per example, and the maximum number of tokens of a
  /// beam. Both are at least 1.
  int64_t width = 4, length = 0;
  /// The token before the first one: a whole number for all examples, or
  /// integers [n], one per example.
  Operand begin = 0.0;
  /// The token that finishes a beam.
  int64_t end = 0;
};

/// The beams of n examples, the most likely ones first. If there are fewer
/// possible sequences than beams, the surplus beams come last with score -inf,
/// and their tokens are unspecified. There are at most k^length sequences of k
/// tokens.
struct Beams {
  /// i64 [n, width, length]. A finished beam is padded with the end token.
  Tensor tokens;
  /// [n, width]: the logarithms of the probabilities.
  Tensor scores;
};

/// The states of a step for n examples, [n, ...] each: one tensor, several, or
/// none ({}).
class BeamStates {
public:
  BeamStates(std::initializer_list<Tensor> tensors) : all(tensors) {}
  BeamStates(std::vector<Tensor> tensors) : all(std::move(tensors)) {}
  BeamStates(const Tensor &tensor) : all{tensor} {}

  const std::vector<Tensor> &tensors() const { return all; }

private:
  std::vector<Tensor> all;
};

namespace dsl {
/// The treatment of a finished beam: it is kept once, or extended by every
/// token.
enum class FinishedBeams { once, copied };

Beams buildBeamSearch(const RegionFunction &step,
                      const std::vector<Tensor> &states,
                      const BeamSearchOptions &options, FinishedBeams finished,
                      std::source_location where);
} // namespace dsl

/// Runs a beam search: in each iteration of a whileLoop, keeps the `width` most
/// likely beams of each example. The loop ends when all beams are finished.
/// `step` takes the last tokens of all beams, i64 [n · width], and their states
/// [n · width, ...]. It returns the logits of the next tokens [n · width, k],
/// with a static k, and the next states. Beam j of example i is row i · width +
/// j. The initial states [n, ...] are repeated for each beam. Without states,
/// the begin tokens [n] determine the number of examples. Pass any other data
/// of an example to `step` as repeat(x, width, 0). A finished beam is kept
/// unchanged, once.
template <typename Step>
Beams beamSearch(Step step, const BeamStates &states,
                 const BeamSearchOptions &options,
                 std::source_location where = std::source_location::current()) {
  return dsl::buildBeamSearch(dsl::regionOf(step), states.tensors(), options,
                              dsl::FinishedBeams::once, where);
}

} // namespace tg

#endif // TG_NN_BEAM_SEARCH_H
