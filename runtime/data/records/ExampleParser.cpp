/// Decodes records of the type tf.train.Example.
#include "ExampleValues.h"

using namespace tg::data;

static std::string_view textOf(const Feature &record) {
  return {reinterpret_cast<const char *>(record.data()), record.byteCount()};
}

ExampleParser::ExampleParser(std::vector<ExampleFeature> list)
    : features(std::move(list)) {
  for (size_t i = 0; i < features.size(); ++i) {
    const ExampleFeature &feature = features[i];
    checkDeclaration(feature);
    if (!indices.emplace(feature.name, i).second)
      failFeature(feature.name,
                  DataError("expected different names, found it twice"));
    decoded.push_back({feature.name, feature.dtype, feature.shape});
  }
}

std::vector<Feature> ExampleParser::parse(const Feature &record) const {
  std::vector<std::string_view> messages(features.size());
  visitFeatures(textOf(record),
                [&](std::string_view name, std::string_view message) {
                  const auto found = indices.find(name);
                  if (found != indices.end())
                    messages[found->second] =
                        message.data() ? message : std::string_view("", 0);
                });
  const auto owner = std::make_shared<const Feature>(record);
  std::vector<Feature> results;
  results.reserve(features.size());
  for (size_t i = 0; i < features.size(); ++i)
    try {
      if (!messages[i].data())
        throw DataError("expected a value in the record, found none");
      results.push_back(decodeFeature(features[i], messages[i], owner));
    } catch (const DataError &error) {
      failFeature(features[i].name, error);
    }
  return results;
}

/// Reads a feature of unknown kind.
static ExampleValue readValue(std::string_view name, std::string_view message) {
  const ValueList list(message);
  ExampleValue value = {std::string(name), list.kind, list.count()};
  const auto shape = {static_cast<int64_t>(value.count)};
  if (value.kind == ExampleKind::floats) {
    value.numbers = Feature({TG_DTYPE_FLOAT, 32, 1}, shape);
    list.copyFloats(value.numbers.values<float>().data());
  } else if (value.kind == ExampleKind::int64s) {
    value.numbers = Feature({TG_DTYPE_INT, 64, 1}, shape);
    int64_t *into = value.numbers.values<int64_t>().data();
    list.visitIntegers([&](int64_t number) { *into++ = number; });
  } else {
    for (std::string_view text : list.strings())
      value.strings.emplace_back(text);
  }
  return value;
}

std::vector<ExampleValue> tg::data::readExample(const Feature &record) {
  std::map<std::string_view, std::string_view> messages;
  visitFeatures(textOf(record),
                [&](std::string_view name, std::string_view message) {
                  messages[name] = message;
                });
  std::vector<ExampleValue> values;
  for (const auto &[name, message] : messages)
    try {
      values.push_back(readValue(name, message));
    } catch (const DataError &error) {
      failFeature(name, error);
    }
  return values;
}
