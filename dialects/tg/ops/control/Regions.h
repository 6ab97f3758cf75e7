//===- Regions.h - common code of ops with regions ------------------------===//
#ifndef TG_DIALECTS_TG_OPS_CONTROL_REGIONS_H
#define TG_DIALECTS_TG_OPS_CONTROL_REGIONS_H

#include "dialects/tg/Tg.h"

namespace tg {

/// Fails unless `found` are the expected types. The message refers to a type by
/// `what` and its index, and ends in the constraint `label`.
llvm::LogicalResult checkTypes(mlir::Operation *op, mlir::TypeRange found,
                               mlir::TypeRange expected, llvm::StringRef what,
                               llvm::StringRef label);

/// Fails unless a region yields the types that its op requires.
llvm::LogicalResult checkYield(RegionOpInterface op, unsigned region,
                               llvm::StringRef what, llvm::StringRef label);

/// Returns the element types and extents of values.
llvm::SmallVector<TensorExtents> tensorExtentsOf(ShapeInference &inference,
                                                 mlir::ValueRange values);

/// Inserts casts so that the operands have the given types.
void castTo(llvm::MutableArrayRef<mlir::OpOperand> operands,
            mlir::TypeRange types);

/// Inserts casts so that a region yields the types that its op requires.
void castYield(RegionOpInterface op, unsigned region);

/// Sets the types of values.
void setTypes(mlir::ValueRange values, mlir::TypeRange types);

} // namespace tg

#endif // TG_DIALECTS_TG_OPS_CONTROL_REGIONS_H
