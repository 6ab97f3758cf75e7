/// The product of two matrices: as a symbol, and its value.
#include "Scenario.h"
using namespace tg;

int main() {
  constexpr int64_t n = 10;
  Tensor x = randomNormal({n, n});
  Tensor y = randomNormal({n, n});
  Tensor z = matmul(x, y);
  std::stringstream text;
  text << z;
  std::cout << text.str() << '\n';
  check(text.str() == "Tensor(\"MatMul:0\", shape=(10, 10), dtype=float32)",
        "the name, shape and type");

  Session session;
  std::vector<Array> found = session.run({x, y, z});
  std::vector<double> expected(n * n);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j)
      for (int64_t k = 0; k < n; ++k)
        expected[i * n + j] += found[0].at(i * n + k) * found[1].at(k * n + j);
  expect("z", found[2], expected);
}
