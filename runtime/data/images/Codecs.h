//===- Codecs.h - tells formats apart, and reads their headers ------------===//
#ifndef TG_RUNTIME_DATA_IMAGES_CODECS_H
#define TG_RUNTIME_DATA_IMAGES_CODECS_H

#include "Pixels.h"

namespace tg::data {

bool isPng(std::span<const std::byte> bytes);
bool isJpeg(std::span<const std::byte> bytes);

/// Returns the maximum size of a decoded image in bytes.
uint64_t maxBytesOf(std::span<const std::byte> bytes,
                    const DecodeOptions &options);

ImageShape pngShape(std::span<const std::byte> bytes);
ImageShape jpegShape(std::span<const std::byte> bytes);

} // namespace tg::data

#endif // TG_RUNTIME_DATA_IMAGES_CODECS_H
