/// Properties of sources, as the user names them.
#include "Sources.h"

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

bool tg::hasRecords(const std::string &path) {
  std::vector<Feature> record;
  return TFRecordStream({path}).open(0)->next(record);
}

bool tg::isDescription(const std::string &source) {
  return source.starts_with("{") || source.ends_with(".json");
}
