//===- MapText.h - affine maps in files of the kernel cache ---------------===//
#ifndef TG_COMPILER_LIBRARY_CODE_MAPTEXT_H
#define TG_COMPILER_LIBRARY_CODE_MAPTEXT_H

#include "mlir/IR/AffineMap.h"
#include <optional>
#include <string>

namespace tg {

/// Returns the text of a map; "" for null.
std::string textOf(mlir::AffineMap map);

/// Parses the text that `textOf` wrote for a map over a number of symbols.
/// Returns none for any other text. Several threads may call it at once.
std::optional<mlir::AffineMap> parseMap(llvm::StringRef text, unsigned symbols,
                                        mlir::MLIRContext *context);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_CODE_MAPTEXT_H
