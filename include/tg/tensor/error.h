/// The exception of the C++ frontend: a mistake in a network, with the user's
/// line.
#ifndef TG_TENSOR_ERROR_H
#define TG_TENSOR_ERROR_H

#include "../cxx20.h"

#include <source_location>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace tg {

/// A mistake in a network or program. what() has a line for each mistake, in
/// the format of compilers: `net.cpp:14:8: error: 'tg.matmul' op expected lhs
/// dim 1 (3) to equal …`.
class GraphError : public std::runtime_error {
public:
  GraphError(const std::string &sentence, const std::string &source,
             unsigned atLine, unsigned atColumn,
             const std::vector<GraphError> &more = {});
  GraphError(const std::string &sentence, const std::source_location &where);
  GraphError(const GraphError &);
  ~GraphError() override;

  /// The sentence without its source location.
  const std::string message;
  /// The user's source location; line 0 if no line is to blame.
  const std::string file;
  const unsigned line, column;
  /// The other mistakes, if a whole program was checked.
  const std::vector<GraphError> others;
};

/// A legal construct that is probably a mistake, such as an input or a variable
/// that is not used.
struct Warning {
  /// The sentence without its source location.
  std::string message;
  /// The user's source location of the construct.
  std::string file;
  unsigned line = 0, column = 0;

  /// Returns the message in the format of compilers: net.cpp:14:8: warning: no
  /// function uses …
  std::string text() const;
};

namespace dsl {
/// Throws a GraphError that says that a double cannot hold a whole number,
/// written as `digits`.
[[noreturn]] void raiseInexact(const std::string &digits,
                               const std::source_location &where);

/// Returns the double that equals a number. Throws GraphError if no double
/// equals the whole number, such as 2^53 + 1.
template <typename T>
  requires std::is_arithmetic_v<T>
double exactDouble(T number, const std::source_location &where) {
  const auto nearest = static_cast<double>(number);
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    // The largest numbers round up to one past the type's range.
    constexpr double end = std::is_signed_v<T> ? 0x1p63 : 0x1p64;
    if (nearest == end || static_cast<T>(nearest) != number)
      raiseInexact(std::to_string(number), where);
  }
  return nearest;
}

/// Returns true if a callable is an empty std::function or a null pointer.
template <typename Function> bool isEmpty(const Function &function) {
  if constexpr (std::is_pointer_v<Function> ||
                requires { function.operator bool(); })
    return !function;
  else
    return false;
}

/// Throws a GraphError that says that an empty function was passed. `what`
/// names the expected function.
[[noreturn]] void raiseEmpty(const char *what,
                             const std::source_location &where);

/// Returns the function, or throws GraphError if it is empty. `what` is its
/// purpose, for the message: "a function of the host".
template <typename Function>
Function required(Function function, const char *what,
                  const std::source_location &where) {
  if (isEmpty(function))
    raiseEmpty(what, where);
  return function;
}
} // namespace dsl

} // namespace tg

#endif // TG_TENSOR_ERROR_H
