/// A classifier of points, its data, and a directory for its runs.
#ifndef TG_TEST_COMPILER_FRONTEND_ESTIMATOR_MODEL_H
#define TG_TEST_COMPILER_FRONTEND_ESTIMATOR_MODEL_H

#include <tg/estimator.h>
#include <tg/tg.h>

#include <cstdlib>
#include <filesystem>

namespace estimator_test {

/// A new directory that is removed at the end.
class TemporaryDirectory {
public:
  TemporaryDirectory() {
    std::string name =
        (std::filesystem::temp_directory_path() / "tg-estimator-XXXXXX")
            .string();
    root = ::mkdtemp(name.data());
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(root); }

  std::string path(const std::string &name) const {
    return (root / name).string();
  }

private:
  std::filesystem::path root;
};

constexpr size_t pointCount = 16;

inline float coordinateOf(size_t point, size_t axis) {
  return static_cast<float>((point * 7 + axis * 5) % pointCount) / 8 - 1;
}

/// Points above a line have class 1.
inline int32_t labelOf(size_t point) {
  return coordinateOf(point, 0) + coordinateOf(point, 1) > 0;
}

/// Returns the points with their labels, or without them.
inline tg::data::Dataset makePoints(bool hasLabels) {
  using tg::data::Feature;
  const int64_t count = pointCount;
  Feature points({TG_DTYPE_FLOAT, 32, 1}, {count, 2});
  Feature weights({TG_DTYPE_FLOAT, 32, 1}, {count});
  Feature labels({TG_DTYPE_INT, 32, 1}, {count});
  for (size_t i = 0; i < pointCount; ++i) {
    points.values<float>()[2 * i] = coordinateOf(i, 0);
    points.values<float>()[2 * i + 1] = coordinateOf(i, 1);
    weights.values<float>()[i] = 1;
    labels.values<int32_t>()[i] = labelOf(i);
  }
  return hasLabels ? tg::data::Dataset::fromArrays({"point", "weight", "label"},
                                                   {points, weights, labels})
                   : tg::data::Dataset::fromArrays({"point", "weight"},
                                                   {points, weights});
}

inline tg::InputData readBatches(uint64_t size) {
  return makePoints(true).shuffle({.seed = 3}).batch({.size = size});
}
inline tg::InputData readPoints() { return readBatches(8); }
inline tg::InputData readUnlabeledPoints() {
  return makePoints(false).batch({.size = 5});
}

inline tg::training::HParams makeParams() {
  return {{"rate", 0.1}, {"scale", 1.0}, {"units", {4}}};
}

inline tg::MetricSpecs accuracy() {
  return {{"accuracy",
           {.metric = std::make_shared<tg::training::Accuracy>(),
            .label = "label",
            .prediction = "class"}}};
}

/// A network with dropout. The feature `weight` is not used.
inline tg::ModelFunctionSpec makeModel(const tg::InputTensors &features,
                                       const tg::InputTensors &labels,
                                       tg::ModeKey mode,
                                       const tg::training::HParams &params) {
  using namespace tg;
  std::vector<int64_t> units = params.get<std::vector<int64_t>>("units");
  units.push_back(2);
  const Tensor logits =
      denseLayers(features["point"] * params.get<double>("scale"), units,
                  {.linearTopLayer = true,
                   .rate = 0.1,
                   .training = mode == ModeKey::train});
  ModelFunctionSpec spec;
  spec.predictions = {{"class", argMax(logits, 1)},
                      {"probabilities", softmax(logits)}};
  if (mode == ModeKey::predict)
    return spec;
  spec.loss = meanSoftmaxCrossEntropy(logits, labels.only());
  spec.metrics = {{"mean_logit", reduceMean(logits)}};
  summaryScalar("largest", reduceMax(logits));
  summaryHistogram("logits", logits);
  if (mode == ModeKey::train)
    spec.updates =
        Adam({.learningRate = params.get<double>("rate")}).minimize(spec.loss);
  return spec;
}

/// Requests a stop in a step.
class StopAt : public tg::training::Callback {
public:
  StopAt(tg::Estimator stopped, uint64_t last)
      : estimator(std::move(stopped)), step(last) {}

  std::string name() const override { return "stop at"; }
  void beforeStep(tg::training::TrainingState &state) override {
    if (state.step() + 1 == step)
      estimator.requestStop();
  }

private:
  tg::Estimator estimator;
  uint64_t step;
};

} // namespace estimator_test

#endif // TG_TEST_COMPILER_FRONTEND_ESTIMATOR_MODEL_H
