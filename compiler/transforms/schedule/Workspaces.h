//===- Workspaces.h - the buffers between the steps of a function ---------===//
#ifndef TG_COMPILER_TRANSFORMS_SCHEDULE_WORKSPACES_H
#define TG_COMPILER_TRANSFORMS_SCHEDULE_WORKSPACES_H

#include "compiler/transforms/memory/MemoryPlan.h"
#include "compiler/transforms/schedule/ScheduleGraph.h"
#include "dialects/tg/extents/Extents.h"

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
  /// In the order of execution. A branch or loop is two steps, around those of
  /// its regions; what it needs from outside or for a later trip lives between.
  std::vector<Uses> steps;
  /// A value of each buffer's type and extents, and its lifetime.
  llvm::SmallVector<mlir::Value> values;
  llvm::SmallVector<Lifetime> lifetimes;
  /// The buffer of a value that has one of its own (PartPlace::memory).
  llvm::DenseMap<mlir::Value, unsigned> numberOf;
  /// The temporary buffers of copies.
  llvm::SmallVector<unsigned> temporaries;

private:
  void visit(const ScheduleGraph &graph);
  void visitControl(const Step &step, const ScheduleGraph &graph);
  void visitStep(const Step &step, const ScheduleGraph &graph);
  void readValue(mlir::Value value, const ScheduleGraph &graph);
  void write(mlir::Value value, const ScheduleGraph &graph);
  void make(mlir::Value value);
  void read(unsigned buffer);
  void joinSwapped();

  const ExtentAnalysis &extents;
  /// Buffers that are exchanged, which live together.
  llvm::SmallVector<std::pair<unsigned, unsigned>> swapped;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_SCHEDULE_WORKSPACES_H
