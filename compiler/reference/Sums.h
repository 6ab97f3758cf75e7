//===- Sums.h - sums in the orders that ops state -------------------------===//
#ifndef TG_COMPILER_REFERENCE_SUMS_H
#define TG_COMPILER_REFERENCE_SUMS_H

#include "dialects/tg/Tg.h"
#include "dialects/tg/evaluation/HostTensor.h"

namespace tg {

/// Each function computes the results of an op on floats in the order that the
/// op states, or else chooses. `results` have their types and extents. The
/// functions return an empty string, or the reason why that is impossible.
std::string reduce(ReductionOpInterface op, const HostTensor &operand,
                   llvm::MutableArrayRef<HostTensor> results);
std::string multiply(ContractionOpInterface op,
                     llvm::ArrayRef<HostTensor> operands, HostTensor &result);
std::string sumAlongAxis(mlir::Operation *op, const HostTensor &operand,
                         HostTensor &result);
std::string addUpdates(mlir::Operation *op, llvm::ArrayRef<HostTensor> operands,
                       HostTensor &result);

} // namespace tg

#endif // TG_COMPILER_REFERENCE_SUMS_H
