//===- SampledInputs.h - inputs on which gradients are checked --*- C++ -*-===//
#ifndef TG_COMPILER_GRADIENT_CHECK_SAMPLEDINPUTS_H
#define TG_COMPILER_GRADIENT_CHECK_SAMPLEDINPUTS_H

#include "compiler/gradient_check/GradientCheck.h"
#include <random>

namespace tg {

/// Numbers that are the same with every C++ library.
class Draws {
public:
  explicit Draws(uint64_t seed) : random(seed) {}

  /// From [0, 1), of 53 bits.
  double uniform() { return double(random() >> 11) * 0x1p-53; }
  /// From 0 to below `bound`, which is above 0.
  int64_t below(int64_t bound) { return int64_t(random() % uint64_t(bound)); }
  /// -1 or 1.
  double sign() { return random() >> 63 ? 1 : -1; }

private:
  std::mt19937_64 random;
};

/// Fails with a diagnostic, of no line, where an input that is given does not
/// fit the function, of a module that is not widened yet, or the other inputs.
llvm::LogicalResult checkGivenInputs(mlir::func::FuncOp function,
                                     const GradientCheckOptions &options);

/// The inputs of a function of a widened module: those that are given, and
/// draws: floats from [0, 1), indices that are in range, other integers from 1
/// to the extent of the options. Fails with a diagnostic where a given one does
/// not fit.
llvm::FailureOr<llvm::SmallVector<HostTensor>>
drawInputs(mlir::func::FuncOp function, const GradientCheckOptions &options);

/// The values of variables: what `init` assigns, or where the module has none,
/// floats from [0, 1) and zeros. Fails with a diagnostic.
llvm::LogicalResult initializeVariables(mlir::ModuleOp module,
                                        const GradientCheckOptions &options,
                                        Interpreter &interpreter);

} // namespace tg

#endif // TG_COMPILER_GRADIENT_CHECK_SAMPLEDINPUTS_H
