/// Placeholders of unknown rank: parts of a graph that are built separately for
/// each combination of ranks that a session is fed.
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

/// The counterpart of TensorFlow's placeholders without a shape. A tensor of
/// the graph always has a rank, so that each operation checks itself at the
/// line that builds it. Therefore a function builds the part that depends on
/// the placeholders once per combination of ranks, with all extents dynamic.
class AnyRank {
public:
  /// Builds the fetches from placeholders of one combination of ranks. Layers
  /// and variables that combinations share must be created outside of the
  /// function. A variable that the function itself creates, such as a slot of
  /// an optimizer, gets its initial value when a session first needs it.
  using Build = std::function<std::vector<Fetch>(const std::vector<Tensor> &)>;

  /// Throws GraphError for a program of eager mode, in which every tensor has a
  /// rank.
  AnyRank(const Program &graph, std::vector<DType> inputs, Build build,
          std::source_location where = std::source_location::current());

  /// Runs the fetches in a session of the graph, with a value for each input,
  /// and returns their values. A new combination of ranks is built and compiled
  /// now. Throws GraphError, with the ranks in its message, if the fetches
  /// cannot be built for them; otherwise throws as Session::run does.
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
