//===- Json.cpp - objects of JSON that refuse unknown keys ----------------===//
#include "Json.h"

using namespace tg::data;

std::string tg::data::memberPath(const std::string &path,
                                 const std::string &key) {
  return path.empty() ? key : path + "." + key;
}

Json tg::data::parseJson(std::string_view text, const std::string &what) {
  constexpr int limit = 64;
  const auto isShallow = [](int depth, Json::parse_event_t event, Json &) {
    if (event != Json::parse_event_t::array_end && depth > limit)
      throw DataError("expected at most " + std::to_string(limit) +
                      " levels of JSON, found more");
    return true;
  };
  try {
    return Json::parse(text, isShallow);
  } catch (const Json::parse_error &error) {
    throw DataError("expected " + what + ", found an error at byte " +
                    std::to_string(error.byte));
  } catch (const Json::out_of_range &) {
    throw DataError("expected " + what +
                    ", found a number that no f64 can hold");
  }
}

std::string tg::data::textOf(const Json &value) {
  constexpr size_t limit = 60;
  std::string text =
      value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  if (text.size() > limit)
    text = text.substr(0, limit) + "...";
  return text;
}

[[noreturn]] static void fail(const std::string &path,
                              const std::string &expected, const Json &found) {
  throw DataError((path.empty() ? "" : path + ": ") + "expected " + expected +
                  ", found " + textOf(found));
}

uint64_t tg::data::toWhole(const Json &value, const std::string &path) {
  if (!value.is_number_unsigned())
    ::fail(path, "a whole number of at least 0", value);
  return value.get<uint64_t>();
}

double tg::data::toNumber(const Json &value, const std::string &path) {
  if (!value.is_number())
    ::fail(path, "a number", value);
  return value.get<double>();
}

std::vector<double> tg::data::toNumbers(const Json &value,
                                        const std::string &path) {
  if (value.is_number())
    return {value.get<double>()};
  if (!value.is_array())
    ::fail(path, "a list of numbers", value);
  std::vector<double> numbers;
  for (const Json &element : value)
    numbers.push_back(toNumber(element, path));
  return numbers;
}

std::vector<int64_t> tg::data::toExtents(const Json &value,
                                         const std::string &path) {
  if (!value.is_array())
    ::fail(path, "a list of whole numbers", value);
  std::vector<int64_t> extents;
  for (const Json &element : value) {
    if (!element.is_number_integer() || element < -1 ||
        element > std::numeric_limits<int64_t>::max())
      ::fail(path, "whole numbers of at least -1", value);
    extents.push_back(element.get<int64_t>());
  }
  return extents;
}

Object::Object(const Json &value, std::string path)
    : object(value), where(std::move(path)) {
  if (!value.is_object())
    ::fail(where, "an object", value);
}

const Json *Object::find(const std::string &key) {
  known.insert(key);
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

const Json &Object::require(const std::string &key) {
  if (const Json *value = find(key))
    return *value;
  ::fail(where, "the key '" + key + "'", object);
}

uint64_t Object::whole(const std::string &key, uint64_t byDefault) {
  const Json *value = find(key);
  return value ? toWhole(*value, memberPath(where, key)) : byDefault;
}

double Object::number(const std::string &key, double byDefault) {
  const Json *value = find(key);
  return value ? toNumber(*value, memberPath(where, key)) : byDefault;
}

std::string Object::text(const std::string &key, const std::string &byDefault) {
  const Json *value = find(key);
  if (value && !value->is_string())
    fail(key, "a text", *value);
  return value ? value->get<std::string>() : byDefault;
}

bool Object::truth(const std::string &key, bool byDefault) {
  const Json *value = find(key);
  if (value && !value->is_boolean())
    fail(key, "true or false", *value);
  return value ? value->get<bool>() : byDefault;
}

void Object::expectNoOthers() const {
  for (const auto &[key, value] : object.items())
    if (!known.count(key)) {
      std::string all;
      for (const std::string &name : known)
        all += (all.empty() ? "" : ", ") + name;
      throw DataError((where.empty() ? "" : where + ": ") +
                      "expected one of the keys " + all + ", found '" + key +
                      "'");
    }
}

void Object::fail(const std::string &key, const std::string &expected,
                  const Json &found) const {
  ::fail(memberPath(where, key), expected, found);
}
