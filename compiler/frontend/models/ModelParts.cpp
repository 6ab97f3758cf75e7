//===- ModelParts.cpp - functions that the models share -------------------===//
#include "ModelParts.h"
#include "tg/tensor/error.h"

using namespace tg;

//===-- Layers ------------------------------------------------------------===//

Initializer tg::modelWeights() { return normal({.stddev = 0.1}); }

ConvolutionOptions tg::convolutionOf(int64_t filters,
                                     const ConvolutionWindows &windows) {
  return {.filters = filters,
          .kernelSize = windows.size,
          .strides = windows.strides,
          .dilations = windows.dilations,
          .padding = windows.padding,
          .weightInitializer = modelWeights()};
}

LinearOptions tg::linearOf(int64_t units) {
  return {.units = units, .weightInitializer = modelWeights()};
}

ConvolutionOptions tg::glorotConvolution(int64_t filters,
                                         const ConvolutionWindows &windows) {
  ConvolutionOptions options = convolutionOf(filters, windows);
  options.weightInitializer = glorotUniform();
  options.biasInitializer = glorotUniform();
  return options;
}

LinearOptions tg::glorotLinear(int64_t units) {
  return {.units = units,
          .weightInitializer = glorotUniform(),
          .biasInitializer = glorotUniform()};
}

Sequential tg::convolved(int64_t filters, const ConvolutionWindows &windows,
                         Layer activation) {
  return Sequential({Conv2D(convolutionOf(filters, windows)),
                     BatchNormalization(), std::move(activation)});
}

Sequential tg::convolvedVolume(int64_t filters,
                               const ConvolutionWindows &windows,
                               Layer activation) {
  return Sequential({Conv3D(convolutionOf(filters, windows)),
                     BatchNormalization(), std::move(activation)});
}

Node tg::denselyConnected(Node input, int64_t steps,
                          const std::function<Layer()> &step) {
  Node all = std::move(input);
  for (int64_t i = 0; i < steps; ++i) {
    HiddenNode added({all}, {step()});
    all = HiddenNode({all, added}, Concat({.axis = -1}));
  }
  return all;
}

//===-- Error messages ----------------------------------------------------===//

std::string tg::beginning(const std::string &name) {
  return name.empty() ? "" : "'" + name + "': ";
}

void tg::expectPositive(int64_t number, const char *what,
                        const std::string &name, std::source_location where) {
  if (number < 1)
    throw GraphError(beginning(name) + "expected at least 1 " + what +
                         ", found " + std::to_string(number),
                     where);
}

/// Returns " of at least [8, 128, 128]", or "" for an empty list.
static std::string describeMinimums(const std::vector<int64_t> &minimums) {
  return minimums.empty()
             ? ""
             : " of at least " +
                   toString(Shape(minimums.begin(), minimums.end()));
}

/// Returns " with d divisible by 4, and h and w divisible by 16". h and w have
/// the same divisor.
static std::string describeDivisors(const std::vector<int64_t> &divisors) {
  if (divisors.empty())
    return "";
  std::string depth;
  if (divisors.size() == 3 && divisors.front() > 1)
    depth = "d divisible by " + std::to_string(divisors.front()) + ", and ";
  return " with " + depth + "h and w divisible by " +
         std::to_string(divisors.back());
}

namespace {
/// The layer that checked() returns.
class Checked : public BaseLayer {
public:
  Checked(InputRule expected, std::string model, std::source_location place)
      : BaseLayer(place), rule(std::move(expected)), name(std::move(model)),
        where(place) {}

protected:
  std::vector<Tensor> link(std::vector<Tensor> inputs, Mode) override {
    for (const Tensor &input : inputs)
      check(input.shape(where));
    return inputs;
  }

private:
  void check(const Shape &shape) const {
    size_t dimensions = std::max(rule.divisors.size(), rule.minimums.size());
    bool fits = shape.size() == dimensions + 2;
    for (size_t i = 0; fits && i < dimensions; ++i)
      fits = fitsExtent(i, shape[i + 1]);
    if (fits)
      return;
    const char *what =
        dimensions == 2 ? "images [n, h, w, c]" : "volumes [n, d, h, w, c]";
    throw GraphError(
        beginning(name) + "expected " + what + describeMinimums(rule.minimums) +
            describeDivisors(rule.divisors) + ", found " + toString(shape),
        where);
  }

  bool fitsExtent(size_t dimension, const Extent &extent) const {
    return extent.isKnown() &&
           (rule.divisors.empty() ||
            extent.value % rule.divisors[dimension] == 0) &&
           (rule.minimums.empty() || extent.value >= rule.minimums[dimension]);
  }

  InputRule rule;
  std::string name;
  std::source_location where;
};
} // namespace

Layer tg::checked(InputRule rule, const std::string &name,
                  std::source_location where) {
  return Checked(std::move(rule), name, where);
}
