//===- NetworkProgram.cpp - a network as text of the tg dialect -----------===//
#include "NetworkProgram.h"
#include "Networks.h"
#include "tg/graph/optimizer.h"
#include "tg/nn/loss.h"
#include <map>

using namespace tg;
using namespace tg::bench;

static Layer makeNetwork(const NetworkProgram &request) {
  static const std::map<std::string, Layer (*)()> networks = {
      {"allcnn", allCnn},
      {"vgg16_bn", vgg16Bn},
      {"vgg16_bn_32", vgg16Bn},
      {"resnet50", resNet50},
      {"densenet121", denseNet121},
      {"unet", uNet},
      {"mobilenet_v2", mobileNetV2},
      {"transformer", transformer},
      {"lstm", languageModel}};
  const std::vector<int64_t> &sizes = request.sizes;
  if (auto found = networks.find(request.name); found != networks.end())
    return found->second();
  return convolutionRelu(sizes[3], sizes[4], sizes[5], sizes[6]);
}

/// Adds a training step towards labels, one for each image or step, or a mask
/// value for each position.
static void addTraining(Program &program, const NetworkProgram &request,
                        const Tensor &image, const Tensor &output) {
  bool isMask = output.rank() == 4;
  Shape labels = output.shape();
  labels.pop_back();
  Tensor target = isMask ? program.input("mask", f32, output.shape())
                         : program.input("label", i32, labels);
  Tensor loss = isMask ? binaryCrossEntropy(output, target)
                       : meanSoftmaxCrossEntropy(output, target);
  Updates updates =
      request.momentum ? Momentum().minimize(loss) : Adam().minimize(loss);
  program.function("train", {.inputs = {image, target},
                             .outputs = {{"loss", loss}},
                             .updates = updates});
}

std::string tg::bench::networkText(const NetworkProgram &request) {
  Program program(request.name);
  // Tokens have one extent, the number of steps.
  bool isTokens = request.sizes.size() == 1;
  bool isWindow = request.sizes.size() > 3; // of a single convolution
  Shape shape = {request.batch};
  shape.insert(shape.end(), request.sizes.begin(),
               isWindow ? request.sizes.begin() + 3 : request.sizes.end());
  Tensor image = program.input("x", isTokens ? i32 : f32, shape);
  Layer network = makeNetwork(request);
  if (request.train)
    addTraining(program, request, image, network->trainFprop(image));
  else
    program.function("test", {.inputs = {image},
                              .outputs = {{"y", network->testFprop(image)}}});
  return program.text();
}
