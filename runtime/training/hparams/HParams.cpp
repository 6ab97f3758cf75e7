//===- HParams.cpp - Typed values by name ---------------------------------===//
#include "tg/training/hparams.hpp"

#include "runtime/messages/Suggestion.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <utility>

using namespace tg;
using namespace tg::training;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

std::string_view HParamValue::kind() const {
  constexpr std::string_view kinds[] = {
      "a whole number",          "a number",
      "a truth value",           "a string",
      "a list of whole numbers", "a list of numbers",
      "a list of truth values",  "a list of strings"};
  return kinds[held.index()];
}

static std::string textOf(int64_t value) { return std::to_string(value); }
static std::string textOf(bool value) { return value ? "true" : "false"; }
static std::string textOf(const std::string &value) { return value; }
static std::string textOf(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof(text), value).ptr};
}

template <typename T> static std::string textOf(const std::vector<T> &list) {
  std::string text = "[";
  for (const T &element : list)
    text += (text.size() > 1 ? "," : "") + textOf(element);
  return text + "]";
}

std::string HParamValue::text() const {
  return std::visit([](const auto &value) { return textOf(value); }, held);
}

/// Throws unless the numbers of a value are finite, and a list has elements.
static void check(std::string_view name, const HParamValue &value) {
  const auto fail = [&](const std::string &what) {
    throw std::invalid_argument("hyper-parameter '" + std::string(name) +
                                "': expected " + what + ", found " +
                                value.text());
  };
  if (value.isList() && value.text() == "[]")
    fail("a list of at least one element");
  if (const auto *number = std::get_if<double>(&value.variant()))
    if (!std::isfinite(*number))
      fail("a finite number");
  if (const auto *list = std::get_if<std::vector<double>>(&value.variant()))
    for (double number : *list)
      if (!std::isfinite(number))
        fail("finite numbers");
}

/// Returns a value as a value of the type of another one: whole numbers as
/// numbers if necessary.
static HParamValue convert(HParamValue value, const HParamValue &like) {
  const auto *whole = std::get_if<int64_t>(&value.variant());
  if (whole && std::holds_alternative<double>(like.variant()))
    return static_cast<double>(*whole);
  const auto *list = std::get_if<std::vector<int64_t>>(&value.variant());
  if (list && std::holds_alternative<std::vector<double>>(like.variant()))
    return std::vector<double>(list->begin(), list->end());
  return value;
}

//===----------------------------------------------------------------------===//
// Values by name
//===----------------------------------------------------------------------===//

HParams::HParams(std::initializer_list<HParam> defaults) {
  for (const HParam &param : defaults)
    add(param.name, param.value);
}

static bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool isName(std::string_view name) {
  return !name.empty() && isLetter(name.front()) &&
         std::ranges::all_of(name, [](char c) {
           return isLetter(c) || (c >= '0' && c <= '9') || c == '_' || c == '.';
         });
}

void HParams::add(std::string name, HParamValue value) {
  if (!isName(name))
    throw std::invalid_argument(
        "expected a name of a hyper-parameter, a letter "
        "and then letters, digits, '_' and '.', found "
        "'" +
        name + "'");
  if (has(name))
    throw std::invalid_argument(
        "expected a new hyper-parameter, found a second '" + name + "'");
  check(name, value);
  params.push_back({std::move(name), std::move(value)});
}

const HParam *HParams::find(std::string_view name) const {
  const auto found = std::ranges::find(params, name, &HParam::name);
  return found == params.end() ? nullptr : &*found;
}

HParam *HParams::find(std::string_view name) {
  return const_cast<HParam *>(std::as_const(*this).find(name));
}

HParam &HParams::require(std::string_view name) {
  if (HParam *found = find(name))
    return *found;
  const std::string given(name);
  Suggestion suggestion(given.c_str());
  for (const HParam &param : params)
    suggestion.add(param.name.c_str());
  throw std::invalid_argument("there is no hyper-parameter '" + given + "'" +
                              suggestion.describe());
}

const HParamValue &HParams::at(std::string_view name) const {
  return const_cast<HParams *>(this)->require(name).value;
}

void HParams::throwWrongType(std::string_view name,
                             const HParamValue &wanted) const {
  const HParamValue &value = at(name);
  throw std::invalid_argument("hyper-parameter '" + std::string(name) +
                              "': expected " + std::string(wanted.kind()) +
                              ", found " + std::string(value.kind()) + ", " +
                              value.text());
}

void HParams::set(std::string_view name, HParamValue value) {
  HParam &param = require(name);
  HParamValue converted = convert(std::move(value), param.value);
  if (converted.variant().index() != param.value.variant().index())
    throw std::invalid_argument(
        "hyper-parameter '" + std::string(name) + "': expected " +
        std::string(param.value.kind()) + ", found " +
        std::string(converted.kind()) + ", " + converted.text());
  check(name, converted);
  param.value = std::move(converted);
}
