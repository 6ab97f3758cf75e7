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

/// What TensorFlow has as placeholders without a shape. A tensor of the graph
/// always has a rank, so that each operation checks itself where it is written;
/// a function builds what follows from the placeholders for each combination of
/// ranks, all extents being unknown.
class AnyRank {
public:
  /// What is fetched, from placeholders of one combination of ranks. Layers and
  /// variables that several combinations share are made outside of it; what it
  /// makes itself, as slots of an optimizer, has its first values where a
  /// session needs it first.
  using Build = std::function<std::vector<Fetch>(const std::vector<Tensor> &)>;

  /// Throws GraphError for a program of eager mode, where tensors have their
  /// ranks anyway.
  AnyRank(const Program &graph, std::vector<DType> inputs, Build build,
          std::source_location where = std::source_location::current());

  /// What a session of the graph gives for the fetches, from a value for each
  /// input. Ranks that no run had before are built and compiled now. Throws
  /// GraphError, which names the ranks where something cannot be built for
  /// them, and else as Session::run.
  std::vector<Array>
  run(Session &session, const std::vector<FeedValue> &values,
      std::source_location where = std::source_location::current());

  /// How many combinations of ranks were built so far.
  size_t builtCount() const;

private:
  struct State;
  std::shared_ptr<State> state;
};

} // namespace tg

#endif // TG_GRAPH_ANY_RANK_H
