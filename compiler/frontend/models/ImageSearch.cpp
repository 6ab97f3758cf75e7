//===- ImageSearch.cpp - embeddings of volumes ----------------------------===//
#include "tg/models/ImageSearch.h"
#include "ModelParts.h"

using namespace tg;

namespace {
/// The channels of an inception block.
struct Channels {
  /// The channels of the 1x1x1 convolution; 0 for none.
  int64_t point;
  /// The channels before and of the 3x3x3 convolution, and before and of the
  /// 5x5x5 convolution.
  int64_t beforeThree, three, beforeFive, five;
  /// The channels of the convolution after the max pooling.
  int64_t pooled;
};

/// Convolutions of several kernel sizes, whose results are concatenated.
class Inception : public BaseModel {
public:
  Inception(const Channels &channels, int64_t stride = 1)
      : BaseModel(std::source_location::current()) {
    StartNode start;
    std::vector<Node> parts;
    auto add = [&](std::vector<Layer> layers) {
      parts.push_back(HiddenNode({start}, std::move(layers)));
    };
    if (channels.point > 0)
      add({convolvedVolume(channels.point, {.size = {1}})});
    add({convolvedVolume(channels.beforeThree, {.size = {1}}),
         convolvedVolume(channels.three, {.size = {3}, .strides = {stride}})});
    add({convolvedVolume(channels.beforeFive, {.size = {1}}),
         convolvedVolume(channels.five, {.size = {5}, .strides = {stride}})});
    add({MaxPooling3D({.window = {3, 3, 3},
                       .strides = {stride},
                       .padding = Padding::same}),
         convolvedVolume(channels.pooled, {.size = {1}})});
    define({start}, {EndNode(parts, Concat({.axis = -1}))});
  }
};
} // namespace

/// Returns max pooling that halves height and width, rounded up.
static Layer halve() {
  return MaxPooling3D(
      {.window = {3, 3, 3}, .strides = {1, 2, 2}, .padding = Padding::same});
}

models::ImageSearchModel::ImageSearchModel(ImageSearchModelOptions options,
                                           std::source_location where)
    : BaseModel(where, options.name) {
  expectPositive(options.units, "unit", options.name, where);
  auto drop = [&] { return Dropout({.rate = options.rate}); };
  StartNode start;
  HiddenNode stem({start},
                  {checked({.minimums = {17, 129, 129}}, options.name, where),
                   convolvedVolume(64, {.size = {7}, .strides = {1, 2, 2}}),
                   halve(), convolvedVolume(64, {.size = {1}}),
                   convolvedVolume(192, {}), halve()});
  HiddenNode body({stem}, {Inception({64, 96, 128, 16, 32, 32}), drop(),
                           Inception({0, 128, 256, 32, 64, 256}, 2), drop(),
                           Inception({256, 96, 192, 32, 64, 128}), drop(),
                           Inception({0, 80, 128, 32, 64, 320}, 2), drop(),
                           Inception({384, 192, 384, 48, 128, 128})});
  HiddenNode head({body}, {MaxPooling3D({.window = {5, 5, 5}}), Flatten(),
                           Linear(linearOf(options.units)), drop()});
  define({start}, {EndNode({head})}, where);
}
