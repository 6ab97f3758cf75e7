//===- Hed.cpp - edge detection at several scales -------------------------===//
#include "tg/models/Hed.h"
#include "ModelParts.h"

using namespace tg;
using namespace tg::models;

namespace {
struct Stage {
  /// The number of channels relative to the first stage.
  int64_t factor;
  /// The window and the strides of the max pooling before the stage.
  std::array<int64_t, 3> pool;
  /// The kernel depth of each convolution; 0 for no convolution.
  std::array<int64_t, 3> depths;
};
} // namespace

static constexpr Stage kStages[] = {
    {1, {1, 1, 1}, {3, 1, 0}},  {2, {1, 2, 2}, {3, 3, 0}},
    {4, {2, 2, 2}, {3, 3, 3}},  {8, {1, 2, 2}, {3, 3, 3}},
    {16, {2, 2, 2}, {3, 3, 3}},
};

/// Returns the layers of a stage.
static std::vector<Layer> layersOf(const Stage &stage,
                                   const HEDModifiedOptions &options) {
  std::vector<Layer> layers;
  std::vector<int64_t> pool(stage.pool.begin(), stage.pool.end());
  if (&stage != std::begin(kStages)) {
    layers.push_back(MaxPooling3D({.window = pool, .strides = pool}));
    layers.push_back(Dropout({.rate = options.rate}));
  }
  for (int64_t depth : stage.depths)
    if (depth > 0)
      layers.push_back(convolvedVolume(stage.factor * options.channels,
                                       {{depth, 3, 3}}, Elu()));
  if (&stage == std::end(kStages) - 1)
    layers.push_back(Dropout({.rate = options.rate}));
  return layers;
}

/// Returns the layers of the side output of a stage. A transposed convolution
/// enlarges it by `scale`, with a kernel of twice the scale.
static std::vector<Layer> sideOf(int64_t channels,
                                 const std::vector<int64_t> &scale) {
  std::vector<int64_t> window;
  for (int64_t times : scale)
    window.push_back(times == 1 ? 1 : 2 * times);
  return {Conv3D(convolutionOf(channels, {.size = {1}})),
          Conv3DTranspose({.filters = channels,
                           .kernelSize = window,
                           .strides = scale,
                           .padding = Padding::same,
                           .weightInitializer = modelWeights()})};
}

HEDModified::HEDModified(HEDModifiedOptions options, std::source_location where)
    : BaseModel(where, options.name) {
  expectPositive(options.channels, "channel", options.name, where);
  expectPositive(options.sideChannels, "side channel", options.name, where);
  expectPositive(options.outputs, "output channel", options.name, where);
  StartNode start;
  Node value = HiddenNode(
      {start}, {checked({.divisors = {4, 16, 16}}, options.name, where)});
  std::vector<int64_t> scale = {1, 1, 1};
  std::vector<Node> sides;
  for (const Stage &stage : kStages) {
    for (size_t i = 0; i < scale.size(); ++i)
      scale[i] *= stage.pool[i];
    value = HiddenNode({value}, layersOf(stage, options));
    sides.push_back(HiddenNode({value}, sideOf(options.sideChannels, scale)));
  }
  HiddenNode logits(sides, Concat({.axis = -1}),
                    {Conv3D(convolutionOf(options.outputs, {.size = {1}}))});
  HiddenNode probabilities({logits}, {Sigmoid()});
  define({start}, {EndNode({logits, probabilities})}, where);
}
