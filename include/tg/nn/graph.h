/// Nodes, graphs of nodes, and models made of them.
#ifndef TG_NN_GRAPH_H
#define TG_NN_GRAPH_H

#include "layer.h"
#include "merge.h"

namespace tg {

/// A node of a network. It is a small handle, and copies refer to the same
/// node. A node is constructed after its predecessors, so there are no cycles.
class Node {
protected:
  struct State;
  friend class Graph;
  friend class BaseModel;
  Node(std::shared_ptr<State> shared) : state(std::move(shared)) {}

  std::shared_ptr<State> state;
};

struct NodeOptions {
  /// The path component that precedes the names of the node's layers:
  /// digits/<name>/Linear_1/weight. "": none.
  std::string name = {};
};

/// A node at which tensors enter.
class StartNode : public Node {
public:
  /// Constructs a start node. Without tensors it stands for the inputs of a
  /// model.
  StartNode(std::vector<Tensor> inputs = {},
            std::source_location where = std::source_location::current());
};

/// A node that merges the outputs of its predecessors and passes the result
/// through layers. The default merge is Sum(). Predecessors that the chosen
/// start nodes do not reach are ignored.
class HiddenNode : public Node {
public:
  HiddenNode(std::vector<Node> previous, Merge merge,
             std::vector<Layer> layers = {}, NodeOptions options = {},
             std::source_location where = std::source_location::current());
  HiddenNode(std::vector<Node> previous, std::vector<Layer> layers = {},
             NodeOptions options = {},
             std::source_location where = std::source_location::current());
};

/// A node at which results leave. Without a merge it returns all outputs of its
/// predecessors in order.
class EndNode : public Node {
public:
  EndNode(std::vector<Node> previous, Merge merge = NoChange(),
          NodeOptions options = {},
          std::source_location where = std::source_location::current());
  EndNode(std::vector<Node> previous, NodeOptions options,
          std::source_location where = std::source_location::current());
};

/// The part of a network between some start nodes and some end nodes.
class Graph {
public:
  Graph(std::vector<StartNode> starts, std::vector<EndNode> ends,
        std::source_location where = std::source_location::current());

  /// Returns the outputs of the end nodes in order. Traces the graph once per
  /// mode, and evaluates a node on several paths once. Throws GraphError if
  /// there is no path from the start nodes to an end node.
  std::vector<Tensor> trainFprop() { return fprop(Mode::train); }
  std::vector<Tensor> testFprop() { return fprop(Mode::test); }

  /// Returns the given number of outputs: auto [a, b] = graph.trainFprop<2>().
  template <size_t outputs> auto trainFprop() {
    return dsl::unpack<outputs>(fprop(Mode::train, outputs));
  }
  template <size_t outputs> auto testFprop() {
    return dsl::unpack<outputs>(fprop(Mode::test, outputs));
  }

  /// Returns the variables of all layers between start and end nodes, each
  /// once, in the order of the layers.
  std::vector<Variable> variables() const;

private:
  /// The results of the nodes evaluated so far.
  struct Values;
  friend class BaseModel;
  std::vector<Tensor> fprop(Mode mode, std::optional<size_t> outputs = {});
  std::vector<Tensor> evaluate(const Node &node, Mode mode, Values &values);
  std::vector<Tensor> traceEnds(Mode mode, Values &values);
  /// Returns the name of an end node for messages.
  std::string nameOfEnd(size_t index) const;
  /// Throws GraphError for an end node without tensors.
  [[noreturn]] void raiseNoPath(size_t end, const Values &values) const;

  std::vector<StartNode> starts;
  std::vector<EndNode> ends;
  std::source_location where;
  std::vector<Tensor> results[2];
};

/// A layer with nodes inside, usable like any other layer. A single start node
/// takes all inputs. If there are several start nodes, each takes one input.
class BaseModel : public BaseLayer {
protected:
  BaseModel() = default;
  explicit BaseModel(std::source_location place, std::string name = {})
      : BaseLayer(place, std::move(name)) {}

  /// Sets the nodes at which inputs enter and outputs leave.
  void define(std::vector<StartNode> starts, std::vector<EndNode> ends,
              std::source_location where = std::source_location::current());

  /// Deleted: a model has only the variables of its layers.
  template <typename... Arguments>
  Variable addWeight(const Arguments &...) = delete;

  std::vector<Tensor> link(std::vector<Tensor> inputs, Mode mode) override;

private:
  std::vector<StartNode> starts;
  std::vector<EndNode> ends;
  std::source_location where;
};

/// A chain of layers that acts as one layer. Its ops carry the source lines of
/// the inner layers; for a custom layer, these are the lines of its train().
class Sequential : public BaseLayer {
public:
  Sequential(std::vector<Layer> layers = {}, LayerOptions options = {},
             std::source_location where = std::source_location::current());
  Sequential(std::initializer_list<Layer> given, LayerOptions options = {},
             std::source_location line = std::source_location::current())
      : Sequential(std::vector<Layer>(given), std::move(options), line) {}

  void add(Layer layer,
           std::source_location where = std::source_location::current());
  /// Removes and returns a layer. The first layer has the index 0. Throws
  /// GraphError if the index is out of range.
  Layer pop(size_t index,
            std::source_location where = std::source_location::current());
  /// Returns a chain of the given layers in this order. They keep their
  /// variables.
  Sequential
  part(const std::vector<size_t> &indices,
       std::source_location where = std::source_location::current()) const;
  size_t size() const { return layers.size(); }
  /// Returns the number of elements of the trainable variables created so far.
  int64_t parameterCount() const;

protected:
  std::vector<Tensor> link(std::vector<Tensor> inputs, Mode mode) override;

private:
  void expectLayer(size_t index, std::source_location where) const;

  std::vector<Layer> layers;
  std::source_location where;
};

/// Returns a hidden node with these layers, followed by an end node. For chains
/// in which each end node is the start of the next part.
EndNode slim(std::vector<Node> previous, std::vector<Layer> layers,
             Merge merge = Sum(), NodeOptions options = {},
             std::source_location where = std::source_location::current());

} // namespace tg

#endif // TG_NN_GRAPH_H
