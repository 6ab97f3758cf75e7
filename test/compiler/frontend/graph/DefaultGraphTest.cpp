// Tests the graph of a thread, names and scopes, collections, shapes.
#include "../Errors.h"

#include "tg/graph/graph_nodes.h"

#include <sstream>
#include <thread>

using namespace tg;

namespace {
std::string nameOf(const Tensor &tensor) { return tensor.Tensor::name(); }

TEST(DefaultGraph, isOfTheThreadUntilAnotherIsOpened) {
  resetDefaultGraph();
  Tensor a = constant(1);
  Program other("other");
  Tensor b;
  {
    auto building = other.asDefault();
    b = constant(2);
    EXPECT_ANY_THROW(resetDefaultGraph());
  }
  EXPECT_EQ(b.body(), other.body());
  EXPECT_EQ(constant(3).body(), a.body());
  std::thread([&] { EXPECT_NE(constant(4).body(), a.body()); }).join();
  resetDefaultGraph();
  EXPECT_NE(constant(5).body(), a.body());
}

TEST(DefaultGraph, makesTensorsAndVariables) {
  resetDefaultGraph();
  EXPECT_EQ(constant({{1, 2}, {3, 4}}).shape().size(), 2u);
  EXPECT_EQ(constant(2).dtype(), i32);
  EXPECT_EQ(constant(2, i16).dtype(), i16);
  EXPECT_EQ(constant(Array({1.5, 2})).dtype(), f32);
  EXPECT_EQ(zeros({2, 3}, i32).dim(1), 3);
  EXPECT_EQ(ones({2}).dtype(), f32);
  EXPECT_EQ(fill({3}, 7).dtype(), i32);
  EXPECT_EQ(range(0, 10, 3).dim(0), 4);
  EXPECT_EQ(range(5).dim(0), 5);
  EXPECT_EQ(eye(3).dim(1), 3);
  EXPECT_EQ(randomNormal({2}).dim(0), 2);
  EXPECT_EQ(randomUniform({2}).dim(0), 2);
  Variable a = variable(3);
  Variable b = variable(1.5);
  Variable c = variable(2.5, "c");
  Variable w = variable({3, 1}, glorotUniform(), {.name = "w", .dtype = f64});
  EXPECT_EQ(a.name(), "Variable");
  EXPECT_EQ(b.name(), "Variable_1");
  EXPECT_EQ(c.name(), "c");
  EXPECT_EQ(w.dtype(), f64);
  EXPECT_FALSE(a.isTrainable());
  std::vector<std::string> names;
  for (const Variable &variable : trainableVariables())
    names.push_back(variable.name());
  EXPECT_EQ(names, (std::vector<std::string>{"Variable_1", "c", "w"}));
  EXPECT_GE(globalVariables().size(), 4u);
}

TEST(DefaultGraph, isEagerWhereProgramsAre) {
  ExecutionScope eagerly(true);
  resetDefaultGraph();
  Variable a = variable(3, "a");
  NameScope scope("s");
  ControlDependencies order({Tensor(a)});
  Tensor b = (constant({1, 2}) + constant(2)).named("b");
  EXPECT_EQ(b.values<int32_t>(), (std::vector<int32_t>{3, 4}));
  Tensor up = assignAdd(a, 2);
  EXPECT_EQ(up.item(), 5);
  EXPECT_EQ(readValue(a).item(), 5);
  EXPECT_EQ(identity(b).values<int32_t>()[1], 4);
  EXPECT_EQ(matmul(ones({2, 3}), zeros({3, 2})).dim(1), 2);
  EXPECT_EQ(reshape(ones({2, 3, 4}), {0, {1, 2}}).dim(1), 12);
  (void)globalVariablesInitializer();
  EXPECT_THROW(placeholder(f32, {}), GraphError);
}

TEST(DefaultGraph, namesOpsAsTensorFlowDoes) {
  resetDefaultGraph();
  Tensor x = placeholder(f32, {2, 2});
  Tensor y = placeholder(f32, {dim(), 2}, "y");
  Tensor first = matmul(x, x);
  Tensor second = matmul(x, x);
  EXPECT_EQ(nameOf(x), "Placeholder:0");
  EXPECT_EQ(nameOf(y), "y:0");
  EXPECT_EQ(nameOf(first), "MatMul:0");
  EXPECT_EQ(nameOf(second), "MatMul_1:0");
  EXPECT_EQ(nameOf(constant(5)), "Const:0");
  EXPECT_EQ(nameOf(placeholder(f32, {})), "Placeholder_1:0");
  Tensor both = placeholder(f32, {}, "p") + placeholder(f32, {}, "p");
  EXPECT_EQ(defaultGraph().tensor("p_1").rank(), both.rank());
  EXPECT_EQ(nameOf(relu(y).named("out")), "out:0");
  EXPECT_EQ(nameOf(relu(y).named("out")), "out_1:0");
  EXPECT_EQ(nameOf(reduceSum(y)), "ReduceSum:0");
  TopK top = topK(y, 1);
  EXPECT_EQ(nameOf(top.indices), "TopK:1");
  Variable a = variable(3, "a");
  EXPECT_EQ(nameOf(a), "a:0");
  Tensor up = assignAdd(a, 1);
  EXPECT_EQ(nameOf(up), "AssignAdd:0");
  EXPECT_EQ(nameOf(identity(a)), "Identity:0");
  EXPECT_EQ(nameOf(readValue(a)), "a/read:0");
}

TEST(DefaultGraph, numbersScopesThatAreOpenedAgain) {
  resetDefaultGraph();
  std::vector<std::string> names;
  for (int i = 0; i < 3; ++i) {
    NameScope outer("Scope_A");
    Tensor a = constant(1).named("A_add");
    names.push_back(nameOf(a));
    NameScope inner("in");
    EXPECT_EQ(inner.name(), outer.name() + "/in");
    names.push_back(nameOf(constant(2)));
    EXPECT_EQ(placeholder(f32, {}, "p").Tensor::name(), inner.name() + "/p:0");
    EXPECT_EQ(variable(1.0, "v").name(), inner.name() + "/v");
  }
  EXPECT_EQ(names, (std::vector<std::string>{
                       "Scope_A/A_add:0", "Scope_A/in/Const:0",
                       "Scope_A_1/A_add:0", "Scope_A_1/in/Const:0",
                       "Scope_A_2/A_add:0", "Scope_A_2/in/Const:0"}));
  Program other("other");
  NameScope scope(other, "S");
  EXPECT_EQ(nameOf(other.constant(1)), "S/Const:0");
}

TEST(DefaultGraph, findsAndListsWhatWasBuilt) {
  Program graph("g");
  auto building = graph.asDefault();
  Tensor a = constant({5, 3}).named("a");
  Variable w = variable(2, "w");
  Tensor b = reduceProd(a).named("b");
  Updates set = assign(w, b);
  EXPECT_EQ(graph.tensor("b").dtype(), i32);
  EXPECT_EQ(graph.tensor("a:0").dim(0), 2);
  EXPECT_THROW(graph.tensor("b:1"), GraphError);
  EXPECT_THROW(graph.tensor("c"), GraphError);
  std::string names;
  for (const OperationInfo &op : graph.operations())
    names += op.name + " " + op.kind + " " + std::to_string(op.tensors.size()) +
             "; ";
  EXPECT_EQ(names, "a constant 1; w variable 1; w/initial_value/Const constant "
                   "1; b reduce_prod 1; Assign assign 1; ");
  std::string text = graph.graphText();
  for (const char *part : {"loc(\"a\"", "loc(\"b\"", "loc(\"Assign\"",
                           "func.func @graph", "tg.variable @w"})
    EXPECT_NE(text.find(part), std::string::npos) << part << text;
}

/// Returns a node as text: op, name, inputs, types.
std::string textOf(const training::GraphNode &node) {
  std::ostringstream text;
  text << node.op << ' ' << node.name << " (";
  for (const std::string &input : node.inputs)
    text << ' ' << input;
  text << " )";
  for (const training::GraphValue &output : node.outputs) {
    text << ' ' << tg_dtype_name(output.dtype);
    for (int64_t extent : output.shape)
      text << ' ' << extent;
  }
  return text.str();
}

std::vector<std::string> nodesOf(const Program &program) {
  std::vector<std::string> texts;
  for (const training::GraphNode &node : graphNodes(program))
    texts.push_back(textOf(node));
  return texts;
}

TEST(DefaultGraph, listsNodes) {
  Program graph("g");
  auto building = graph.asDefault();
  Tensor x = placeholder(f32, {dim("n"), 3}, "x");
  Variable w = variable(2.0, "w");
  Tensor sum;
  {
    NameScope scope("Scope_A");
    sum = (x + w).named("A_add");
    TopK top = topK(sum, 1);
    relu(top.indices);
  }
  Updates set = assign(w, reduceSum(sum));
  {
    ControlDependencies after({sum, set});
    identity(w);
  }
  EXPECT_EQ(nodesOf(graph),
            (std::vector<std::string>{
                "Placeholder x ( ) f32 -1 3", "Variable w ( ) f32",
                "Const w/initial_value/Const ( ) f32",
                "Add Scope_A/A_add ( x w ) f32 -1 3",
                "TopK Scope_A/TopK ( Scope_A/A_add ) f32 -1 1 i64 -1 1",
                "Relu Scope_A/Relu ( Scope_A/TopK:1 ) i64 -1 1",
                "ReduceSum ReduceSum ( Scope_A/A_add ) f32",
                "Assign Assign ( ReduceSum w )",
                "Read w/read ( ^Scope_A/A_add ^Assign ) f32",
                "Identity Identity ( w/read ^Scope_A/A_add ^Assign ) f32"}));
  EXPECT_EQ(graphNodes().size(), 10u);
  EXPECT_EQ(graphNodes()[3].device, "");
}

TEST(DefaultGraph, listsNodesWithRegions) {
  Program graph("g");
  auto building = graph.asDefault();
  Tensor x = placeholder(f32, {2}, "x"), y = placeholder(f32, {2}, "y");
  Tensor chosen =
      cond(reduceSum(x) > 0.0, [&] { return x * y; }, [&] { return x - y; });
  const std::vector<training::GraphNode> nodes = graphNodes(graph);
  const auto &inputs = nodes.back().inputs;
  for (const char *name : {"x", "y"})
    EXPECT_EQ(std::count(inputs.begin(), inputs.end(), name), 1) << name;
}

TEST(DefaultGraph, printsAGraphWithAVariableOfThatName) {
  Program program("p");
  Variable graph = program.variable("graph", f32, {2}, zeros());
  Tensor twice = graph * 2.0;
  std::string text = program.graphText();
  EXPECT_NE(text.find("func.func @graph_("), std::string::npos) << text;
  EXPECT_NE(text.find("tg.variable @graph"), std::string::npos) << text;
}

TEST(DefaultGraph, printsAGraphWithAFunctionOfThatName) {
  Program program("p");
  Tensor x = program.input("x", f32, {2});
  program.function("graph", {.inputs = {x}, .outputs = {{"y", x * 2.0}}});
  std::string text = program.graphText();
  EXPECT_NE(text.find("func.func @graph"), std::string::npos) << text;
}

TEST(DefaultGraph, keepsCollections) {
  resetDefaultGraph();
  Tensor a = constant(1);
  Tensor b = constant(2);
  addToCollection("losses", a);
  defaultGraph().addToCollection("losses", b);
  EXPECT_EQ(collection("losses").size(), 2u);
  EXPECT_EQ(defaultGraph().collection("losses")[1].id(), b.id());
  EXPECT_TRUE(collection("others").empty());
  EXPECT_THROW(defaultGraph().addToCollection("x", Program("o").constant(1)),
               GraphError);
}

TEST(DefaultGraph, mergesShapes) {
  resetDefaultGraph();
  Tensor a = placeholder(f32, {dim(), 128});
  Tensor b = a;
  b.setShape({32, dim()});
  EXPECT_EQ(b.dim(0), 32);
  EXPECT_EQ(b.dim(1), 128);
  EXPECT_FALSE(a.shape()[0].isKnown());
  Tensor same = b;
  same.setShape({32, 128});
  EXPECT_EQ(same.id(), b.id());
  EXPECT_THROW(b.setShape({16, 128}), GraphError);
  EXPECT_THROW(b.setShape({32, 128, 1}), GraphError);
  EXPECT_EQ(extentsOf(a)[1].number(), 128);
  EXPECT_FALSE(extentsOf(a)[0].isNumber());
  Tensor c = placeholder(f32, {dim(), 10, 32});
  EXPECT_EQ(reshape(c, {0, {1, 2}}).dim(1), 320);
  EXPECT_EQ(reshape(c, {{0, 1}, 2}).dim(1), 32);
  EXPECT_EQ(reshape(c, {0, {}, {1, 2}}).rank(), 3);
  EXPECT_EQ(reshape(c, {extentOf(c, 0), 16, -1}).rank(), 3);
  EXPECT_EQ(reshape(c, {-1, 320}).dim(1), 320);
  EXPECT_THROW(reshape(c, {0, {1, 3}}), GraphError);
  EXPECT_THROW(reshape(c, {extentOf(c, 0), -1, -1}), GraphError);
}
} // namespace
