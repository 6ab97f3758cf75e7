//===- Safetensors.cpp - rows of the tensors of safetensors files ---------===//
#include "FixedRecords.h"
#include "runtime/data/description/Json.h"
#include "tg/data/arrays.hpp"

#include <algorithm>
#include <cstring>

using namespace tg;
using namespace tg::data;

/// Returns the element type with a name of the format. Throws DataError.
static tg_dtype_t dtypeOf(const std::string &name) {
#define TG_NAMED(ir, front, code, bits, host, rounding, compute, sum, product, \
                 safetensors, npy)                                             \
  if (name == safetensors)                                                     \
    return {TG_DTYPE_##code, bits, 1};
  TG_DTYPES(TG_NAMED)
#undef TG_NAMED
#define TG_NAMED(ir, code, bits, safetensors)                                  \
  if (name == safetensors)                                                     \
    return {TG_DTYPE_##code, bits, 1};
  TG_FOREIGN_DTYPES(TG_NAMED)
#undef TG_NAMED
  throw DataError("expected an element type of safetensors, found '" + name +
                  "'");
}

namespace {
/// A tensor of a header.
struct Tensor {
  FeatureType type;
  uint64_t begin, end;
};
} // namespace

static Tensor tensorOf(const std::string &name, const Json &value) {
  Object object(value, "tensor '" + name + "'");
  Tensor tensor{{name, dtypeOf(object.text("dtype", "")),
                 toExtents(object.require("shape"), object.path() + ".shape")},
                0,
                0};
  const Json &offsets = object.require("data_offsets");
  object.expectNoOthers();
  if (!offsets.is_array() || offsets.size() != 2)
    object.fail("data_offsets", "two offsets", offsets);
  tensor.begin = toWhole(offsets[0], object.path() + ".data_offsets");
  tensor.end = toWhole(offsets[1], object.path() + ".data_offsets");
  if (tensor.end < tensor.begin ||
      byteCount(tensor.type) != tensor.end - tensor.begin)
    object.fail("data_offsets",
                std::to_string(byteCount(tensor.type)) + " bytes for " +
                    tensor.type.text(),
                offsets);
  return tensor;
}

/// Throws DataError unless the tensors fill the data without gaps.
static void expectNoGaps(std::vector<Tensor> tensors, uint64_t bytes) {
  std::sort(tensors.begin(), tensors.end(),
            [](const Tensor &a, const Tensor &b) {
              return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
            });
  uint64_t end = 0;
  for (const Tensor &tensor : tensors) {
    if (tensor.begin != end)
      throw DataError("tensor '" + tensor.type.name + "': expected data from " +
                      std::to_string(end) + " on, found " +
                      std::to_string(tensor.begin));
    end = tensor.end;
  }
  if (end != bytes)
    throw DataError("expected " + std::to_string(end) +
                    " bytes of data, found " + std::to_string(bytes));
}

/// Reads the header of a file, and returns its tensors and the byte after it.
static std::vector<Tensor> readHeader(const std::string &path,
                                      uint64_t &dataBegin) {
  constexpr uint64_t limit = 100 << 20;
  FileIdentity identity;
  const Descriptor file = openRegular(path, identity);
  uint64_t length = 0;
  if (identity.size < sizeof(length))
    throw DataError("expected a safetensors file of at least 8 bytes, found " +
                    std::to_string(identity.size));
  readBytes(file, identity.size, &length, sizeof(length), 0);
  if (length > limit || length > identity.size - sizeof(length))
    throw DataError("expected a header in the file, found a length of " +
                    std::to_string(length) + " bytes");
  std::string text(length, '\0');
  readBytes(file, identity.size, text.data(), length, sizeof(length));
  const Json header = parseJson(text, "a header in JSON");
  if (!header.is_object())
    throw DataError("expected a header in JSON, found another text");
  std::vector<Tensor> tensors;
  for (const auto &[name, value] : header.items())
    if (name != "__metadata__")
      tensors.push_back(tensorOf(name, value));
  dataBegin = sizeof(length) + length;
  expectNoGaps(tensors, identity.size - dataBegin);
  return tensors;
}

Dataset tg::data::openSafetensors(const std::string &path) {
  return namingFile(path, [&] {
    uint64_t dataBegin = 0;
    const std::vector<Tensor> tensors = readHeader(path, dataBegin);
    if (tensors.empty())
      throw DataError("expected at least one tensor, found none");
    FixedLayout layout;
    for (const Tensor &tensor : tensors) {
      const std::vector<int64_t> &shape = tensor.type.shape;
      const std::string name = "tensor '" + tensor.type.name + "': ";
      if (shape.empty())
        throw DataError(name + "expected a tensor with rows, found a scalar");
      const auto count = static_cast<uint64_t>(shape[0]);
      if (layout.features.empty())
        layout.count = count;
      if (count != layout.count)
        throw DataError(name + "expected " + std::to_string(layout.count) +
                        " rows, found " + std::to_string(count));
      const FeatureType row{tensor.type.name,
                            tensor.type.dtype,
                            {shape.begin() + 1, shape.end()}};
      layout.features.push_back(
          {row, dataBegin + tensor.begin, byteCount(row)});
    }
    return openFixed(path, layout);
  });
}
