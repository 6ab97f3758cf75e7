//===- WidenFloats.h - a model that computes in f64 -----------------------===//
#ifndef TG_COMPILER_GRADIENT_CHECK_WIDENFLOATS_H
#define TG_COMPILER_GRADIENT_CHECK_WIDENFLOATS_H

#include "dialects/tg/evaluation/Interpreter.h"
#include "mlir/IR/BuiltinOps.h"

namespace tg {

/// The element types of a function's results before the model was changed.
using HostResults = std::map<std::string, llvm::SmallVector<mlir::Type>>;
using HostInputs = HostResults;

/// What functions of the host take and give in the model as it is.
void collectHostTypes(mlir::ModuleOp module, HostInputs &inputs,
                      HostResults &results);

/// Makes f64 of every float in a model: types, constants, attributes.
llvm::LogicalResult widenFloats(mlir::ModuleOp module);

/// The numbers of a tensor in another element type, truths and integers as they
/// are.
HostTensor convertFloats(const HostTensor &tensor, mlir::Type elementType);

/// f64 for a float, else the type itself.
mlir::Type widenElement(mlir::Type elementType);

} // namespace tg

#endif // TG_COMPILER_GRADIENT_CHECK_WIDENFLOATS_H
