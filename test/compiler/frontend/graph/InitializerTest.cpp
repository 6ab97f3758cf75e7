// Tests initial values: the range of random samples, orthogonal matrices.
#include "../Rows.h"

#include <algorithm>

using namespace tg;
using namespace tg::test;

namespace {
/// Returns the initial values of a variable for a seed.
Numbers firstValues(const Initializer &initializer, const Shape &shape,
                    DType dtype = f32, int64_t seed = 1) {
  Program program("p");
  Variable w = program.variable("w", dtype, shape, initializer);
  program.function("f", {.outputs = {{"w", w}}});
  Evaluator evaluator(program.text());
  evaluator.init(seed);
  std::vector<Elements> outputs = evaluator.run("f", {});
  EXPECT_EQ(evaluator.error(), "");
  return outputs.empty() ? Numbers() : outputs[0].values;
}

double greatest(const Numbers &numbers) {
  double found = 0;
  for (double number : numbers)
    found = std::max(found, std::abs(number));
  return found;
}

double variance(const Numbers &numbers) {
  double sum = 0;
  for (double number : numbers)
    sum += number * number;
  return sum / double(numbers.size());
}

// [4, 30, 50]: fan-in 120, fan-out 200.
const Shape kCube = {4, 30, 50};

TEST(Initializer, uniformDrawsEndAtTheirLimits) {
  for (auto [initializer, limit] :
       {std::pair(glorotUniform(), std::sqrt(6. / 320)),
        std::pair(heUniform(), std::sqrt(6. / 120)),
        std::pair(lecunUniform(), std::sqrt(3. / 120))}) {
    Numbers drawn = firstValues(initializer, kCube);
    EXPECT_LE(greatest(drawn), limit);
    EXPECT_GT(greatest(drawn), 0.99 * limit);
    EXPECT_NEAR(variance(drawn), limit * limit / 3, 0.03 * limit * limit);
  }
}

TEST(Initializer, normalDrawsHaveTheirVariance) {
  for (auto [initializer, expected] : {std::pair(glorotNormal(), 2. / 320),
                                       std::pair(heNormal(), 2. / 120),
                                       std::pair(lecunNormal(), 1. / 120)}) {
    Numbers drawn = firstValues(initializer, kCube);
    EXPECT_NEAR(variance(drawn) / expected, 1, 0.06);
    // The distribution is not truncated.
    EXPECT_GT(greatest(drawn), 3 * std::sqrt(expected));
  }
}

/// Returns the largest difference between the products of rows, or of columns,
/// and the unit matrix times `length`.
double distanceFromUnit(const Numbers &matrix, int64_t rows, int64_t columns,
                        double length) {
  bool isWide = rows <= columns;
  int64_t count = isWide ? rows : columns, other = isWide ? columns : rows;
  auto at = [&](int64_t i, int64_t k) {
    return isWide ? matrix[i * columns + k] : matrix[k * columns + i];
  };
  double worst = 0;
  for (int64_t i = 0; i < count; ++i)
    for (int64_t j = 0; j < count; ++j) {
      double product = 0;
      for (int64_t k = 0; k < other; ++k)
        product += at(i, k) * at(j, k);
      worst = std::max(worst, std::abs(product - (i == j ? length : 0)));
    }
  return worst;
}

TEST(Initializer, orthogonalRowsOrColumns) {
  for (auto [rows, columns] :
       {std::pair(5, 5), std::pair(3, 8), std::pair(9, 4), std::pair(1, 6),
        std::pair(40, 40)}) {
    Shape shape = {rows, columns};
    Numbers narrow = firstValues(orthogonal(), shape);
    EXPECT_LE(distanceFromUnit(narrow, rows, columns, 1), 2e-6);
    Numbers wide = firstValues(orthogonal({.gain = 3}), shape, f64);
    EXPECT_LE(distanceFromUnit(wide, rows, columns, 9), 1e-13);
  }
  // [2, 3, 4] is treated as six rows of four.
  EXPECT_LE(
      distanceFromUnit(firstValues(orthogonal(), {2, 3, 4}, f64), 6, 4, 1),
      1e-13);
}

TEST(Initializer, orthogonalMatricesFollowTheSeedAlone) {
  Numbers first = firstValues(orthogonal(), {6, 6});
  EXPECT_EQ(first, firstValues(orthogonal(), {6, 6}));
  EXPECT_NE(first, firstValues(orthogonal(), {6, 6}, f32, 2));
}

// All orthogonal matrices are equally likely: elements have mean 0 and variance
// 1 / n. The first element shows it, since a QR factor with unadjusted signs
// would make it negative.
TEST(Initializer, orthogonalMatricesAreDrawnEvenly) {
  double sum = 0, squares = 0;
  for (int64_t seed = 0; seed < 200; ++seed) {
    double corner = firstValues(orthogonal(), {3, 3}, f64, seed)[0];
    sum += corner;
    squares += corner * corner;
  }
  EXPECT_NEAR(sum / 200, 0, 0.13);
  EXPECT_NEAR(squares / 200, 1. / 3, 0.08);
}

TEST(Initializer, orthogonalNeedsAMatrix) {
  Program program("p");
  EXPECT_THROW(program.variable("w", f32, {4}, orthogonal()), GraphError);
}

TEST(Initializer, eagerFirstValuesAreTheSame) {
  Numbers expected = firstValues(orthogonal(), {3, 5}, f64);
  ExecutionScope scope(true);
  Program program("p");
  program.setSeed(1);
  Variable w = program.variable("w", f64, {3, 5}, orthogonal());
  std::vector<double> eager = w.values<double>();
  ASSERT_EQ(eager.size(), expected.size());
  for (size_t i = 0; i < eager.size(); ++i)
    EXPECT_NEAR(eager[i], expected[i], 1e-14);
}
} // namespace
