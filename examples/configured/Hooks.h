/// Hooks that run during training.
#ifndef TG_EXAMPLES_CONFIGURED_HOOKS_H
#define TG_EXAMPLES_CONFIGURED_HOOKS_H

#include <tg/runtime.hpp>

#include <chrono>
#include <cstdio>
#include <functional>
#include <limits>
#include <string>

namespace configured {

/// A training step, or the end of an epoch (isEpoch). Only the end of an epoch
/// has an accuracy.
struct Event {
  int64_t step = 0;
  size_t examples = 0;
  double loss = 0;
  bool isEpoch = false;
  double accuracy = 0;
};
using Hook = std::function<void(const Event &)>;

/// Prints the loss of every `steps` steps.
inline Hook logLoss(int64_t steps) {
  return [=](const Event &event) {
    if (!event.isEpoch && event.step % steps == 0)
      std::printf("step %lld  loss %.4f\n", static_cast<long long>(event.step),
                  event.loss);
  };
}

/// Prints the number of examples per second in each epoch.
inline Hook examplesPerSecond() {
  using Clock = std::chrono::steady_clock;
  return [start = Clock::now(), seen = size_t(0)](const Event &event) mutable {
    seen += event.examples;
    if (!event.isEpoch)
      return;
    std::chrono::duration<double> passed = Clock::now() - start;
    std::printf("%.0f examples/s\n", double(seen) / passed.count());
    start = Clock::now();
    seen = 0;
  };
}

/// Saves the variables after an epoch that is more accurate than all before.
inline Hook keepBestCheckpoint(tg::Context &context, std::string path) {
  return [&context, path = std::move(path),
          best = -std::numeric_limits<double>::infinity()](
             const Event &event) mutable {
    if (!event.isEpoch || event.accuracy <= best)
      return;
    best = event.accuracy;
    context.save(path);
    std::printf("accuracy %.4f, the best so far\n", best);
  };
}

} // namespace configured

#endif // TG_EXAMPLES_CONFIGURED_HOOKS_H
