/// The most likely sequences of tokens, by beams.
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
  /// Beams of each example, and tokens of a beam at most; both at least 1.
  int64_t width = 4, length = 0;
  /// The token in front of the first one: a whole number, or integers [n], one
  /// for each example.
  Operand begin = 0.0;
  /// The token that finishes a beam.
  int64_t end = 0;
};

/// The beams of n examples, the most likely ones first. Where there are fewer
/// sequences than beams, as at most k^length of k tokens, the beams that cannot
/// exist come last: their score is -inf, and their tokens mean nothing.
struct Beams {
  /// i64 [n, width, length]. Behind the token that finishes a beam there are
  /// more of it.
  Tensor tokens;
  /// [n, width]: the logarithms of their probabilities.
  Tensor scores;
};

/// The state of a step for its n examples, [n, ...] each: one tensor, several,
/// or none, {}.
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
/// The treatment of a finished beam: it stays once, or is followed by every
/// token.
enum class FinishedBeams { once, copied };

Beams buildBeamSearch(const RegionFunction &step,
                      const std::vector<Tensor> &states,
                      const BeamSearchOptions &options, FinishedBeams finished,
                      std::source_location where);
} // namespace dsl

/// Goes on with the `width` most likely beams of each example, in a whileLoop
/// that ends where all are finished. `step` takes the last tokens of all beams,
/// i64 [n · width], and their states [n · width, ...]; it returns the logits of
/// the next tokens [n · width, k], k known, and the next states. Beam j of
/// example i is row i · width + j. The states begin as those of the examples,
/// repeated for each beam; without any, begin tokens [n] say how many examples
/// there are. What else belongs to an example is given to `step` by repeat(x,
/// width, 0). A finished beam stays as it is, once.
template <typename Step>
Beams beamSearch(Step step, const BeamStates &states,
                 const BeamSearchOptions &options,
                 std::source_location where = std::source_location::current()) {
  return dsl::buildBeamSearch(dsl::regionOf(step), states.tensors(), options,
                              dsl::FinishedBeams::once, where);
}

} // namespace tg

#endif // TG_NN_BEAM_SEARCH_H
