// Tests errors of symbolic layers at the user's line.
#include "../Errors.h"
#include "tg/tg.h"

using namespace tg;
using namespace tg::symbolic;
namespace sym = tg::symbolic;

namespace {
class SymbolicError : public testing::Test {
protected:
  Program program{"p"};
  Tensor x = program.input("x", f32, {dim("n"), 8});
  Tensor image = program.input("image", f32, {dim("n"), 8, 8, 4});
};

TEST_F(SymbolicError, argscopes) {
  EXPECT_ERROR(ArgScope({"Conv3D"}, {{"filters", 1}}),
               "expected the name of a registered layer, found 'Conv3D'");
  EXPECT_ERROR(ArgScope({"Conv2D"}, {{"colour", 1}}),
               "expected an argument of layer 'Conv2D', found 'colour'");
  EXPECT_ERROR(ArgScope({sym::Conv2D, sym::MaxPooling}, {.filters = 3}),
               "expected an argument of layer 'MaxPooling', found 'filters'");
  EXPECT_ERROR(ArgScope({"Conv2D"}, {{"nl", relu}, {"activation", relu}}),
               "expected one of the arguments 'nl' and 'activation' of layer "
               "'Conv2D', found both");
  EXPECT_TRUE(ArgScope::of("Conv2D").all().empty());
}

TEST_F(SymbolicError, arguments) {
  NamedLayer conv = sym::layer("Conv2D");
  EXPECT_ERROR(sym::Conv2D("c", image, {.kernelSize = 3}),
               "expected argument 'filters' of layer 'Conv2D', found none");
  EXPECT_ERROR(sym::MaxPooling("m", image), "argument 'pool_size'");
  EXPECT_ERROR(conv("c", image, {.keyword = {{"units", 3}}}),
               "expected an argument of layer 'Conv2D', found 'units'");
  EXPECT_ERROR(conv("c", image, {.positional = {"wide"}}),
               "expected argument 'filters' of layer 'Conv2D' to be a whole "
               "number, found \"wide\"");
  EXPECT_ERROR(conv("c", image,
                    {.positional = {1, 3}, .keyword = {{"padding", "full"}}}),
               "to be \"same\" or \"valid\", found \"full\"");
  EXPECT_ERROR(
      conv("c", image,
           {.positional = {1, 3}, .keyword = {{"data_format", "NWHC"}}}),
      "found \"NWHC\"");
  EXPECT_ERROR(
      sym::layer("MaxPooling")("m", image, {.positional = {1, 1, 1, 1, 1}}),
      "expected at most 4 arguments of layer 'MaxPooling', found 5");
  EXPECT_ERROR(conv("c", image, {.keyword = {{"stride", 1}, {"strides", 2}}}),
               "arguments 'stride' and 'strides'");
}

TEST_F(SymbolicError, argumentsByPositionAndKeyword) {
  EXPECT_ERROR(sym::Conv2D("c", image, 32, 3, {.filters = 16}),
               "expected argument 'filters' of layer 'Conv2D' by position or "
               "by keyword, found both");
  EXPECT_ERROR(sym::Conv2D("c", image, 32, 3, {.kernelSize = 5}),
               "expected argument 'kernel_size'");
  EXPECT_ERROR(sym::layer("FullyConnected")(
                   "f", x, {.positional = {2}, .keyword = {{"out_dim", 3}}}),
               "expected argument 'units' of layer 'FullyConnected'");
  ArgScope scope(sym::Conv2D, {.filters = 16});
  EXPECT_EQ(sym::Conv2D("c", image, 32, 3).dim(-1), 32);
}

TEST_F(SymbolicError, variablesThatALayerHasNot) {
  sym::LayerOutput c = sym::Conv2D("conv", image, 2, 3, {.useBias = false});
  EXPECT_FALSE(c.variables.b.isDefined());
  const char *expected =
      "expected layer 'conv' to have a variable 'b', found W";
  EXPECT_ERROR(reduceSum(c.variables.b), expected);
  EXPECT_ERROR(c.variables.b.name(), expected);
  EXPECT_ERROR(c.variables.b.shape(), expected);
  EXPECT_ERROR(gradients(reduceSum(c), {c.variables.b}), expected);
  Variable copy = c.variables.b;
  EXPECT_ERROR(assign(copy, 1.0), expected);
  EXPECT_ERROR(c + copy, expected);
  EXPECT_ERROR(Session(program, {.kernelCache = ""}).run(copy), expected);
  EXPECT_ERROR(Session(program, {.kernelCache = ""}).value(copy), expected);
  EXPECT_ERROR(reduceSum(sym::MaxPooling("pool", image, 2).variables.W),
               "expected layer 'pool' to have a variable 'W', found none");
}

TEST_F(SymbolicError, names) {
  EXPECT_ERROR(sym::layer("Convolve"), "found 'Convolve'");
  EXPECT_ERROR(LinearWrap(x).layer("Convolve", "c"), "found 'Convolve'");
  EXPECT_ERROR(sym::Conv2D("", image, 1, 1),
               "expected a name of layer 'Conv2D', found ''");
  registerLayer("NeverNamed", {.useScope = UseScope::never},
                [](Tensor t, const Arguments &) { return t; });
  EXPECT_ERROR(sym::layer("NeverNamed")("n", x),
               "expected no name of layer 'NeverNamed', found 'n'");
  registerLayer("Again", {}, [](Tensor t, const Arguments &) { return t; });
  sym::layer("Again");
  registerLayer("Again", {}, [](Tensor t, const Arguments &) { return t; });
  EXPECT_ERROR(sym::layer("Again"), "found a conflict");
  EXPECT_ERROR(registerLayer("", {}, {}), "expected a name and a function");
  EXPECT_ERROR(sym::FullyConnected("f", x, 1).variables.at("c"),
               "to have a variable 'c', found W, b");
}

TEST_F(SymbolicError, layersCalledTwice) {
  sym::FullyConnected("fc", x, 3);
  EXPECT_ERROR(sym::FullyConnected("fc", x, 3),
               "expected a new name for a variable, found 'fc/W'");
  VariableScope reusing(program, "", {.reuse = Reuse::yes});
  EXPECT_ERROR(sym::FullyConnected("fc", x, 4),
               "expected variable 'fc/W' to be f32 [8, 4], found f32 [8, 3]");
}

TEST_F(SymbolicError, inputs) {
  EXPECT_ERROR(sym::Conv2D("c", x, 3, 3), "expected an input of rank 4");
  EXPECT_ERROR(sym::Conv2D("c1", image, 3, 3, {.split = 2}), "groups");
  EXPECT_ERROR(sym::Conv2D("c2", image, 0, 3), "at least 1 filter");
  EXPECT_ERROR(sym::Conv2D("c3", x, 3, 3, {.dataFormat = NCHW}),
               "expected an input [n, c, h, w]");
  EXPECT_ERROR(sym::FullyConnected("f", x, 0), "at least 1 unit");
  EXPECT_ERROR(sym::GlobalAvgPooling("g", x), "rank 4");
  EXPECT_ERROR(sym::InstanceNorm("i", x), "rank 4");
  EXPECT_ERROR(sym::FixedUnPooling("u", image, {.shape = {1, 2, 3}}),
               "a shape of 1 or 2 numbers");
  EXPECT_ERROR(sym::Maxout("m", x, 3), "3");
  TowerContext tower(program, "", {.isTraining = true});
  Tensor rows = image[0];
  EXPECT_ERROR(sym::BatchNorm("b", rows), "rank 2 or 4");
  EXPECT_ERROR(sym::BatchNorm("b1", x, {.virtualBatchSize = 0}),
               "a virtual_batch_size of at least 1, found 0");
  EXPECT_ERROR(sym::BatchRenorm("b2", x, {.rmax = 0.5, .dmax = 1}), "rmax");
  EXPECT_ERROR(sym::Dropout("d", x, {.keepProb = 0.5, .rate = 0.5}),
               "'keep_prob' and 'rate'");
}

TEST_F(SymbolicError, outsideOfTowers) {
  EXPECT_ERROR(sym::BatchNorm("b", x), "expected BatchNorm within a "
                                       "TowerContext, found none");
  EXPECT_ERROR(sym::Dropout(x), "expected Dropout within a TowerContext");
  EXPECT_ERROR(regularizeCost("W", l2Loss), "within a TowerContext");
  EXPECT_ERROR(regularizeCostFromCollection(), "within a TowerContext");
  TowerFunction build({"x"},
                      [](const std::vector<Tensor> &in) { return in[0]; });
  EXPECT_ERROR(build({x}), "within a TowerContext");
  Program other("other");
  TowerContext tower(other, "", {.isTraining = true});
  EXPECT_ERROR(sym::Dropout(x), "expected a TowerContext of program 'p', "
                                "found that of 'other'");
}

TEST_F(SymbolicError, towersThatNest) {
  TowerContext tower(program, "a", {.isTraining = true});
  EXPECT_ERROR(TowerContext(program, "b", {.isTraining = true}),
               "expected towers that do not nest, found tower 'b' within tower "
               "'a'");
}

TEST_F(SymbolicError, towersThatTrain) {
  EXPECT_ERROR(
      TowerContext(program, "t", {.isTraining = true, .index = 2, .total = 2}),
      "expected the index of tower 't' in [0, 2), found 2");
  {
    VariableScope scope(program, "net");
    EXPECT_ERROR(TowerContext(program, "t", {.isTraining = true}),
                 "at the root of the variable scopes, found 'net'");
  }
}

TEST_F(SymbolicError, newVariablesInTowersThatReuse) {
  {
    TowerContext tower(program, "", {.isTraining = true});
    sym::FullyConnected("fc", x, 2);
  }
  auto expectNone = [&](const TowerOptions &options) {
    TowerContext tower(program, "again", options);
    EXPECT_ERROR(sym::FullyConnected("new", x, 2),
                 "expected variable 'new/W' to exist");
    EXPECT_ERROR(getVariable(program, "w", {2}), "found none");
    EXPECT_ERROR(program.variable("v", f32, {2}, zeros()),
                 "expected no new trainable variable in tower 'again', which "
                 "reuses existing ones, found 'v'");
    program.variable("count" + std::to_string(options.index), f32, {}, zeros(),
                     {.trainable = false});
    Linear own({.units = 2});
    EXPECT_THROW(own(x), GraphError);
  };
  expectNone({.isTraining = true, .index = 1, .total = 2});
  VariableScope reusing(program, "", {.reuse = Reuse::yes});
  expectNone({.isTraining = false});
}

TEST_F(SymbolicError, partsOfTowers) {
  TowerFunction build({"x"}, [](const std::vector<Tensor> &in) {
    return Tensor(sym::FullyConnected("fc", in[0], 2));
  });
  TowerContext tower(program, "t", {.isTraining = true});
  build({x});
  EXPECT_ERROR(build({x, x}), "expected 1 inputs of a tower, found 2");
  EXPECT_ERROR(build.tower("u"), "found 'u'");
  EXPECT_ERROR(build.tower("t").tensor("fc2/output"),
               "expected the name of a value of tower 't'");
  EXPECT_ERROR(build.tower("t").variable("fc2/W"),
               "expected the name of a variable of tower 't'");
}

TEST_F(SymbolicError, expressions) {
  TowerContext tower(program, "", {.isTraining = true});
  Variable w = sym::FullyConnected("fc", x, 1).variables.W;
  EXPECT_ERROR(regularizeCost("(", l2Loss),
               "expected a regular expression, found '('");
  EXPECT_ERROR(regularizeCost("", l2Loss), "expected a regular expression");
  auto perElement = [](Tensor weight) { return weight * weight; };
  EXPECT_ERROR(regularizeCost("W", perElement),
               "expected penalties that are scalars of floats, found f32 "
               "[8, 1]");
  Tensor loss = l2Loss(w);
  EXPECT_ERROR(
      ApplyGradProcessors(SGD(), {MapGradient(square, "[")}).minimize(loss),
      "expected a regular expression, found '['");
  EXPECT_ERROR(ApplyGradProcessors(SGD(), {GlobalNormClip(0)}).minimize(loss),
               "a norm above 0");
  EXPECT_ERROR(AccumGrad(SGD(), 0), "at least 1 step, found 0");
  EXPECT_ERROR(AccumGrad(SGD(), 2).apply({}), "at least one gradient");
  EXPECT_ERROR(ApplyGradProcessors(SGD(), {}).apply({}),
               "at least one gradient");
}
} // namespace
