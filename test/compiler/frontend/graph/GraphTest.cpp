// Tests nodes, path selection and sharing.
#include "../Evaluator.h"
#include "examples/graph/Network.h"

#include <gtest/gtest.h>

using namespace tg;

namespace {
struct Named {
  Program program{"two"};
};
/// The network of the graph example in its own program.
struct TwoStarts : Named, graph::Network {
  TwoStarts() : graph::Network(program) {}
};

TEST(Graph, tracesAllOfTwoStartsAndTwoEnds) {
  TwoStarts net;
  Graph graph({net.s1, net.s2}, {net.e1, net.e2});
  std::vector<Tensor> outputs = graph.trainFprop();
  ASSERT_EQ(outputs.size(), 2u);
  EXPECT_EQ(toString(outputs[0].shape()), "[batch, 50]");
  EXPECT_EQ(toString(outputs[1].shape()), "[batch, 100]");
  EXPECT_EQ(net.program.variables().size(), 6u);
  EXPECT_EQ(net.program.parameterCount(), 30250);
  EXPECT_EQ(graph.variables().size(), 6u);
}

TEST(Graph, selectsThePathFromOneStart) {
  TwoStarts net;
  std::vector<Tensor> outputs = Graph({net.s2}, {net.e1}).trainFprop();
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(toString(outputs[0].shape()), "[batch, 50]");
  EXPECT_EQ(net.program.parameterCount(), 25250);
}

TEST(Graph, leavesOutWhatIsNotOnThePath) {
  TwoStarts net;
  Graph({net.s2}, {net.e2}).trainFprop();
  EXPECT_EQ(net.program.variables().size(), 2u);
  TwoStarts other;
  Graph({other.s1}, {other.e1}).trainFprop();
  EXPECT_EQ(other.program.variables().size(), 4u);
}

TEST(Graph, refusesAnEndThatNoStartReaches) {
  TwoStarts net;
  unsigned line = __LINE__ + 1;
  Graph graph({net.s1}, {net.e2});
  try {
    graph.trainFprop();
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    EXPECT_EQ(error.line, line);
    EXPECT_EQ(error.message, "expected a path from the starts of the graph to "
                             "its end 0, found none");
  }
}

TEST(Graph, refusesAStartWithoutTensors) {
  unsigned line = __LINE__ + 1;
  StartNode start;
  HiddenNode hidden({start}, {Linear({.units = 2})});
  Graph graph({start}, {EndNode({hidden})});
  try {
    graph.trainFprop();
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    EXPECT_EQ(error.line, line + 2);
    EXPECT_EQ(error.message, "expected tensors in start 0 of the graph (line " +
                                 std::to_string(line) +
                                 "), which leads to its end 0, found none");
  }
}

TEST(Graph, refusesInputsOfAnotherWidthThanTheVariables) {
  TwoStarts net;
  Graph({net.s1, net.s2}, {net.e1}).trainFprop();
  try {
    Graph({net.s2}, {net.e1}).trainFprop();
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    EXPECT_NE(error.message.find("'two/Linear_1/weight' [150, 100]"),
              std::string::npos)
        << error.what();
    EXPECT_NE(error.message.find("[100, 100]"), std::string::npos);
    EXPECT_NE(error.file.find("graph/Network.h"), std::string::npos);
  }
}

TEST(Graph, sharesVariablesBetweenModesAndGraphs) {
  TwoStarts net;
  Graph graph({net.s1, net.s2}, {net.e1, net.e2});
  graph.trainFprop();
  graph.testFprop();
  graph.trainFprop();
  Graph({net.s1, net.s2}, {net.e2}).trainFprop();
  EXPECT_EQ(net.program.variables().size(), 6u);
}

TEST(Graph, namesVariablesByPath) {
  TwoStarts net;
  Graph({net.s1, net.s2}, {net.e1, net.e2}).trainFprop();
  std::vector<Variable> variables = net.program.variables();
  EXPECT_EQ(variables[0].name(), "two/Linear_1/weight");
  EXPECT_EQ(variables[1].name(), "two/Linear_1/bias");
  EXPECT_EQ(variables[5].name(), "two/Linear_3/bias");
}

TEST(Graph, copiesOfALayerShareItsVariables) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n"), 8});
  StartNode start({x});
  Linear shared({.units = 8});
  HiddenNode once({start}, {shared}), twice({once}, {shared, Relu()});
  Graph({start}, {EndNode({twice})}).trainFprop();
  EXPECT_EQ(program.variables().size(), 2u);
  EXPECT_EQ(shared.variables().size(), 2u);
}

TEST(Graph, evaluatesASharedNodeOnce) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n"), 8});
  StartNode start({x});
  HiddenNode middle({start}, {Lambda([](Tensor t) { return exp(t); })});
  HiddenNode left({middle}), right({middle});
  HiddenNode join({left, right}, Sum());
  Graph graph({start}, {EndNode({join})});
  program.function(
      "f", {.inputs = {x}, .outputs = {{"y", graph.trainFprop().front()}}});
  std::string text = program.text();
  EXPECT_EQ(text.find("tg.exp"), text.rfind("tg.exp"));
}

TEST(Graph, goesOnBehindAnEnd) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n"), 8});
  StartNode start({x});
  EndNode first = slim({start}, {Linear({.units = 4}), Relu()});
  EndNode second = slim({start}, {Linear({.units = 4})});
  EndNode last = slim({first, second}, {Linear({.units = 2})}, Concat());
  std::vector<Tensor> outputs = Graph({start}, {last, first}).trainFprop();
  EXPECT_EQ(toString(outputs[0].shape()), "[n, 2]");
  EXPECT_EQ(toString(outputs[1].shape()), "[n, 4]");
  EXPECT_EQ(program.parameterCount(), 2 * (8 * 4 + 4) + 8 * 2 + 2);
}

TEST(Graph, givesItsOutputsByNumber) {
  TwoStarts net;
  Graph graph({net.s1, net.s2}, {net.e1, net.e2});
  auto [first, second] = graph.trainFprop<2>();
  EXPECT_EQ(toString(first.shape()), "[batch, 50]");
  EXPECT_EQ(toString(second.shape()), "[batch, 100]");
  EXPECT_EQ(toString(graph.testFprop<2>()[1].shape()), "[batch, 100]");
  EXPECT_THROW(graph.trainFprop<1>(), GraphError);
}
} // namespace
