//===- WhiteningTest.cpp - ZCA whitening of examples ----------------------===//
#include "TestImages.h"

#include "tg/data/whitening.hpp"

#include <cmath>

using namespace tg::data;

static Feature makeF32(std::vector<int64_t> shape,
                       const std::vector<float> &values) {
  Feature made({TG_DTYPE_FLOAT, 32, 1}, std::move(shape));
  EXPECT_EQ(made.size(), values.size());
  std::copy(values.begin(), values.end(), made.values<float>().begin());
  return made;
}

TEST(Whitening, DividesByTheRootsOfTheVariances) {
  // The mean is (10, 20), the covariance diag(2, 0.5).
  const Feature examples = makeF32({4, 2}, {12, 20, 8, 20, 10, 21, 10, 19});
  const Whitening whitening = Whitening::fit(examples, 0.25);
  EXPECT_EQ(valuesOf<double>(whitening.mean()), (std::vector<double>{10, 20}));
  const auto matrix = valuesOf<double>(whitening.matrix());
  EXPECT_NEAR(matrix[0], 1 / 1.5, 1e-12);
  EXPECT_NEAR(matrix[1], 0, 1e-12);
  EXPECT_NEAR(matrix[2], 0, 1e-12);
  EXPECT_NEAR(matrix[3], 1 / std::sqrt(0.75), 1e-12);
  const Feature whitened = whitening.apply(makeF32({2, 1}, {13, 20}));
  EXPECT_EQ(whitened.shape(), (std::vector<int64_t>{2, 1}));
  EXPECT_NEAR(valuesOf<float>(whitened)[0], 2, 1e-6);
  EXPECT_NEAR(valuesOf<float>(whitened)[1], 0, 1e-6);
}

TEST(Whitening, RemovesCorrelations) {
  // More examples than are converted at once.
  const int count = 700, size = 3;
  std::vector<float> values;
  for (int i = 0; i < count; ++i) {
    const double a = std::sin(i * 1.7), b = std::sin(i * 0.9 + 1);
    const double c = std::cos(i * 2.3);
    for (double value : {a + b, a - 2 * c, 3 * b + c})
      values.push_back(static_cast<float>(value));
  }
  const Feature examples = makeF32({count, size}, values);
  const Whitening whitening = Whitening::fit(examples, 1e-9);
  double products[size][size] = {};
  for (int i = 0; i < count; ++i) {
    const auto row = valuesOf<float>(whitening.apply(examples.row(i)));
    for (int j = 0; j < size; ++j)
      for (int k = 0; k < size; ++k)
        products[j][k] += row[j] * row[k] / count;
  }
  for (int j = 0; j < size; ++j)
    for (int k = 0; k < size; ++k)
      EXPECT_NEAR(products[j][k], j == k, 1e-4);
  // The matrix is symmetric, which makes it the one closest to the identity.
  const auto matrix = valuesOf<double>(whitening.matrix());
  EXPECT_NEAR(matrix[1], matrix[3], 1e-12);
  EXPECT_NEAR(matrix[5], matrix[7], 1e-12);
  // A saved map gives the same bits.
  const Whitening loaded(whitening.mean(), whitening.matrix());
  EXPECT_EQ(valuesOf<float>(loaded.apply(examples.row(5))),
            valuesOf<float>(whitening.apply(examples.row(5))));
}

TEST(Whitening, TakesImagesOfBytes) {
  Feature images({TG_DTYPE_UINT, 8, 1}, {3, 2, 1, 1});
  const uint8_t pixels[] = {0, 0, 3, 0, 6, 0};
  std::copy(std::begin(pixels), std::end(pixels),
            images.values<uint8_t>().begin());
  // The variances are 6 and 0.
  const Whitening whitening = Whitening::fit(images, 0.25);
  const auto whitened = valuesOf<float>(whitening.apply(images.row(2)));
  EXPECT_NEAR(whitened[0], 3 / 2.5, 1e-6);
  EXPECT_NEAR(whitened[1], 0, 1e-6);
}

TEST(Whitening, RefusesOtherFeatures) {
  const Feature examples = makeF32({2, 2}, {1, 2, 3, 4});
  EXPECT_THROW(Whitening::fit(examples, 0), DataError);
  EXPECT_THROW(Whitening::fit(makeF32({0, 2}, {})), DataError);
  EXPECT_THROW(Whitening::fit(makeF32({2, 0}, {})), DataError);
  EXPECT_THROW(Whitening::fit(makeF32({1, 2}, {1, NAN})), DataError);
  EXPECT_THROW(Whitening::fit(makeF32({2, 1}, {1, INFINITY})), DataError);
  EXPECT_THROW(Whitening::fit(Feature({TG_DTYPE_INT, 32, 1}, {2, 2})),
               DataError);
  const Whitening whitening = Whitening::fit(examples);
  EXPECT_EQ(errorOf([&] {
              whitening.apply(makeF32({3}, {1, 2, 3}));
            }),
            "expected an example of 2 elements, found f32 [3]");
  EXPECT_THROW(Whitening(whitening.mean(), whitening.mean()), DataError);
  EXPECT_THROW(Whitening(examples, examples), DataError);
}
