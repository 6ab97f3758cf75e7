//===- OpReference.h - the exact bits of a single op ----------------------===//
#ifndef TG_COMPILER_REFERENCE_OPREFERENCE_H
#define TG_COMPILER_REFERENCE_OPREFERENCE_H

#include "compiler/reference/Reference.h"

namespace tg {

/// Evaluates an op as the only one of a function. An op without an order has
/// the one that phase `numerics` would choose.
class OpReference {
public:
  /// Copies the op.
  explicit OpReference(mlir::Operation *op);

  /// Adds the results for operands of the types of the op. Returns an empty
  /// string, or the reason why there are none.
  std::string evaluate(llvm::ArrayRef<HostTensor> operands,
                       llvm::SmallVectorImpl<HostTensor> &results);

private:
  /// A function that returns the results of the op.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  std::optional<Reference> reference;
};

} // namespace tg

#endif // TG_COMPILER_REFERENCE_OPREFERENCE_H
