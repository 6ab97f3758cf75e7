//===- AnyRank.cpp - builds fetches for each combination of input ranks ---===//
#include "compiler/frontend/graph/Build.h"
#include "tg/graph/any_rank.h"

#include <map>

using namespace tg;
using namespace tg::dsl;

namespace {
/// The inputs and fetches that were built for one combination of ranks.
struct Built {
  std::vector<Tensor> inputs;
  std::vector<Fetch> fetches;
};
using Ranks = std::vector<int64_t>;
} // namespace

struct AnyRank::State {
  Program graph;
  std::vector<DType> inputs;
  Build build;
  std::map<Ranks, Built> built = {};
  /// The variables that were made during a build.
  std::vector<Variable> variables = {};

  /// Returns the inputs and fetches for inputs of these ranks. Builds them on
  /// first use.
  const Built &builtFor(const Ranks &ranks, Place where);
};

/// Returns the ranks as text for messages: "1 and 2".
static std::string listOf(const Ranks &ranks) {
  std::string list;
  for (size_t i = 0; i < ranks.size(); ++i)
    list += (i == 0                  ? ""
             : i + 1 == ranks.size() ? " and "
                                     : ", ") +
            std::to_string(ranks[i]);
  return list;
}

const Built &AnyRank::State::builtFor(const Ranks &ranks, Place where) {
  auto found = built.find(ranks);
  if (found != built.end())
    return found->second;
  DefaultGraph here = graph.asDefault();
  Built made;
  for (size_t i = 0; i < ranks.size(); ++i)
    made.inputs.push_back(placeholder(inputs[i], Shape(size_t(ranks[i]), dim()),
                                      "AnyRank", where));
  size_t before = graph.body()->variables().size();
  try {
    made.fetches = build(made.inputs);
  } catch (const GraphError &error) {
    throw GraphError("with inputs of rank " + listOf(ranks) + ": " +
                         error.message,
                     error.file, error.line, error.column, error.others);
  }
  for (const VariableInfo &info : graph.body()->variables().subspan(before))
    variables.push_back(variableOf(graph.body(), info));
  return built.emplace(ranks, std::move(made)).first->second;
}

AnyRank::AnyRank(const Program &graph, std::vector<DType> inputs, Build build,
                 std::source_location where)
    : state(std::make_shared<State>(
          State{graph, std::move(inputs),
                required(std::move(build), "a function that gives fetches",
                         where)})) {
  if (graph.isEager())
    raise("expected a graph, found a program of eager mode, whose tensors have "
          "their ranks",
          graph.body(), where);
}

std::vector<Array> AnyRank::run(Session &session,
                                const std::vector<FeedValue> &values,
                                std::source_location where) {
  if (values.size() != state->inputs.size())
    raise("expected a value for each of " +
              std::to_string(state->inputs.size()) + " inputs, found " +
              std::to_string(values.size()),
          state->graph.body(), where);
  Ranks ranks;
  for (const FeedValue &value : values)
    ranks.push_back(value.rank());
  const Built &built = state->builtFor(ranks, where);
  std::vector<Variable> uninitialized;
  for (const Variable &variable : state->variables)
    if (!session.isInitialized(variable))
      uninitialized.push_back(variable);
  if (!uninitialized.empty())
    session.run(state->graph.initializer(uninitialized, where), {}, where);
  std::vector<Feed> feeds;
  for (size_t i = 0; i < values.size(); ++i)
    feeds.emplace_back(built.inputs[i], values[i], where);
  return session.run(built.fetches, feeds, where);
}

size_t AnyRank::builtCount() const { return state->built.size(); }
