/// Sequence labels without alignment: a network gets twelve steps of noise and
/// of three tones, and learns the tone of each step only from the order of the
/// tones. Its ctcLoss falls below 0.1, and the learning rate from 0.05 to
/// 0.025.
#include "Scenario.h"

#include <random>

using namespace tg;

namespace {
constexpr int64_t rows = 32, steps = 12, tones = 3, maxTones = 3;

struct Batch {
  std::vector<float> sounds = std::vector<float>(rows * steps * tones);
  std::vector<int32_t> labels = std::vector<int32_t>(rows * maxTones);
  std::vector<int32_t> lengths, counts;
};

/// Returns sequences of one to three tones of one to three steps each, after a
/// step of silence.
Batch makeBatch(std::mt19937 &generator) {
  auto below = [&](int64_t limit) { return int64_t(generator() % limit); };
  Batch batch;
  for (int64_t row = 0; row < rows; ++row) {
    int64_t step = 0;
    int64_t count = 1 + below(maxTones);
    for (int64_t i = 0; i < count; ++i) {
      int64_t tone = below(tones);
      batch.labels[row * maxTones + i] = int32_t(tone + 1); // 0 is the blank
      ++step;
      for (int64_t end = step + 1 + below(tones); step < end; ++step)
        batch.sounds[(row * steps + step) * tones + tone] = 1;
    }
    batch.counts.push_back(int32_t(count));
    batch.lengths.push_back(int32_t(step));
  }
  for (float &sound : batch.sounds)
    sound += 0.2f * float(below(1000)) / 1000;
  return batch;
}
} // namespace

int main() {
  Tensor sounds = placeholder(f32, {dim("n"), dim("t"), tones});
  Tensor labels = placeholder(i32, {dim("n"), dim("l")});
  Tensor lengths = placeholder(i32, {dim("n")});
  Tensor counts = placeholder(i32, {dim("n")});
  Sequential network({Linear({.units = 16, .activation = relu}),
                      SinusoidalPositionEmbedding(),
                      Linear({.units = tones + 1})});
  Tensor logits = network.trainFprop(sounds);
  Tensor loss = reduceMean(ctcLoss(logits, labels, lengths, counts));
  AdamW optimizer({.learningRate = exponentialDecay(
                       {.rate = 0.05, .factor = 0.5, .steps = 300})});
  Tensor rate = optimizer.learningRate(defaultGraph());
  Updates train = optimizer.minimize(loss);

  Session session({.seed = 2});
  session.run(globalVariablesInitializer());
  std::mt19937 generator(3);
  double first = 0, last = 0, firstRate = 0, lastRate = 0;
  for (int step = 0; step <= 300; ++step) {
    Batch batch = makeBatch(generator);
    std::vector<Array> found =
        session.run({train, loss, rate},
                    {{sounds, FeedValue(batch.sounds, {rows, steps, tones})},
                     {labels, FeedValue(batch.labels, {rows, maxTones})},
                     {lengths, batch.lengths},
                     {counts, batch.counts}});
    last = found[1].scalar();
    lastRate = found[2].scalar();
    if (step == 0) {
      first = last;
      firstRate = lastRate;
    }
  }
  std::cout << "loss " << first << " to " << last << ", rate " << firstRate
            << " to " << lastRate << '\n';
  check(first > 1 && last < 0.1, "a loss that falls below 0.1");
  check(std::abs(firstRate - 0.05) < 1e-9 && std::abs(lastRate - 0.025) < 1e-9,
        "a rate of 0.05 and then 0.025");
}
