//===- Parse.cpp - Values in a text: a=1,b=[2,3],b[1]=4 -------------------===//
#include "tg/training/hparams.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <stdexcept>

using namespace tg::training;

namespace {
/// An assignment in a text. The values are those between brackets, or one.
struct Assigned {
  std::string name;
  std::optional<uint64_t> index = {};
  bool isList = false;
  std::vector<std::string_view> values = {};
};

/// Reads the assignments of a text one after another.
class Scanner {
public:
  explicit Scanner(std::string_view given) : text(given) {}

  /// Reads the next assignment, or none at the end.
  std::optional<Assigned> next();

private:
  [[noreturn]] void fail(const std::string &expected) const {
    throw std::invalid_argument(
        "hyper-parameters: expected " + expected + " at byte " +
        std::to_string(at) + ", found " +
        (at < text.size() ? "'" + std::string(text.substr(at, 40)) + "'"
                          : "the end"));
  }
  void skipSpaces() {
    while (at < text.size() && text[at] == ' ')
      ++at;
  }
  /// Skips spaces and then this character, if it follows.
  bool skip(char expected) {
    skipSpaces();
    if (at == text.size() || text[at] != expected)
      return false;
    ++at;
    return true;
  }
  void require(char expected) {
    if (!skip(expected))
      fail(std::string("'") + expected + "'");
  }
  /// Returns the text before the next of these characters, or the end, without
  /// spaces around it.
  std::string_view until(std::string_view ends) {
    skipSpaces();
    const size_t end = std::min(text.find_first_of(ends, at), text.size());
    std::string_view found = text.substr(at, end - at);
    at = end;
    while (found.ends_with(' '))
      found.remove_suffix(1);
    return found;
  }
  uint64_t index();

  std::string_view text;
  size_t at = 0;
};
} // namespace

uint64_t Scanner::index() {
  const size_t begin = at;
  const std::string_view digits = until("]");
  uint64_t index = 0;
  const char *const end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, index);
  if (digits.empty() || error != std::errc() || rest != end) {
    at = begin;
    fail("the index of an element");
  }
  require(']');
  return index;
}

std::optional<Assigned> Scanner::next() {
  skipSpaces();
  if (at == text.size())
    return std::nullopt;
  Assigned assigned{.name = std::string(until("[=,"))};
  if (assigned.name.empty())
    fail("a name");
  if (skip('['))
    assigned.index = index();
  require('=');
  assigned.isList = skip('[');
  do
    assigned.values.push_back(until(assigned.isList ? ",]" : ",["));
  while (assigned.isList && skip(','));
  if (assigned.isList)
    require(']');
  if (!skip(',') && at < text.size())
    fail("','");
  return assigned;
}

//===----------------------------------------------------------------------===//
// Values of a type
//===----------------------------------------------------------------------===//

template <typename T> static bool read(std::string_view text, T &value) {
  const char *const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && rest == end;
}

static bool read(std::string_view text, std::string &value) {
  value = text;
  return true;
}

static bool read(std::string_view text, bool &value) {
  value = text == "true" || text == "True" || text == "1";
  return value || text == "false" || text == "False" || text == "0";
}

/// Returns the values of an assignment as elements of a type.
template <typename T>
static std::vector<T> readAll(const Assigned &assigned,
                              const HParamValue &kind) {
  std::vector<T> elements;
  for (std::string_view text : assigned.values) {
    T element{};
    if (!read(text, element))
      throw std::invalid_argument("hyper-parameter '" + assigned.name +
                                  "': expected " + std::string(kind.kind()) +
                                  ", found '" + std::string(text) + "'");
    elements.push_back(std::move(element));
  }
  return elements;
}

[[noreturn]] static void failShape(const Assigned &assigned,
                                   const std::string &expected,
                                   const std::string &found) {
  throw std::invalid_argument("hyper-parameter '" + assigned.name +
                              "': expected " + expected + ", found " + found);
}

/// Assigns a value that is no list.
template <typename T>
static void assign(T &value, const Assigned &assigned,
                   const HParamValue &kind) {
  if (assigned.index || assigned.isList)
    failShape(assigned, std::string(kind.kind()),
              assigned.index ? "an index" : "a list");
  value = readAll<T>(assigned, kind).front();
}

/// Assigns a list, or an element of it.
template <typename T>
static void assign(std::vector<T> &list, const Assigned &assigned,
                   const HParamValue &kind) {
  if (assigned.index.has_value() == assigned.isList)
    failShape(assigned,
              assigned.index ? "a value for an element"
                             : std::string(kind.kind()) + " in brackets",
              assigned.index
                  ? "a list"
                  : "'" + std::string(assigned.values.front()) + "'");
  if (assigned.index && *assigned.index >= list.size())
    failShape(assigned,
              "an index below " + std::to_string(list.size()) +
                  ", the number of elements",
              std::to_string(*assigned.index));
  std::vector<T> elements = readAll<T>(assigned, kind);
  if (assigned.index)
    list[*assigned.index] = elements.front();
  else
    list = std::move(elements);
}

void HParams::parse(std::string_view text) {
  HParams changed = *this;
  std::set<std::string> names, elements;
  Scanner scanner(text);
  while (const auto assigned = scanner.next()) {
    const std::string target =
        assigned->name +
        (assigned->index ? "[" + std::to_string(*assigned->index) + "]" : "");
    HParamValue value = changed.require(assigned->name).value;
    const bool isNewName = names.insert(assigned->name).second;
    const bool isNew =
        assigned->index ? elements.insert(target).second : isNewName;
    if (!isNew)
      throw std::invalid_argument("hyper-parameters: expected one value of '" +
                                  target + "', found another one after it");
    std::visit([&](auto &held) { assign(held, *assigned, value); },
               value.variant());
    changed.set(assigned->name, std::move(value));
  }
  *this = std::move(changed);
}
