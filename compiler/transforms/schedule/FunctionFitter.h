//===- FunctionFitter.h - calls of a function that run again --------------===//
#ifndef TG_COMPILER_TRANSFORMS_SCHEDULE_FUNCTIONFITTER_H
#define TG_COMPILER_TRANSFORMS_SCHEDULE_FUNCTIONFITTER_H

#include "compiler/transforms/schedule/Recomputation.h"
#include "compiler/transforms/schedule/ScheduleGraph.h"
#include "compiler/transforms/schedule/UncheckedKernels.h"
#include "compiler/transforms/schedule/Workspaces.h"
#include "compiler/transforms/shapes/FunctionSymbols.h"
#include "llvm/ADT/SetVector.h"

namespace tg {

/// Repeats calls of one function.
class FunctionFitter {
public:
  FunctionFitter(mlir::func::FuncOp function, FunctionSymbols &symbols,
                 const mlir::SymbolTable &module, UncheckedKernels &unchecked,
                 int64_t alignment)
      : function(function), symbols(symbols), extents(symbols.getAnalysis()),
        module(module), unchecked(unchecked), alignment(alignment),
        graph(function, module, extents), workspaces(graph, extents) {}

  /// The bytes of the arena as it is.
  int64_t plannedBytes() const {
    return planMemory(workspaces.lifetimes, alignment).bytes;
  }
  /// Repeats calls until the arena fits. False, and nothing changed, where it
  /// does not.
  bool fit(int64_t budget);
  /// The bytes of the arena that fits, or of the smallest that was found, and
  /// the values that are in the way there.
  int64_t leastBytes = 0;
  llvm::SmallVector<mlir::Value> leastPeak;

  /// Counts a call that was added.
  void count(tgx::CallOp call) {
    ++launches;
    flops += countFlops(call);
  }

  /// What was added.
  int64_t launches = 0, flops = 0;

  /// Fails with a diagnostic that names the extents without a number, of inputs
  /// and of what a run finds: no budget can be kept for all of them.
  llvm::LogicalResult checkExtents();

private:
  tgx::KernelOp kernelOf(tgx::CallOp call) const {
    return module.lookup<tgx::KernelOp>(call.getKernel());
  }
  int64_t countFlops(tgx::CallOp call);
  std::optional<int64_t> costOf(tgx::CallOp call);
  /// The steps as `workspaces` counts them: those of the body, null for those
  /// in branches and loops, and for the ends of these.
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
  /// What the calls of steps were given, by the number of the step.
  llvm::DenseMap<unsigned, llvm::SmallVector<mlir::Value>> givenInputs;
  /// The value of each buffer that is new.
  llvm::DenseMap<unsigned, mlir::Value> valueOf;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_SCHEDULE_FUNCTIONFITTER_H
