//===- Idx.cpp - IDX files and the binary files of CIFAR ------------------===//
#include "FixedRecords.h"
#include "tg/data/arrays.hpp"

#include <algorithm>
#include <optional>

using namespace tg;
using namespace tg::data;

//===----------------------------------------------------------------------===//
// IDX
//===----------------------------------------------------------------------===//

/// Returns the element type that a file's third byte stands for.
static std::optional<tg_dtype_t> idxType(unsigned code) {
  switch (code) {
  case 0x08:
    return tg_dtype_t{TG_DTYPE_UINT, 8, 1};
  case 0x09:
    return tg_dtype_t{TG_DTYPE_INT, 8, 1};
  case 0x0b:
    return tg_dtype_t{TG_DTYPE_INT, 16, 1};
  case 0x0c:
    return tg_dtype_t{TG_DTYPE_INT, 32, 1};
  case 0x0d:
    return tg_dtype_t{TG_DTYPE_FLOAT, 32, 1};
  case 0x0e:
    return tg_dtype_t{TG_DTYPE_FLOAT, 64, 1};
  }
  return std::nullopt;
}

/// Returns the layout of an IDX file that begins with `first` and has `size`
/// bytes. Throws DataError without the name of the file.
static FixedLayout idxLayout(const std::string &name,
                             std::span<const std::byte> first, uint64_t size) {
  const auto byteAt = [&](size_t index) {
    return std::to_integer<unsigned>(first[index]);
  };
  const std::optional<tg_dtype_t> dtype =
      first.size() < 4 || byteAt(0) || byteAt(1) ? std::nullopt
                                                 : idxType(byteAt(2));
  if (!dtype || !byteAt(3))
    throw DataError("expected an IDX file, which begins with 0, 0, a type and "
                    "at least one dimension, found another file");
  const size_t rank = byteAt(3);
  const uint64_t begin = 4 + 4 * rank;
  if (first.size() < begin)
    throw DataError("expected a header of " + std::to_string(begin) +
                    " bytes, found " + std::to_string(size));
  std::vector<int64_t> shape;
  for (size_t i = 4; i < begin; i += 4)
    shape.push_back(int64_t(byteAt(i)) << 24 | int64_t(byteAt(i + 1)) << 16 |
                    int64_t(byteAt(i + 2)) << 8 | int64_t(byteAt(i + 3)));
  const FeatureType all{name, *dtype, shape};
  if (byteCount(all) != size - begin)
    throw DataError("expected " + std::to_string(byteCount(all)) +
                    " bytes for " + all.text() + ", found " +
                    std::to_string(size - begin));
  const FeatureType row{name, *dtype, {shape.begin() + 1, shape.end()}};
  return {{{row, begin, byteCount(row), dtype->bits > 8}},
          static_cast<uint64_t>(shape[0])};
}

Dataset tg::data::openIdx(const std::string &path) {
  const std::string name = stemOf(path, ".idx");
  return namingFile(path, [&] {
    if (compressionOf(path) != Compression::none) {
      auto contents =
          std::make_shared<const std::vector<std::byte>>(readContents(path));
      return openFixed(path, idxLayout(name, *contents, contents->size()),
                       contents);
    }
    FileIdentity identity;
    const Descriptor file = openRegular(path, identity);
    constexpr size_t longest = 4 + 4 * 255;
    std::vector<std::byte> first(std::min<uint64_t>(identity.size, longest));
    readBytes(file, identity.size, first.data(), first.size(), 0);
    return openFixed(path, idxLayout(name, first, identity.size));
  });
}

//===----------------------------------------------------------------------===//
// CIFAR
//===----------------------------------------------------------------------===//

/// Returns the layout of a file of `size` bytes. Throws DataError without the
/// name of the file.
static FixedLayout cifarLayout(uint64_t size) {
  const tg_dtype_t byte = {TG_DTYPE_UINT, 8, 1};
  const FeatureType image{"image", byte, {3, 32, 32}};
  const uint64_t pixels = byteCount(image);
  FixedLayout layout;
  // No size is that of both formats, except for multiples of both.
  for (const uint64_t labels : {1, 2}) {
    const uint64_t stride = pixels + labels;
    if (size == 0 || size % stride)
      continue;
    layout.count = size / stride;
    if (labels == 2)
      layout.features.push_back({{"coarse_label", byte, {}}, 0, stride});
    layout.features.push_back({{"label", byte, {}}, labels - 1, stride});
    layout.features.push_back({image, labels, stride});
    return layout;
  }
  throw DataError("expected whole records of 3073 or 3074 bytes, found " +
                  std::to_string(size) + " bytes");
}

Dataset tg::data::openCifar(const std::string &path) {
  return namingFile(path, [&] {
    if (compressionOf(path) != Compression::none) {
      auto contents =
          std::make_shared<const std::vector<std::byte>>(readContents(path));
      return openFixed(path, cifarLayout(contents->size()), contents);
    }
    FileIdentity identity;
    openRegular(path, identity);
    return openFixed(path, cifarLayout(identity.size));
  });
}
