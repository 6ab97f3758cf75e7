/// A dense layer over two inputs of shapes [5, 3, 5] and [5, 1, 6]: the second
/// tiled and concatenated, or both multiplied by their part of the kernel and
/// added by broadcasting. Both give the same [5, 3, 10].
#include "Scenario.h"
using namespace tg;

int main() {
  Tensor a = randomUniform({5, 3, 5});
  Tensor b = randomUniform({5, 1, 6});
  Variable kernel = variable({11, 10}, glorotUniform(), {.name = "kernel"});
  Variable bias = variable({10}, normal(), {.name = "bias"});

  Tensor tiled = concat({a, tile(b, {1, 3, 1})}, 2); // [5, 3, 11]
  Tensor dense = relu(matmul(tiled, kernel) + bias);
  Tensor merged = relu(matmul(a, kernel[Slice(0, 5)]) +
                       matmul(b, kernel[Slice(5, 11)]) + bias);
  Tensor difference = reduceMax(abs(dense - merged));
  std::cout << dense << '\n' << merged << '\n';

  Session session;
  session.run(globalVariablesInitializer());
  std::vector<Array> found = session.run({dense, merged, difference});
  check(found[0].shape() == std::vector<int64_t>({5, 3, 10}), "[5, 3, 10]");
  check(found[1].shape() == found[0].shape(), "equal shapes");
  expect("difference", found[2], {0}, 1e-5);
}
