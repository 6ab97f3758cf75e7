/// Tests layers whose variables are created before their first call.
#include "../Errors.h"
#include "../Lines.h"
#include "../eager/EagerProgram.h"

#include <set>

using namespace tg;

namespace {

/// Returns the names and shapes of variables.
std::string describe(const std::vector<Variable> &variables) {
  std::string text;
  for (const Variable &variable : variables)
    text += variable.name() + " " + toString(variable.shape()) + "\n";
  return text;
}

/// Returns the message of the error that `call` throws, without the lines of
/// layers; empty for none.
template <typename Call> std::string errorOf(Call call) {
  try {
    call();
  } catch (const GraphError &error) {
    return test::withoutLines(error.message);
  }
  return "";
}

/// A network of two member layers.
class Pair : public BaseLayer {
public:
  Linear first{{.units = 4}};

protected:
  Tensor train(Tensor x) override {
    return last(relu(first(x)).named("hidden"));
  }

private:
  Linear last{{.units = 2}};
};

/// A custom layer.
class Scale : public BaseLayer {
public:
  using BaseLayer::build;

protected:
  void build(const TensorType &input) override {
    weight =
        addWeight("weight", {input.dim(-1)}, ones(), {.dtype = input.dtype});
  }
  Tensor train(Tensor x) override { return x * weight; }

private:
  Variable weight;
};

/// A program with one input that is the default graph.
class LayerBuild : public testing::Test {
protected:
  Program program{"net"};
  DefaultGraph open = program.asDefault();
  Tensor x = program.input("x", f32, {dim("n"), 8});

  std::string text(const Tensor &y) {
    program.function("run", {.inputs = {x}, .outputs = {{"y", y}}});
    return program.text();
  }
};

TEST_F(LayerBuild, MakesTheVariablesOfALayer) {
  Linear dense({.units = 3});
  EXPECT_FALSE(dense.isBuilt());
  dense.build({dim(), 8});
  EXPECT_TRUE(dense.isBuilt());
  EXPECT_EQ(describe(dense.variables()),
            "net/Linear_1/weight [8, 3]\nnet/Linear_1/bias [3]\n");
  dense(x);
  dense.build({32, 8});
  EXPECT_EQ(program.variables().size(), 2u);
}

TEST_F(LayerBuild, MakesTheVariablesOfAnyLayer) {
  Layer embedding = Embedding({10, 4});
  embedding.build({dim(), 20}, i32);
  EXPECT_EQ(describe(embedding->variables()),
            "net/Embedding_1/table [10, 4]\n");
  Conv2D conv({.filters = 5});
  conv.build({dim(), dim(), dim(), 3});
  EXPECT_EQ(toString(conv.variables()[0].shape()), "[3, 3, 3, 5]");
  Scale scale;
  scale.build({6}, f64);
  EXPECT_EQ(scale.variables()[0].dtype(), f64);
  Sequential chain({Linear({.units = 5}), BatchNormalization(), Dropout(),
                    Linear({.units = 2})});
  chain.build({dim(), 8});
  EXPECT_EQ(chain.variables().size(), 8u);
  EXPECT_EQ(chain.parameterCount(), 45 + 10 + 12);
}

TEST_F(LayerBuild, LeavesNothingButVariables) {
  auto programOf = [](bool isBuilt) {
    Program program("net");
    DefaultGraph open = program.asDefault();
    Tensor x = program.input("x", f32, {dim("n"), 8});
    Sequential chain({Pair(), BatchNormalization(), Dropout({.rate = 0.5})});
    if (isBuilt)
      chain.build({dim(), 8});
    Tensor y = chain.trainFprop(x);
    EXPECT_EQ(y.name(), "Sequential_1/Dropout_1/train_fprop/Select:0");
    EXPECT_TRUE(program.tensor("Sequential_1/Pair_1/hidden:0").isDefined());
    // Initial values are named after their variables, wherever these are
    // created.
    std::set<std::string> names;
    for (const OperationInfo &operation : program.operations())
      names.insert(operation.name);
    EXPECT_TRUE(names.contains("net/Sequential_1/Pair_1/Linear_1/weight/"
                               "initial_value/RandomUniform"));
    EXPECT_TRUE(names.contains("Sequential_1/Pair_1/Linear_1/train_fprop/Add"));
    program.function("run", {.inputs = {x}, .outputs = {{"y", y}}});
    return program.text();
  };
  EXPECT_EQ(programOf(true), programOf(false));
}

TEST_F(LayerBuild, TakesSeveralInputs) {
  class Sums : public BaseLayer {
  protected:
    std::vector<Tensor> link(std::vector<Tensor> inputs, Mode) override {
      return {left(inputs[0]) + right(inputs[1])};
    }

  private:
    Linear left{{.units = 3}}, right{{.units = 3}};
  };
  Layer sums = Sums();
  sums.buildFor({x.type(), {f32, {dim(), 5}}});
  EXPECT_EQ(sums->variables().size(), 4u);
  EXPECT_EQ(toString(sums->variables()[2].shape()), "[5, 3]");
}

TEST_F(LayerBuild, RefusesAnInputThatDiffers) {
  Linear dense({.units = 3});
  dense.build({dim(), 4});
  EXPECT_EQ(errorOf([&] { dense(x); }),
            "'Linear_1': expected an input that fits 'net/Linear_1/weight' "
            "[4, 3], made for another input; this one needs [8, 3]");
  Linear wide({.units = 3});
  wide.build({dim(), 8}, f64);
  EXPECT_EQ(errorOf([&] { wide(x); }),
            "'Linear_2': expected an input that fits 'net/Linear_2/weight' "
            "f64 [8, 3], made for another input; this one needs f32 [8, 3]");
  Linear unknown({.units = 3});
  EXPECT_EQ(errorOf([&] { unknown.build({4, dim()}); }),
            "'Linear_3': expected dim -1 of shape [4, ?] to be known");
  EXPECT_ERROR(unknown.buildFor({}), "expected at least one input of layer");
  // The failed calls left no trace in the program.
  EXPECT_NE(text(dense(program.zeros({2, 4}))).find("tg.matmul"),
            std::string::npos);
}

class LayerBuildEagerly : public EagerProgram {};

TEST_F(LayerBuildEagerly, MakesTheVariables) {
  DefaultGraph open = program.asDefault();
  Sequential chain({Pair(), BatchNormalization()});
  GradientTape tape;
  chain.build({dim(), 8});
  EXPECT_EQ(chain.variables().size(), 8u);
  Tensor before = chain.variables()[6]; // a moving average
  EXPECT_EQ(print(before), "[0 0]");
  Tensor y = chain.trainFprop(program.ones({3, 8}));
  EXPECT_EQ(program.variables().size(), 8u);
  EXPECT_EQ(tape.gradient(y, chain.variables()).size(), 8u);
  EXPECT_EQ(errorOf([&] { chain(program.ones({3, 7})); }),
            "'Sequential_1/Pair_1/Linear_1': expected an input that fits "
            "'net/Sequential_1/Pair_1/Linear_1/weight' [8, 4], made for "
            "another input; this one needs [7, 4]");
}

} // namespace
