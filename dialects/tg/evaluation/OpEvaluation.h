//===- OpEvaluation.h - the values of one op ------------------------------===//
#ifndef TG_DIALECTS_TG_EVALUATION_OPEVALUATION_H
#define TG_DIALECTS_TG_EVALUATION_OPEVALUATION_H

#include "dialects/tg/Tg.h"
#include "dialects/tg/evaluation/HostTensor.h"

namespace tg {

/// The result of the shape rule of an op for operands with given values.
struct RunExtents {
  /// Element types and shapes of the results; all extents are numbers.
  llvm::SmallVector<TensorExtents> results;
  /// True if the shapes follow from the shapes of the operands alone, not from
  /// their elements.
  bool isStatic = true;
};

/// Runs the shape rule with the extents and sizes of the operands. Returns an
/// empty string, or the requirement that does not hold.
std::string inferRunExtents(mlir::Operation *op,
                            llvm::ArrayRef<HostTensor> operands,
                            RunExtents &extents);

/// Computes the results that an op has for these values of its operands.
/// Returns an empty string, or the run-time failure, which does not always name
/// the op.
std::string evaluateOp(EvaluableOpInterface op,
                       llvm::ArrayRef<HostTensor> operands,
                       llvm::SmallVectorImpl<HostTensor> &results);

} // namespace tg

#endif // TG_DIALECTS_TG_EVALUATION_OPEVALUATION_H
