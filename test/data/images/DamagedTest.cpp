//===- DamagedTest.cpp - images that are cut short, changed or too large --===//
#include "TestImages.h"

using namespace tg::data;

namespace {
struct Sample {
  const char *name;
  Bytes bytes;
};
} // namespace

/// Returns small images of all kinds.
static std::vector<Sample> samples() {
  const std::vector<png_color> palette = {{1, 2, 3}, {10, 20, 30}};
  const std::vector<uint8_t> colors = picture(17, 18, 3);
  return {
      {"grey",
       PngImage{.height = 6, .width = 7, .rows = patternRows(6, 7)}.encode()},
      {"interlaced", PngImage{.height = 6,
                              .width = 7,
                              .colorType = PNG_COLOR_TYPE_RGB_ALPHA,
                              .bits = 16,
                              .isInterlaced = true,
                              .rows = patternRows(6, 7 * 8)}
                         .encode()},
      {"palette", PngImage{.height = 3,
                           .width = 8,
                           .colorType = PNG_COLOR_TYPE_PALETTE,
                           .bits = 1,
                           .rows = patternRows(3, 1),
                           .palette = palette,
                           .paletteAlpha = {3}}
                      .encode()},
      {"baseline", encodeJpeg(colors, 17, 18, TJPF_RGB, TJSAMP_420)},
      {"progressive", encodeJpeg(colors, 17, 18, TJPF_RGB, TJSAMP_444, 80,
                                 TJFLAG_PROGRESSIVE)},
      {"grey jpeg",
       encodeJpeg(picture(17, 18, 1), 17, 18, TJPF_GRAY, TJSAMP_GRAY)},
  };
}

TEST(DamagedImage, IsRefusedIfCutAtAnyByte) {
  for (const Sample &sample : samples()) {
    ASSERT_NO_THROW(decodeImage(sample.bytes)) << sample.name;
    for (size_t size = 0; size < sample.bytes.size(); ++size) {
      // A copy of its size lets sanitizers see each read beyond it.
      const Bytes cut(sample.bytes.begin(), sample.bytes.begin() + size);
      EXPECT_THROW(decodeImage(cut), DataError)
          << sample.name << ", " << size << " bytes";
    }
  }
}

TEST(DamagedImage, MayDifferInAnyBit) {
  for (const Sample &sample : samples()) {
    const Feature whole = decodeImage(sample.bytes);
    for (size_t bit = 0; bit < 8 * sample.bytes.size(); ++bit) {
      Bytes changed = sample.bytes;
      changed[bit / 8] ^= std::byte(1 << bit % 8);
      try {
        // A PNG has checksums, so that it is refused or the same picture.
        const Feature image = decodeImage(changed, {.maxBytes = 1 << 20});
        ASSERT_LE(image.byteCount(), 1u << 20);
        if (std::string(sample.name).find("jpeg") == std::string::npos &&
            sample.bytes[0] != std::byte(0xff)) {
          ASSERT_EQ(image.shape(), whole.shape());
          ASSERT_TRUE(
              !std::memcmp(image.data(), whole.data(), whole.byteCount()));
        }
      } catch (const DataError &error) {
        ASSERT_STRNE(error.what(), "");
      }
    }
  }
}

TEST(DamagedImage, IsRefusedIfItHasNoKnownFormat) {
  EXPECT_EQ(errorOf([] { decodeImage({}); }),
            "expected a PNG or JPEG image, found 0 bytes");
  const Bytes gif = {std::byte('G'), std::byte('I'), std::byte('F'),
                     std::byte('8'), std::byte('9'), std::byte('a')};
  EXPECT_EQ(errorOf([&] { imageShape(gif); }),
            "expected a PNG or JPEG image, found 6 bytes that begin with 47 49 "
            "46 38");
  EXPECT_THROW(decodePng(gif), DataError);
  EXPECT_THROW(decodeJpeg(gif), DataError);
}

/// Returns a PNG of black pixels. It takes a thousandth of their size.
static Bytes blackPng(int64_t height, int64_t width) {
  PngImage png{.height = height,
               .width = width,
               .rows = std::vector<std::vector<uint8_t>>(
                   height, std::vector<uint8_t>(width))};
  return png.encode();
}

TEST(ImageBomb, IsRefusedBeforeItIsDecoded) {
  const Bytes bytes = blackPng(1000, 1000);
  EXPECT_LT(bytes.size(), 10000u);
  EXPECT_NO_THROW(decodePng(bytes, {.maxBytes = 1000000}));
  EXPECT_EQ(errorOf([&] { decodePng(bytes, {.maxBytes = 999999}); }),
            "expected an image of at most 999999 bytes, found 1000 rows of "
            "1000 pixels of 1 bytes");
}

TEST(ImageBomb, MayDeclareAnySize) {
  // Extents of a header with a right checksum: 2^31 - 1 squared overflows.
  for (auto [extent, message] :
       {std::pair{100000u, "expected an image of at most 67108864 bytes"},
        {1000001u, "IHDR"},
        {0x7fffffffu, "IHDR"},
        {0xffffffffu, "out of range"},
        {0u, "IHDR"}}) {
    Bytes bytes = blackPng(1, 1);
    for (int i = 0; i < 8; ++i)
      bytes[16 + i] = std::byte(extent >> (24 - i % 4 * 8) & 255);
    uint32_t sum = 0xffffffff;
    for (int i = 12; i < 29; ++i) {
      sum ^= std::to_integer<uint32_t>(bytes[i]);
      for (int bit = 0; bit < 8; ++bit)
        sum = sum >> 1 ^ (sum & 1 ? 0xedb88320 : 0);
    }
    for (int i = 0; i < 4; ++i)
      bytes[29 + i] = std::byte(~sum >> (24 - i * 8) & 255);
    const std::string error = errorOf([&] { decodePng(bytes); });
    EXPECT_NE(error.find(message), std::string::npos) << error;
  }
}

TEST(ImageBomb, OfManyScansIsRefused) {
  const int extent = 256;
  const std::vector<uint8_t> grey(extent * extent, 128);
  Bytes bytes = encodeJpeg(grey, extent, extent, TJPF_GRAY, TJSAMP_GRAY, 80,
                           TJFLAG_PROGRESSIVE);
  EXPECT_NO_THROW(decodeJpeg(bytes, {.maxBytes = 3 * extent * extent}));
  EXPECT_NE(errorOf([&] {
              decodeJpeg(bytes, {.maxBytes = 3 * extent * extent - 1});
            }).find("expected an image of at most 65535 bytes"),
            std::string::npos);
  // Repeat the last scan.
  size_t scan = bytes.size();
  while (bytes[scan - 2] != std::byte(0xff) ||
         bytes[scan - 1] != std::byte(0xda))
    --scan;
  scan -= 2;
  const Bytes last(bytes.begin() + scan, bytes.end() - 2);
  for (int i = 0; i < 60; ++i)
    bytes.insert(bytes.end() - 2, last.begin(), last.end());
  EXPECT_NE(errorOf([&] {
              decodeJpeg(bytes, {.maxBytes = 3 * extent * extent});
            }).find("expected a JPEG image that needs less work, found 6"),
            std::string::npos);
}
