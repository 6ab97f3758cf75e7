//===- Archives.cpp - tar archives with described features ----------------===//
#include "Encoded.h"
#include "Formats.h"
#include "Types.h"
#include "tg/data/tar.hpp"

using namespace tg::data;

/// Returns the extensions of a feature: those that are stated, or its name and
/// the usual ones of its type.
static std::vector<std::string> extensionsOf(Object &object,
                                             const std::string &name,
                                             const Json &type, bool isNumber) {
  std::vector<std::string> all;
  if (const Json *stated = object.find("extensions")) {
    for (const Json &one :
         stated->is_array() ? *stated : Json::array({*stated})) {
      if (!one.is_string() || one.get<std::string>().empty())
        object.fail("extensions", "names such as \"jpg\"", *stated);
      all.push_back(one.get<std::string>());
    }
    if (all.empty())
      object.fail("extensions", "at least one name", *stated);
    return all;
  }
  all = {name};
  if (isNumber)
    all.push_back(name + ".npy");
  if (type == "jpeg" || type == "image")
    all.insert(all.end(), {"jpg", "jpeg"});
  if (type == "png" || type == "image")
    all.push_back("png");
  return all;
}

static void addFeature(std::vector<TarFeature> &features, Encoded &encoded,
                       const std::string &name, const Json &value) {
  Object object(value, "features." + name);
  const Json &type = object.require("type");
  const bool isImage = isImageType(type), isBytes = type == "bytes";
  const bool isRaw = object.truth("raw", false);
  TarFeature feature;
  feature.name = name;
  std::vector<int64_t> shape;
  if (const Json *extents = object.find("shape"))
    shape = toExtents(*extents, object.path() + ".shape");
  const Json *pointer = object.find("pointer");
  const bool isNumber = !isImage && !isBytes && !isRaw && !pointer;
  feature.extensions = extensionsOf(object, name, type, isNumber);
  object.expectNoOthers();
  if ((isRaw || pointer) && (isImage || isBytes || (isRaw && pointer)))
    object.fail(isRaw ? "raw" : "pointer", "none for this type", value);
  if (isImage) {
    encoded.add({name, {TG_DTYPE_FLOAT, 32, 1}, imageShape(object, shape)},
                true);
    features.push_back(std::move(feature));
    return;
  }
  if (!isBytes)
    feature.dtype = toDtype(type, object.path() + ".type");
  if (!isBytes || !shape.empty())
    feature.shape = shape;
  if (pointer) {
    if (!pointer->is_string())
      object.fail("pointer", "a text such as \"/label\"", *pointer);
    feature.pointer = pointer->get<std::string>();
  }
  feature.format = pointer    ? EntryFormat::json
                   : isRaw    ? EntryFormat::raw
                   : isNumber ? EntryFormat::numbers
                              : EntryFormat::bytes;
  encoded.add({name, feature.dtype, feature.shape}, false);
  features.push_back(std::move(feature));
}

EncodedDataset tg::data::openArchives(const std::vector<std::string> &paths,
                                      Object &description) {
  const Json *described = description.find("features");
  if (!described)
    return openTar(paths, describeTar(paths.front()));
  if (!described->is_object() || described->empty())
    throw DataError("features: expected an object with at least one feature, "
                    "found " +
                    textOf(*described));
  std::vector<TarFeature> features;
  Encoded encoded;
  for (const auto &[name, value] : described->items())
    addFeature(features, encoded, name, value);
  return {openTar(paths, features), encoded};
}
