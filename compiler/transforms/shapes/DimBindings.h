//===- DimBindings.h - numbers that are bound to names of extents ---------===//
#ifndef TG_COMPILER_TRANSFORMS_SHAPES_DIMBINDINGS_H
#define TG_COMPILER_TRANSFORMS_SHAPES_DIMBINDINGS_H

#include "dialects/tg/Tg.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <set>
#include <string>

namespace tg {

/// Returns a copy of `dims`, the names of the extents of a tensor, with "" in
/// place of the names of extents that are static in `type`.
mlir::ArrayAttr namesOfUnknown(mlir::ArrayAttr dims,
                               mlir::RankedTensorType type);

/// The numbers that the option `dims` binds to names of extents, as in
/// batch=32, and the names of extents that occur in functions.
class DimBindings {
public:
  /// Parses the option, and forgets the names of earlier functions. Emits an
  /// error and fails unless each entry is a name and a number, and all names
  /// differ.
  llvm::LogicalResult parse(llvm::StringRef option, mlir::MLIRContext *context);

  /// Returns the number that each name is bound to.
  const llvm::StringMap<int64_t> &numbers() const { return bound; }

  /// Makes the named extents of the arguments static. Returns the number of
  /// arguments whose types change.
  llvm::FailureOr<unsigned> bindArguments(mlir::func::FuncOp function);

  /// Emits an error for each bound name that occurs in no function, and fails
  /// if there is any.
  llvm::LogicalResult checkUsed(mlir::MLIRContext *context) const;

private:
  std::string dims;
  llvm::StringMap<int64_t> bound;
  llvm::StringSet<> used;
  /// The names of the dynamic extents of arguments, for suggestions.
  std::set<std::string> bindable;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_SHAPES_DIMBINDINGS_H
