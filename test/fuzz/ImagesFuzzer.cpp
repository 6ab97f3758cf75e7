/// Checks that an image is either decoded to the shape that its header says, or
/// refused with a message. A PNG image is also read with right checksums, which
/// mutations seldom have.
#include "tg/data/augment.hpp"

#include <cstdlib>
#include <cstring>
#include <zlib.h>

using namespace tg::data;

using Bytes = std::vector<std::byte>;

static constexpr size_t signatureBytes = 8;

static uint32_t readWord(const std::byte *from) {
  uint32_t word = 0;
  for (int i = 0; i < 4; ++i)
    word = word << 8 | std::to_integer<uint32_t>(from[i]);
  return word;
}

/// Replaces the checksums of all whole chunks.
static void correctChecksums(Bytes &bytes) {
  for (size_t at = signatureBytes; at + 12 <= bytes.size();) {
    const size_t length = readWord(bytes.data() + at);
    if (length > bytes.size() - at - 12)
      return;
    const auto sum = static_cast<uint32_t>(
        crc32(0, reinterpret_cast<const Bytef *>(bytes.data() + at + 4),
              static_cast<uInt>(length + 4)));
    for (int i = 0; i < 4; ++i)
      bytes[at + 8 + length + i] = std::byte(sum >> (24 - 8 * i) & 255);
    at += 12 + length;
  }
}

static void check(bool isTrue) {
  if (!isTrue)
    std::abort();
}

/// Decodes a part of an image, which has the same pixels.
static void decodePart(const Bytes &bytes, const Feature &image) {
  if (image.dtype().bits != 8)
    return;
  const int64_t height = image.shape()[0], width = image.shape()[1];
  const ImageWindow window = {height / 3, width / 4, height - height / 2,
                              width - width / 2};
  const Feature part = decodeCrop(bytes, window);
  const Feature expected = crop(image, window);
  check(part.byteCount() == expected.byteCount() &&
        !std::memcmp(part.data(), expected.data(), part.byteCount()));
}

/// Decodes an image. What was decoded survives a round trip.
static void decode(const Bytes &bytes) {
  try {
    const Feature image = decodeImage(bytes, {.maxBytes = 1 << 20});
    const ImageShape shape = imageShape(bytes);
    check(image.byteCount() <= 1 << 20 &&
          image.shape() ==
              std::vector<int64_t>{shape.height, shape.width, shape.channels} &&
          image.dtype().bits == shape.bits);
    decodePart(bytes, image);
    if (image.byteCount() > 1 << 12)
      return;
    const Feature again = decodePng(encodePng(image));
    check(again.byteCount() == image.byteCount() &&
          !std::memcmp(again.data(), image.data(), image.byteCount()));
  } catch (const DataError &error) {
    check(error.what()[0]);
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
  const auto *first = reinterpret_cast<const std::byte *>(input);
  Bytes bytes(first, first + size);
  decode(bytes);
  if (size > signatureBytes && input[0] == 0x89) {
    correctChecksums(bytes);
    decode(bytes);
  }
  return 0;
}
