//===- ExactEvaluation.h - the bits of one op, for passes -----------------===//
#ifndef TG_DIALECTS_TG_EVALUATION_EXACTEVALUATION_H
#define TG_DIALECTS_TG_EVALUATION_EXACTEVALUATION_H

#include "dialects/tg/Tg.h"
#include "mlir/IR/DialectInterface.h"

namespace tg {

/// Computes ops to the bits that compiled code has. The reference evaluation of
/// the compiler attaches it to the dialect. `evaluate` of an op is more
/// accurate where it sums or calls functions.
class ExactEvaluation : public mlir::DialectInterface::Base<ExactEvaluation> {
public:
  using Base::Base;

  /// Computes the results of an op. `results` have their types and extents.
  /// Returns an empty string, or the run-time failure.
  virtual std::string
  evaluate(EvaluableOpInterface op, llvm::ArrayRef<HostTensor> operands,
           llvm::MutableArrayRef<HostTensor> results) const = 0;
};

/// Computes the results of an op to the bits that compiled code has, in the
/// same way. Fails if the op rounds and no ExactEvaluation is attached.
std::string evaluateExactly(EvaluableOpInterface op,
                            llvm::ArrayRef<HostTensor> operands,
                            llvm::MutableArrayRef<HostTensor> results);

} // namespace tg

#endif // TG_DIALECTS_TG_EVALUATION_EXACTEVALUATION_H
