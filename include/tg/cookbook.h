/// What cookbooks of graphs have: small functions that programs copy from each
/// other. extentsOf() and reshape() are in shapes.h, makeParallel() in
/// device.h, softmax() in functional.h.
#ifndef TG_COOKBOOK_H
#define TG_COOKBOOK_H

#include "beam_search.h"
#include "layer.h"

namespace tg {

/// The logarithms of the probabilities that a softmax gives.
Tensor logProbFromLogits(Operand logits, int64_t axis = -1);

/// How undecided the probabilities of a softmax are: -Σ p log p along an axis;
/// the logarithm of the number of logits where all are equal.
Tensor entropy(Operand logits, int64_t axis = -1);

/// Rows of each example: of [n, k, …] those that indices [n, m] list, [n, m,
/// …].
Tensor batchGather(Operand tensor, Operand indices);

struct MergeOptions {
  Activation activation = relu;
  /// Of the scope of the variables; "": merge, merge_1 …
  std::string name = {};
};
/// activation(Σ tensorᵢ · Wᵢ + bᵢ) over the last dimensions, other ones
/// broadcast: what concatenating the tensors and one dense layer would give,
/// without tiling them. The variables are proj_0/kernel, proj_0/bias, proj_1 …
Tensor merge(const std::vector<Tensor> &tensors, int64_t units,
             const MergeOptions &options = {},
             std::source_location where = std::source_location::current());

namespace dsl {
Beams buildCookbookSearch(const RegionFunction &step, const Tensor &state,
                          const BeamSearchOptions &options,
                          std::source_location where);
} // namespace dsl

/// The beam search that the cookbook documents: from states [n, s], by `step`,
/// which takes states [n, width, s] and tokens i64 [n, width] and gives the
/// next states and logits [n, width, k]. The tokens [n, width, length + 1]
/// begin with `begin`. A beam that is finished is followed by every token
/// without cost, and so crowds others out; beamSearch() has none of these
/// copies.
template <typename Step>
Beams rnnBeamSearch(
    Step step, const Tensor &state, const BeamSearchOptions &options,
    std::source_location where = std::source_location::current()) {
  return dsl::buildCookbookSearch(dsl::regionOf(step), state, options, where);
}

} // namespace tg

#endif // TG_COOKBOOK_H
