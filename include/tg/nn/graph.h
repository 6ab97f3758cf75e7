/// Nodes, graphs of nodes, and models made of them.
#ifndef TG_NN_GRAPH_H
#define TG_NN_GRAPH_H

#include "layer.h"
#include "merge.h"

namespace tg {

/// A node of a network: a small handle; copies are the same node. Made after
/// its predecessors, so there are no cycles.
class Node {
protected:
  struct State;
  friend class Graph;
  friend class BaseModel;
  Node(std::shared_ptr<State> shared) : state(std::move(shared)) {}

  std::shared_ptr<State> state;
};

struct NodeOptions {
  /// A component of the path of the node's layers, before theirs:
  /// digits/<name>/Linear_1/weight. "": none.
  std::string name = {};
};

/// A node at which tensors enter.
class StartNode : public Node {
public:
  /// Without tensors: the inputs of a model.
  StartNode(std::vector<Tensor> inputs = {},
            std::source_location where = std::source_location::current());
};

/// Joins what its predecessors give and passes it through layers. Without a
/// Merge it adds them up, as Sum() does. Predecessors that the chosen starts do
/// not reach are left out.
class HiddenNode : public Node {
public:
  HiddenNode(std::vector<Node> previous, Merge merge,
             std::vector<Layer> layers = {}, NodeOptions options = {},
             std::source_location where = std::source_location::current());
  HiddenNode(std::vector<Node> previous, std::vector<Layer> layers = {},
             NodeOptions options = {},
             std::source_location where = std::source_location::current());
};

/// A node at which results leave. Without a Merge it gives all results of its
/// predecessors, one after the other.
class EndNode : public Node {
public:
  EndNode(std::vector<Node> previous, Merge merge = NoChange(),
          NodeOptions options = {},
          std::source_location where = std::source_location::current());
  EndNode(std::vector<Node> previous, NodeOptions options,
          std::source_location where = std::source_location::current());
};

/// The part of a network between some starts and some ends.
class Graph {
public:
  Graph(std::vector<StartNode> starts, std::vector<EndNode> ends,
        std::source_location where = std::source_location::current());

  /// The outputs of the ends in order, those of a list one by one. Traced once
  /// per mode; a node on several paths is evaluated once. Throws GraphError
  /// where nothing leads from the starts to an end.
  std::vector<Tensor> trainFprop() { return fprop(Mode::train); }
  std::vector<Tensor> testFprop() { return fprop(Mode::test); }

  /// So many outputs: auto [a, b] = graph.trainFprop<2>().
  template <size_t outputs> auto trainFprop() {
    return dsl::unpack<outputs>(fprop(Mode::train, outputs));
  }
  template <size_t outputs> auto testFprop() {
    return dsl::unpack<outputs>(fprop(Mode::test, outputs));
  }

  /// The variables of all layers between starts and ends, each once, those of
  /// the first layers first.
  std::vector<Variable> variables() const;

private:
  /// The results of nodes so far.
  struct Values;
  friend class BaseModel;
  std::vector<Tensor> fprop(Mode mode, std::optional<size_t> outputs = {});
  std::vector<Tensor> evaluate(const Node &node, Mode mode, Values &values);
  std::vector<Tensor> traceEnds(Mode mode, Values &values);
  /// An end as messages call it.
  std::string nameOfEnd(size_t number) const;
  /// Throws for an end without tensors.
  [[noreturn]] void raiseNoPath(size_t end, const Values &values) const;

  std::vector<StartNode> starts;
  std::vector<EndNode> ends;
  std::source_location where;
  std::vector<Tensor> results[2];
};

/// A model is a layer with nodes inside, usable wherever a layer is. One start
/// takes all inputs; of several starts each takes one.
class BaseModel : public BaseLayer {
protected:
  BaseModel() = default;
  explicit BaseModel(std::source_location place, std::string name = {})
      : BaseLayer(place, std::move(name)) {}

  /// Says where inputs enter and outputs leave.
  void define(std::vector<StartNode> starts, std::vector<EndNode> ends,
              std::source_location where = std::source_location::current());

  /// A model has the variables of its layers and no other.
  template <typename... Arguments>
  Variable addWeight(const Arguments &...) = delete;

  std::vector<Tensor> link(std::vector<Tensor> inputs, Mode mode) override;

private:
  std::vector<StartNode> starts;
  std::vector<EndNode> ends;
  std::source_location where;
};

/// Layers one after the other, as one layer. Its ops carry the lines of these
/// layers: of one of one's own, the lines of its train().
class Sequential : public BaseLayer {
public:
  Sequential(std::vector<Layer> layers = {}, LayerOptions options = {},
             std::source_location where = std::source_location::current());
  Sequential(std::initializer_list<Layer> given, LayerOptions options = {},
             std::source_location line = std::source_location::current())
      : Sequential(std::vector<Layer>(given), std::move(options), line) {}

  void add(Layer layer,
           std::source_location where = std::source_location::current());
  /// Takes one out; the first has number 0. Throws GraphError where there is
  /// none of the number.
  Layer pop(size_t number,
            std::source_location where = std::source_location::current());
  /// Some of the layers, in this order, with the variables they have here.
  Sequential
  part(const std::vector<size_t> &numbers,
       std::source_location where = std::source_location::current()) const;
  size_t size() const { return layers.size(); }
  /// The number of elements of the trainable variables made so far.
  int64_t parameterCount() const;

protected:
  std::vector<Tensor> link(std::vector<Tensor> inputs, Mode mode) override;

private:
  void expectLayer(size_t number, std::source_location where) const;

  std::vector<Layer> layers;
  std::source_location where;
};

/// A hidden node with these layers and an end behind it, for chains in which
/// every end is the start of the next part.
EndNode slim(std::vector<Node> previous, std::vector<Layer> layers,
             Merge merge = Sum(), NodeOptions options = {},
             std::source_location where = std::source_location::current());

} // namespace tg

#endif // TG_NN_GRAPH_H
