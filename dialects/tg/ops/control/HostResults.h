//===- HostResults.h - the results of calls of the host -------------------===//
#ifndef TG_DIALECTS_TG_OPS_CONTROL_HOSTRESULTS_H
#define TG_DIALECTS_TG_OPS_CONTROL_HOSTRESULTS_H

#include "dialects/tg/Tg.h"

namespace tg {

/// Verifies C1 and C2 of an op that calls a host function: its name, and a size
/// for each dynamic extent of the results.
llvm::LogicalResult verifyHostCall(mlir::Operation *op, llvm::StringRef callee,
                                   mlir::OperandRange sizes);

/// Appends the extents of the results of an op. `sizes` are the dynamic ones.
llvm::LogicalResult
inferHostResults(mlir::Operation *op, mlir::OperandRange sizes,
                 ShapeInference &inference,
                 llvm::SmallVectorImpl<TensorExtents> &results);

/// Replaces dynamic extent `index` of the results of an op by `size`.
void setHostSize(mlir::Operation *op, unsigned index, int64_t size);

} // namespace tg

#endif // TG_DIALECTS_TG_OPS_CONTROL_HOSTRESULTS_H
