//===- ModelsTest.cpp - shapes and variables of the models ----------------===//
#include <gtest/gtest.h>
#include <tg/tg.h>

using namespace tg;

namespace {

struct Case {
  const char *name;
  Layer (*make)();
  /// The output shapes for images of 224x224 and of 32x32 pixels, without the
  /// batch.
  Shape large, small;
  int64_t parameters;
  size_t variables;
};

const Case kCases[] = {
    {"VGG16",
     [] { return Layer(VGG16()); },
     {7, 7, 512},
     {1, 1, 512},
     14'723'136,
     78},
    {"VGG19",
     [] { return Layer(VGG19()); },
     {7, 7, 512},
     {1, 1, 512},
     20'035'392,
     96},
    {"ResNetBase",
     [] { return Layer(ResNetBase({.layers = {1, 1, 1, 1}})); },
     {7, 7, 2048},
     {1, 1, 2048},
     13'961'600,
     174},
    {"ResNet50",
     [] { return Layer(ResNet50()); },
     {7, 7, 2048},
     {1, 1, 2048},
     23'534'592,
     318},
    {"ResNet101",
     [] { return Layer(ResNet101()); },
     {7, 7, 2048},
     {1, 1, 2048},
     42'552'832,
     624},
    {"ResNet152",
     [] { return Layer(ResNet152()); },
     {7, 7, 2048},
     {1, 1, 2048},
     58'219'520,
     930},
    {"ResNetSmall",
     [] { return Layer(ResNetSmall()); },
     {28, 28, 128},
     {4, 4, 128},
     501'632,
     90},
    {"DenseNet",
     [] { return Layer(DenseNet()); },
     {28, 28, 160},
     {4, 4, 160},
     435'120,
     312},
    {"DenseNet344",
     [] {
       return Layer(
           DenseNet({.blocks = 3, .growthRate = 4, .layersPerBlock = 4}));
     },
     {28, 28, 32},
     {4, 4, 32},
     15'024,
     120},
    {"DenseNet111",
     [] {
       return Layer(
           DenseNet({.blocks = 1, .growthRate = 1, .layersPerBlock = 1}));
     },
     {112, 112, 17},
     {16, 16, 17},
     1'094,
     24},
    {"UNet",
     [] { return Layer(UNet()); },
     {224, 224, 16},
     {32, 32, 16},
     28'488'592,
     132},
};

class Models : public testing::TestWithParam<Case> {};

Shape withBatch(Shape shape) {
  shape.insert(shape.begin(), dim());
  return shape;
}

TEST_P(Models, HaveTheirShapesAndVariables) {
  const Case &model = GetParam();
  for (bool isLarge : {true, false}) {
    Program program("images");
    int64_t extent = isLarge ? 224 : 32;
    std::string expected =
        toString(withBatch(isLarge ? model.large : model.small));
    Tensor image = program.input("image", f32, withBatch({extent, extent, 3}));
    Layer network = model.make();
    EXPECT_EQ(toString(network->trainFprop(image).shape()), expected);
    EXPECT_EQ(toString(network->testFprop(image).shape()), expected);
    network->trainFprop(image);
    EXPECT_EQ(program.parameterCount(), model.parameters);
    EXPECT_EQ(program.variables().size(), model.variables);
    EXPECT_EQ(network->variables().size(), model.variables);
  }
}

TEST(AlexNetTest, HasItsShapesAndParameters) {
  Program program("images");
  Tensor image = program.input("image", f32, {dim("n"), 227, 227, 3});
  AlexNet network;
  EXPECT_EQ(toString(network.trainFprop(image).shape()), "[n, 1000]");
  EXPECT_EQ(toString(network.testFprop(image).shape()), "[n, 1000]");
  EXPECT_EQ(program.parameterCount(), 60'965'224);
  EXPECT_EQ(network.variables().size(), 16u);
  EXPECT_EQ(network.variables().front().name(),
            "images/AlexNet_1/Conv2D_1/filter");
}

INSTANTIATE_TEST_SUITE_P(All, Models, testing::ValuesIn(kCases),
                         [](const auto &info) {
                           return std::string(info.param.name);
                         });

/// Returns the message of the error that `call` throws; empty for none.
std::string errorOf(const std::function<void()> &call) {
  try {
    call();
  } catch (const GraphError &error) {
    return error.what();
  }
  return "";
}

TEST(ModelParts, HalveAndKeepImages) {
  Program program("images");
  Tensor image = program.input("image", f32, {dim("batch"), 9, 9, 5});
  Layer half = ShortCutBlock({.filters = {2, 3, 4}, .strides = {2}});
  EXPECT_EQ(toString(half(image).shape()), "[batch, 5, 5, 4]");
  Layer kept = IdentityBlock();
  EXPECT_EQ(toString(kept(image).shape()), "[batch, 9, 9, 5]");
  Layer half2 = TransitionLayer({.filters = 7});
  EXPECT_EQ(toString(half2(image).shape()), "[batch, 4, 4, 7]");
  Layer dense = DenseBlock({.growthRate = 3, .layers = 2});
  EXPECT_EQ(toString(dense(image).shape()), "[batch, 9, 9, 11]");
}

TEST(ModelParts, ShareVariablesOfCopies) {
  Program program("images");
  Tensor image = program.input("image", f32, {2, 8, 8, 5});
  IdentityBlock block({.layers = 1});
  Layer first = block, second = block;
  second(first(image));
  EXPECT_EQ(program.variables().size(), 18u);
}

TEST(ModelErrors, NameLayerAndLine) {
  std::string error = errorOf([] { UNet({.name = "cells"}); });
  EXPECT_EQ(error, "");
  error = errorOf([] {
    Program program("images");
    Tensor image = program.input("image", f32, {1, 40, 64, 3});
    UNet network({.name = "cells"});
    network.trainFprop(image);
  });
  EXPECT_NE(error.find(": expected images [n, h, w, c] with h and w divisible "
                       "by 16, found [1, 40, 64, 3]"),
            std::string::npos)
      << error;
  EXPECT_NE(error.find("'cells', made in line "), std::string::npos) << error;
  EXPECT_NE(error.find("ModelsTest.cpp:"), std::string::npos) << error;
  error = errorOf([] {
    Program program("images");
    VGG16().trainFprop(program.input("image", f32, {1, 32, 32}));
  });
  EXPECT_NE(error.find("ModelsTest.cpp:"), std::string::npos) << error;
  EXPECT_NE(error.find("expected an input of rank 4 with known channels last, "
                       "found [1, 32, 32]"),
            std::string::npos)
      << error;
  error = errorOf([] {
    Program program("images");
    AlexNet().trainFprop(program.input("image", f32, {1, 66, 80, 3}));
  });
  EXPECT_NE(error.find("found [1, 66, 80, 3]"), std::string::npos) << error;
  error = errorOf([] { AlexNet({.classes = 0}); });
  EXPECT_NE(error.find("expected at least 1 class, found 0"), std::string::npos)
      << error;
  error = errorOf([] { DenseBlock({.layers = 0}); });
  EXPECT_NE(error.find("expected at least 1 layer, found 0"), std::string::npos)
      << error;
  EXPECT_NE(error.find("ModelsTest.cpp:"), std::string::npos) << error;
  error = errorOf([] { ShortCutBlock({.filters = {2, 0, 4}}); });
  EXPECT_NE(error.find("expected at least 1 filter, found 0"),
            std::string::npos)
      << error;
}

} // namespace
