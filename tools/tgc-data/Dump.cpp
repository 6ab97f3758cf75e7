/// Prints records as lines of JSON.
#include "Commands.h"
#include "Sources.h"
#include "tg/data/example.hpp"
#include "tg/data/loader.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

using namespace tg;
using namespace tg::data;

using Json = nlohmann::ordered_json;

/// Encodes bytes as in RFC 4648, section 4.
static std::string base64(std::string_view bytes) {
  static constexpr char letters[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    uint32_t bits = 0;
    for (size_t k = 0; k < 3; ++k)
      bits = bits << 8 |
             (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (size_t k = 0; k < 4; ++k)
      text += k <= count ? letters[bits >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

/// Returns the elements of a feature as a list of numbers.
static Json numbersOf(const Feature &feature) {
  Json list = Json::array();
  switch (TG_DTYPE_KEY(feature.dtype().code, feature.dtype().bits)) {
#define TG_LISTED(name, front, code, bits, host, ...)                          \
  case TG_DTYPE_KEY(TG_DTYPE_##code, bits):                                    \
    for (host number : feature.values<host>())                                 \
      list.push_back(number);                                                  \
    break;
    TG_DTYPES(TG_LISTED)
#undef TG_LISTED
  }
  return list;
}

static Json valuesOf(const ExampleValue &value) {
  if (value.numbers.isDefined())
    return numbersOf(value.numbers);
  Json list = Json::array();
  for (const std::string &string : value.strings)
    list.push_back(base64(string));
  return list;
}

/// Returns the elements of a feature: bytes of different numbers in base64,
/// others as numbers.
static Json elementsOf(const Feature &feature, const FeatureType &type) {
  const bool isBytes = type.dtype.code == TG_DTYPE_UINT &&
                       type.dtype.bits == 8 &&
                       type.shape == std::vector{FeatureType::anyExtent};
  if (!isBytes)
    return numbersOf(feature);
  return Json::array({base64(
      {reinterpret_cast<const char *>(feature.data()), feature.byteCount()})});
}

/// Prints a record of a TFRecord file.
static void dumpRecord(const std::string &path, const Feature &record,
                       uint64_t index, uint64_t byte) {
  Json line{{"record", index}, {"byte", byte}, {"features", Json::object()}};
  try {
    for (const ExampleValue &value : readExample(record))
      line["features"][value.name] = valuesOf(value);
  } catch (const DataError &error) {
    throw DataError(path + ": record " + std::to_string(index) + " at byte " +
                    std::to_string(byte) + ": " + error.what());
  }
  std::puts(line.dump().c_str());
}

/// Prints the records of a TFRecord file. Without random access, those before
/// them are read, too; so are those of a plain file from its begin on, which
/// may be damaged further behind.
static void dumpRecords(const std::string &path, const Range &range) {
  if (range.begin && compressionOf(path) == Compression::none) {
    const TFRecordSource source({path});
    const uint64_t end = std::min(range.end, source.size());
    for (uint64_t index = range.begin; index < end; ++index)
      dumpRecord(path, source.read(index)[0], index, source.offset(index));
    return;
  }
  const std::unique_ptr<Stream::Reader> reader = TFRecordStream({path}).open(0);
  std::vector<Feature> record;
  uint64_t byte = 0;
  // A record has a length of 8 bytes and two checksums of 4.
  for (uint64_t index = 0; index < range.end && reader->next(record);
       byte += 16 + record[0].byteCount(), ++index)
    if (index >= range.begin)
      dumpRecord(path, record[0], index, byte);
}

/// Prints the records of a file of another format.
static void dumpRows(const std::string &path, const Range &range) {
  const Dataset data = openData(path);
  if (data.hasRandomAccess() && range.begin > data.size())
    return;
  Loader loader(data, {.threads = 0}, {0, {range.begin}});
  for (uint64_t index = range.begin; index < range.end; ++index) {
    const Example *example = loader.next();
    if (!example)
      return;
    Json line{{"record", index}};
    if (example->source)
      if (const auto byte = example->source->byte(example->record))
        line["byte"] = *byte;
    line["features"] = Json::object();
    for (size_t i = 0; i < data.type().size(); ++i)
      line["features"][data.type()[i].name] =
          elementsOf(example->features[i], data.type()[i]);
    std::puts(line.dump().c_str());
  }
}

void tg::dump(const CommandLine &line) {
  const Range range = line.records.value_or(Range{0, ~uint64_t(0)});
  if (isDescription(line.source))
    throw DataError("expected a file, found a description of a data set");
  if (isTFRecordName(line.source))
    dumpRecords(line.source, range);
  else
    dumpRows(line.source, range);
}
