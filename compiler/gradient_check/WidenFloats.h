//===- WidenFloats.h - a model that computes in f64 -----------------------===//
#ifndef TG_COMPILER_GRADIENT_CHECK_WIDENFLOATS_H
#define TG_COMPILER_GRADIENT_CHECK_WIDENFLOATS_H

#include "dialects/tg/evaluation/Interpreter.h"
#include "mlir/IR/BuiltinOps.h"

namespace tg {

/// The element types that a function of the host takes and gives.
struct HostTypes {
  llvm::SmallVector<mlir::Type> inputs, results;
};
/// The types of all functions, by name.
using HostSignatures = std::map<std::string, HostTypes>;

/// Returns the types of the host functions of the model as it is.
HostSignatures collectHostTypes(mlir::ModuleOp module);

/// Makes f64 of every float in a model: types, constants, attributes.
llvm::LogicalResult widenFloats(mlir::ModuleOp module);

/// By how much of itself a result of an op of a widened model may be off: by
/// the rounding of f64, or of what a function of the host computes in.
double roundingOf(mlir::Operation *op, const HostSignatures &host);

/// The numbers of a tensor in another element type, truths and integers as they
/// are.
HostTensor convertFloats(const HostTensor &tensor, mlir::Type elementType);

/// f64 for a float, else the type itself.
mlir::Type widenElement(mlir::Type elementType);

} // namespace tg

#endif // TG_COMPILER_GRADIENT_CHECK_WIDENFLOATS_H
