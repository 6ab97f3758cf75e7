/// Learns the 10 %, 50 % and 90 % quantiles of a curve with noise that grows
/// with x, with a learning rate that warms up and decays along a cosine.
#include <iostream>
#include <tg/tg.h>

using namespace tg;

int main() {
  Tensor x = randomUniform({512, 1}, {.low = 0, .high = 4}); // new in each run
  Tensor y = sin(x) + 0.2 * x * randomNormal({512, 1});
  Tensor quantiles = constant({0.1, 0.5, 0.9});

  Sequential network({Linear({.units = 32, .activation = tanh}),
                      Linear({.units = 32, .activation = tanh}),
                      Linear({.units = 3})});
  Tensor guess = network(x); // [512, 3]
  Tensor error = y - guess;
  Tensor loss = reduceMean(maximum(quantiles * error, (quantiles - 1) * error));
  Schedule rate = warmUp(
      {.steps = 100, .then = cosineDecay({.rate = 0.01, .steps = 1900})});
  Updates step = Adam({.learningRate = rate}).minimize(loss);
  Tensor below = reduceMean(cast(y < guess, f32), {.axes = {0}});
  Tensor at = network(constant({{1.0}, {4.0}}));

  Session session({.seed = 1});
  session.run(globalVariablesInitializer());
  for (int i = 0; i < 2000; ++i)
    session.run(step);
  std::cout << "fractions below the quantiles: " << session.run(below) << '\n'
            << "quantiles at 1 and at 4: " << session.run(at) << '\n';
}
