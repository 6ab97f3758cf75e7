//===- JpegTest.cpp - decodes JPEG images ---------------------------------===//
#include "TestImages.h"

#include "tg/data/augment.hpp"

using namespace tg::data;

/// Decodes by libjpeg-turbo with its defaults.
static std::vector<uint8_t> reference(const Bytes &bytes, int height, int width,
                                      int format) {
  std::vector<uint8_t> pixels(height * width * tjPixelSize[format]);
  tjhandle decoder = tjInitDecompress();
  EXPECT_EQ(tjDecompress2(
                decoder, reinterpret_cast<const unsigned char *>(bytes.data()),
                bytes.size(), pixels.data(), width, 0, height, format, 0),
            0);
  tjDestroy(decoder);
  return pixels;
}

TEST(Jpeg, DecodesAsTheLibraryDoes) {
  const int height = 37, width = 53;
  for (int flags : {0, TJFLAG_PROGRESSIVE})
    for (int subsampling : {TJSAMP_444, TJSAMP_422, TJSAMP_420, TJSAMP_411}) {
      const Bytes bytes = encodeJpeg(picture(height, width, 3), height, width,
                                     TJPF_RGB, subsampling, 90, flags);
      const Feature image = decodeImage(bytes);
      EXPECT_EQ(image.shape(), (std::vector<int64_t>{height, width, 3}));
      EXPECT_EQ(valuesOf<uint8_t>(image),
                reference(bytes, height, width, TJPF_RGB));
      EXPECT_EQ(imageShape(bytes), (ImageShape{height, width, 3, 8}));
    }
}

TEST(Jpeg, IsCloseToThePictureItWasMadeFrom) {
  std::vector<uint8_t> pixels;
  for (int i = 0; i < 64 * 48; ++i)
    for (int channel : {2 * (i / 64), i % 64 + 90, 200 - i / 64})
      pixels.push_back(static_cast<uint8_t>(channel));
  const Feature image = decodeJpeg(
      encodeJpeg(pixels, 48, 64, TJPF_RGB, TJSAMP_444, /*quality=*/100));
  for (size_t i = 0; i < pixels.size(); ++i)
    ASSERT_NEAR(image.values<uint8_t>()[i], pixels[i], 3) << "element " << i;
}

TEST(Jpeg, DecodesEachWindowAsThatOfTheWholeImage) {
  const int samplings[] = {TJSAMP_444, TJSAMP_422, TJSAMP_420,
                           TJSAMP_440, TJSAMP_411, TJSAMP_GRAY};
  Random random(1, 2, 3, 4);
  for (int flags : {0, TJFLAG_PROGRESSIVE})
    for (int subsampling : samplings)
      for (auto [height, width] : {std::pair{97, 131}, {33, 150}, {120, 17}}) {
        const bool isGrey = subsampling == TJSAMP_GRAY;
        const Bytes bytes =
            encodeJpeg(picture(height, width, isGrey ? 1 : 3), height, width,
                       isGrey ? TJPF_GRAY : TJPF_RGB, subsampling, 85, flags);
        const Feature whole = decodeJpeg(bytes);
        for (int i = 0; i < 40; ++i) {
          const auto rows = static_cast<int64_t>(1 + random.below(height));
          const auto columns = static_cast<int64_t>(1 + random.below(width));
          const ImageWindow window = {
              static_cast<int64_t>(random.below(height - rows + 1)),
              static_cast<int64_t>(random.below(width - columns + 1)), rows,
              columns};
          const Feature part = decodeCrop(bytes, window);
          ASSERT_EQ(part.shape(), crop(whole, window).shape());
          ASSERT_EQ(valuesOf<uint8_t>(part),
                    valuesOf<uint8_t>(crop(whole, window)))
              << subsampling << ": " << rows << " x " << columns << " at "
              << window.top << ", " << window.left;
        }
        EXPECT_EQ(decodeCrop(bytes, {1, 1, 0, 2}).size(), 0u);
        EXPECT_THROW(decodeCrop(bytes, {0, 0, height + 1, 1}), DataError);
        EXPECT_THROW(decodeCrop(bytes, {-1, 0, 1, 1}), DataError);
      }
}

TEST(Jpeg, DecodesRandomWindows) {
  const Bytes bytes =
      encodeJpeg(picture(60, 80, 3), 60, 80, TJPF_RGB, TJSAMP_420);
  const Feature whole = decodeJpeg(bytes);
  for (const Bytes &stored : {bytes, encodePng(whole)})
    for (uint64_t example = 0; example < 20; ++example) {
      Random first(7, 0, example, 1), second(7, 0, example, 1);
      EXPECT_EQ(valuesOf<uint8_t>(
                    decodeRandomResizedCrop(stored, {.size = {24, 24}}, first)),
                valuesOf<uint8_t>(
                    randomResizedCrop(whole, {.size = {24, 24}}, second)));
    }
}

TEST(Jpeg, DecodesGrey) {
  const Bytes bytes =
      encodeJpeg(picture(20, 30, 1), 20, 30, TJPF_GRAY, TJSAMP_GRAY);
  const Feature image = decodeJpeg(bytes);
  EXPECT_EQ(image.shape(), (std::vector<int64_t>{20, 30, 1}));
  EXPECT_EQ(valuesOf<uint8_t>(image), reference(bytes, 20, 30, TJPF_GRAY));
}

TEST(Jpeg, RefusesCmyk) {
  const Bytes bytes =
      encodeJpeg(picture(16, 16, 4), 16, 16, TJPF_CMYK, TJSAMP_444);
  EXPECT_NE(errorOf([&] {
              decodeImage(bytes);
            }).find("expected grey or RGB, found the 4 components of CMYK"),
            std::string::npos);
  EXPECT_THROW(imageShape(bytes), DataError);
}

TEST(Jpeg, RefusesOtherSizesThanThoseOfTheData) {
  Bytes bytes = encodeJpeg(picture(64, 64, 3), 64, 64, TJPF_RGB, TJSAMP_444);
  size_t frame = 0;
  while (bytes[frame] != std::byte(0xff) || bytes[frame + 1] != std::byte(0xc0))
    ++frame;
  for (auto [height, width] : {std::pair{128, 64},
                               {64, 128},
                               {32, 64},
                               {64, 32},
                               {65000, 64},
                               {1, 1},
                               {0, 64}}) {
    bytes[frame + 5] = std::byte(height >> 8);
    bytes[frame + 6] = std::byte(height & 255);
    bytes[frame + 7] = std::byte(width >> 8);
    bytes[frame + 8] = std::byte(width & 255);
    EXPECT_THROW(decodeJpeg(bytes), DataError) << height << " x " << width;
  }
}
