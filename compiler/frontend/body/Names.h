//===- Names.h - the names of layers and nodes at one place ---------------===//
#ifndef TG_COMPILER_FRONTEND_BODY_NAMES_H
#define TG_COMPILER_FRONTEND_BODY_NAMES_H

#include <map>
#include <source_location>
#include <string>
#include <vector>

namespace tg::dsl {

/// The names that were given at the top of a program, or inside of a layer.
class Names {
public:
  /// The name `given`, or the class's name and its next number; both below the
  /// component `scope`, which may be "". Throws GraphError where something else
  /// has the name.
  std::string give(const std::string &scope, const std::string &given,
                   const std::string &className, std::source_location where);

private:
  std::map<std::string, std::source_location> taken;
  /// The number of layers of each class below a component.
  std::map<std::string, unsigned> counts;
};

/// The names with slashes between; "" counts for nothing.
std::string joinPath(const std::string &scope, const std::string &name);

/// Returns what stands in a message behind a name that there is not, as
/// tg::suggestName: the nearest of those there are, or the first of them.
std::string suggestOf(const std::string &name,
                      const std::vector<std::string> &known);

/// The same for the keys of a map.
template <typename Map>
std::string suggestKey(const std::string &name, const Map &known) {
  std::vector<std::string> names;
  for (const auto &[key, value] : known)
    names.emplace_back(key);
  return suggestOf(name, names);
}

/// A line, as a message names it that is reported at another: with its file
/// where that is another, too.
std::string describeLine(std::source_location line, std::source_location from);

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_BODY_NAMES_H
