/// Placeholders of unknown rank: parts of a graph that are built anew for the
/// ranks of what a session is fed.
///
///   AnyRank fit(graph, {f32, f32}, [&](const std::vector<Tensor> &in) {
///     return std::vector<Fetch>{meanSquaredError(layer(in[0]), in[1])};
///   });
///   Array loss = fit.run(session, {x, y}).front();
#ifndef TG_GRAPH_ANY_RANK_H
#define TG_GRAPH_ANY_RANK_H

#include "session.h"

#include <functional>
#include <memory>

namespace tg {

/// Placeholders of unknown rank, which TensorFlow has as placeholders without a
/// shape. A tensor of the graph always has a rank, so that each operation
/// checks itself where it is written; a function builds the operations behind
/// the placeholders for each combination of ranks, with all extents unknown.
class AnyRank {
public:
  /// Builds the fetches from placeholders of one combination of ranks. Layers
  /// and variables that several combinations share are made outside of it;
  /// variables that it makes itself, as slots of an optimizer, get their first
  /// values when a session needs them first.
  using Build = std::function<std::vector<Fetch>(const std::vector<Tensor> &)>;

  /// Throws GraphError for a program of eager mode, where tensors have their
  /// ranks anyway.
  AnyRank(const Program &graph, std::vector<DType> inputs, Build build,
          std::source_location where = std::source_location::current());

  /// Returns the fetched values of a session of the graph, from a value for
  /// each input. Ranks that no run had before are built and compiled now.
  /// Throws GraphError, which names the ranks if something cannot be built for
  /// them, and otherwise as Session::run.
  std::vector<Array>
  run(Session &session, const std::vector<FeedValue> &values,
      std::source_location where = std::source_location::current());

  /// Returns the number of combinations of ranks that were built so far.
  size_t builtCount() const;

private:
  struct State;
  std::shared_ptr<State> state;
};

} // namespace tg

#endif // TG_GRAPH_ANY_RANK_H
