/// Tests eager mode: immediate values, their memory, variables, training.
#include "../Errors.h"
#include "EagerProgram.h"

#include <cmath>
#include <iomanip>
#include <limits>
#include <sstream>

using namespace tg;

namespace {
class EagerTest : public EagerProgram {};
} // namespace

using Floats = std::vector<float>;

TEST_F(EagerTest, TensorsHaveValues) {
  Tensor a = program.tensor<float>({1, 2, 3, 4}, {2, 2});
  EXPECT_EQ(print(a * 2 + 0.5), "[[2.5 4.5] [6.5 8.5]]");
  EXPECT_EQ(matmul(a, a).values<float>(), (Floats{7, 10, 15, 22}));
  EXPECT_EQ(reduceSum(a).item(), 10);
  EXPECT_EQ(print(a > 2), "[[false false] [true true]]");
  std::ostringstream text;
  text << std::setprecision(3) << a / 3 << ' ' << reduceSum(a) / 3;
  EXPECT_EQ(text.str(), "[[0.333 0.667] [1 1.33]] 3.33");
  // A condition of rank 1 selects rows.
  Tensor second = vector({0, 1}) > 0.0;
  EXPECT_EQ(print(where(second, a, -a)), "[[-1 -2] [3 4]]");
  EXPECT_EQ(print(where(a > 2, a, 0.0)), "[[0 0] [3 4]]");
  Tensor b = second;
  b &= second;
  b ^= vector({1, 1}) > 0.0;
  EXPECT_EQ(print(b), "[true false]");
  b |= second;
  EXPECT_EQ(print(b), "[true true]");
  Tensor c = a;
  c %= 3.0;
  EXPECT_EQ(print(c), "[[1 2] [0 1]]");
  EXPECT_EQ((a > 2).values<bool>(),
            (std::vector<bool>{false, false, true, true}));
  EXPECT_EQ(toString((a[{Slice(), 1}]).shape()), "[2]");
  EXPECT_EQ(shapeOf(a).values<int64_t>(), (std::vector<int64_t>{2, 2}));
}

TEST_F(EagerTest, WhatIsTrueIsFound) {
  Tensor a = program.tensor<float>({1, 4, 3, 2}, {2, 2});
  EXPECT_EQ(nonzero(a > 2).values<int64_t>(),
            (std::vector<int64_t>{0, 1, 1, 0}));
  EXPECT_EQ(booleanMask(a, a > 2).values<float>(), (Floats{4, 3}));
  EXPECT_EQ(toString(nonzero(a > 9).shape()), "[0, 2]");
}

TEST_F(EagerTest, MemoryIsFreedWithTheLastHandle) {
  size_t before = program.liveTensorCount();
  {
    Tensor a = vector({1, 2});
    Tensor b = a;
    Tensor c = a + b;
    EXPECT_EQ(program.liveTensorCount(), before + 2);
    a = c;
    EXPECT_EQ(program.liveTensorCount(), before + 2);
    b = c;
    EXPECT_EQ(program.liveTensorCount(), before + 1);
    // A tensor of another program keeps no memory of this program alive.
    Program other("other");
    Tensor d = other.constant(1);
    a = d;
    d = other.constant(2);
  }
  EXPECT_EQ(program.liveTensorCount(), before);
}

TEST_F(EagerTest, TrainingTakesNoMoreMemoryInTheLongRun) {
  Sequential network({Linear({.units = 4, .activation = relu}),
                      Dropout({.rate = 0.5}), Linear({.units = 1})});
  Tensor x = program.tensor(std::vector<float>(12, 1), {4, 3});
  Adam adam;
  auto step = [&] {
    (void)adam.minimize([&] { return reduceMean(square(network(x))); });
  };
  step();
  size_t tensors = program.liveTensorCount();
  for (int i = 0; i < 100; ++i)
    step();
  EXPECT_EQ(program.liveTensorCount(), tensors);
  EXPECT_EQ(program.recordedOperationCount(), 0u);
}

TEST_F(EagerTest, CppBranchesOnValues) {
  Tensor x = vector({64});
  int halvings = 0;
  for (; x[0].item() > 1; ++halvings)
    x = x / 2;
  EXPECT_EQ(halvings, 6);
}

TEST_F(EagerTest, MistakesNameTheLine) {
  Tensor a = vector({1, 2, 3});
  EXPECT_ERROR(matmul(a, a), "expected");
  EXPECT_ERROR(a + vector({1, 2}), "'tg.add' op expected");
  EXPECT_ERROR(a.item(), "expected a tensor of one element, found [3]");
  EXPECT_ERROR(a.values<double>(),
               "expected the C++ type of the elements, which are f32");
  EXPECT_ERROR(program.input("x", f32, {1}),
               "expected graph mode for input 'x'");
  EXPECT_ERROR(program.function("f", {.outputs = {{"a", a}}}),
               "expected graph mode for function 'f'");
  EXPECT_THROW((void)program.text(), GraphError);
  Tensor rows = program.tensor<int32_t>({7}, {1});
  EXPECT_ERROR(gather(a, rows), "'tg.gather' op");
}

TEST_F(EagerTest, GraphTensorsHaveNone) {
  ExecutionScope graph(false);
  Program other("graph");
  Tensor a = other.constant(1);
  EXPECT_FALSE(other.isEager());
  EXPECT_ERROR(a.item(), "expected a tensor of eager mode");
  EXPECT_EQ(print(a), "Tensor(\"Const:0\", shape=(), dtype=float32)");
}

TEST_F(EagerTest, OptimizersStepAtOnce) {
  Variable x = program.variable("x", f32, {}, 5.2);
  Adam adam({.learningRate = 0.1});
  for (int step = 0; step < 100; ++step)
    (void)adam.minimize([&] { return x * x; });
  EXPECT_NEAR(x.item(), -0.02407, 1e-5);
  (void)adam.apply(adam.computeGradients([&] { return x * x; }));
  EXPECT_NEAR(x.item(), -0.02602, 1e-5);
  EXPECT_EQ(program.step().item(), 101);
}

TEST_F(EagerTest, ApplyTakesWhatTapesGive) {
  Variable w = program.variable("w", f32, {}, 3.0);
  Variable other = program.variable("other", f32, {}, 3.0);
  GradientTape tape;
  std::vector<Variable> variables = {w, other};
  std::vector<Tensor> found = tape.gradient(w * w, variables);
  (void)SGD({.learningRate = 0.5}).apply(zip(found, variables));
  EXPECT_EQ(w.item(), 0);
  EXPECT_EQ(other.item(), 3);
  EXPECT_ERROR(SGD().apply(zip({Tensor()}, {other})),
               "expected a tensor with a value");
  GradientTape second;
  EXPECT_ERROR(SGD().apply(zip(second.gradient(w * w, {other}), {other})),
               "a gradient of 'other', found none: the target does not depend");
}

TEST_F(EagerTest, MovingAveragesMoveAtOnce) {
  BatchNormalization layer({.momentum = 0.5});
  Tensor x = program.tensor<float>({1, 3}, {2, 1});
  Tensor y = layer.trainFprop(x);
  EXPECT_NEAR(y.values<float>()[1], 1, 1e-2);
  for (const Variable &variable : layer.variables())
    if (variable.name() == "net/BatchNormalization_1/moving_mean")
      EXPECT_EQ(variable.values<float>()[0], 1);
  layer.testFprop(x);
}

TEST_F(EagerTest, DrawsFollowSeedStepAndPlace) {
  program.setSeed(7);
  Variable w = program.variable("w", f32, {}, 1.0);
  auto draw = [&] { return program.randomNormal({4}).values<float>(); };
  Floats first = draw();
  Floats second = draw();
  EXPECT_NE(first, second);
  (void)SGD().minimize([&] { return w * w; });
  EXPECT_NE(draw(), first);
  Program again("net");
  again.setSeed(7);
  EXPECT_EQ(again.randomNormal({4}).values<float>(), first);
  // Setting a seed restarts the random sequence, whatever was sampled before.
  again.setSeed(8);
  EXPECT_NE(again.randomNormal({4}).values<float>(), first);
  again.setSeed(7);
  EXPECT_EQ(again.randomNormal({4}).values<float>(), first);
  EXPECT_EQ(again.randomNormal({4}).values<float>(), second);
}

TEST_F(EagerTest, HandlesOfVariablesShowWhatTheyAreNow) {
  Variable w = program.variable("w", f32, {}, 3.0);
  Tensor handle = w, before = w * 1.0, twice = w * 2;
  (void)assign(w, 5.0);
  EXPECT_EQ(handle.item(), 5);
  EXPECT_EQ(before.item(), 3);
  EXPECT_EQ(twice.item(), 6);
}

TEST_F(EagerTest, NumbersThatAreNoneNameOpAndLine) {
  program.checkNumerics();
  Tensor x = vector({1, 2, -1});
  Tensor zero = vector({1, 0});
  EXPECT_ERROR(log(zero),
               "'tg.log' op expected a finite number at position [1], found -");
  EXPECT_ERROR(
      sqrt(x),
      "'tg.sqrt' op expected a finite number at position [2], found NaN");
  EXPECT_ERROR(sqrt(x[2]), "'tg.sqrt' op expected a finite number, found NaN");
  // Infinities that the user passes in are not reported.
  Tensor infinite = vector({1, std::numeric_limits<float>::infinity()});
  EXPECT_EQ(exp(-infinite).values<float>()[1], 0);
  Variable w = program.variable("w", f32, {}, 0.0);
  GradientTape tape;
  const unsigned line = __LINE__ + 1;
  Tensor root = sqrt(w);
  try {
    tape.gradient(root, std::vector<Variable>{w});
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    // The line of the differentiated operation is reported.
    EXPECT_EQ(error.line, line);
    EXPECT_NE(error.message.find("found infinity"), std::string::npos);
  }
  program.checkNumerics(false);
  EXPECT_TRUE(std::isnan(sqrt(x).values<float>()[2]));
}

TEST_F(EagerTest, ActivationsHaveNames) {
  Tensor x = vector({-1, 2});
  EXPECT_EQ(Activation("relu")(x).values<float>(), (Floats{0, 2}));
  EXPECT_FALSE(Activation("linear"));
  EXPECT_EQ(Activation(std::string("leakyRelu"))(x).values<float>(),
            leakyRelu(x).values<float>());
  EXPECT_ERROR(Activation("rleu"), "expected an activation, one of linear, ");
  Linear layer({.units = 2, .activation = "tanh"});
  EXPECT_FALSE(layer.isBuilt());
  Tensor y = layer(program.tensor<float>({9, 9}, {1, 2}));
  EXPECT_TRUE(layer.isBuilt());
  EXPECT_LE(std::abs(y.values<float>()[0]), 1);
}

namespace {
/// Returns x · w; the weight has the name that Keras uses.
class Scale : public BaseLayer {
protected:
  Tensor train(Tensor x) override { return x * addWeight("w", {}, 2.0); }
};
} // namespace

TEST_F(EagerTest, LayersOfOnesOwnTrackVariables) {
  Sequential network({Scale(), Scale()});
  EXPECT_EQ(network(vector({3})).item(), 12);
  ASSERT_EQ(network.variables().size(), 2u);
  EXPECT_EQ(network.variables()[0].name(), "net/Sequential_1/Scale_1/w");
}

TEST_F(EagerTest, ProductsOfAnyShape) {
  for (auto [m, k, n] : {std::array<int64_t, 3>{1, 1, 1},
                         {5, 300, 17},
                         {4, 16, 16},
                         {3, 0, 2}}) {
    std::vector<float> a(m * k), b(k * n);
    for (size_t i = 0; i < a.size(); ++i)
      a[i] = float(i % 7) - 3;
    for (size_t i = 0; i < b.size(); ++i)
      b[i] = float(i % 5) - 2;
    Tensor lhs = program.tensor(a, {m, k});
    Tensor rhs = program.tensor(b, {k, n});
    Floats found = matmul(lhs, rhs).values<float>();
    EXPECT_EQ(matmul(transpose(lhs, {1, 0}), rhs, {.transposeLhs = true})
                  .values<float>(),
              found);
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double sum = 0;
        for (int64_t l = 0; l < k; ++l)
          sum += double(a[i * k + l]) * b[l * n + j];
        EXPECT_EQ(found[i * n + j], float(sum));
      }
  }
}

TEST_F(EagerTest, ShapesHaveNamedExtents) {
  program.tensor<float>({1, 2, 3}, {Extent(3, "batch")});
  EXPECT_EQ(program.zeros({dim("batch"), 2}).values<float>(), Floats(6, 0));
  EXPECT_ERROR(program.zeros({dim("time")}),
               "expected an input with an extent 'time'");
}

TEST_F(EagerTest, GraphsOfNodesComputeAnew) {
  Variable w = program.variable("w", f32, {}, 2.0);
  StartNode start({vector({3})});
  HiddenNode hidden({start}, {Lambda([=](Tensor x) { return x * w; })});
  EndNode end({hidden});
  Graph graph({start}, {end});
  EXPECT_EQ(graph.trainFprop().front().item(), 6);
  (void)assign(w, 5);
  EXPECT_EQ(graph.trainFprop().front().item(), 15);
}

TEST_F(EagerTest, ReferenceVariablesAreOfGraphs) {
  EXPECT_ERROR(referenceVariable(program, "v", f32, {}, zeros()),
               "tf.Variable not supported when eager execution is enabled");
  ExecutionScope graph(false);
  Program other("graph");
  EXPECT_EQ(referenceVariable(other, "v", f32, {2}, zeros()).name(), "v");
}
