//===- SummaryImage.cpp - images of summaries -----------------------------===//
#include "Messages.h"

#include "tg/data/images.hpp"
#include "tg/training/summary.hpp"

#include <cmath>

using namespace tg;
using namespace tg::training;
using data::Feature;

/// Returns an image of numbers from 0 to 1 as numbers from 0 to 255.
static Feature toBytes(const Feature &image) {
  Feature bytes({TG_DTYPE_UINT, 8, 1}, image.shape());
  const auto from = image.values<float>();
  const auto into = bytes.values<uint8_t>();
  for (size_t i = 0; i < from.size(); ++i) {
    const float scaled = from[i] * 255;
    // The comparison is false for NaN.
    into[i] = !(scaled > 0)   ? 0
              : scaled >= 255 ? 255
                              : static_cast<uint8_t>(std::nearbyint(scaled));
  }
  return bytes;
}

/// Returns an image with a dimension of channels.
static Feature withDimensions(const Feature &image) {
  std::vector<int64_t> shape = image.shape();
  if (shape.size() != 2)
    return image;
  shape.push_back(1);
  return image.reshaped(std::move(shape));
}

void Summary::addImage(const std::string &tag, const Feature &image) {
  Feature pixels = withDimensions(image);
  const tg_dtype_t dtype = pixels.dtype();
  if (dtype.code == TG_DTYPE_FLOAT && dtype.bits == 32)
    pixels = toBytes(pixels);
  const std::vector<std::byte> png = data::encodePng(pixels);
  std::string fields;
  Builder<ValueField> value(fields);
  {
    Builder<ImageField> encoded(value, ValueField::image);
    encoded.add_int32(ImageField::height,
                      static_cast<int32_t>(pixels.shape()[0]));
    encoded.add_int32(ImageField::width,
                      static_cast<int32_t>(pixels.shape()[1]));
    encoded.add_int32(ImageField::colorspace,
                      static_cast<int32_t>(pixels.shape()[2]));
    encoded.add_bytes(ImageField::encoded_image_string,
                      reinterpret_cast<const char *>(png.data()), png.size());
  }
  appendValue(message, tag, fields);
}
