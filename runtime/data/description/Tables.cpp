//===- Tables.cpp - tables as text with described features ----------------===//
#include "Formats.h"
#include "Types.h"
#include "tg/data/csv.hpp"
#include "tg/data/svmlight.hpp"

#include <algorithm>

using namespace tg::data;

/// Returns the feature that a value describes.
static CsvFeature describe(const std::string &name, const Json &value) {
  Object object(value, "features." + name);
  CsvFeature feature;
  feature.name = name;
  if (const Json *type = object.find("type"))
    feature.dtype = toDtype(*type, object.path() + ".type");
  const Json *listed = object.find("columns");
  object.expectNoOthers();
  if (listed && listed->is_string()) {
    feature.columns = {listed->get<std::string>()};
  } else if (listed) {
    if (!listed->is_array() || listed->empty())
      object.fail("columns", "FIRST:LAST or a list of columns", *listed);
    for (const Json &column : *listed) {
      if (!column.is_string())
        object.fail("columns", "names of columns", *listed);
      feature.columns.push_back(column.get<std::string>());
    }
  }
  return feature;
}

EncodedDataset tg::data::openTables(const std::vector<std::string> &paths,
                                    Object &description) {
  const Json *features = description.find("features");
  std::vector<Dataset> sets;
  for (const std::string &path : paths) {
    std::vector<CsvFeature> described;
    if (features) {
      if (!features->is_object() || features->empty())
        throw DataError("features: expected an object with at least one "
                        "feature, found " +
                        textOf(*features));
      for (const auto &[name, value] : features->items())
        described.push_back(describe(name, value));
    }
    sets.push_back(openCsv(path, std::move(described)));
  }
  return sets.size() == 1 ? sets.front() : Dataset::concatenate(sets);
}

/// Returns the number of columns that features state, or 0: {"x": {"shape":
/// [123]}}.
static int64_t columnsOf(const Json *features) {
  if (!features)
    return 0;
  Object object(*features, "features");
  const Json &x = object.require("x");
  object.find("label");
  object.expectNoOthers();
  Object described(x, "features.x");
  const std::vector<int64_t> shape =
      toExtents(described.require("shape"), "features.x.shape");
  if (described.text("type", "f32") != "f32")
    described.fail("type", "f32", x);
  described.expectNoOthers();
  if (shape.size() != 1 || shape[0] < 1)
    described.fail("shape", "the number of columns", x);
  return shape[0];
}

EncodedDataset tg::data::openSparseRows(const std::vector<std::string> &paths,
                                        Object &description) {
  const int64_t columns = columnsOf(description.find("features"));
  std::vector<Dataset> sets;
  for (const std::string &path : paths)
    sets.push_back(openSvmLight(path, columns));
  return sets.size() == 1 ? sets.front() : Dataset::concatenate(sets);
}
