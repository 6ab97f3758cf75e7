/// A network that finds brain tumours, and its training.
#ifndef TG_EXAMPLES_BRAIN_TUMOR_NETWORK_H
#define TG_EXAMPLES_BRAIN_TUMOR_NETWORK_H

#include <tg/tg.h>

#include <array>

namespace brain_tumor {

/// The extents of a volume: depth, height and width.
constexpr std::array<int64_t, 3> extents = {2, 16, 16};
constexpr int64_t voxelCount = 2 * 16 * 16, fineClasses = 8;

/// Returns a learning rate that cycles between bounds that approach each other,
/// and decays as a whole.
inline tg::Schedule learningRate() {
  tg::Schedule waves =
      tg::cyclic({.low = 2e-4, .high = 2e-3, .steps = 8, .decay = 0.9});
  tg::Schedule fall =
      tg::exponentialDecay({.rate = 1, .factor = 0.8, .steps = 40});
  return tg::Schedule(
      [=](tg::Tensor step) { return waves(step) * fall(step); });
}

/// Adds the functions `train` and `test`, which share every variable. From
/// three series of volumes, the network computes a mask of the tumour, its fine
/// and its coarse class.
inline void defineNetwork(tg::Program &program) {
  using namespace tg;
  const Shape volume = {dim("batch"), extents[0], extents[1], extents[2]};
  Shape series = volume;
  series.push_back(1);
  std::vector<Tensor> inputs;
  for (const char *name : {"t1", "t2", "tc"})
    inputs.push_back(program.input(name, f32, series));
  Tensor mask = program.input("mask", i32, volume);
  Tensor label = program.input("label", i32, {dim("batch")});

  // Starts as batch normalization; later the moving averages are used.
  models::C4 network(
      {.rate = 0.02,
       .normalization = {
           .momentum = 0.9,
           .renorm = renormSchedule(
               program,
               {.begin = 8, .rEnd = 40, .dEnd = 24, .momentum = 0.9})}});
  std::vector<Tensor> trained = network.fprop(inputs, Mode::train);
  Tensor segments = weightedDiceLoss(trained[0], oneHot(mask, 2));
  Tensor coarse = meanSoftmaxCrossEntropy(trained[1], floorDiv(label, 2));
  Tensor fine = weightedFocalCrossEntropy(
      trained[2], oneHot(label, fineClasses), {.gamma = 2});
  Tensor loss = segments + 0.1 * (coarse + fine);
  Tensor rate = learningRate()(program.step());

  std::vector<Tensor> trainInputs = inputs;
  trainInputs.insert(trainInputs.end(), {mask, label});
  program.function(
      "train",
      {.inputs = trainInputs,
       .outputs = {{"loss", loss}, {"segments", segments}, {"rate", rate}},
       .updates = Adam({.learningRate = learningRate()})
                      .minimize(loss, {.clipByGlobalNorm = 5})});
  std::vector<Tensor> tested = network.fprop(inputs, Mode::test);
  program.function("test", {.inputs = inputs,
                            .outputs = {{"tumour", softmax(tested[0])},
                                        {"coarse", softmax(tested[1])},
                                        {"fine", softmax(tested[2])}}});
}

} // namespace brain_tumor

#endif // TG_EXAMPLES_BRAIN_TUMOR_NETWORK_H
