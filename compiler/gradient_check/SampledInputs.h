//===- SampledInputs.h - inputs on which gradients are checked --*- C++ -* ===//
#ifndef TG_COMPILER_GRADIENT_CHECK_SAMPLEDINPUTS_H
#define TG_COMPILER_GRADIENT_CHECK_SAMPLEDINPUTS_H

#include "compiler/gradient_check/GradientCheck.h"
#include <random>

namespace tg {

/// A random number generator whose numbers are the same with every C++ library.
class RandomGenerator {
public:
  explicit RandomGenerator(uint64_t seed) : engine(seed) {}

  /// Returns a number in [0, 1) with 53 random bits.
  double uniform() { return double(engine() >> 11) * 0x1p-53; }
  /// Returns an integer in [0, bound), for a positive bound.
  int64_t below(int64_t bound) { return int64_t(engine() % uint64_t(bound)); }
  /// Returns -1 or 1.
  double sign() { return engine() >> 63 ? 1 : -1; }

private:
  std::mt19937_64 engine;
};

/// Checks that the given inputs fit the function and each other. The function
/// belongs to a module that is not widened yet. Emits a diagnostic without
/// location on failure.
llvm::LogicalResult checkGivenInputs(mlir::func::FuncOp function,
                                     const GradientCheckOptions &options);

/// Returns the inputs of a function of a widened module: the given ones, and
/// random samples for the others. Floats are in [0, 1), indices are in range,
/// and other integers are from 1 to the extent of the options. Emits a
/// diagnostic and fails if a given input does not fit.
llvm::FailureOr<llvm::SmallVector<HostTensor>>
sampleInputs(mlir::func::FuncOp function, const GradientCheckOptions &options);

/// Initializes variables with the values that `init` assigns or, if the module
/// has no `init`, with floats in [0, 1) and zeros. Emits a diagnostic on
/// failure.
llvm::LogicalResult initializeVariables(mlir::ModuleOp module,
                                        const GradientCheckOptions &options,
                                        Interpreter &interpreter);

} // namespace tg

#endif // TG_COMPILER_GRADIENT_CHECK_SAMPLEDINPUTS_H
