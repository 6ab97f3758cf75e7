//===- ReadModel.h - Reads a model from MLIR text ---------------*- C++ -*-===//
//
// The one way by which untrusted MLIR text becomes a module.
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

/// Reads the regular file `path`, or the standard input if it is `-`, into
/// memory. An error says what the path is instead, why it cannot be read, or
/// that it has more than `maxBytes` bytes; a pipe or device never blocks.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
openModel(llvm::StringRef path, size_t maxBytes);

/// Parses and verifies the text of `buffer`, which `sourceMgr` then owns, so
/// that a handler of diagnostics can show its lines. Text that the pre-scan
/// refuses never reaches MLIR's parser. Returns null after an error, which is
/// emitted on `context`.
///
/// The dialects of the model must be registered with `context`, and for text
/// that is not trusted no others: their parsers would run on it. Nested text
/// recurses: run this on a large stack (Stack.h).
mlir::OwningOpRef<mlir::ModuleOp>
parseModel(mlir::MLIRContext &context, llvm::SourceMgr &sourceMgr,
           std::unique_ptr<llvm::MemoryBuffer> buffer,
           const ScanLimits &limits = {});

/// `openModel`, then `parseModel`. All errors are emitted on `context`; those
/// of opening the file have no location.
mlir::OwningOpRef<mlir::ModuleOp> readModel(mlir::MLIRContext &context,
                                            llvm::SourceMgr &sourceMgr,
                                            llvm::StringRef path,
                                            const ScanLimits &limits = {});

} // namespace tg

#endif // TG_COMPILER_FRONTEND_TEXT_READMODEL_H
