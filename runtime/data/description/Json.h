/// Objects of JSON that refuse unknown keys.
#ifndef TG_RUNTIME_DATA_DESCRIPTION_JSON_H
#define TG_RUNTIME_DATA_DESCRIPTION_JSON_H

#include "tg/data/feature.hpp"

#include <nlohmann/json.hpp>
#include <set>

namespace tg::data {

using Json = nlohmann::ordered_json;

/// Parses a text, which is `what`: "a description in JSON". Throws DataError
/// for an error or more than 64 levels, since values are printed recursively.
Json parseJson(std::string_view text, const std::string &what);

/// An object whose keys are asked for one by one. Messages begin with the path
/// of the value in the description, such as "map[1].random_crop".
class Object {
public:
  /// Throws DataError if the value is no object.
  Object(const Json &value, std::string path);

  const std::string &path() const { return where; }
  /// Returns the value of a key, or null if the object does not have it.
  const Json *find(const std::string &key);
  /// Returns the value of a key. Throws DataError if there is none.
  const Json &require(const std::string &key);
  /// Returns the value of a key as a whole number, a number, a text or a truth
  /// value, or the default. Throws DataError if it is something else.
  uint64_t whole(const std::string &key, uint64_t byDefault);
  double number(const std::string &key, double byDefault);
  std::string text(const std::string &key, const std::string &byDefault);
  bool truth(const std::string &key, bool byDefault);
  /// Throws DataError for a key that no function above has asked for.
  void expectNoOthers() const;

  /// Throws DataError: "path: expected ..., found ...".
  [[noreturn]] void fail(const std::string &key, const std::string &expected,
                         const Json &found) const;

private:
  const Json &object;
  std::string where;
  std::set<std::string> known;
};

/// Returns the path of a member: "a.b", or "b" below the empty path.
std::string memberPath(const std::string &path, const std::string &key);
/// Returns a value for a message, cut short if it is long.
std::string textOf(const Json &value);

/// Convert a value. Throw DataError with its path.
uint64_t toWhole(const Json &value, const std::string &path);
double toNumber(const Json &value, const std::string &path);
std::vector<double> toNumbers(const Json &value, const std::string &path);
/// Whole numbers, which may be -1.
std::vector<int64_t> toExtents(const Json &value, const std::string &path);

} // namespace tg::data

#endif // TG_RUNTIME_DATA_DESCRIPTION_JSON_H
