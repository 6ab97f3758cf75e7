// Runs the functions of a program without compiling them.
#ifndef TG_TEST_COMPILER_FRONTEND_EVALUATOR_H
#define TG_TEST_COMPILER_FRONTEND_EVALUATOR_H

#include "tg/tensor/types.h"

#include <memory>
#include <string>
#include <vector>

/// Elements in row-major order, with their type and shape.
struct Elements {
  std::vector<double> values;
  std::vector<int64_t> shape = {};
  tg::DType dtype = tg::f32;
};

/// A module in the interpreter, with its variables. The header includes no
/// MLIR, so tests are compiled as users' programs are.
class Evaluator {
public:
  explicit Evaluator(const std::string &text);
  ~Evaluator();

  /// Returns the outputs in order; none after an error. Functions that sample
  /// random numbers and change no variable get the seed of init and the number
  /// of such calls since.
  std::vector<Elements> run(const std::string &function,
                            const std::vector<Elements> &inputs);
  /// Runs init with a seed.
  void init(int64_t seed);
  /// Returns the error message, empty for none.
  std::string error() const;
  /// Parses `text` and prints the module; equal texts mean equal modules.
  static std::string reprint(const std::string &text);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

#endif // TG_TEST_COMPILER_FRONTEND_EVALUATOR_H
