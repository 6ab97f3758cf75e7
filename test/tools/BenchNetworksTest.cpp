//===- BenchNetworksTest.cpp - the networks that tgc-bench measures -------===//
#include "tg/graph/program.h"
#include "tools/tgc-bench/networks/Networks.h"
#include <gtest/gtest.h>

using namespace tg;
using namespace tg::bench;

namespace {

struct Case {
  const char *name;
  Layer (*make)();
  /// The parameter count of the same network in PyTorch.
  int64_t parameters;
  Shape output;
  Shape input = {2, 64, 64, 3};
};

/// Image networks on 64x64 images and networks on rows, with a batch of 2.
const Case kCases[] = {
    {"allcnn", allCnn, 1'369'738, {2, 10}},
    {"vgg16_bn", vgg16Bn, 15'236'136, {2, 1000}},
    {"resnet50", resNet50, 25'557'032, {2, 1000}},
    {"densenet121", denseNet121, 7'978'856, {2, 1000}},
    {"mobilenet_v2", mobileNetV2, 3'504'872, {2, 1000}},
    {"unet", uNet, 7'763'041, {2, 64, 64, 1}},
    {"transformer", transformer, 19'428'328, {2, 1000}, {2, 128, 512}},
};

class BenchNetworks : public testing::TestWithParam<Case> {};

TEST_P(BenchNetworks, HaveTheParametersOfThePeers) {
  Program program(GetParam().name);
  Tensor image = program.input("x", f32, GetParam().input);
  Layer network = GetParam().make();
  Tensor trained = network->trainFprop(image);
  EXPECT_EQ(program.parameterCount(), GetParam().parameters);
  EXPECT_EQ(toString(trained.shape()), toString(GetParam().output));
  size_t variables = program.variables().size();
  Tensor tested = network->testFprop(image);
  EXPECT_EQ(program.variables().size(), variables);
  EXPECT_EQ(toString(tested.shape()), toString(GetParam().output));
}

/// PyTorch's LSTM has a second bias for each gate.
TEST(LanguageModel, HasOneBiasForEachGate) {
  Program program("lstm");
  Tensor tokens = program.input("x", i32, {2, 35});
  Tensor logits = languageModel()->testFprop(tokens);
  EXPECT_EQ(program.parameterCount(), 11'368'208 - 2 * 4 * 512);
  EXPECT_EQ(toString(logits.shape()), "[2, 35, 10000]");
}

INSTANTIATE_TEST_SUITE_P(All, BenchNetworks, testing::ValuesIn(kCases),
                         [](const auto &info) {
                           return std::string(info.param.name);
                         });

} // namespace
