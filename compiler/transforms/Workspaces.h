//===- Workspaces.h - the buffers between the steps of a function ---------===//
#ifndef TG_COMPILER_TRANSFORMS_WORKSPACES_H
#define TG_COMPILER_TRANSFORMS_WORKSPACES_H

#include "compiler/transforms/MemoryPlan.h"
#include "compiler/transforms/ScheduleGraph.h"
#include "dialects/tg/Extents.h"

namespace tg {

/// What a function keeps in its arena, by number, at the extents for which
/// memory is planned.
struct Workspaces {
  Workspaces(const ScheduleGraph &graph, const ExtentAnalysis &extents);

  /// The buffers that a step reads and makes. Of the steps that write parts of
  /// one, the first makes it, and the others come as if they read it.
  struct Uses {
    llvm::SmallVector<unsigned, 4> reads, makes;
  };
  /// In the order of execution.
  std::vector<Uses> steps;
  /// A value of each buffer's type and extents, and its lifetime.
  llvm::SmallVector<mlir::Value> values;
  llvm::SmallVector<Lifetime> lifetimes;
  /// The buffer of a value that has one of its own (PartPlace::memory).
  llvm::DenseMap<mlir::Value, unsigned> numberOf;
  /// The temporary buffers of copies.
  llvm::SmallVector<unsigned> temporaries;

private:
  void write(mlir::Value value, const ExtentAnalysis &extents);
  void make(mlir::Value value, const ExtentAnalysis &extents);
  void read(unsigned buffer);
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_WORKSPACES_H
