//===- Text.cpp - text in images ------------------------------------------===//
#include "compiler/frontend/summaries/Summaries.h"

#include <gdfontg.h>
#include <gdfontl.h>
#include <gdfonts.h>
#include <gdfontt.h>

using namespace tg;
using namespace tg::dsl;

namespace {
/// A font, of which each pixel is a square of `factor` pixels.
struct Font {
  gdFontPtr bitmap;
  int64_t factor;

  int64_t height() const { return bitmap->h * factor; }
  int64_t width() const { return bitmap->w * factor; }
  /// Returns true if a letter covers the pixel (x, y) of its rectangle.
  bool covers(unsigned char letter, int64_t x, int64_t y) const {
    int64_t index = letter - bitmap->offset;
    if (index < 0 || index >= bitmap->nchars)
      return false;
    int64_t row = index * bitmap->h + y / factor;
    return bitmap->data[row * bitmap->w + x / factor] != 0;
  }
};
} // namespace

/// Returns the highest font of libgd that is at most `height` pixels high, or
/// the smallest one.
static Font chooseFont(int64_t height) {
  gdFontPtr all[] = {gdFontGetTiny(), gdFontGetSmall(), gdFontGetGiant(),
                     gdFontGetLarge()};
  Font chosen{all[0], 1};
  for (gdFontPtr bitmap : all) {
    Font font{bitmap, height / bitmap->h};
    if (font.factor > 0 && font.height() > chosen.height())
      chosen = font;
  }
  return chosen;
}

/// Returns the value of a color in each channel of an image.
static std::vector<uint8_t> channelsOf(TextColor color, int64_t channels) {
  if (channels > 1)
    return {color.red, color.green, color.blue, 255};
  // The brightness by ITU-R BT.601.
  int grey = 299 * color.red + 587 * color.green + 114 * color.blue;
  return {static_cast<uint8_t>((grey + 500) / 1000)};
}

void dsl::drawText(data::Feature &image, std::string_view text, TextColor color,
                   int64_t height) {
  Font font = chooseFont(height);
  int64_t rows = image.shape()[0], columns = image.shape()[1];
  int64_t channels = image.shape()[2];
  std::vector<uint8_t> paint = channelsOf(color, channels);
  std::span<uint8_t> bytes = image.values<uint8_t>();
  int64_t length = static_cast<int64_t>(text.size()) * font.width();
  for (int64_t y = 0; y < std::min(rows, font.height()); ++y)
    for (int64_t x = 0; x < std::min(columns, length); ++x) {
      auto letter = static_cast<unsigned char>(
          text[static_cast<size_t>(x / font.width())]);
      if (font.covers(letter, x % font.width(), y))
        std::copy_n(paint.begin(), channels,
                    bytes.begin() + (y * columns + x) * channels);
    }
}
