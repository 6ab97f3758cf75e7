/// Messages without the lines of layers.
#ifndef TG_TEST_COMPILER_FRONTEND_LINES_H
#define TG_TEST_COMPILER_FRONTEND_LINES_H

#include <regex>
#include <string>

namespace tg::test {

/// Returns a message without the lines that made or called the layer that it
/// names: "'Linear_1', made in line 5: ..." becomes "'Linear_1': ...".
inline std::string withoutLines(const std::string &message) {
  static const std::string line = "(line |[^ ]*:)[0-9]+";
  static const std::regex lines(", (made in|called from) " + line + "( and " +
                                line + ")*");
  return std::regex_replace(message, lines, "");
}

} // namespace tg::test

#endif // TG_TEST_COMPILER_FRONTEND_LINES_H
