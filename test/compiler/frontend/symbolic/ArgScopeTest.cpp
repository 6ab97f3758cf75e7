// Tests layer arguments by name: argscopes, deprecated names, custom layers.
#include "Towers.h"

using namespace tg;
using namespace tg::test;
using namespace tg::symbolic;
namespace sym = tg::symbolic;

namespace {
/// A program with a matrix input and an image input.
struct Made {
  Program program{"p"};
  Tensor x = program.input("x", f32, {2, 3});
  Tensor image = program.input("image", f32, {2, 9, 8, 3});
};

TEST(ArgScope, givesArguments) {
  Made made;
  ArgScope scope(sym::FullyConnected, {.units = 7, .useBias = false});
  LayerOutput y = sym::FullyConnected("fc", made.x);
  EXPECT_EQ(y.dim(-1), 7);
  EXPECT_TRUE(y.variables.W.isDefined());
  EXPECT_FALSE(y.variables.b.isDefined());
}

TEST(ArgScope, closes) {
  Made made;
  {
    ArgScope scope(sym::FullyConnected, {.useBias = false});
    sym::FullyConnected("a", made.x, 1);
  }
  EXPECT_TRUE(sym::FullyConnected("b", made.x, 1).variables.b.isDefined());
  EXPECT_TRUE(ArgScope::of(sym::FullyConnected).all().empty());
}

// A call argument overrides the inner scope, which overrides the outer scope.
TEST(ArgScope, precedence) {
  Made made;
  auto units = [&](const Tensor &y) { return y.dim(-1); };
  ArgScope outer(sym::FullyConnected, {.units = 1, .useBias = false});
  EXPECT_EQ(units(sym::FullyConnected("outer", made.x)), 1);
  ArgScope inner(sym::FullyConnected, {.units = 2});
  LayerOutput y = sym::FullyConnected("inner", made.x);
  EXPECT_EQ(units(y), 2);
  EXPECT_FALSE(y.variables.b.isDefined()); // from the outer scope
  EXPECT_EQ(units(sym::FullyConnected("keyword", made.x, {.units = 3})), 3);
  EXPECT_EQ(units(sym::FullyConnected("positional", made.x, 4)), 4);
  NamedLayer byName = sym::layer("FullyConnected");
  EXPECT_EQ(units(byName("named", made.x)), 2);
  EXPECT_EQ(units(byName("named3", made.x, {.keyword = {{"units", 3}}})), 3);
  EXPECT_EQ(units(byName("named4", made.x, {.positional = {4}})), 4);
}

TEST(ArgScope, ofSeveralLayers) {
  Made made;
  ArgScope both({sym::Conv2D, sym::MaxPooling}, {.padding = Padding::valid});
  ArgScope filters(sym::Conv2D, {.filters = 4, .kernelSize = 3});
  Tensor conv = sym::Conv2D("c", made.image);
  EXPECT_EQ(toString(conv.shape()), "[2, 7, 6, 4]");
  EXPECT_EQ(toString(sym::MaxPooling("m", conv, 2).shape()), "[2, 3, 3, 4]");
  EXPECT_EQ(ArgScope::of("Conv2D").all().size(), 3u);
  EXPECT_EQ(ArgScope::of(sym::AvgPooling.layerName()).all().size(), 0u);
}

TEST(ArgScope, isACopy) {
  ArgScope scope(sym::FullyConnected, {.units = 5});
  Arguments copy = ArgScope::of(sym::FullyConnected);
  copy.set("units", 6);
  copy.set("use_bias", false);
  copy.remove("use_bias");
  EXPECT_EQ(copy.get<int64_t>("units"), 6);
  EXPECT_FALSE(copy.has("use_bias"));
  EXPECT_EQ(ArgScope::of(sym::FullyConnected).get<int64_t>("units"), 5);
}

TEST(ArgScope, takesOneOfTheSharedOptions) {
  Made made;
  Regularizer l1 = l1Regularizer(1);
  Regularizer l2 = l2Regularizer(1);
  ArgScope weights({sym::Conv2D, sym::Conv2DTranspose},
                   {.filters = 2,
                    .kernelSize = {3, 3},
                    .strides = 2,
                    .padding = Padding::same,
                    .dataFormat = NHWC,
                    .activation = relu,
                    .useBias = true,
                    .kernelInitializer = ones(),
                    .biasInitializer = zeros(),
                    .kernelRegularizer = l2,
                    .biasRegularizer = l1,
                    .activityRegularizer = l1});
  ArgScope dense({"FullyConnected"}, SharedOptions{.units = 3});
  ArgScope pools({sym::MaxPooling, sym::AvgPooling}, {.poolSize = 2});
  ArgScope norms({sym::BatchNorm, sym::BatchRenorm},
                 {.center = false,
                  .scale = false,
                  .momentum = 0.5,
                  .epsilon = 0.1,
                  .gammaInitializer = ones()});
  EXPECT_EQ(ArgScope::of(sym::Conv2D).all().size(), 12u);
  Tensor conv = sym::Conv2D("c", made.image);
  EXPECT_EQ(toString(conv.shape()), "[2, 5, 4, 2]");
  EXPECT_EQ(toString(sym::Conv2DTranspose("t", conv).shape()), "[2, 10, 8, 2]");
  EXPECT_EQ(toString(sym::MaxPooling("m", conv).shape()), "[2, 2, 2, 2]");
  EXPECT_EQ(sym::FullyConnected("f", conv).dim(-1), 3);
  TowerContext tower(made.program, "", {.isTraining = true});
  EXPECT_EQ(sym::BatchNorm("b", conv).variables.all().size(), 2u);
}

TEST(ArgScope, withoutAnActivationWithinOneThatHasOne) {
  Made made;
  ArgScope outer(sym::FullyConnected,
                 {.units = 1, .activation = relu, .useBias = false});
  made.program.function(
      "f", {.inputs = {made.x},
            .outputs = {{"y", sym::FullyConnected(
                                  "fc", made.x,
                                  {.activation = Activation(),
                                   .kernelInitializer = Initializer(-1)})}}});
  Evaluator evaluator(made.program.text());
  evaluator.init(1);
  expectNear(evaluator.run("f", {counting({2, 3})})[0].values, {-3, -12});
}

TEST(OldNames, areTranslated) {
  Made made;
  Arguments old = {{"out_channel", 4}, {"kernel_shape", 3},
                   {"stride", 2},      {"nl", relu},
                   {"W_init", ones()}, {"b_init", 0.5},
                   {"use_bias", true}, {"data_format", "channels_last"}};
  LayerOutput conv = sym::layer("Conv2D")("c", made.image, {.keyword = old});
  EXPECT_EQ(toString(conv.shape()), "[2, 5, 4, 4]");
  EXPECT_EQ(toString(sym::layer("MaxPooling")("m", conv,
                                              {.keyword = {{"shape", {2, 1}}}})
                         .shape()),
            "[2, 2, 4, 4]");
  EXPECT_EQ(
      sym::layer("FullyConnected")("f", conv, {.keyword = {{"out_dim", 5}}})
          .dim(-1),
      5);
  TowerContext tower(made.program, "", {.isTraining = true});
  LayerOutput norm =
      sym::layer("BatchNorm")("n", conv,
                              {.keyword = {{"use_bias", false},
                                           {"use_scale", true},
                                           {"gamma_init", 2},
                                           {"decay", 0.5},
                                           {"use_local_stat", true}}});
  EXPECT_TRUE(norm.variables.gamma.isDefined());
  EXPECT_FALSE(norm.variables.beta.isDefined());
}

TEST(OldNames, meanTheSameInArgscopes) {
  Made made;
  ArgScope old({"Deconv2D"}, {{"out_channel", 2}, {"kernel_shape", 2}});
  ArgScope now(sym::Conv2DTranspose, {.filters = 3, .strides = 2});
  EXPECT_EQ(toString(sym::layer("Deconv2D")("d", made.image).shape()),
            "[2, 18, 16, 3]");
}

/// Registers the layers of these tests once.
void registerLayers() {
  static const bool isDone = [] {
    registerLayer("Affine", {.arguments = {"units", "scale"}},
                  [](Tensor x, const Arguments &arguments) -> LayerOutput {
                    int64_t units = arguments.get<int64_t>("units");
                    Variable w =
                        getVariable(Program::of(x), "W", {x.dim(-1), units},
                                    {.initializer = ones()});
                    VariableHolder variables;
                    variables.add("W", w);
                    return {matmul(x, w) * arguments.get<double>("scale", 1.0),
                            variables};
                  });
    registerLayer("Twice", {.useScope = UseScope::never, .logShape = true},
                  [](Tensor x, const Arguments &) { return x + x; });
    return true;
  }();
  (void)isDone;
}

TEST(Registry, layersOfOnesOwn) {
  registerLayers();
  Made made;
  ArgScope scope({"Affine"}, {{"scale", 0.5}});
  LayerOutput y = sym::layer("Affine")("own", made.x, {.positional = {2}});
  EXPECT_EQ(y.variables.W.name(), "own/W");
  EXPECT_EQ(y.variables.at("W").name(), "own/W");
  EXPECT_EQ(sym::layer("Affine").name(), "Affine");
  Tensor z = sym::layer("Twice")("", y);
  made.program.function("f", {.inputs = {made.x}, .outputs = {{"z", z}}});
  Evaluator evaluator(made.program.text());
  evaluator.init(1);
  expectNear(evaluator.run("f", {counting({2, 3})})[0].values, {3, 3, 12, 12});
}

TEST(Registry, tellsShapesOnceForEachName) {
  Made made;
  Words lines;
  onLayerShapes(made.program,
                [&](const std::string &line) { lines.push_back(line); });
  for (int64_t index : {0, 1}) {
    TowerContext tower(made.program, "tower" + std::to_string(index),
                       {.isTraining = true, .index = index, .total = 2});
    sym::Conv2D("conv", made.image, 4, 3, {.strides = 2});
  }
  EXPECT_EQ(lines,
            (Words{"conv input: [2, 9, 8, 3]", "conv output: [2, 5, 4, 4]"}));
}

TEST(Arguments, asTypes) {
  Arguments arguments = {
      {"flag", true},         {"word", "text"},
      {"sizes", {1, 2}},      {"numbers", std::vector<double>{0.5}},
      {"padding", "SAME"},    {"format", "NCHW"},
      {"update", "internal"}, {"tensor", Tensor()},
      {"function", relu},     {"none", Argument()}};
  EXPECT_TRUE(arguments.get<bool>("flag"));
  EXPECT_EQ(arguments.get<std::string>("word"), "text");
  EXPECT_EQ(arguments.get<Sizes>("sizes").numbers,
            (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(arguments.get<std::vector<double>>("numbers").size(), 1u);
  EXPECT_EQ(arguments.get<Padding>("padding").rule, Padding::same);
  EXPECT_EQ(arguments.get<DataFormat>("format"), NCHW);
  EXPECT_EQ(arguments.get<EmaUpdate>("update"), EmaUpdate::internal);
  EXPECT_FALSE(arguments.get<Tensor>("tensor").isDefined());
  EXPECT_TRUE(bool(arguments.get<Activation>("function")));
  EXPECT_TRUE(bool(arguments.get<Regularizer>("function")));
  EXPECT_FALSE(arguments.has("none"));
  EXPECT_EQ(arguments.get<double>("none", 2.5), 2.5);
}
} // namespace
