//===- Networks.cpp - the networks whose kernels are archived -------------===//
#include "tools/tgc-archive/Networks.h"

using namespace tg;
using namespace tg::archive;

/// Appends a head to a backbone that classifies its channels into 1000 classes.
static Layer classify(Layer backbone) {
  return Sequential(
      {std::move(backbone), GlobalAvgPooling(), Linear({.units = 1000})});
}

const std::vector<Network> &tg::archive::getNetworks() {
  static const std::vector<Network> networks = {
      {"resnet50", [] { return classify(ResNet50()); }, 224},
      {"vgg16", [] { return classify(VGG16()); }, 224},
      {"densenet", [] { return classify(DenseNet()); }, 32},
      {"alexnet", [] { return Layer(AlexNet()); }, 227}};
  return networks;
}

void tg::archive::defineNetwork(Program &program, const Network &network) {
  Tensor image = program.input(
      "image", f32, {dim("batch"), network.extent, network.extent, 3});
  Tensor label = program.input("label", i32, {dim("batch")});
  Layer layer = network.make();
  Tensor logits = layer->trainFprop(image);
  Tensor loss = meanSoftmaxCrossEntropy(logits, label);
  program.function("train", {.inputs = {image, label},
                             .outputs = {{"loss", loss}},
                             .updates = Adam().minimize(loss)});
  program.function("test", {.inputs = {image},
                            .outputs = {{"logits", layer->testFprop(image)}}});
}
