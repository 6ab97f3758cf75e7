//===- ZooOptionsTest.cpp - options and errors of the zoo -----------------===//
#include "../Lines.h"

#include <gtest/gtest.h>
#include <tg/tg.h>

using namespace tg;
using namespace tg::models;

namespace {

TEST(ZooOptions, SayWhatNetworksGive) {
  Program program("zoo");
  Tensor image = program.input("image", f32, {1, 16, 16, 3});
  EXPECT_EQ(toString(Unet({.classes = 4})(image).shape()), "[1, 16, 16, 4]");
  EXPECT_EQ(toString(DilatedUnet({.classes = 5})(image).shape()),
            "[1, 16, 16, 5]");
  Tensor volume = program.input("volume", f32, {1, 17, 129, 129, 2});
  EXPECT_EQ(toString(ImageSearchModel({.units = 7})(volume).shape()), "[1, 7]");
  Tensor series = program.input("series", f32, {1, 2, 16, 16, 1});
  Tensor matrix = program.input("matrix", i32, {6, 2});
  C4 network({.segments = 3,
              .coarseClasses = 2,
              .fineClasses = 6,
              .classMatrix = matrix,
              .headRate = 0.5,
              .secondHeadRate = 0.5,
              .normalization = {.scale = false}});
  auto [places, coarse, fine] = network.trainFprop<3>(series, series, series);
  EXPECT_EQ(toString(places.shape()), "[1, 2, 16, 16, 3]");
  EXPECT_EQ(toString(coarse.shape()), "[1, 2]");
  EXPECT_EQ(toString(fine.shape()), "[1, 6]");
  for (const Variable &variable : network.variables())
    EXPECT_EQ(variable.name().find("gamma"), std::string::npos);
}

/// Expects an error with the message `sentence`, apart from the lines of
/// layers, at a line of this file.
template <typename Function>
void expectMistake(Function call, const std::string &sentence) {
  try {
    call();
  } catch (const GraphError &error) {
    EXPECT_EQ(test::withoutLines(error.message), sentence);
    EXPECT_NE(error.file.find("ZooOptionsTest.cpp"), std::string::npos)
        << error.file;
    return;
  }
  ADD_FAILURE() << "nothing was thrown: " << sentence;
}

/// Expects that a network rejects inputs of the given shapes.
void expectRefusal(Layer network, const std::vector<Shape> &shapes,
                   const std::string &sentence) {
  Program program("zoo");
  std::vector<Tensor> inputs;
  for (Shape shape : shapes) {
    shape.insert(shape.begin(), dim("batch"));
    inputs.push_back(
        program.input("x" + std::to_string(inputs.size()), f32, shape));
  }
  expectMistake([&] { network->fprop(inputs, Mode::train); }, sentence);
}

/// Returns `count` equal shapes.
std::vector<Shape> volumes(size_t count, Shape shape) {
  return std::vector<Shape>(count, shape);
}

TEST(ZooMistakes, OfExtentsNameTheNetworkAndItsLine) {
  expectRefusal(DilatedUnet({.name = "heart"}), {{40, 64, 1}},
                "'heart': expected images [n, h, w, c] with h and w "
                "divisible by 16, found [batch, 40, 64, 1]");
  expectRefusal(HEDModified({.channels = 1, .sideChannels = 1}),
                {{6, 16, 16, 1}},
                "'HEDModified_1/Checked_1': expected volumes [n, d, h, w, c] "
                "with d divisible by 4, and h "
                "and w divisible by 16, found [batch, 6, 16, 16, 1]");
  expectRefusal(C5({.name = "tumour"}), volumes(3, {4, 16, 16, 1}),
                "'tumour': expected volumes [n, d, h, w, c] with d divisible "
                "by 4, and h and w divisible by 32, found [batch, 4, 16, 16, "
                "1]");
  expectRefusal(AIRNet(), volumes(2, {8, 64, 128, 1}),
                "'AIRNet_1/Checked_1': expected volumes [n, d, h, w, c] of at "
                "least [8, 128, 128], found "
                "[batch, 8, 64, 128, 1]");
  expectRefusal(ImageSearchModel(), {{128, 128, 3}},
                "'ImageSearchModel_1/Checked_1': expected volumes [n, d, h, w, "
                "c] of at least [17, 129, 129], "
                "found [batch, 128, 128, 3]");
}

TEST(ZooMistakes, InsideNetworksNameTheLineOfTheNetwork) {
  expectRefusal(Unet(), {{16, 16, dim()}},
                "'Unet_1/Sequential_1/Conv2D_1': expected an input of rank 4 "
                "with known channels last, found "
                "[batch, 16, 16, ?]");
  expectRefusal(
      C4R(), volumes(3, {2, 16, 16, 1}),
      "'C4R_1': expected 4 inputs of a model with as many starts, found 3");
  expectRefusal(
      Unet({.rate = 1.5}), {{16, 16, 1}},
      "'Unet_1/Dropout_1': expected a dropout rate in [0, 1), found 1.500000");
}

TEST(ZooMistakes, OfOptionsNameTheLine) {
  expectMistake([] { Unet({.classes = 0}); },
                "expected at least 1 class, found 0");
  expectMistake([] { HEDModified({.channels = 2, .name = "edges"}); },
                "'edges': expected at least 1 side channel, found 0");
  Program program("zoo");
  Tensor matrix = program.input("matrix", f32, {4, 8});
  expectMistake([&] { C3({.classMatrix = matrix, .name = "tumour"}); },
                "'tumour': expected a matrix of classes [8, 4], found [4, 8]");
}

} // namespace
