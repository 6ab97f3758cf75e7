//===- WidenFloats.h - a model that computes in f64 -----------------------===//
#ifndef TG_COMPILER_GRADIENT_CHECK_WIDENFLOATS_H
#define TG_COMPILER_GRADIENT_CHECK_WIDENFLOATS_H

#include "dialects/tg/evaluation/Interpreter.h"
#include "mlir/IR/BuiltinOps.h"

namespace tg {

/// The element types of the inputs and results of a host function.
struct HostTypes {
  llvm::SmallVector<mlir::Type> inputs, results;
};
/// The types of all host functions, by name.
using HostSignatures = std::map<std::string, HostTypes>;

/// Returns the types of the host functions in a model before it is widened.
HostSignatures collectHostTypes(mlir::ModuleOp module);

/// Converts all floats of a model to f64: types, constants, attributes.
llvm::LogicalResult widenFloats(mlir::ModuleOp module);

/// Returns the relative rounding error of the results of an op in a widened
/// model: that of f64, or of the types in which a host function computes.
double roundingOf(mlir::Operation *op, const HostSignatures &host);

/// Converts the floats of a tensor to another element type. Booleans and
/// integers stay the same.
HostTensor convertFloats(const HostTensor &tensor, mlir::Type elementType);

/// Returns f64 for a float type, else the type itself.
mlir::Type widenElement(mlir::Type elementType);

} // namespace tg

#endif // TG_COMPILER_GRADIENT_CHECK_WIDENFLOATS_H
