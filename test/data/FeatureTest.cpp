//===- FeatureTest.cpp - elements of features -----------------------------===//
#include "tg/data/feature.hpp"

#include "Errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tg::data;
using testing::ElementsAre;

static constexpr tg_dtype_t f32 = {TG_DTYPE_FLOAT, 32, 1};
static constexpr tg_dtype_t u8 = {TG_DTYPE_UINT, 8, 1};

TEST(Feature, HasAlignedElementsAndViewsOfRows) {
  Feature image(f32, {2, 3});
  EXPECT_EQ(reinterpret_cast<uintptr_t>(image.data()) % Feature::alignment, 0u);
  for (size_t i = 0; i < image.size(); ++i)
    image.values<float>()[i] = static_cast<float>(i);
  const Feature row = image.row(1);
  EXPECT_THAT(row.shape(), ElementsAre(3));
  EXPECT_THAT(row.values<float>(), ElementsAre(3, 4, 5));
  image = {};
  EXPECT_THAT(row.values<float>(), ElementsAre(3, 4, 5));
}

TEST(Feature, TensorHasTypeAndShape) {
  const Feature bytes(u8, {5});
  const tg_tensor_t tensor = bytes.tensor();
  EXPECT_EQ(tensor.data, bytes.data());
  EXPECT_EQ(tensor.ndim, 1);
  EXPECT_EQ(tensor.shape[0], 5);
  EXPECT_EQ(tensor.dtype.code, TG_DTYPE_UINT);
}

TEST(Feature, EmptyFeatureIsDefined) {
  const Feature empty(f32, {0, 7});
  EXPECT_TRUE(empty.isDefined());
  EXPECT_EQ(empty.byteCount(), 0u);
  EXPECT_FALSE(Feature().isDefined());
}

TEST(Feature, RefusesBadShapes) {
  EXPECT_EQ(errorOf([] { Feature(f32, {2, -1}); }),
            "expected extents of at least 0, found a shape of [2, ?]");
  EXPECT_EQ(errorOf([] { Feature(f32, {int64_t(1) << 40, int64_t(1) << 40}); }),
            "expected less than 2^63 bytes, found a shape of [1099511627776, "
            "1099511627776]");
  EXPECT_EQ(errorOf([] { Feature({TG_DTYPE_INT, 4, 1}, {2}); }),
            "expected elements of whole bytes, found 4 bits");
  EXPECT_EQ(errorOf([] { (void)Feature(f32, {6}).reshaped({4}); }),
            "expected a shape of 6 elements, found [4]");
  EXPECT_EQ(errorOf([] { (void)Feature(f32, {6}).row(6); }),
            "expected a row of a feature of shape [6], found row 6");
  EXPECT_EQ(errorOf([] { (void)Feature(f32, {6}).values<double>(); }),
            "expected elements of 64 bits, found f32");
}
