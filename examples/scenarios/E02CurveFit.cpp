/// A curve w0 x² + w1 x + w2 fitted to 5 x² + 3: near [5, 0, 3] after 1000
/// steps, and at [5.0001, 0, 2.9935], the optimum with a penalty on w,
/// after 4000.
#include "Scenario.h"

#include <random>

using namespace tg;

int main() {
  Tensor x = placeholder(f32, {dim("n")});
  Tensor y = placeholder(f32, {dim("n")});
  Variable w = variable({3, 1}, glorotUniform(), {.name = "w"});
  Tensor f = stack({square(x), x, onesLike(x)}, 1); // [n, 3]
  Tensor guess = squeeze(matmul(f, w), {1});        // [n]
  Tensor loss = l2Loss(guess - y) + 0.1 * l2Loss(w);
  Updates train = Adam({.learningRate = 0.1}).minimize(loss);

  Session session({.seed = 4});
  session.run(globalVariablesInitializer());
  std::mt19937 generator(7);
  std::uniform_real_distribution<float> uniform(-10, 10);
  std::vector<float> xs(100), ys(100);
  auto step = [&] {
    for (size_t i = 0; i < xs.size(); ++i) {
      xs[i] = uniform(generator);
      ys[i] = 5 * xs[i] * xs[i] + 3;
    }
    return session.run({train, loss}, {{x, xs}, {y, ys}})[1].scalar();
  };
  double first = step();
  double last = 0;
  for (int i = 1; i < 1000; ++i)
    last = step();
  Array found = session.run(w);
  std::cout << "loss " << first << " to " << last << ", w = " << found << '\n';
  check(last < first / 100, "a loss that falls");
  check(std::abs(found.at(0) - 4.99) < 0.02 && std::abs(found.at(1)) < 0.006 &&
            found.at(2) > 2.9 && found.at(2) < 4.5,
        "about [5, 0, 3] after 1000 steps");
  for (int i = 1000; i < 4000; ++i)
    step();
  expect("w", session.run(w), {5.0001, 0, 2.9935}, 2e-3);
}
