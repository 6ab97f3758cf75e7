/// Compiles models and evaluates them by the reference. This header includes
/// neither MLIR nor the C++ front end, so that tests of programs include it.
#ifndef TG_TEST_NUMERIC_BITS_REFERENCEMODEL_H
#define TG_TEST_NUMERIC_BITS_REFERENCEMODEL_H

#include "tg/abi.h"

#include <memory>
#include <string>
#include <vector>

namespace tg::test {

/// A dense tensor in row-major order.
struct RawTensor {
  tg_dtype_t dtype = {};
  std::vector<int64_t> shape = {};
  std::vector<char> bytes = {};
};

/// The options of a compilation that must not change bits, and the levels. See
/// tg::CompileOptions.
struct CompileSettings {
  int optimization = 2;
  std::vector<int> levels = {3};
  std::string dims = {};
  int64_t memoryBudget = 0;
  std::string kernelCache = {};
  std::vector<std::string> kinds = {"cpu"};
};

/// Returns the bytes of the library of a model that is given as text; none if
/// it does not compile. Diagnostics are printed, or appended to `diagnostics`
/// if it is not null.
std::vector<char> compileText(const std::string &text,
                              const CompileSettings &settings,
                              std::string *diagnostics = nullptr);

/// A model after phase `numerics`, with its variables.
class ReferenceModel {
public:
  explicit ReferenceModel(const std::string &text);
  ~ReferenceModel();

  /// Runs a function on all of its inputs. Returns its outputs in order, or
  /// none and sets `error`.
  std::vector<RawTensor> run(const std::string &function,
                             const std::vector<RawTensor> &inputs);
  /// Returns the value of a variable; an empty tensor if it has none.
  RawTensor variable(const std::string &name) const;

  /// The first failure, or an empty string.
  std::string error;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tg::test

#endif // TG_TEST_NUMERIC_BITS_REFERENCEMODEL_H
