/// Learns to generate points on a circle from noise, by a generator and a
/// discriminator that train against each other.
#include <iostream>
#include <tg/tg.h>

using namespace tg;

int main() {
  Tensor angle = randomUniform({256}, {.low = 0, .high = 6.2832});
  Tensor real = 2 * stack({cos(angle), sin(angle)}, 1); // [256, 2]

  auto makeNetwork = [](int64_t outputs) {
    return Sequential({Linear({.units = 32, .activation = relu}),
                       Linear({.units = 32, .activation = relu}),
                       Linear({.units = outputs})});
  };
  Sequential generator = makeNetwork(2), discriminator = makeNetwork(1);
  Tensor fake = generator(randomNormal({256, 2}));
  auto losses = ganLosses(discriminator(real), discriminator(fake));
  Adam adam({.learningRate = 0.002, .beta1 = 0.5});
  Updates step =
      adam.minimize(losses.generator, {.variables = generator.variables()}) +
      adam.minimize(losses.discriminator,
                    {.variables = discriminator.variables()});

  auto [radius, variance] = moments(norm(fake, {.axes = {1}}));
  Tensor center = reduceMean(fake, {.axes = {0}});
  Session session({.seed = 1});
  session.run(globalVariablesInitializer());
  for (int i = 0; i < 4000; ++i)
    session.run(step);
  auto found = session.run({radius, sqrt(variance), center});
  std::cout << "radius " << found[0] << " with a deviation of " << found[1]
            << ", center " << found[2] << '\n';
}
