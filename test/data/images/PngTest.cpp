//===- PngTest.cpp - decodes and encodes PNG images -----------------------===//
#include "TestImages.h"

using namespace tg::data;

using Shape = std::vector<int64_t>;

TEST(Png, DecodesGreyOfEachNumberOfBits) {
  for (bool isInterlaced : {false, true})
    for (int bits : {1, 2, 4, 8}) {
      PngImage png{.height = 5,
                   .width = 13,
                   .bits = bits,
                   .isInterlaced = isInterlaced,
                   .rows = patternRows(5, (13 * bits + 7) / 8)};
      const Feature image = decodePng(png.encode());
      ASSERT_EQ(image.shape(), (Shape{5, 13, 1}));
      ASSERT_EQ(image.dtype().bits, 8);
      const int maximum = (1 << bits) - 1;
      for (int row = 0; row < 5; ++row)
        for (int column = 0; column < 13; ++column) {
          const int bit = column * bits;
          const int stored =
              png.rows[row][bit / 8] >> (8 - bits - bit % 8) & maximum;
          ASSERT_EQ(image.values<uint8_t>()[row * 13 + column],
                    stored * 255 / maximum)
              << bits << " bits, row " << row << ", column " << column;
        }
    }
}

TEST(Png, DecodesColorsAndAlphaAsStored) {
  struct Kind {
    int colorType;
    int64_t channels;
  };
  for (auto [colorType, channels] :
       {Kind{PNG_COLOR_TYPE_GRAY_ALPHA, 2}, Kind{PNG_COLOR_TYPE_RGB, 3},
        Kind{PNG_COLOR_TYPE_RGB_ALPHA, 4}})
    for (bool isInterlaced : {false, true}) {
      // Gamma changes nothing.
      PngImage png{.height = 6,
                   .width = 7,
                   .colorType = colorType,
                   .isInterlaced = isInterlaced,
                   .rows = patternRows(6, 7 * channels),
                   .gamma = 0.3};
      const Feature image = decodePng(png.encode());
      ASSERT_EQ(image.shape(), (Shape{6, 7, channels}));
      std::vector<uint8_t> expected;
      for (const std::vector<uint8_t> &row : png.rows)
        expected.insert(expected.end(), row.begin(), row.end());
      EXPECT_EQ(valuesOf<uint8_t>(image), expected);
    }
}

TEST(Png, DecodesSixteenBits) {
  for (bool isInterlaced : {false, true}) {
    PngImage png{.height = 3,
                 .width = 4,
                 .colorType = PNG_COLOR_TYPE_RGB,
                 .bits = 16,
                 .isInterlaced = isInterlaced,
                 .rows = patternRows(3, 4 * 3 * 2)};
    const Feature image = decodePng(png.encode());
    ASSERT_EQ(image.shape(), (Shape{3, 4, 3}));
    ASSERT_EQ(image.dtype().bits, 16);
    for (int i = 0; i < 36; ++i) {
      const std::vector<uint8_t> &row = png.rows[i / 12];
      EXPECT_EQ(image.values<uint16_t>()[i],
                row[i % 12 * 2] * 256 + row[i % 12 * 2 + 1]);
    }
  }
}

TEST(Png, ExpandsPalettes) {
  // Packed indices 0, 1, 2, 1 of 2 bits.
  PngImage png{.height = 1,
               .width = 4,
               .colorType = PNG_COLOR_TYPE_PALETTE,
               .bits = 2,
               .rows = {{0b00'01'10'01}},
               .palette = {{1, 2, 3}, {10, 20, 30}, {255, 0, 128}}};
  Feature image = decodePng(png.encode());
  EXPECT_EQ(image.shape(), (Shape{1, 4, 3}));
  EXPECT_EQ(
      valuesOf<uint8_t>(image),
      (std::vector<uint8_t>{1, 2, 3, 10, 20, 30, 255, 0, 128, 10, 20, 30}));
  png.paletteAlpha = {0, 99};
  image = decodePng(png.encode());
  EXPECT_EQ(image.shape(), (Shape{1, 4, 4}));
  EXPECT_EQ(valuesOf<uint8_t>(image),
            (std::vector<uint8_t>{1, 2, 3, 0, 10, 20, 30, 99, 255, 0, 128, 255,
                                  10, 20, 30, 99}));
  EXPECT_EQ(imageShape(png.encode()), (ImageShape{1, 4, 4, 8}));
}

TEST(Png, ExpandsTransparentColors) {
  PngImage png{.height = 1,
               .width = 3,
               .rows = {{7, 8, 9}},
               .transparent = png_color_16{0, 0, 0, 0, 8}};
  Feature image = decodePng(png.encode());
  EXPECT_EQ(image.shape(), (Shape{1, 3, 2}));
  EXPECT_EQ(valuesOf<uint8_t>(image),
            (std::vector<uint8_t>{7, 255, 8, 0, 9, 255}));
  png.colorType = PNG_COLOR_TYPE_RGB;
  png.width = 2;
  png.rows = {{1, 2, 3, 3, 2, 1}};
  png.transparent = png_color_16{0, 3, 2, 1, 0};
  image = decodePng(png.encode());
  EXPECT_EQ(valuesOf<uint8_t>(image),
            (std::vector<uint8_t>{1, 2, 3, 255, 3, 2, 1, 0}));
}

TEST(Png, RefusesIndicesBeyondThePalette) {
  PngImage png{.height = 1,
               .width = 4,
               .colorType = PNG_COLOR_TYPE_PALETTE,
               .bits = 2,
               .rows = {{0b00'01'10'11}},
               .palette = {{1, 2, 3}, {10, 20, 30}, {255, 0, 128}, {4, 5, 6}}};
  Bytes bytes = png.encode();
  EXPECT_NO_THROW(decodePng(bytes));
  png.palette.pop_back();
  png.rows = {{0b00'01'10'10}};
  Bytes shorter = png.encode();
  // Join the shorter palette with the data of the longer one.
  auto find = [](const Bytes &bytes, const char *name) {
    for (size_t i = 0; i + 4 < bytes.size(); ++i)
      if (!std::memcmp(bytes.data() + i, name, 4))
        return i - 4;
    return bytes.size();
  };
  Bytes joined(shorter.begin(), shorter.begin() + find(shorter, "IDAT"));
  joined.insert(joined.end(), bytes.begin() + find(bytes, "IDAT"), bytes.end());
  EXPECT_NE(errorOf([&] { decodePng(joined); }).find("palette"),
            std::string::npos);
}

TEST(Png, EncodesWhatItDecodes) {
  for (int64_t channels : {1, 2, 3, 4})
    for (int bits : {8, 16}) {
      tg_dtype_t type = {TG_DTYPE_UINT, static_cast<uint8_t>(bits), 1};
      Feature image(type, {9, 5, channels});
      for (size_t i = 0; i < image.byteCount(); ++i)
        image.data()[i] = static_cast<std::byte>(i * i * 7 + i / 3);
      const Bytes bytes = encodePng(image);
      EXPECT_EQ(bytes, encodePng(image));
      EXPECT_EQ(imageShape(bytes), (ImageShape{9, 5, channels, bits}));
      const Feature decoded = decodeImage(bytes);
      EXPECT_EQ(decoded.shape(), image.shape());
      EXPECT_TRUE(
          !std::memcmp(decoded.data(), image.data(), image.byteCount()));
    }
}

TEST(Png, RefusesToEncodeOtherFeatures) {
  EXPECT_EQ(errorOf([] {
              encodePng(Feature({TG_DTYPE_FLOAT, 32, 1}, {2, 2, 3}));
            }),
            "expected an image of ui8 or ui16 with 1 to 4 channels and 1 to "
            "1000000 rows and columns, found f32 [2, 2, 3]");
  EXPECT_EQ(errorOf([] {
              encodePng(Feature({TG_DTYPE_UINT, 8, 1}, {2, 2}));
            }),
            "expected an image [height, width, channels], found ui8 [2, 2]");
  for (std::vector<int64_t> shape :
       {Shape{0, 2, 3}, Shape{2, 0, 3}, Shape{2, 2, 0}, Shape{2, 2, 5}})
    EXPECT_THROW(encodePng(Feature({TG_DTYPE_UINT, 8, 1}, shape)), DataError);
}

TEST(Png, HasTheChannelsOfItsUse) {
  const PngImage grey{.height = 1, .width = 2, .rows = {{7, 9}}};
  const Feature image = decodePng(grey.encode());
  using Values = std::vector<uint8_t>;
  EXPECT_EQ(valuesOf<uint8_t>(withChannels(image, 1)), (Values{7, 9}));
  EXPECT_EQ(valuesOf<uint8_t>(withChannels(image, 2)),
            (Values{7, 255, 9, 255}));
  const Feature rgb = withChannels(image, 3);
  EXPECT_EQ(rgb.shape(), (Shape{1, 2, 3}));
  EXPECT_EQ(valuesOf<uint8_t>(rgb), (Values{7, 7, 7, 9, 9, 9}));
  const Feature rgba = withChannels(rgb, 4);
  EXPECT_EQ(valuesOf<uint8_t>(rgba), (Values{7, 7, 7, 255, 9, 9, 9, 255}));
  EXPECT_EQ(valuesOf<uint8_t>(withChannels(rgba, 3)), valuesOf<uint8_t>(rgb));
  Feature alpha({TG_DTYPE_FLOAT, 32, 1}, {1, 1, 2});
  alpha.values<float>()[0] = 0.5f;
  alpha.values<float>()[1] = 0.25f;
  EXPECT_EQ(valuesOf<float>(withChannels(alpha, 4)),
            (std::vector<float>{0.5f, 0.5f, 0.5f, 0.25f}));
  EXPECT_EQ(valuesOf<float>(withChannels(alpha, 1)), std::vector<float>{0.5f});
  EXPECT_EQ(errorOf([&] { withChannels(rgb, 1); }),
            "expected grey or RGB from grey, or RGB from RGB, found 1 channels "
            "from ui8 [1, 2, 3]");
  EXPECT_THROW(withChannels(image, 5), DataError);
  EXPECT_THROW(withChannels(image, 0), DataError);
}

TEST(Png, BecomesFloat) {
  Feature image({TG_DTYPE_UINT, 8, 1}, {1, 3, 1});
  image.values<uint8_t>()[0] = 0;
  image.values<uint8_t>()[1] = 51;
  image.values<uint8_t>()[2] = 255;
  EXPECT_EQ(valuesOf<float>(toFloat(image)), (std::vector<float>{0, 0.2f, 1}));
  Feature wide({TG_DTYPE_UINT, 16, 1}, {1, 2, 1});
  wide.values<uint16_t>()[0] = 13107;
  wide.values<uint16_t>()[1] = 65535;
  EXPECT_EQ(valuesOf<float>(toFloat(wide)), (std::vector<float>{0.2f, 1}));
  EXPECT_EQ(errorOf([] {
              toFloat(Feature({TG_DTYPE_INT, 64, 1}, {3}));
            }),
            "expected elements f32, ui8 or ui16, found i64 [3]");
}
