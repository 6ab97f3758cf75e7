//===- DimBindings.h - names of extents bound to numbers ------------------===//
#ifndef TG_COMPILER_TRANSFORMS_SHAPES_DIMBINDINGS_H
#define TG_COMPILER_TRANSFORMS_SHAPES_DIMBINDINGS_H

#include "dialects/tg/Tg.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <set>
#include <string>

namespace tg {

/// Returns `dims`, the names of the extents of a tensor of a type, with "" in
/// place of the names of static extents.
mlir::ArrayAttr namesOfUnknown(mlir::ArrayAttr dims,
                               mlir::RankedTensorType type);

/// The option `dims`, a list of names of extents and their numbers as in
/// batch=32, and the names that functions have.
class DimBindings {
public:
  /// Reads the option, and forgets the functions. Fails with a message unless
  /// each entry is a name and a number, and each name has one entry.
  llvm::LogicalResult parse(llvm::StringRef option, mlir::MLIRContext *context);

  /// Returns the numbers by name.
  const llvm::StringMap<int64_t> &numbers() const { return bound; }

  /// Makes the named extents of the arguments static. Returns the number of
  /// arguments whose types change.
  llvm::FailureOr<unsigned> bindArguments(mlir::func::FuncOp function);

  /// Fails with a message for each name that no function has.
  llvm::LogicalResult checkUsed(mlir::MLIRContext *context) const;

private:
  std::string dims;
  llvm::StringMap<int64_t> bound;
  llvm::StringSet<> used;
  /// The names of dynamic extents of arguments.
  std::set<std::string> bindable;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_SHAPES_DIMBINDINGS_H
