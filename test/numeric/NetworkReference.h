//===- NetworkReference.h - networks run by the reference -------*- C++ -*-===//
//
// Includes no header of MLIR, because networks are built like programs of
// users.
//
//===----------------------------------------------------------------------===//
#ifndef TG_TEST_NUMERIC_NETWORKREFERENCE_H
#define TG_TEST_NUMERIC_NETWORKREFERENCE_H

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tg::test {

/// The elements of a tensor, row-major.
struct Content {
  std::vector<int64_t> shape;
  std::vector<char> bytes;
};
using Contents = std::map<std::string, Content>;

/// A network with its variables, run by the reference. Methods return an empty
/// string, or the failure.
class NetworkReference {
public:
  /// Compiles the text of a network up to phase `numerics`.
  explicit NetworkReference(const std::string &text);
  ~NetworkReference();

  const std::string &getError() const { return error; }
  /// Initializes the variables and the random numbers from a seed.
  std::string init(int64_t seed);
  /// Runs a function on inputs by name, and adds its outputs by name. The state
  /// of random numbers is no input.
  std::string run(const std::string &function, const Contents &inputs,
                  Contents &outputs);
  /// Returns the bytes of a variable; none if no run has assigned it.
  std::vector<char> contentOf(const std::string &variable) const;

private:
  struct State;
  std::unique_ptr<State> state;
  std::string error;
};

} // namespace tg::test

#endif // TG_TEST_NUMERIC_NETWORKREFERENCE_H
