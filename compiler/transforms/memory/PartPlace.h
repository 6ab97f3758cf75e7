//===- PartPlace.h - values in the memory of joins ------------------------===//
#ifndef TG_COMPILER_TRANSFORMS_MEMORY_PARTPLACE_H
#define TG_COMPILER_TRANSFORMS_MEMORY_PARTPLACE_H

#include "dialects/tgx/Tgx.h"

namespace tg {

/// The location of a value: as a part of the outermost join, or in a buffer of
/// its own.
struct PartPlace {
  /// The value that owns the buffer.
  mlir::Value memory;
  /// The join that defines `memory`; null for a value that is not a part.
  tgx::JoinOp join;
  /// The index along the axis of the join at which the part begins.
  int64_t offset = 0;

  /// Returns the row layout in memory; null if the elements are contiguous.
  tgx::RowsAttr getRows() const;
};

/// Returns the place of a value that is a part of at most one join.
PartPlace placeOf(mlir::Value value);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_MEMORY_PARTPLACE_H
