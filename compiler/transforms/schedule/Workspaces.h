//===- Workspaces.h - the buffers between the steps of a function ---------===//
#ifndef TG_COMPILER_TRANSFORMS_SCHEDULE_WORKSPACES_H
#define TG_COMPILER_TRANSFORMS_SCHEDULE_WORKSPACES_H

#include "compiler/transforms/memory/MemoryPlan.h"
#include "compiler/transforms/schedule/ScheduleGraph.h"
#include "dialects/tg/extents/ExtentAnalysis.h"

namespace tg {

/// The buffers of a function in its arena, by index, at the planned extents.
struct Workspaces {
  Workspaces(const ScheduleGraph &graph, const ExtentAnalysis &extents);

  /// The buffers that a step reads and makes. If several steps write parts of a
  /// buffer, the first one makes it and the others are treated as readers.
  struct Uses {
    llvm::SmallVector<unsigned, 4> reads, creates;
  };
  /// The uses in the order of execution. A branch or loop has two entries, one
  /// before and one after the steps of its regions. Buffers that it uses from
  /// outside, and buffers that a later iteration uses, are live from the first
  /// entry to the second.
  std::vector<Uses> steps;
  /// For each buffer: a value that has its type and extents, and its lifetime.
  llvm::SmallVector<mlir::Value> values;
  llvm::SmallVector<Lifetime> lifetimes;
  /// The index of the buffer of each value that owns one. For a part of a join,
  /// PartPlace::memory is the value that owns its buffer.
  llvm::DenseMap<mlir::Value, unsigned> indexOf;
  /// The indices of the temporary buffers of copies.
  llvm::SmallVector<unsigned> temporaries;

private:
  void visit(const ScheduleGraph &graph);
  void visitControl(const Step &step, const ScheduleGraph &graph);
  void visitStep(const Step &step, const ScheduleGraph &graph);
  void readValue(mlir::Value value, const ScheduleGraph &graph);
  void write(mlir::Value value, const ScheduleGraph &graph);
  void addBuffer(mlir::Value value);
  void read(unsigned buffer);
  void joinSwapped();

  const ExtentAnalysis &extents;
  /// Pairs of buffers that are exchanged, which get a common lifetime.
  llvm::SmallVector<std::pair<unsigned, unsigned>> swapped;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_SCHEDULE_WORKSPACES_H
