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

/// Repeats calls of one function to reduce its memory.
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
  /// Repeats calls until the arena fits. Returns false, and changes nothing, if
  /// it cannot.
  bool fit(int64_t budget);
  /// The bytes of the arena that fits, or of the smallest one found, and the
  /// live values at its peak.
  int64_t leastBytes = 0;
  llvm::SmallVector<mlir::Value> leastPeak;

  /// Counts a call that was added.
  void count(tgx::CallOp call) {
    ++launches;
    flops += countFlops(call);
  }

  /// The cost of the added calls.
  int64_t launches = 0, flops = 0;

  /// Fails with a diagnostic that names the dynamic extents, of inputs and
  /// data-dependent sizes: no budget can be kept for all their values.
  llvm::LogicalResult checkExtents();

private:
  tgx::KernelOp kernelOf(tgx::CallOp call) const {
    return module.lookup<tgx::KernelOp>(call.getKernel());
  }
  int64_t countFlops(tgx::CallOp call);
  std::optional<int64_t> costOf(tgx::CallOp call);
  /// Returns the steps as `workspaces` counts them: the steps of the body, and
  /// null for steps in branches and loops and for the ends of these.
  llvm::SmallVector<const Step *> listSteps(const ScheduleGraph &graph) const;
  Recomputation::Step modelOf(const Step *step, const Workspaces::Uses &uses);
  std::vector<Recomputation::Step>
  modelAll(llvm::ArrayRef<const Step *> listed);
  void putInOrder(const ScheduleGraph &graph);
  void moveToEnd(mlir::Operation *op);
  mlir::Value viewAnew(mlir::OpBuilder &builder, mlir::Value value,
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
  /// The inputs of the calls of steps, by the index of the step.
  llvm::DenseMap<unsigned, llvm::SmallVector<mlir::Value>> givenInputs;
  /// The value of each new buffer.
  llvm::DenseMap<unsigned, mlir::Value> valueOf;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_SCHEDULE_REMATERIALIZER_H
