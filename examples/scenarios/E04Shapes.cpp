/// Static and dynamic shapes: [?, 128]; [?, 10, 32] reshaped to [?, 320]; a
/// value that does not fit.
#include "Scenario.h"
using namespace tg;

int main() {
  Tensor a = placeholder(f32, {dim(), 128}, "a");
  std::cout << a << '\n';
  check(!a.shape()[0].isKnown() && a.dim(1) == 128, "[?, 128]");
  Session session;
  std::vector<float> numbers(5 * 128);
  expect("shape", session.run(shapeOf(a), {{a, {numbers, {5, 128}}}}),
         {5, 128});

  // A handle with more static extents.
  Tensor known = a;
  known.setShape({32, dim()});
  check(known.dim(0) == 32 && known.dim(1) == 128, "[32, 128]");
  expectError("fits [32, 128]", [&] { known.setShape({dim(), 64}); });
  expectError("is 5, expected 32", [&] {
    session.run(reduceSum(known), {{a, {numbers, {5, 128}}}});
  });

  // Merges two dimensions, with static extents and with dynamic ones.
  Tensor b = placeholder(f32, {dim(), 10, 32}, "b");
  Tensor merged = reshape(b, {0, {1, 2}});
  std::cout << merged << '\n';
  check(!merged.shape()[0].isKnown() && merged.dim(1) == 320, "[?, 320]");
  std::vector<float> cubes(3 * 10 * 32);
  expect("merged", session.run(shapeOf(merged), {{b, {cubes, {3, 10, 32}}}}),
         {3, 320});
  Tensor c = placeholder(f32, {dim(), dim(), dim()}, "c");
  Tensor dynamicMerged = reshape(c, {0, {1, 2}});
  expect("merged",
         session.run(shapeOf(dynamicMerged), {{c, {cubes, {3, 10, 32}}}}),
         {3, 320});
  std::vector<Operand> extents = extentsOf(b);
  check(!extents[0].isNumber() && extents[1].number() == 10,
        "a dynamic extent and 10");
  Tensor turned = reshape(b, {extents[2], -1, extents[0]});
  expect("turned", session.run(shapeOf(turned), {{b, {cubes, {3, 10, 32}}}}),
         {32, 10, 3});

  // Values that do not fit.
  expectError("[?, 128]",
              [&] { session.run(shapeOf(a), {{a, {numbers, {10, 64}}}}); });
  expectError("rank", [&] { matmul(a, constant(1.0)); });
}
