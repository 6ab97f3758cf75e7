// Tests custom layers and custom models.
#include "../Evaluator.h"
#include "examples/models/Models.h"

#include <gtest/gtest.h>

using namespace tg;
using ::models::Highway;

namespace {
using Numbers = std::vector<double>;

class Tower : public BaseModel {
public:
  explicit Tower(int units) {
    StartNode start;
    HiddenNode hidden({start}, {Linear({.units = units}), Highway(relu)});
    define({start}, {EndNode({hidden})});
  }
};

TEST(Layer, ofOnesOwnMakesItsVariablesOnce) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n"), 8});
  Highway highway(tanh);
  Tensor once = highway.trainFprop(x);
  highway.testFprop(highway.trainFprop(once));
  ASSERT_EQ(program.variables().size(), 2u);
  EXPECT_EQ(program.variables()[0].name(), "p/Highway_1/weight");
  EXPECT_EQ(program.variables()[1].name(), "p/Highway_1/gate");
}

TEST(Model, isALayerWithAPathOfItsOwn) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n"), 8});
  StartNode start({x});
  HiddenNode node({start}, {Tower(6), Tower(4)});
  Graph graph({start}, {EndNode({node})});
  EXPECT_EQ(toString(graph.trainFprop().front().shape()), "[n, 4]");
  graph.testFprop();
  std::vector<Variable> variables = program.variables();
  ASSERT_EQ(variables.size(), 8u);
  EXPECT_EQ(variables[0].name(), "p/Tower_1/Linear_1/weight");
  EXPECT_EQ(variables[3].name(), "p/Tower_1/Highway_1/gate");
  EXPECT_EQ(variables[4].name(), "p/Tower_2/Linear_1/weight");
  EXPECT_EQ(graph.variables().size(), 8u);
}

TEST(Sequential, runsAllOfItsLayersOrSome) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n"), 8});
  Sequential layers({Linear({.units = 4}), Relu()});
  layers.add(Linear({.units = 3}));
  EXPECT_EQ(Sequential({}).size(), 0u);
  EXPECT_EQ(toString(layers.trainFprop(x).shape()), "[n, 3]");
  EXPECT_EQ(layers.parameterCount(), 8 * 4 + 4 + 4 * 3 + 3);
  EXPECT_EQ(program.variables()[2].name(), "p/Sequential_1/Linear_2/weight");
  EXPECT_EQ(toString(layers.part({0}).testFprop(x).shape()), "[n, 4]");
  Layer last = layers.pop(2);
  EXPECT_EQ(layers.size(), 2u);
  EXPECT_EQ(toString(last->testFprop(layers.testFprop(x)).shape()), "[n, 3]");
  EXPECT_EQ(program.variables().size(), 4u);
  EXPECT_THROW(layers.pop(2), GraphError);
  EXPECT_THROW(layers.part({0, 2}), GraphError);
}

TEST(Layer, saysHowItsVariablesAreTrained) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n"), 8});
  Linear frozen({.units = 4, .variables = {.trainable = false}});
  Linear penalized(
      {.units = 4, .variables = {.regularizer = l2Regularizer(1)}});
  Tensor loss = reduceSum(penalized(frozen(x)));
  Updates updates = SGD().minimize(loss + regularization(program.variables()));
  program.function(
      "train",
      {.inputs = {x}, .outputs = {{"loss", loss}}, .updates = updates});
  EXPECT_EQ(program.parameterCount(), 4 * 4 + 4);
  // Biases are not penalized.
  Variable weight = penalized.variables()[0];
  Variable bias = penalized.variables()[1];
  program.function("f",
                   {.outputs = {{"penalty", regularization({weight, bias})},
                                {"expected", l2Loss(weight)}}});
  Evaluator evaluator(program.text());
  evaluator.init(1);
  std::vector<Elements> found = evaluator.run("f", {});
  ASSERT_EQ(evaluator.error(), "");
  EXPECT_GT(found[0].values[0], 0);
  EXPECT_EQ(found[0].values[0], found[1].values[0]);
}

TEST(Model, saysHowTheVariablesInsideAreTrained) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n"), 8});
  Tower tower(6);
  tower.setVariableOptions({.trainable = false, .constraint = nonNegative()});
  tower.trainFprop(x);
  EXPECT_EQ(program.variables().size(), 4u);
  EXPECT_EQ(program.parameterCount(), 0);
}

/// Returns the sum and the difference of two inputs.
class Both : public BaseLayer {
protected:
  std::vector<Tensor> link(std::vector<Tensor> inputs, Mode) override {
    return {inputs[0] + inputs[1], inputs[0] - inputs[1]};
  }
};

TEST(Layer, takesAndGivesSeveralTensors) {
  Program program("p");
  Tensor x = program.input("x", f32, {});
  Tensor y = program.input("y", f32, {});
  Both layer;
  auto [sum, difference] = layer.trainFprop<2>(x, y);
  auto [again, same] = layer.testFprop<2>(sum, difference);
  program.function("f", {.inputs = {x, y},
                         .outputs = {{"sum", sum},
                                     {"difference", difference},
                                     {"twice_x", again},
                                     {"twice_y", same}}});
  Evaluator evaluator(program.text());
  std::vector<Elements> outputs = evaluator.run("f", {{{5}}, {{3}}});
  ASSERT_EQ(outputs.size(), 4u) << evaluator.error();
  Numbers found;
  for (const Elements &output : outputs)
    found.push_back(output.values[0]);
  EXPECT_EQ(found, (Numbers{8, 2, 10, 6}));
  unsigned line = __LINE__ + 2;
  try {
    layer.trainFprop(x, y);
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    EXPECT_EQ(error.line, line);
    EXPECT_EQ(error.message,
              "expected layer 'Both_1' to give 1 output, found 2");
  }
}

/// Computes x + 1 in training and x - 1 in testing.
class Sided : public BaseLayer {
protected:
  Tensor train(Tensor x) override { return x + 1.0; }
  Tensor test(Tensor x) override { return x - 1.0; }
};

/// Doubles the output of an inner layer.
class Doubled : public BaseLayer {
protected:
  Tensor train(Tensor x) override { return inner(x) * 2.0; }

private:
  Sided inner;
};

TEST(Layer, isCalledInTheModeOfTheLayerAroundIt) {
  Program program("p");
  Tensor x = program.input("x", f32, {});
  Doubled layer;
  program.function("f", {.inputs = {x},
                         .outputs = {{"train", layer.trainFprop(x)},
                                     {"test", layer.testFprop(x)},
                                     {"call", layer(x)},
                                     {"alone", Layer(Sided())(x)}}});
  Evaluator evaluator(program.text());
  std::vector<Elements> outputs = evaluator.run("f", {{{5}}});
  ASSERT_EQ(outputs.size(), 4u) << evaluator.error();
  EXPECT_EQ(outputs[0].values[0], 12);
  EXPECT_EQ(outputs[1].values[0], 8);
  EXPECT_EQ(outputs[2].values[0], 12);
  EXPECT_EQ(outputs[3].values[0], 6);
}

/// Counts its training calls.
class Counting : public BaseLayer {
protected:
  void build(const TensorType &) override {
    calls = variable("calls", {}, zeros(), {.trainable = false});
  }
  Tensor train(Tensor x) override {
    update(calls, calls + 1.0);
    return x * 2.0;
  }
  Tensor test(Tensor x) override { return x + calls; }

private:
  Variable calls;
};

TEST(Layer, updatesBelongToFunctionsThatNeedItsTrainingOutput) {
  Program program("p");
  Tensor x = program.input("x", f32, {});
  Counting layer;
  Tensor trained = layer.trainFprop(x);
  Tensor tested = layer.testFprop(x);
  program.function("train", {.inputs = {x}, .outputs = {{"y", trained + 1.0}}});
  program.function("test", {.inputs = {x}, .outputs = {{"y", tested}}});
  Evaluator evaluator(program.text());
  evaluator.init(1);
  EXPECT_EQ(evaluator.run("test", {{{5}}})[0].values[0], 5);
  EXPECT_EQ(evaluator.run("train", {{{5}}})[0].values[0], 11);
  EXPECT_EQ(evaluator.run("train", {{{5}}})[0].values[0], 11);
  EXPECT_EQ(evaluator.run("test", {{{5}}})[0].values[0], 7);
}

/// Counts its training calls and returns its input or its variable.
class Watching : public BaseLayer {
public:
  explicit Watching(bool givesInput) : givesInput(givesInput) {}

protected:
  void build(const TensorType &) override {
    calls = variable("calls", {}, zeros(), {.trainable = false});
  }
  Tensor train(Tensor x) override {
    update(calls, calls + 1.0);
    return givesInput ? x : calls;
  }

private:
  bool givesInput;
  Variable calls;
};

TEST(Layer, updatesBelongToItsCallWhateverItGives) {
  for (bool givesInput : {true, false}) {
    Program program("p");
    Tensor x = program.input("x", f32, {dim("n")});
    Tensor other = reduceSum(x);
    Watching layer(givesInput), direct(givesInput);
    Tensor seen = layer.trainFprop(other);
    Tensor given = direct.trainFprop(x);
    EXPECT_EQ(given.rank(), givesInput);
    program.function("unseen", {.inputs = {x}, .outputs = {{"y", other}}});
    program.function("seen", {.inputs = {x}, .outputs = {{"y", seen}}});
    program.function("given", {.inputs = {x}, .outputs = {{"y", given}}});
    program.function("look", {.outputs = {{"a", layer.variables()[0]},
                                          {"b", direct.variables()[0]}}});
    EXPECT_EQ(program.text().find("cast"), std::string::npos);
    Evaluator evaluator(program.text());
    evaluator.init(1);
    auto counts = [&](const char *function) {
      evaluator.run(function, {{{5, 6}, {2}}});
      std::vector<Elements> found = evaluator.run("look", {});
      EXPECT_EQ(evaluator.error(), "");
      return Numbers{found[0].values[0], found[1].values[0]};
    };
    EXPECT_EQ(counts("unseen"), (Numbers{0, 0}));
    EXPECT_EQ(counts("seen"), (Numbers{1, 0}));
    EXPECT_EQ(counts("given"), (Numbers{1, 1}));
  }
}
} // namespace
