//===- Rematerializer.h - rematerialization in a function -----------------===//
#ifndef TG_COMPILER_TRANSFORMS_SCHEDULE_REMATERIALIZER_H
#define TG_COMPILER_TRANSFORMS_SCHEDULE_REMATERIALIZER_H

#include "compiler/transforms/schedule/Recomputation.h"
#include "compiler/transforms/schedule/ScheduleGraph.h"
#include "compiler/transforms/schedule/UncheckedKernels.h"
#include "compiler/transforms/schedule/Workspaces.h"
#include "compiler/transforms/shapes/FunctionSymbols.h"
#include "llvm/ADT/SetVector.h"

namespace tg {

/// Rematerialization in one function: repeats calls to reduce its arena.
class Rematerializer {
public:
  Rematerializer(mlir::func::FuncOp function, FunctionSymbols &symbols,
                 const mlir::SymbolTable &module, UncheckedKernels &unchecked,
                 int64_t alignment)
      : function(function), symbols(symbols), extents(symbols.getAnalysis()),
        module(module), unchecked(unchecked), alignment(alignment),
        graph(function, module, extents), workspaces(graph, extents) {}

  /// Returns the bytes of the current arena.
  int64_t plannedBytes() const {
    return planMemory(workspaces.lifetimes, alignment).bytes;
  }
  /// Repeats calls until the arena has at most `budget` bytes. If this is
  /// impossible, returns false and changes no call.
  bool fit(int64_t budget);
  /// The bytes of the arena after a successful fit(); after a failed one, the
  /// bytes of the smallest arena found, and the values live at its peak.
  int64_t arenaBytes = 0;
  llvm::SmallVector<mlir::Value> peakValues;

  /// Adds a new call to the cost.
  void addCost(tgx::CallOp call) {
    ++launches;
    flops += countFlops(call);
  }

  /// The cost of the added calls.
  int64_t launches = 0, flops = 0;

  /// Fails if there are dynamic extents, of inputs or of data-dependent sizes,
  /// because no budget is sufficient for all their values. The diagnostic names
  /// these extents.
  llvm::LogicalResult checkExtents();

private:
  tgx::KernelOp kernelOf(tgx::CallOp call) const {
    return module.lookup<tgx::KernelOp>(call.getKernel());
  }
  int64_t countFlops(tgx::CallOp call);
  std::optional<int64_t> costOf(tgx::CallOp call);
  /// Returns one step for each entry of `workspaces.steps`. Entries for steps
  /// inside a branch or loop, and for the end of a branch or loop, are null.
  llvm::SmallVector<const Step *> listSteps(const ScheduleGraph &graph) const;
  Recomputation::Step modelOf(const Step *step, const Workspaces::Uses &uses);
  std::vector<Recomputation::Step>
  modelAll(llvm::ArrayRef<const Step *> listed);
  void putInOrder(const ScheduleGraph &graph);
  void moveToEnd(mlir::Operation *op);
  mlir::Value copyViews(mlir::OpBuilder &builder, mlir::Value value,
                        mlir::Value root, mlir::Value newRoot);
  void replaceReads(tgx::CallOp call, const Recomputation::Step &step);
  void repeatBefore(tgx::CallOp call, llvm::ArrayRef<const Step *> listed,
                    const Recomputation::Step &step);
  void apply(const Recomputation &recomputation,
             llvm::ArrayRef<const Step *> listed);
  void erase(const llvm::DenseSet<mlir::Operation *> &calls);

  mlir::func::FuncOp function;
  FunctionSymbols &symbols;
  ExtentAnalysis &extents;
  const mlir::SymbolTable &module;
  UncheckedKernels &unchecked;
  int64_t alignment;
  ScheduleGraph graph;
  Workspaces workspaces;
  llvm::SetVector<mlir::Attribute> variables;
  /// The inputs of each call before fit() changed them, by the index of its
  /// step.
  llvm::DenseMap<unsigned, llvm::SmallVector<mlir::Value>> originalInputs;
  /// For each buffer that a repeated call creates, by index: the value that it
  /// holds.
  llvm::DenseMap<unsigned, mlir::Value> valueOf;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_SCHEDULE_REMATERIALIZER_H
