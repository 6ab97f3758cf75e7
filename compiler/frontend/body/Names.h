//===- Names.h - the names of layers and nodes of a scope -----------------===//
#ifndef TG_COMPILER_FRONTEND_BODY_NAMES_H
#define TG_COMPILER_FRONTEND_BODY_NAMES_H

#include <map>
#include <source_location>
#include <string>
#include <vector>

namespace tg::dsl {

/// The names given at the top level of a program, or inside a layer.
class Names {
public:
  /// Returns `given`, or the class's name with its next number if `given` is
  /// empty. The name is unique inside the component `scope`, which may be "".
  /// Throws GraphError if the name is taken.
  std::string give(const std::string &scope, const std::string &given,
                   const std::string &className, std::source_location where);

private:
  std::map<std::string, std::source_location> taken;
  /// The number of unnamed layers of each class inside a component.
  std::map<std::string, unsigned> counts;
};

/// Returns the names joined by a slash; an empty name is omitted.
std::string joinPath(const std::string &scope, const std::string &name);

/// Returns the text that follows an unknown name in a message, as
/// tg::suggestName does: the nearest known name, or the first few names.
std::string suggestOf(const std::string &name,
                      const std::vector<std::string> &known);

/// Returns the same text, with the keys of a map as the known names.
template <typename Map>
std::string suggestKey(const std::string &name, const Map &known) {
  std::vector<std::string> names;
  for (const auto &[key, value] : known)
    names.emplace_back(key);
  return suggestOf(name, names);
}

/// Returns a line as text for a message at line `from`. The text has the file
/// if it is another one.
std::string describeLine(std::source_location line, std::source_location from);

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_BODY_NAMES_H
