//===- Exchange.h - values of other threads of a warp ---------------------===//
//
// All threads of a warp take part in an exchange, or none does.
//
//===----------------------------------------------------------------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_EXCHANGE_H
#define TG_COMPILER_CODEGEN_CUDA_EXCHANGE_H

#include "mlir/IR/Builders.h"

namespace tg {

/// Builds exchanges of scalars, which are integers of up to 64 bits or floats.
class Exchange {
public:
  Exchange(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  /// Returns the value of the thread that is `distance` after this one in the
  /// warp. The last threads of the warp get their own value.
  mlir::Value fromLater(mlir::Value value, unsigned distance) const;
  /// Returns the value of thread `lane` of the warp.
  mlir::Value fromLane(mlir::Value value, unsigned lane) const;

  /// Waits until all threads of the warp are here and see what the others have
  /// written to memory.
  void waitForWarp() const;

private:
  mlir::Value exchange(mlir::Value value, llvm::StringRef mode,
                       unsigned operand) const;
  mlir::Value exchangeWord(mlir::Value word, llvm::StringRef mode,
                           unsigned operand) const;

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_EXCHANGE_H
