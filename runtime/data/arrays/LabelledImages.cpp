//===- LabelledImages.cpp - MNIST and CIFAR -------------------------------===//
#include "tg/data/labelled_images.hpp"

#include "tg/data/augment.hpp"

#include <algorithm>
#include <filesystem>

using namespace tg;
using namespace tg::data;

static constexpr tg_dtype_t f32 = {TG_DTYPE_FLOAT, 32, 1};
static constexpr tg_dtype_t i32 = {TG_DTYPE_INT, 32, 1};

/// Returns a label as i32 [] or one-hot f32 [classes].
static Feature prepareLabel(const Feature &stored, uint64_t classes,
                            bool isOneHot) {
  const uint8_t label = stored.values<uint8_t>()[0];
  if (label >= classes)
    throw DataError("expected labels below " + std::to_string(classes) +
                    ", found " + std::to_string(label));
  if (!isOneHot) {
    Feature number(i32, {});
    number.values<int32_t>()[0] = label;
    return number;
  }
  Feature row(f32, {static_cast<int64_t>(classes)});
  std::ranges::fill(row.values<float>(), 0.0f);
  row.values<float>()[label] = 1;
  return row;
}

/// Returns the type of prepared examples of an image shape.
static MapOptions typeOf(std::vector<int64_t> shape, uint64_t classes,
                         const LabelledImageOptions &options) {
  if (options.isFlat)
    shape = {shape[0] * shape[1] * shape[2]};
  FeatureType label =
      options.isOneHot
          ? FeatureType{"label", f32, {static_cast<int64_t>(classes)}}
          : FeatureType{"label", i32, {}};
  return {.type = ExampleType{{"image", f32, shape}, label}};
}

//===----------------------------------------------------------------------===//
// MNIST
//===----------------------------------------------------------------------===//

/// Throws DataError unless a file has elements u8 of this rank, without the
/// dimension of its rows.
static void expectRank(const Dataset &data, const std::string &path,
                       size_t rank, const char *what) {
  const FeatureType &type = data.type().front();
  if (type.dtype.code != TG_DTYPE_UINT || type.shape.size() != rank)
    throw DataError(path + ": expected " + what + ", found rows of " +
                    type.text());
}

Dataset tg::data::openMnist(const std::string &imagePath,
                            const std::string &labelPath,
                            const MnistOptions &options) {
  // Their names need not differ.
  const auto renamed = [](const Dataset &data, const char *name) {
    return data.map(
        [](const Example &example, Random &) { return example.features; },
        {.type =
             ExampleType{{name, data.type()[0].dtype, data.type()[0].shape}}});
  };
  const Dataset images = openIdx(imagePath), labels = openIdx(labelPath);
  expectRank(images, imagePath, 2, "images ui8 [rows, height, width]");
  expectRank(labels, labelPath, 0, "labels ui8 [rows]");
  if (images.size() != labels.size())
    throw DataError(labelPath + ": expected a label for each of the " +
                    std::to_string(*images.size()) + " images of " + imagePath +
                    ", found " + std::to_string(*labels.size()));
  std::vector<int64_t> shape = images.type()[0].shape;
  shape.push_back(1);
  const MapOptions type = typeOf(shape, options.classes, options);
  const auto prepare = [options, shape = type.type->front().shape](
                           const Example &example, Random &) {
    Feature image = toFloat(example.features[0]);
    if (options.isBinary)
      for (float &pixel : image.values<float>())
        pixel = pixel > 0.5f;
    return std::vector<Feature>{
        image.reshaped(shape),
        prepareLabel(example.features[1], options.classes, options.isOneHot)};
  };
  return Dataset::zip({renamed(images, "image"), renamed(labels, "label")})
      .map(prepare, type);
}

//===----------------------------------------------------------------------===//
// CIFAR
//===----------------------------------------------------------------------===//

/// Returns the pixels [32, 32, 3] of three planes, as f32 between 0 and 1.
static Feature interleaved(const Feature &planes) {
  const auto from = planes.values<uint8_t>();
  Feature image(f32, {32, 32, 3});
  const auto to = image.values<float>();
  const size_t size = 32 * 32;
  for (size_t pixel = 0; pixel < size; ++pixel)
    for (size_t channel = 0; channel < 3; ++channel)
      to[3 * pixel + channel] =
          static_cast<float>(from[channel * size + pixel]) / 255;
  return image;
}

/// Opens files whose records have `labels` bytes of labels.
static Dataset openCifarFiles(const std::vector<std::string> &paths,
                              size_t labels, uint64_t classes,
                              const CifarOptions &options) {
  if (paths.empty())
    throw DataError("expected files of CIFAR, found none");
  std::vector<Dataset> files;
  for (const std::string &path : paths) {
    files.push_back(openCifar(path));
    if (files.back().type().size() != labels + 1)
      throw DataError(path + ": expected records with " +
                      std::to_string(labels) + " labels, found " +
                      std::to_string(files.back().type().size() - 1));
  }
  const size_t chosen = labels - 1 - options.isCoarse;
  const MapOptions type = typeOf({32, 32, 3}, classes, options);
  const auto prepare =
      [options, chosen, classes,
       shape = type.type->front().shape](const Example &example, Random &) {
        Feature image = interleaved(example.features.back());
        if (options.normalizesContrast)
          image = globalContrastNormalize(image, {.scale = 55});
        if (options.whitening)
          image = options.whitening->apply(image);
        return std::vector<Feature>{
            image.reshaped(shape),
            prepareLabel(example.features[chosen], classes, options.isOneHot)};
      };
  return Dataset::concatenate(files).map(prepare, type);
}

Dataset tg::data::openCifar10(const std::vector<std::string> &paths,
                              const CifarOptions &options) {
  if (options.isCoarse)
    throw DataError("expected CIFAR-100 for coarse labels, found CIFAR-10");
  return openCifarFiles(paths, 1, 10, options);
}

Dataset tg::data::openCifar100(const std::vector<std::string> &paths,
                               const CifarOptions &options) {
  return openCifarFiles(paths, 2, options.isCoarse ? 20 : 100, options);
}

//===----------------------------------------------------------------------===//
// Whitening
//===----------------------------------------------------------------------===//

/// Returns the array with this name.
static const Feature &named(const std::vector<NamedFeature> &arrays,
                            const std::string &name) {
  for (const NamedFeature &array : arrays)
    if (array.name == name)
      return array.array;
  throw DataError("expected a feature '" + name + "', found " +
                  (arrays.empty() ? "none" : "'" + arrays[0].name + "'"));
}

Whitening tg::data::cachedWhitening(const std::string &path,
                                    const Dataset &data,
                                    const std::string &feature, double bias) {
  if (std::filesystem::exists(path)) {
    const std::vector<NamedFeature> saved = readNpz(path);
    return {named(saved, "mean"), named(saved, "matrix")};
  }
  const Whitening fitted =
      Whitening::fit(named(readArrays(data), feature), bias);
  writeNpz(path, {{"mean", fitted.mean()}, {"matrix", fitted.matrix()}});
  return fitted;
}
