/// What the C++ front throws: a mistake in a network, with the user's line.
#ifndef TG_ERROR_H
#define TG_ERROR_H

#include <source_location>
#include <stdexcept>
#include <string>
#include <vector>

namespace tg {

/// A mistake in a network or program. what() is what a compiler prints:
/// `net.cpp:14:8: error: 'tg.matmul' op expected lhs dim 1 (3) to equal …`,
/// a line for each mistake.
class GraphError : public std::runtime_error {
public:
  GraphError(const std::string &message, const std::string &file, unsigned line,
             unsigned column, const std::vector<GraphError> &others = {})
      : std::runtime_error(describe(message, file, line, column) +
                           describe(others)),
        message(message), file(file), line(line), column(column),
        others(others) {}
  GraphError(const std::string &message, const std::source_location &where)
      : GraphError(message, where.file_name(), where.line(), where.column()) {}

  /// The sentence without its place.
  const std::string message;
  /// Where the user wrote it; line 0 where no line is to blame.
  const std::string file;
  const unsigned line, column;
  /// The other mistakes, where a whole program was checked.
  const std::vector<GraphError> others;

private:
  static std::string describe(const std::string &message,
                              const std::string &file, unsigned line,
                              unsigned column) {
    if (line == 0)
      return "error: " + message;
    return file + ":" + std::to_string(line) + ":" + std::to_string(column) +
           ": error: " + message;
  }
  static std::string describe(const std::vector<GraphError> &others) {
    std::string lines;
    for (const GraphError &other : others)
      lines += std::string("\n") + other.what();
    return lines;
  }
};

} // namespace tg

#endif // TG_ERROR_H
