//===- Images.cpp - directories of images with described features ---------===//
#include "Formats.h"
#include "tg/data/image_directory.hpp"

using namespace tg::data;

/// Returns the shape of images that features state, or one of any extents:
/// {"image": {"shape": [224, 224, 3]}}.
static std::vector<int64_t> shapeOf(const Json *features) {
  std::vector<int64_t> shape(3, FeatureType::anyExtent);
  if (!features)
    return shape;
  Object object(*features, "features");
  const Json &image = object.require("image");
  object.find("label");
  object.expectNoOthers();
  Object described(image, "features.image");
  const std::string type = described.text("type", "image");
  if (type != "image" && type != "png" && type != "jpeg")
    described.fail("type", "image", image);
  if (const Json *extents = described.find("shape"))
    shape = toExtents(*extents, "features.image.shape");
  described.expectNoOthers();
  return shape;
}

EncodedDataset tg::data::openImages(const std::vector<std::string> &paths,
                                    Object &description) {
  const std::vector<int64_t> shape = shapeOf(description.find("features"));
  std::vector<Dataset> sets;
  for (const std::string &path : paths)
    sets.push_back(openImageDirectory(path, shape));
  return sets.size() == 1 ? sets.front() : Dataset::concatenate(sets);
}
