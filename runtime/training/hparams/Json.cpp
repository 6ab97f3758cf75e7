//===- Json.cpp - Values as an object in JSON -----------------------------===//
#include "tg/training/hparams.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <stdexcept>

using namespace tg::training;

using Json = nlohmann::ordered_json;

/// Returns the text of a value for a message.
static std::string describe(const Json &value) {
  return value.dump(-1, ' ', true, Json::error_handler_t::replace)
      .substr(0, 60);
}

template <typename T>
static std::optional<HParamValue> listOf(const Json &json, bool isOf) {
  if (!isOf)
    return std::nullopt;
  return HParamValue(json.get<std::vector<T>>());
}

/// Returns the value of a list in JSON: of numbers if one is not whole.
static std::optional<HParamValue> toList(const Json &json) {
  const auto all = [&](auto isOne) {
    return !json.empty() && std::all_of(json.begin(), json.end(), isOne);
  };
  using Element = const Json &;
  if (all([](Element e) { return e.is_number_integer(); }))
    return HParamValue(json.get<std::vector<int64_t>>());
  if (auto list =
          listOf<double>(json, all([](Element e) { return e.is_number(); })))
    return list;
  if (auto list =
          listOf<bool>(json, all([](Element e) { return e.is_boolean(); })))
    return list;
  return listOf<std::string>(json,
                             all([](Element e) { return e.is_string(); }));
}

/// Returns the value of JSON, or none if there is none.
static std::optional<HParamValue> toValue(const Json &json) {
  if (json.is_number_unsigned() &&
      json.get<uint64_t>() > uint64_t(std::numeric_limits<int64_t>::max()))
    return std::nullopt;
  if (json.is_number_integer())
    return HParamValue(json.get<int64_t>());
  if (json.is_number())
    return HParamValue(json.get<double>());
  if (json.is_boolean())
    return HParamValue(json.get<bool>());
  if (json.is_string())
    return HParamValue(json.get<std::string>());
  return json.is_array() ? toList(json) : std::nullopt;
}

/// Parses an object whose keys differ.
static Json parseObject(std::string_view text) {
  std::set<std::string> keys;
  const auto checkKey = [&](int depth, Json::parse_event_t event, Json &key) {
    if (depth == 1 && event == Json::parse_event_t::key &&
        !keys.insert(key.get<std::string>()).second)
      throw std::invalid_argument(
          "hyper-parameters: expected different keys, found '" +
          key.get<std::string>() + "' twice");
    return true;
  };
  Json object;
  try {
    object = Json::parse(text, checkKey);
  } catch (const Json::exception &error) {
    throw std::invalid_argument(
        std::string("hyper-parameters: expected JSON, found ") + error.what());
  }
  if (!object.is_object())
    throw std::invalid_argument("hyper-parameters: expected an object, found " +
                                describe(object));
  return object;
}

/// Calls a function with each name and value of an object in JSON.
template <typename Use>
static void forEachValue(std::string_view text, Use use) {
  const Json object = parseObject(text);
  for (const auto &[name, json] : object.items()) {
    const auto value = toValue(json);
    if (!value)
      throw std::invalid_argument(
          "hyper-parameter '" + name +
          "': expected a number, a truth value, a string or a list of equal "
          "types, found " +
          describe(json));
    use(name, *value);
  }
}

void HParams::parseJson(std::string_view json) {
  HParams changed = *this;
  forEachValue(json, [&](const std::string &name, const HParamValue &value) {
    changed.set(name, value);
  });
  *this = std::move(changed);
}

HParams HParams::fromJson(std::string_view json) {
  HParams made;
  forEachValue(json, [&](const std::string &name, const HParamValue &value) {
    made.add(name, value);
  });
  return made;
}

std::string HParams::toJson() const {
  Json object = Json::object();
  for (const HParam &param : params)
    std::visit([&](const auto &value) { object[param.name] = value; },
               param.value.variant());
  try {
    std::string text = "{";
    for (const auto &[name, value] : object.items())
      text += (text.size() > 1 ? ",\n  " : "\n  ") + Json(name).dump() + ": " +
              value.dump();
    return text + "\n}\n";
  } catch (const Json::exception &) {
    throw std::invalid_argument(
        "hyper-parameters: expected strings in UTF-8, found other bytes");
  }
}
