//===- BrainTumorBlocks.cpp - blocks of the brain tumour networks ---------===//
#include "BrainTumorBlocks.h"
#include "tg/graph/program.h"

using namespace tg;
using namespace tg::models;

//===-- Layers ------------------------------------------------------------===//

static std::vector<int64_t> listOf(const Extents &extents) {
  return {extents.begin(), extents.end()};
}

Layer models::maxPooling(const Extents &window, const Extents &strides) {
  return MaxPooling3D({.window = listOf(window),
                       .strides = listOf(strides),
                       .padding = Padding::same});
}

Layer BrainTumorBlocks::convolution(int64_t filters, const Extents &size,
                                    const Extents &strides) const {
  return Conv3D(glorotConvolution(filters, {listOf(size), listOf(strides)}));
}

Layer BrainTumorBlocks::normalization() const {
  return BatchNormalization(options.normalization);
}

Layer BrainTumorBlocks::dropout() const {
  return Dropout({.rate = options.rate});
}

std::vector<Layer>
BrainTumorBlocks::convolvedTwice(int64_t filters, const Extents &first,
                                 const Extents &second) const {
  return {convolution(filters, first), LeakyRelu(),
          convolution(filters, second), LeakyRelu(), dropout()};
}

Layer BrainTumorBlocks::normalized(std::vector<Layer> layers,
                                   const std::vector<Layer> &last) const {
  layers.insert(isBefore ? layers.begin() : layers.end(), normalization());
  layers.insert(layers.end(), last.begin(), last.end());
  return Sequential(layers);
}

//===-- Segmentation ------------------------------------------------------===//

Layer BrainTumorBlocks::down(const SegmentLevel &level) const {
  switch (level.kind) {
  case SegmentLevel::once:
    return Sequential({convolution(level.filters, level.first), normalization(),
                       maxPooling(level.window, level.strides), dropout()});
  case SegmentLevel::strided:
    return Sequential({normalization(),
                       convolution(level.filters, level.first, level.strides),
                       dropout()});
  case SegmentLevel::twice:
    break;
  }
  return normalized(convolvedTwice(level.filters, level.first, level.second),
                    {maxPooling(level.window, level.strides), dropout()});
}

Layer BrainTumorBlocks::up(int64_t filters, const Extents &strides) const {
  Extents size = strides;
  for (int64_t &extent : size)
    extent *= 2;
  return normalized({Conv3DTranspose({.filters = filters,
                                      .kernelSize = listOf(size),
                                      .strides = listOf(strides),
                                      .padding = Padding::same,
                                      .weightInitializer = glorotUniform(),
                                      .biasInitializer = glorotUniform()}),
                     LeakyRelu(), dropout()});
}

Layer BrainTumorBlocks::segments(int64_t filters) const {
  return Sequential({convolution(filters, {3, 3, 3}), dropout(),
                     convolution(options.segments, {1, 1, 1})});
}

//===-- Classification ----------------------------------------------------===//

namespace {
/// Densely connected steps. The result is the output of the last step.
class DenseSteps : public BaseModel {
public:
  DenseSteps(int64_t steps, const std::function<Layer()> &step)
      : BaseModel(std::source_location::current()) {
    StartNode start;
    HiddenNode last({denselyConnected(start, steps - 1, step)}, {step()});
    define({start}, {EndNode({last})});
  }
};

/// The layer x · w + bias, where w is the elementwise product of the weight and
/// the mask.
class MaskedLinear : public BaseLayer {
public:
  explicit MaskedLinear(std::function<Tensor(const Tensor &)> maskFor)
      : BaseLayer(std::source_location::current()), mask(std::move(maskFor)) {}

protected:
  Tensor train(Tensor input) override {
    Tensor factors = mask(input);
    Variable weight = variable("weight", factors.shape(), glorotUniform());
    Variable bias = variable("bias", {factors.dim(-1)}, glorotUniform(),
                             {.isWeight = false});
    return matmul(input, weight * factors) + bias;
  }

private:
  std::function<Tensor(const Tensor &)> mask;
};
} // namespace

Layer BrainTumorBlocks::dense(const DenseLevel &level,
                              const DenseKind &kind) const {
  auto step = [&]() -> Layer {
    if (!kind.isNormalized)
      return Sequential(convolvedTwice(level.filters, level.size, level.size));
    return Sequential({convolution(level.filters, level.size), normalization(),
                       LeakyRelu(), dropout()});
  };
  return normalized(
      {convolution(level.filters, level.size), DenseSteps(kind.steps, step)},
      {maxPooling(level.window, level.strides)});
}

Layer BrainTumorBlocks::fineClasses(const std::vector<int64_t> &units) const {
  std::vector<Layer> layers = {Flatten()};
  const Operand *rate = &options.headRate;
  for (int64_t count : units) {
    layers.push_back(Linear(glorotLinear(count)));
    layers.push_back(LeakyRelu());
    layers.push_back(Dropout({.rate = *rate}));
    rate = &options.secondHeadRate;
  }
  layers.push_back(Linear(glorotLinear(options.fineClasses)));
  return Sequential(layers);
}

/// Returns the class matrix [fine classes, coarse classes] as a tensor of the
/// program and the element type of `like`.
static Tensor matrixOf(const BrainTumorOptions &options, const Tensor &like) {
  int64_t fine = options.fineClasses, coarse = options.coarseClasses;
  if (options.classMatrix.isDefined())
    return cast(options.classMatrix, like.dtype());
  std::vector<double> elements(fine * coarse);
  for (int64_t row = 0; row < fine; ++row)
    elements[row * coarse + row * coarse / fine] = 1;
  return Program::of(like).constant(elements, like.dtype(), {fine, coarse});
}

Layer BrainTumorBlocks::coarseClasses(bool hasWeight) const {
  auto matrix = [options = options](const Tensor &like) {
    return matrixOf(options, like);
  };
  if (hasWeight)
    return MaskedLinear(matrix);
  return Lambda([matrix](Operand input) {
    return matmul(input, matrix(input.tensor()));
  });
}
