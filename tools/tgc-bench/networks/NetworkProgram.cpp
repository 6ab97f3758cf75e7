//===- NetworkProgram.cpp - a network as text of the tg dialect -----------===//
#include "NetworkProgram.h"
#include "Networks.h"
#include "tg/loss.h"
#include "tg/optimizer.h"
#include <map>

using namespace tg;
using namespace tg::bench;

static Layer makeNetwork(const NetworkProgram &wanted) {
  static const std::map<std::string, Layer (*)()> networks = {
      {"allcnn", allCnn}};
  const std::vector<int64_t> &sizes = wanted.sizes;
  if (auto found = networks.find(wanted.name); found != networks.end())
    return found->second();
  return convolutionRelu(sizes[3], sizes[4], sizes[5], sizes[6]);
}

/// A step towards labels, one for each image.
static void addTraining(Program &program, const NetworkProgram &wanted,
                        const Tensor &image, const Tensor &output) {
  Tensor target = program.input("label", i32, {wanted.batch});
  Tensor loss = meanSoftmaxCrossEntropy(output, target);
  Updates updates =
      wanted.momentum ? Momentum().minimize(loss) : Adam().minimize(loss);
  program.function("train", {.inputs = {image, target},
                             .outputs = {{"loss", loss}},
                             .updates = updates});
}

std::string tg::bench::networkText(const NetworkProgram &wanted) {
  Program program(wanted.name);
  Tensor image = program.input(
      "x", f32,
      {wanted.batch, wanted.sizes[0], wanted.sizes[1], wanted.sizes[2]});
  Layer network = makeNetwork(wanted);
  if (wanted.train)
    addTraining(program, wanted, image, network->trainFprop(image));
  else
    program.function("test", {.inputs = {image},
                              .outputs = {{"y", network->testFprop(image)}}});
  return program.text();
}
