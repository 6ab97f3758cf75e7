/// Stages that a description names.
#ifndef TG_RUNTIME_DATA_DESCRIPTION_STAGES_H
#define TG_RUNTIME_DATA_DESCRIPTION_STAGES_H

#include "Json.h"
#include "tg/data/dataset.hpp"

namespace tg::data {

/// A change of one feature.
struct Change {
  std::function<Feature(const Feature &feature, Random &random)> apply;
  /// Returns the type of the result. Throws DataError for a type that cannot be
  /// changed.
  std::function<FeatureType(FeatureType type)> typeOf;
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

/// Appends the stage that `description` names: {"flip": "horizontal", "of":
/// "image"}. Throws DataError.
Dataset addChange(const Dataset &data, const Json &description,
                  const std::string &path, uint64_t seed);

} // namespace tg::data

#endif // TG_RUNTIME_DATA_DESCRIPTION_STAGES_H
