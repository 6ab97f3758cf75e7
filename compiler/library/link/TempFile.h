//===- TempFile.h - what a user keeps of a compilation ----------*- C++ -*-===//
#ifndef TG_COMPILER_LIBRARY_LINK_TEMPFILE_H
#define TG_COMPILER_LIBRARY_LINK_TEMPFILE_H

#include "mlir/IR/BuiltinOps.h"

namespace tg {

/// Writes what `print` prints to the file `name` in `directory`, which is made
/// if need be. A failure is a diagnostic on `module`.
llvm::LogicalResult
saveTempFile(mlir::ModuleOp module, llvm::StringRef directory,
             llvm::StringRef name,
             llvm::function_ref<void(llvm::raw_ostream &)> print);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_LINK_TEMPFILE_H
