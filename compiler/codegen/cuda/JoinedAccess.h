//===- JoinedAccess.h - neighbouring elements in one access ---------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_JOINEDACCESS_H
#define TG_COMPILER_CODEGEN_CUDA_JOINEDACCESS_H

#include "compiler/codegen/kernel/Memory.h"

namespace tg {

/// The number of bytes that one instruction of a thread loads or stores at
/// most.
inline constexpr unsigned kAccessBytes = 16;

/// Returns `count` elements from `offset`, loaded by one instruction. `count`
/// is a power of two, the elements have at most `kAccessBytes`, and their
/// address is a multiple of their bytes.
llvm::SmallVector<mlir::Value> loadJoined(mlir::OpBuilder &builder,
                                          mlir::Location loc,
                                          const Elements &elements,
                                          mlir::Value offset, unsigned count);

/// Stores elements at `offset` by one instruction, under the same conditions.
void storeJoined(mlir::OpBuilder &builder, mlir::Location loc,
                 const Elements &elements, mlir::Value offset,
                 llvm::ArrayRef<mlir::Value> values);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_JOINEDACCESS_H
