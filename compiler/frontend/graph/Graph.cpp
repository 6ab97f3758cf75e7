//===- Graph.cpp - nodes, graphs and models -------------------------------===//
#include "tg/nn/graph.h"
#include "compiler/frontend/graph/Build.h"
#include "compiler/frontend/nn/LayerState.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <set>

using namespace tg;
using namespace tg::dsl;

/// The state that copies of a node share.
struct Node::State {
  std::vector<Node> previous;
  std::optional<Merge> merge;
  std::vector<Layer> layers;
  /// The inputs of a start.
  std::vector<Tensor> inputs;
  std::string name;
  Place where;
  /// The program of the starts; null inside a model.
  BodyPtr body = {};
  /// The number of nodes created before, plus 1.
  uint64_t creationNumber = 0;

  /// Makes the state of a node that follows `previous`.
  static std::shared_ptr<State> after(std::vector<Node> previous, Merge merge,
                                      std::vector<Layer> layers,
                                      NodeOptions options, Place where);
};

std::shared_ptr<Node::State> Node::State::after(std::vector<Node> previous,
                                                Merge merge,
                                                std::vector<Layer> layers,
                                                NodeOptions options,
                                                Place where) {
  static std::atomic<uint64_t> made = 0;
  auto state = std::make_shared<State>(State{std::move(previous),
                                             std::move(merge),
                                             std::move(layers),
                                             {},
                                             std::move(options.name),
                                             where});
  state->creationNumber = ++made;
  for (const Node &node : state->previous)
    if (!state->body)
      state->body = node.state->body;
  return state;
}

StartNode::StartNode(std::vector<Tensor> inputs, std::source_location where)
    : Node(std::make_shared<State>()) {
  state->where = where;
  for (const Tensor &input : inputs)
    expectDefined(input, where);
  if (!inputs.empty())
    state->body = inputs.front().body();
  state->inputs = std::move(inputs);
}

HiddenNode::HiddenNode(std::vector<Node> previous, Merge merge,
                       std::vector<Layer> layers, NodeOptions options,
                       std::source_location where)
    : Node(State::after(std::move(previous), std::move(merge),
                        std::move(layers), std::move(options), where)) {
  if (state->body)
    BaseLayer::join(state->body, state->name, state->layers, where);
}

HiddenNode::HiddenNode(std::vector<Node> previous, std::vector<Layer> layers,
                       NodeOptions options, std::source_location where)
    : HiddenNode(std::move(previous), Sum(), std::move(layers),
                 std::move(options), where) {}

EndNode::EndNode(std::vector<Node> previous, Merge merge, NodeOptions options,
                 std::source_location where)
    : Node(State::after(std::move(previous), std::move(merge), {},
                        std::move(options), where)) {
  if (state->body)
    BaseLayer::join(state->body, state->name, {}, where);
}

EndNode::EndNode(std::vector<Node> previous, NodeOptions options,
                 std::source_location where)
    : EndNode(std::move(previous), NoChange(), std::move(options), where) {}

//===----------------------------------------------------------------------===//
// Graph
//===----------------------------------------------------------------------===//

Graph::Graph(std::vector<StartNode> starts, std::vector<EndNode> ends,
             std::source_location where)
    : starts(std::move(starts)), ends(std::move(ends)), where(where) {}

struct Graph::Values : std::map<const void *, std::vector<Tensor>> {};

/// Evaluates the nodes that lead to `node`, each once. `values` has the results
/// of the start nodes and of evaluated nodes. Returns nothing for a node that
/// no start reaches.
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
    const BodyPtr &body = tensors.front().body();
    Scope scope(body, state.name, std::nullopt);
    tensors = (*state.merge)->merge(tensors, state.where);
    for (const Layer &layer : state.layers)
      tensors = layer->fprop(std::move(tensors), mode, state.where);
  }
  return values[&state] = tensors;
}

std::string Graph::nameOfEnd(size_t index) const {
  const std::string &name = ends[index].state->name;
  return name.empty() ? std::to_string(index) : "'" + name + "'";
}

void Graph::raiseNoPath(size_t end, const Values &values) const {
  std::set<const void *> ancestors;
  auto visit = [&](auto &self, const Node &node) -> void {
    if (ancestors.insert(node.state.get()).second)
      for (const Node &previous : node.state->previous)
        self(self, previous);
  };
  visit(visit, ends[end]);
  for (size_t i = 0; i < starts.size(); ++i) {
    const Node::State &start = *starts[i].state;
    if (values.at(&start).empty() && ancestors.contains(&start))
      throw GraphError(
          "expected tensors in start " + std::to_string(i) + " of the graph (" +
              describeLine(start.where, where) + "), which leads to its end " +
              nameOfEnd(end) + ", found none",
          where);
  }
  throw GraphError("expected a path from the starts of the graph to its end " +
                       nameOfEnd(end) + ", found none",
                   where);
}

std::vector<Tensor> Graph::traceEnds(Mode mode, Values &values) {
  std::vector<Tensor> outputs;
  for (size_t i = 0; i < ends.size(); ++i) {
    std::vector<Tensor> tensors = evaluate(ends[i], mode, values);
    if (tensors.empty())
      raiseNoPath(i, values);
    outputs.insert(outputs.end(), tensors.begin(), tensors.end());
  }
  return outputs;
}

std::vector<Tensor> Graph::fprop(Mode mode, std::optional<size_t> outputs) {
  std::vector<Tensor> &result = results[static_cast<int>(mode)];
  // In eager mode each call computes with the current values of variables.
  bool isEager = !starts.empty() && starts.front().state->body &&
                 starts.front().state->body->isEager();
  if (result.empty() || isEager) {
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
  std::set<Node::State *> seen;
  std::vector<Node::State *> nodes;
  auto visit = [&](auto &self, const Node &node) -> void {
    if (!seen.insert(node.state.get()).second)
      return;
    nodes.push_back(node.state.get());
    for (const Node &previous : node.state->previous)
      self(self, previous);
  };
  for (const EndNode &end : this->ends)
    visit(visit, end);
  std::sort(nodes.begin(), nodes.end(), [](Node::State *a, Node::State *b) {
    return a->creationNumber < b->creationNumber;
  });
  for (Node::State *node : nodes)
    adopt(node->name, node->layers, node->where);
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
  try {
    return Graph(starts, ends, where).traceEnds(mode, values);
  } catch (const GraphError &error) {
    // The layers of a library model have no line of the user.
    if (std::optional<Place> place = madeAt())
      throw GraphError(error.message, *place);
    throw;
  }
}

//===----------------------------------------------------------------------===//
// Chains
//===----------------------------------------------------------------------===//

Sequential::Sequential(std::vector<Layer> layers, LayerOptions options,
                       std::source_location where)
    : BaseLayer(where, std::move(options.name)), layers(std::move(layers)),
      where(where) {
  leaveLinesToLayers();
  adopt("", this->layers, where);
}

void Sequential::add(Layer layer, std::source_location where) {
  adopt("", {layer}, where);
  layers.push_back(std::move(layer));
}

void Sequential::expectLayer(size_t index, std::source_location where) const {
  if (index >= layers.size())
    throw GraphError("expected an index below the number of layers (" +
                         std::to_string(layers.size()) + "), found " +
                         std::to_string(index),
                     where);
}

Layer Sequential::pop(size_t index, std::source_location where) {
  expectLayer(index, where);
  Layer layer = layers[index];
  layers.erase(layers.begin() + static_cast<std::ptrdiff_t>(index));
  return layer;
}

Sequential Sequential::part(const std::vector<size_t> &indices,
                            std::source_location where) const {
  Sequential result({}, {}, where);
  for (size_t index : indices) {
    expectLayer(index, where);
    result.add(layers[index]);
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
  const Place called = state->where;
  for (const Layer &layer : layers)
    inputs = layer->fprop(std::move(inputs), mode, called);
  return inputs;
}

EndNode tg::slim(std::vector<Node> previous, std::vector<Layer> layers,
                 Merge merge, NodeOptions options, std::source_location where) {
  HiddenNode hidden(std::move(previous), std::move(merge), std::move(layers),
                    std::move(options), where);
  return EndNode({hidden}, NoChange(), {}, where);
}
