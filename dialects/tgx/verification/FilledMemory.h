//===- FilledMemory.h - the memory that steps have written ----------------===//
#ifndef TG_DIALECTS_TGX_VERIFICATION_FILLEDMEMORY_H
#define TG_DIALECTS_TGX_VERIFICATION_FILLEDMEMORY_H

#include "dialects/tgx/Tgx.h"
#include "llvm/ADT/DenseSet.h"

namespace tgx {

/// The elements [begin, end) of the rows of a memory.
struct Span {
  int64_t begin, end;
};

/// The memory that steps have written.
class FilledMemory {
public:
  /// Removes the memory that `other` does not contain: keeps the intersection.
  void keepCommon(const FilledMemory &other);
  /// Records that the memory, or a span of it, was written.
  void add(mlir::Operation *memory) { whole.insert(memory); }
  void add(mlir::Operation *memory, Span span) {
    spans[memory].push_back(span);
  }
  /// Returns true if all of the memory, or all of the span, was written.
  bool contains(mlir::Operation *memory) const {
    return whole.contains(memory);
  }
  bool contains(mlir::Operation *memory, Span span) const;

private:
  llvm::DenseSet<mlir::Operation *> whole;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Span>> spans;
};

} // namespace tgx

#endif // TG_DIALECTS_TGX_VERIFICATION_FILLEDMEMORY_H
