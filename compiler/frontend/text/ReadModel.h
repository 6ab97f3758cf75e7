//===- ReadModel.h - Reads a model from MLIR text ---------------*- C++ -* ===//
//
// The only path from untrusted MLIR text to a module.
//
//===----------------------------------------------------------------------===//

#ifndef TG_COMPILER_FRONTEND_TEXT_READMODEL_H
#define TG_COMPILER_FRONTEND_TEXT_READMODEL_H

#include "compiler/frontend/text/PreScan.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

namespace tg {

/// Reads the regular file `path`, or the standard input if `path` is `-`, into
/// memory. The error says that `path` is not a regular file, why it cannot be
/// read, or that it has more than `maxBytes` bytes. Never blocks on a pipe or
/// device.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
openModel(llvm::StringRef path, size_t maxBytes);

/// Parses and verifies the text of `buffer`. `sourceMgr` takes ownership of the
/// buffer, so that a diagnostic handler can show its lines. Text that the
/// pre-scan refuses never reaches MLIR's parser. Returns null after an error,
/// which is emitted on `context`.
///
/// The dialects of the model must be registered with `context`. For untrusted
/// text no others may be: their parsers would run on it. Parsing recurses over
/// nested text, so run this on a large stack (Stack.h).
mlir::OwningOpRef<mlir::ModuleOp>
parseModel(mlir::MLIRContext &context, llvm::SourceMgr &sourceMgr,
           std::unique_ptr<llvm::MemoryBuffer> buffer,
           const ScanLimits &limits = {});

/// Calls `openModel`, then `parseModel`. Emits all errors on `context`; errors
/// of opening the file have no location.
mlir::OwningOpRef<mlir::ModuleOp> readModel(mlir::MLIRContext &context,
                                            llvm::SourceMgr &sourceMgr,
                                            llvm::StringRef path,
                                            const ScanLimits &limits = {});

} // namespace tg

#endif // TG_COMPILER_FRONTEND_TEXT_READMODEL_H
