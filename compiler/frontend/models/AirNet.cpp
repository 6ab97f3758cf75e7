//===- AirNet.cpp - affine registration of volumes ------------------------===//
#include "tg/models/AirNet.h"
#include "ModelParts.h"

using namespace tg;

/// Returns the encoder of both volumes: [n, d, h, w, c] to [n, features].
static Sequential makeEncoder() {
  Sequential encoder;
  for (int64_t filters = 8; filters <= 512; filters *= 2) {
    bool isFlat = filters < 128; // the first ones treat slices separately
    int64_t depth = isFlat ? 1 : 2;
    encoder.add(convolvedVolume(filters, {isFlat ? std::vector<int64_t>{1, 3, 3}
                                                 : std::vector<int64_t>{3}}));
    encoder.add(
        MaxPooling3D({.window = {depth, 2, 2}, .strides = {depth, 2, 2}}));
  }
  encoder.add(Flatten());
  return encoder;
}

/// Returns the layers from the features of both volumes to the map.
static std::vector<Layer> makeHead() {
  std::vector<Layer> layers = {Linear(linearOf(1024)), BatchNormalization()};
  for (int64_t units : {512, 128, 64}) {
    layers.push_back(Linear(linearOf(units)));
    layers.push_back(BatchNormalization());
    layers.push_back(Relu());
  }
  layers.push_back(Linear(
      {.units = 12,
       .weightInitializer = modelWeights(),
       .biasInitializer = values({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0})}));
  return layers;
}

models::AIRNet::AIRNet(LayerOptions options, std::source_location where)
    : BaseModel(where, options.name) {
  StartNode fixed, moving;
  Layer inputCheck = checked({.minimums = {8, 128, 128}}, options.name, where);
  Layer encoder = makeEncoder();
  HiddenNode first({fixed}, {inputCheck, encoder}),
      second({moving}, {inputCheck, encoder});
  HiddenNode map({first, second}, Concat(), makeHead());
  define({fixed, moving}, {EndNode({map})}, where);
}
