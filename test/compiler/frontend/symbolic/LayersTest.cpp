// Tests results of symbolic layers and names of their variables.
#include "Towers.h"

using namespace tg;
using namespace tg::test;
namespace sym = tg::symbolic;
using sym::LayerOutput;
using sym::NCHW;
using sym::NHWC;

namespace {
/// Returns the results of a network for an input in a prediction tower; stores
/// the shape of the result in `*shape`.
Numbers predicts(const Elements &input, const Builder &build,
                 std::vector<int64_t> *shape = nullptr) {
  Towers towers(Shape(input.shape.begin(), input.shape.end()), build);
  Numbers found = towers.run("predict", input);
  if (shape)
    *shape = towers.shape;
  return found;
}

TEST(SymbolicNames, ofVariables) {
  Program program("p");
  Tensor x = program.input("x", f32, {2, 8, 8, 4});
  sym::TowerContext tower(program, "", {.isTraining = true});
  LayerOutput conv = sym::Conv2D("conv", x, 4, 3);
  EXPECT_EQ(conv.variables.W.name(), "conv/W");
  EXPECT_EQ(conv.variables.b.name(), "conv/b");
  EXPECT_EQ(sym::Conv2DTranspose("up", x, 2, 3).variables.W.name(), "up/W");
  LayerOutput norm = sym::BatchNorm("bn", conv);
  EXPECT_EQ(norm.variables.beta.name(), "bn/beta");
  EXPECT_EQ(norm.variables.gamma.name(), "bn/gamma");
  EXPECT_EQ(norm.variables.mean.name(), "bn/mean/EMA");
  EXPECT_EQ(norm.variables.variance.name(), "bn/variance/EMA");
  EXPECT_FALSE(norm.variables.mean.isTrainable());
  EXPECT_EQ(sym::PReLU("slope", x).variables.alpha.name(), "slope/alpha");
  EXPECT_EQ(sym::FullyConnected("fc", x, 3).variables.all().size(), 2u);
  EXPECT_EQ(sym::LayerNorm("ln", x).variables.gamma.name(), "ln/gamma");
  EXPECT_EQ(sym::InstanceNorm("in", x).variables.beta.name(), "in/beta");
  // The variables of an activation do not belong to the layer.
  LayerOutput active = sym::Conv2D("act", x, 4, 1, {.activation = sym::BNReLU});
  EXPECT_EQ(active.variables.all().size(), 2u);
  EXPECT_EQ(variablesByName(program, "act/bn/gamma").size(), 1u);
  for (const Variable &variable : conv.variables.all())
    EXPECT_TRUE(variable.isTrainable());
}

TEST(SymbolicConv2D, isSameByDefaultAndHasGroups) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n"), 7, 6, 4});
  EXPECT_EQ(toString(sym::Conv2D("a", x, 6, 3, {.strides = {2, 3}}).shape()),
            "[n, 4, 2, 6]");
  LayerOutput split =
      sym::Conv2D("b", x, 6, {3, 1},
                  {.padding = Padding::valid, .dilationRate = 2, .split = 2});
  EXPECT_EQ(toString(split.shape()), "[n, 3, 6, 6]");
  EXPECT_EQ(toString(split.variables.W.shape()), "[3, 1, 2, 6]");
}

// He et al.: a deviation of sqrt(2 / fan-in), not truncated.
TEST(SymbolicConv2D, startsAtHesDeviation) {
  Program program("p");
  Tensor x = program.input("x", f32, {1, 4, 4, 64});
  Variable w = sym::Conv2D("c", x, 64, 3).variables.W;
  Variable v = sym::FullyConnected("f", x, 50).variables.W;
  program.function("f", {.outputs = {{"w", w}, {"v", v}}});
  Evaluator evaluator(program.text());
  evaluator.init(1);
  double fans[] = {9 * 64, 16 * 64};
  for (size_t i = 0; i < 2; ++i) {
    double sum = 0, greatest = 0;
    Numbers numbers = evaluator.run("f", {})[i].values;
    for (double number : numbers) {
      sum += number * number;
      greatest = std::max(greatest, std::abs(number));
    }
    double expected = std::sqrt(2 / fans[i]);
    EXPECT_NEAR(std::sqrt(sum / double(numbers.size())), expected,
                0.02 * expected);
    EXPECT_GT(greatest, 2.5 * expected);
  }
}

TEST(SymbolicConv2D, activatesAndAddsABias) {
  Numbers y = predicts({{1, -2, 3}, {1, 1, 3, 1}}, [](Tensor x) {
    return sym::Conv2D("c", x, 1, 1,
                       {.activation = relu,
                        .kernelInitializer = Initializer(2),
                        .biasInitializer = Initializer(1)});
  });
  expectNear(y, {3, 0, 7});
  y = predicts({{1, -2, 3}, {1, 1, 3, 1}}, [](Tensor x) {
    return sym::Conv2D("c", x, 1, 1,
                       {.useBias = false, .kernelInitializer = ones()});
  });
  expectNear(y, {1, -2, 3});
}

/// Expects the same results on [n, h, w, c] and on [n, c, h, w].
void expectSameInBothFormats(
    const std::function<Tensor(Tensor, sym::DataFormat)> &layer) {
  Elements image = counting({2, 4, 6, 4});
  for (size_t i = 0; i < image.values.size(); ++i)
    image.values[i] = std::sin(0.7 * double(i));
  std::vector<int64_t> lastShape, firstShape;
  Numbers last = predicts(
      image, [&](Tensor x) { return layer(x, NHWC); }, &lastShape);
  Numbers first = predicts(
      image,
      [&](Tensor x) {
        Tensor y = layer(transpose(x, {0, 3, 1, 2}), NCHW);
        return y.rank() == 4 ? transpose(y, {0, 2, 3, 1}) : y;
      },
      &firstShape);
  EXPECT_EQ(lastShape, firstShape);
  expectNear(last, first);
}

TEST(SymbolicLayers, inBothDataFormats) {
  using sym::DataFormat;
  expectSameInBothFormats([](Tensor x, DataFormat format) {
    return sym::Conv2D("c", x, 3, 3, {.strides = {2, 1}, .dataFormat = format});
  });
  expectSameInBothFormats([](Tensor x, DataFormat format) {
    return sym::Conv2DTranspose("c", x, 3, 3,
                                {.strides = 2,
                                 .padding = Padding::valid,
                                 .dataFormat = format,
                                 .activation = tanh,
                                 .useBias = true});
  });
  expectSameInBothFormats([](Tensor x, DataFormat format) {
    return sym::MaxPooling("m", x, 2, {.strides = 1, .dataFormat = format});
  });
  expectSameInBothFormats([](Tensor x, DataFormat format) {
    return sym::AvgPooling("m", x, 3,
                           {.padding = Padding::same, .dataFormat = format});
  });
  expectSameInBothFormats([](Tensor x, DataFormat format) {
    return sym::GlobalAvgPooling("g", x, {.dataFormat = format});
  });
  expectSameInBothFormats([](Tensor x, DataFormat format) {
    return sym::FixedUnPooling("u", x, 2, {.dataFormat = format});
  });
  expectSameInBothFormats([](Tensor x, DataFormat format) {
    return sym::BatchNorm("b", x, {.training = true, .dataFormat = format});
  });
  expectSameInBothFormats([](Tensor x, DataFormat format) {
    return sym::BatchRenorm("b", x,
                            {.rmax = 3, .dmax = 5, .dataFormat = format});
  });
  expectSameInBothFormats([](Tensor x, DataFormat format) {
    return sym::LayerNorm("b", x, {.dataFormat = format});
  });
  expectSameInBothFormats([](Tensor x, DataFormat format) {
    return sym::InstanceNorm("b", x, {.dataFormat = format});
  });
}

// h, w = 12, 18 and a kernel of 3, as in Tensorpack's test.
TEST(SymbolicConv2DTranspose, extents) {
  struct Row {
    int64_t stride;
    Padding padding;
    const char *shape;
  };
  const Row rows[] = {{1, Padding::same, "[n, 12, 18, 20]"},
                      {1, Padding::valid, "[n, 14, 20, 20]"},
                      {2, Padding::same, "[n, 24, 36, 20]"},
                      {2, Padding::valid, "[n, 25, 37, 20]"}};
  for (const Row &row : rows) {
    Program program("p");
    Tensor x = program.input("x", f32, {dim("n"), 12, 18, 3});
    LayerOutput y = sym::Conv2DTranspose(
        "d", x, 20, 3, {.strides = row.stride, .padding = row.padding});
    EXPECT_EQ(toString(y.shape()), row.shape);
    EXPECT_EQ(toString(y.variables.W.shape()), "[3, 3, 20, 3]");
    // The extents are dynamic.
    Tensor z = program.input("z", f32, {1, dim("h"), dim("w"), 3});
    Tensor up = sym::layer("Deconv2D")(
        "e", z, {.positional = {20, 3}, .keyword = {{"strides", row.stride}}});
    EXPECT_EQ(toString(up.shape()), "[1, ?, ?, 20]");
  }
}

TEST(SymbolicPooling, slidesByItsWindow) {
  Elements image = {{1, 2, 3, 4, 5, 6}, {1, 2, 3, 1}};
  EXPECT_EQ(
      predicts(image, [](Tensor x) { return sym::MaxPooling("m", x, 2); }),
      (Numbers{5}));
  EXPECT_EQ(predicts(image,
                     [](Tensor x) {
                       return sym::AvgPooling("m", x,
                                              {.poolSize = {2, 2},
                                               .strides = {1, 1},
                                               .padding = Padding::same});
                     }),
            (Numbers{3, 4, 4.5, 4.5, 5.5, 6}));
  EXPECT_EQ(
      predicts(image, [](Tensor x) { return sym::GlobalAvgPooling("g", x); }),
      (Numbers{3.5}));
}

// h, w = 3, 4 and a scale of 2, as in Tensorpack's test.
TEST(SymbolicFixedUnPooling, isAKroneckerProduct) {
  Elements image = counting({1, 3, 4, 1});
  std::vector<int64_t> shape;
  Numbers corners = predicts(
      image, [](Tensor x) { return sym::FixedUnPooling("u", x, 2); }, &shape);
  EXPECT_EQ(shape, (std::vector<int64_t>{1, 6, 8, 1}));
  Numbers all = predicts(image, [](Tensor x) {
    return sym::FixedUnPooling("u", x,
                               {.shape = {2, 2}, .unpoolMat = {1, 2, 3, 4}});
  });
  for (size_t i = 0; i < 48; ++i) {
    size_t row = i / 8, column = i % 8;
    double at = double(row / 2 * 4 + column / 2);
    bool isCorner = row % 2 == 0 && column % 2 == 0;
    EXPECT_EQ(corners[i], isCorner ? at : 0);
    EXPECT_EQ(all[i], at * double(1 + row % 2 * 2 + column % 2));
  }
}

TEST(SymbolicLayers, thatAreFunctions) {
  Elements rows = {{-4, 2, 3, -1}, {1, 4}};
  expectNear(predicts(rows, [](Tensor x) { return sym::Maxout(x, 2); }),
             {2, 3});
  expectNear(predicts(rows, [](Tensor x) { return sym::Maxout("m", x, 4); }),
             {3});
  expectNear(predicts(rows, [](Tensor x) { return sym::PReLU("p", x); }),
             {-0.004, 2, 3, -0.001});
  expectNear(predicts(rows, [](Tensor x) { return sym::PReLU("p", x, 0.5); }),
             {-2, 2, 3, -0.5});
  expectNear(
      predicts(rows, [](Tensor x) { return sym::PReLU("p", x, {.init = 1}); }),
      {-4, 2, 3, -1});
  expectNear(
      predicts(rows,
               [](Tensor x) { return sym::Maxout("m", x, {.numUnit = 1}); }),
      {-4, 2, 3, -1});
}

// (x - mean) / sqrt(variance + epsilon) over all dimensions but the batch.
TEST(SymbolicLayerNorm, normalizesExamples) {
  Elements rows = {{1, 3, 5, 7}, {2, 1, 1, 2}};
  Numbers y = predicts(rows, [](Tensor x) {
    return sym::LayerNorm(
        "n", x,
        {.epsilon = 3, .center = false, .gammaInitializer = Initializer(2)});
  });
  expectNear(y, {-1, 1, -1, 1}); // 2 · ±1 / sqrt(1 + 3)
  y = predicts({{1, 5, 3, 9}, {1, 2, 1, 2}}, [](Tensor x) {
    return sym::InstanceNorm(
        "n", x, {.epsilon = 3, .scale = false, .gammaInitializer = ones()});
  });
  expectNear(y, {-0.5, -2 / std::sqrt(7), 0.5, 2 / std::sqrt(7)});
}

TEST(SymbolicLinearWrap, isTheSameChain) {
  auto func = [](Tensor x, double factor) { return x * factor; };
  auto chain = [&](Tensor x) {
    std::ostringstream printed;
    Tensor y = sym::LinearWrap(x)
                   .Conv2D("conv0", 2, 3, {.activation = relu})
                   .MaxPooling("pool0", 2)
                   .printTensor(printed)
                   .multiply(0.5)
                   .multiply(onesLike(x[{0, 0, 0, 0}]))
                   .apply(func, 3.0)
                   .apply2([](double by, Tensor t) { return t - by; }, 1.0)
                   .layer("FullyConnected", "fc0", {.positional = {3}})
                   .apply(tanh)
                   .BNReLU()
                   .Dropout(0.5)
                   .FullyConnected("fc1", 2)();
    EXPECT_NE(printed.str().find("(1, 2, 2, 2)"), std::string::npos);
    return y;
  };
  auto calls = [&](Tensor x) {
    Tensor y = sym::Conv2D("conv0", x, 2, 3, {.activation = relu});
    y = sym::MaxPooling("pool0", y, 2);
    y = func(0.5 * y, 3.0) - 1.0;
    y = tanh(sym::FullyConnected("fc0", y, 3));
    y = sym::Dropout(sym::BNReLU(y), 0.5);
    return Tensor(sym::FullyConnected("fc1", y, 2));
  };
  Elements image = counting({1, 4, 4, 1});
  Towers chained({1, 4, 4, 1}, chain), called({1, 4, 4, 1}, calls);
  expectNear(chained.run("predict", image), called.run("predict", image));
  EXPECT_EQ(namesOf(chained.program), namesOf(called.program));
  EXPECT_EQ(
      namesOf(called.program),
      (Words{"conv0/W", "conv0/b", "fc0/W", "fc0/b", "bn/gamma", "bn/beta",
             "bn/mean/EMA", "bn/variance/EMA", "fc1/W", "fc1/b"}));
}

TEST(SymbolicLinearWrap, hasEveryLayer) {
  Program program("p");
  Tensor x = program.input("x", f32, {2, 8, 8, 4});
  sym::TowerContext tower(program, "", {.isTraining = true});
  Tensor y = sym::LinearWrap(x)
                 .Conv2DTranspose("up", 4, 3, {.strides = 2})
                 .AvgPooling("avg", 2)
                 .FixedUnPooling("un", 2)
                 .BatchNorm("bn")
                 .BatchRenorm("br", {.rmax = 1, .dmax = 0})
                 .LayerNorm("ln")
                 .InstanceNorm("in")
                 .Maxout("mo", 2)
                 .PReLU("pr", 0.1)
                 .BNReLU("nr")
                 .Dropout("dr", {.keepProb = 0.5})
                 .GlobalAvgPooling("gap")
                 .tensor();
  EXPECT_EQ(toString(y.shape()), "[2, 2]");
}
} // namespace
