//===- ScheduledFunction.h - the signature of a scheduled function --------===//
#ifndef TG_COMPILER_TRANSFORMS_SCHEDULE_SCHEDULEDFUNCTION_H
#define TG_COMPILER_TRANSFORMS_SCHEDULE_SCHEDULEDFUNCTION_H

#include "compiler/transforms/shapes/FunctionSymbols.h"
#include "dialects/tgx/Tgx.h"

namespace tg {

/// Builds the tgx.function of a function, without a body: its role, its
/// symbols, and its inputs and outputs with their extents. An extent of an
/// output that is an expression, such as 2 * batch, gets a symbol of its own.
tgx::FunctionOp createScheduledFunction(mlir::OpBuilder &builder,
                                        mlir::func::FuncOp function,
                                        FunctionSymbols &symbols);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_SCHEDULE_SCHEDULEDFUNCTION_H
