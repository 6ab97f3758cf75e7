//===- Dumps.cpp - outputs of steps as files ------------------------------===//
#include "Support.h"
#include "runtime/training/metrics/Tensors.h"
#include "tg/data/arrays.hpp"
#include "tg/data/images.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

using namespace tg;
using namespace tg::training;

/// Returns a view of a tensor, valid while its memory is.
static data::Feature featureOf(const tg_tensor_t &tensor) {
  const auto shape = shapeOf(tensor);
  return {tensor.dtype,
          {shape.begin(), shape.end()},
          nullptr,
          static_cast<const char *>(tensor.data) + tensor.byte_offset};
}

CallbackPtr training::dumpOutputs(std::vector<std::string> outputs,
                                  const std::string &directory) {
  const auto dump = [directory](TrainingState &state,
                                const std::vector<NamedTensor> &tensors) {
    std::vector<data::NamedFeature> arrays;
    for (const NamedTensor &tensor : tensors)
      arrays.push_back({tensor.name, featureOf(tensor.tensor)});
    data::writeNpz(pathIn(directory, state,
                          "outputs-" + std::to_string(state.step()) + ".npz",
                          "dumpOutputs"),
                   arrays);
  };
  return processOutputs(std::move(outputs), dump);
}

/// Returns one image of u8 from elements f32 or u8 [height, width, channels].
static data::Feature imageOf(const data::Feature &row, double scale) {
  if (row.dtype().code == TG_DTYPE_UINT)
    return row;
  data::Feature image({TG_DTYPE_UINT, 8, 1}, row.shape());
  const auto from = row.values<float>();
  std::ranges::transform(from, image.values<uint8_t>().begin(), [&](float x) {
    const double scaled = std::nearbyint(static_cast<double>(x) * scale);
    // NaN becomes 0.
    return static_cast<uint8_t>(scaled > 0 ? std::min(scaled, 255.0) : 0);
  });
  return image;
}

/// Writes a PNG file.
static void writePng(const std::string &path, const data::Feature &image) {
  const std::vector<std::byte> bytes = data::encodePng(image);
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char *>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  if (!file.flush())
    throw data::DataError(path + ": cannot write the image");
}

void training::writeImages(const tg_tensor_t &tensor, double scale,
                           const std::string &prefix) {
  const bool isByte =
      tensor.dtype.code == TG_DTYPE_UINT && tensor.dtype.bits == 8;
  const bool isSingle = isFloat(tensor) && tensor.dtype.bits == 32;
  if (tensor.ndim != 4 || (!isByte && !isSingle))
    throw data::DataError(
        "expected images f32 or ui8 [images, height, width, channels], found " +
        describe(tensor));
  const data::Feature images = featureOf(tensor);
  for (int64_t i = 0; i < images.shape()[0]; ++i)
    writePng(prefix + "-" + std::to_string(i) + ".png",
             imageOf(images.row(i), scale));
}

CallbackPtr training::dumpImages(const std::string &output,
                                 const std::string &directory, double scale) {
  const auto dump = [=](TrainingState &state,
                        const std::vector<NamedTensor> &tensors) {
    writeImages(tensors.front().tensor, scale,
                pathIn(directory, state,
                       output + "-" + std::to_string(state.step()),
                       "dumpImages(" + output + ")"));
  };
  return processOutputs({output}, dump);
}
