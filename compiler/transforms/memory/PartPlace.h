//===- PartPlace.h - values that lie in the memory of others --------------===//
#ifndef TG_COMPILER_TRANSFORMS_MEMORY_PARTPLACE_H
#define TG_COMPILER_TRANSFORMS_MEMORY_PARTPLACE_H

#include "dialects/tgx/Tgx.h"

namespace tg {

/// Where a value lies: as a part of what is joined last, or in a buffer of its
/// own.
struct PartPlace {
  /// The value that has the buffer.
  mlir::Value memory;
  /// The join that gives it; null for a value that is no part.
  tgx::JoinOp join;
  /// The index along the axis of the join at which the part begins.
  int64_t offset = 0;

  /// How the elements lie in memory; null where they follow each other.
  tgx::RowsAttr getRows() const;
};

/// The place of a value that is a part of one join at most.
PartPlace placeOf(mlir::Value value);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_MEMORY_PARTPLACE_H
