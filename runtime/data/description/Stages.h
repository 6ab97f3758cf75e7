/// Stages that a description names.
#ifndef TG_RUNTIME_DATA_DESCRIPTION_STAGES_H
#define TG_RUNTIME_DATA_DESCRIPTION_STAGES_H

#include "Encoded.h"
#include "Json.h"
#include "tg/data/pipeline.hpp"

namespace tg::data {

/// A change of one feature.
struct Change {
  std::function<Feature(const Feature &feature, Random &random)> apply;
  /// Returns the type of the result. Throws DataError for a type that cannot be
  /// changed.
  std::function<FeatureType(FeatureType type)> typeOf;
  /// Changes an image of ui8 in place of that of f32 that toFloat() makes of
  /// it. Returns the result of `apply`, or an image of ui8 that toFloat()
  /// converts to that. Null if `apply` needs the image of f32.
  std::function<Feature(const Feature &image, Random &random)> applyToBytes =
      {};
  /// Changes an encoded image in place of the decoded one of f32. Returns the
  /// result of `apply`. Null if the image must be decoded before.
  std::function<Feature(std::span<const std::byte> image, Random &random)>
      applyToEncoded = {};
};

/// The name of a kind of change, and the function that makes one. `value` is
/// the value of that name in the description.
struct ChangeKind {
  const char *name;
  Change (*make)(const Json &value, const std::string &path);
};

/// Returns the kinds of changes of images, and of other features.
std::span<const ChangeKind> imageChanges();
std::span<const ChangeKind> plainChanges();

/// The directory that paths in a description begin at, and the kinds of stages
/// that the program adds.
struct Opening {
  const std::string &directory;
  const SourceOptions &options;
};

/// Keeps the examples for which the condition of the key "filter" holds.
/// Throws DataError.
Dataset addFilter(const Dataset &data, const Json &value,
                  const std::string &path);

/// Appends the stages of `list`, which has descriptions such as {"flip":
/// "horizontal", "of": "image"}. Images are decoded when the first stage needs
/// them. Throws DataError.
Dataset addChanges(const EncodedDataset &source, const Json &list,
                   const std::string &path, uint64_t seed,
                   const Opening &opening);

} // namespace tg::data

#endif // TG_RUNTIME_DATA_DESCRIPTION_STAGES_H
