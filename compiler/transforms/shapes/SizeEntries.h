//===- SizeEntries.h - attribute entries that operands may fill -----------===//
#ifndef TG_COMPILER_TRANSFORMS_SHAPES_SIZEENTRIES_H
#define TG_COMPILER_TRANSFORMS_SHAPES_SIZEENTRIES_H

#include "dialects/tg/Tg.h"

namespace tg {

/// Returns the entries of an attribute: an integer, or a list of integers.
/// Returns none if the op has no such attribute.
llvm::SmallVector<int64_t> entriesOf(mlir::Operation *op, llvm::StringRef name);

/// Sets an entry of such an attribute.
void setEntry(mlir::Operation *op, mlir::StringAttr name, unsigned entry,
              int64_t value);

/// Returns the index of the operand that would fill an entry, that is, the
/// number of earlier entries that operands fill.
unsigned positionOf(DynamicSizesOpInterface op, mlir::StringAttr name,
                    unsigned entry);

/// Sets an entry to -1, which `value` fills.
void fillEntry(DynamicSizesOpInterface op, mlir::StringAttr name,
               unsigned entry, mlir::Value value);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_SHAPES_SIZEENTRIES_H
