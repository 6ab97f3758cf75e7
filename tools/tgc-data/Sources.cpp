/// Properties of sources, as the user names them.
#include "Sources.h"

#include "tg/data/example.hpp"
#include "tg/data/pipeline.hpp"
#include "tg/training/library_stage.hpp"

#include <algorithm>

using namespace tg;
using namespace tg::data;

std::optional<Compression> tg::recordEncodingOf(const std::string &name) {
  for (const std::string ending : {".tfrecord", ".tfrecords"}) {
    if (name.ends_with(ending))
      return Compression::none;
    if (name.ends_with(ending + ".gz"))
      return Compression::gzip;
    if (name.ends_with(ending + ".zlib"))
      return Compression::zlib;
  }
  return std::nullopt;
}

bool tg::isTarName(const std::string &name) {
  return name.ends_with(".tar") || name.ends_with(".tar.gz") ||
         name.ends_with(".tgz");
}

bool tg::hasFeatures(const std::string &path) {
  std::vector<Feature> record;
  if (!TFRecordStream({path}).open(0)->next(record))
    return false;
  try {
    const std::vector<ExampleValue> values = readExample(record[0]);
    return std::any_of(
        values.begin(), values.end(),
        [](const ExampleValue &value) { return value.kind.has_value(); });
  } catch (const DataError &) {
    return false; // records of another type
  }
}

uint64_t tg::countRecords(const std::string &path) {
  return compressionOf(path) == Compression::none
             ? TFRecordSource({path}).size()
             : verifyTFRecords(path);
}

Dataset tg::openData(const std::string &source) {
  return openSource(source, {.stages = {training::libraryStage()}});
}

bool tg::isDescription(const std::string &source) {
  return source.starts_with("{") || source.ends_with(".json");
}
