//===- TempFile.cpp - files that --save-temps keeps -----------------------===//
#include "compiler/library/link/TempFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;

LogicalResult
tg::saveTempFile(ModuleOp module, StringRef directory, StringRef name,
                 llvm::function_ref<void(llvm::raw_ostream &)> print) {
  llvm::SmallString<128> path(directory);
  std::error_code error = llvm::sys::fs::create_directories(path);
  llvm::sys::path::append(path, name);
  if (!error) {
    llvm::raw_fd_ostream stream(path, error);
    if (!error) {
      print(stream);
      stream.close();
      error = stream.error();
      // raw_fd_ostream aborts the process if an error was not cleared.
      stream.clear_error();
    }
  }
  if (error)
    return emitError(UnknownLoc::get(module.getContext()))
           << "cannot write '" << path.str() << "': " << error.message();
  return success();
}
