//===- Graph.cpp - nodes, paths between starts and ends, models -----------===//
#include "tg/graph.h"
#include "compiler/frontend/dsl/Build.h"

#include <map>

using namespace tg;
using namespace tg::dsl;

/// What copies of a node share.
struct Node::State {
  std::vector<Node> previous;
  std::optional<Merge> merge;
  std::vector<Layer> layers;
  /// Of a start.
  std::vector<Tensor> inputs;
  Place where;
};

StartNode::StartNode(std::vector<Tensor> inputs, std::source_location where)
    : Node(std::make_shared<State>(
          State{{}, {}, {}, std::move(inputs), where})) {}

HiddenNode::HiddenNode(std::vector<Node> previous, Merge merge,
                       std::vector<Layer> layers, std::source_location where)
    : Node(std::make_shared<State>(State{std::move(previous),
                                         std::move(merge),
                                         std::move(layers),
                                         {},
                                         where})) {}

HiddenNode::HiddenNode(std::vector<Node> previous, std::vector<Layer> layers,
                       std::source_location where)
    : HiddenNode(std::move(previous), Sum(), std::move(layers), where) {}

EndNode::EndNode(std::vector<Node> previous, Merge merge,
                 std::source_location where)
    : Node(std::make_shared<State>(
          State{std::move(previous), std::move(merge), {}, {}, where})) {}

//===----------------------------------------------------------------------===//
// Graph
//===----------------------------------------------------------------------===//

Graph::Graph(std::vector<StartNode> starts, std::vector<EndNode> ends,
             std::source_location where)
    : starts(std::move(starts)), ends(std::move(ends)), where(where) {}

struct Graph::Values : std::map<const void *, std::vector<Tensor>> {};

/// What a node gives, each node once: walks back to the starts, whose values
/// are there from the beginning. Nothing from a node that no start reaches.
std::vector<Tensor> Graph::evaluate(const Node &node, Mode mode,
                                    Values &values) {
  Node::State &state = *node.state;
  if (auto found = values.find(&state); found != values.end())
    return found->second;
  std::vector<Tensor> tensors;
  for (const Node &previous : state.previous)
    for (const Tensor &tensor : evaluate(previous, mode, values))
      tensors.push_back(tensor);
  if (!tensors.empty()) {
    const Bodies &body = tensors.front().body();
    Scope scope(body, "", std::nullopt);
    tensors = (*state.merge)->merge(tensors, state.where);
    for (const Layer &layer : state.layers)
      tensors = layer->fprop(std::move(tensors), mode);
  }
  return values[&state] = tensors;
}

std::vector<Tensor> Graph::traceEnds(Mode mode, Values &values) {
  std::vector<Tensor> outputs;
  for (size_t i = 0; i < ends.size(); ++i) {
    std::vector<Tensor> tensors = evaluate(ends[i], mode, values);
    if (tensors.empty())
      throw GraphError("expected a path from the starts of the graph to its "
                       "end " +
                           std::to_string(i) + ", found none",
                       where);
    outputs.insert(outputs.end(), tensors.begin(), tensors.end());
  }
  return outputs;
}

std::vector<Tensor> Graph::fprop(Mode mode, std::optional<size_t> outputs) {
  std::vector<Tensor> &result = results[static_cast<int>(mode)];
  if (result.empty()) {
    Values values;
    for (const StartNode &start : starts)
      values[start.state.get()] = start.state->inputs;
    result = traceEnds(mode, values);
  }
  if (outputs && result.size() != *outputs)
    throw GraphError("expected the graph to give " + std::to_string(*outputs) +
                         " outputs, found " + std::to_string(result.size()),
                     where);
  return result;
}

std::vector<Variable> Graph::variables() const {
  std::vector<Variable> variables;
  std::map<const void *, bool> reached;
  for (const StartNode &start : starts)
    reached[start.state.get()] = true;
  auto add = [&](const Variable &variable) {
    for (const Variable &known : variables)
      if (known.name() == variable.name())
        return;
    variables.push_back(variable);
  };
  auto visit = [&](auto &self, const Node &node) -> bool {
    Node::State &state = *node.state;
    if (auto found = reached.find(&state); found != reached.end())
      return found->second;
    bool isReached = false;
    for (const Node &previous : state.previous)
      isReached |= self(self, previous);
    if (isReached)
      for (const Layer &layer : state.layers)
        for (const Variable &variable : layer->variables())
          add(variable);
    return reached[&state] = isReached;
  };
  for (const EndNode &end : ends)
    visit(visit, end);
  return variables;
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

void BaseModel::define(std::vector<StartNode> starts, std::vector<EndNode> ends,
                       std::source_location where) {
  this->starts = std::move(starts);
  this->ends = std::move(ends);
  this->where = where;
}

std::vector<Tensor> BaseModel::link(std::vector<Tensor> inputs, Mode mode) {
  if (starts.size() != 1 && starts.size() != inputs.size())
    raise("expected " + std::to_string(starts.size()) +
              " inputs of a model with as many starts, found " +
              std::to_string(inputs.size()),
          inputs.front().body(), where);
  Graph::Values values;
  if (starts.size() == 1)
    values[starts.front().state.get()] = std::move(inputs);
  else
    for (size_t i = 0; i < starts.size(); ++i)
      values[starts[i].state.get()] = {inputs[i]};
  return Graph(starts, ends, where).traceEnds(mode, values);
}

//===----------------------------------------------------------------------===//
// Chains
//===----------------------------------------------------------------------===//

void Sequential::expectLayer(size_t number, std::source_location where) const {
  if (number >= layers.size())
    throw GraphError("expected a number below the number of layers (" +
                         std::to_string(layers.size()) + "), found " +
                         std::to_string(number),
                     where);
}

Layer Sequential::pop(size_t number, std::source_location where) {
  expectLayer(number, where);
  Layer layer = layers[number];
  layers.erase(layers.begin() + static_cast<std::ptrdiff_t>(number));
  return layer;
}

Sequential Sequential::part(const std::vector<size_t> &numbers,
                            std::source_location where) const {
  Sequential result({}, where);
  for (size_t number : numbers) {
    expectLayer(number, where);
    result.add(layers[number]);
  }
  return result;
}

int64_t Sequential::parameterCount() const {
  int64_t count = 0;
  for (const Variable &variable : variables())
    if (variable.isTrainable())
      count += variable.size();
  return count;
}

std::vector<Tensor> Sequential::link(std::vector<Tensor> inputs, Mode mode) {
  for (const Layer &layer : layers)
    inputs = layer->fprop(std::move(inputs), mode);
  return inputs;
}

EndNode tg::slim(std::vector<Node> previous, std::vector<Layer> layers,
                 Merge merge, std::source_location where) {
  HiddenNode hidden(std::move(previous), std::move(merge), std::move(layers),
                    where);
  return EndNode({hidden}, NoChange(), where);
}
