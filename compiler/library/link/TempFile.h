//===- TempFile.h - files that --save-temps keeps ---------------*- C++ -* ===//
#ifndef TG_COMPILER_LIBRARY_LINK_TEMPFILE_H
#define TG_COMPILER_LIBRARY_LINK_TEMPFILE_H

#include "mlir/IR/BuiltinOps.h"

namespace tg {

/// Writes the output of `print` to the file `name` in `directory`, which is
/// created if it does not exist. Emits a diagnostic on `module` on failure.
llvm::LogicalResult
saveTempFile(mlir::ModuleOp module, llvm::StringRef directory,
             llvm::StringRef name,
             llvm::function_ref<void(llvm::raw_ostream &)> print);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_LINK_TEMPFILE_H
