//===- ScheduleGraph.h - launches and copies of a function in order -------===//
#ifndef TG_COMPILER_TRANSFORMS_SCHEDULE_SCHEDULEGRAPH_H
#define TG_COMPILER_TRANSFORMS_SCHEDULE_SCHEDULEGRAPH_H

#include "compiler/transforms/fusion/OrderedGraph.h"
#include "dialects/tg/extents/Extents.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "dialects/tgx/Tgx.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <memory>

namespace tg {

/// The attribute of a function whose calls were repeated to save memory: what
/// `recomputed` of a tgx.function says.
inline constexpr llvm::StringLiteral kRecomputed = "tgx.recomputed";

/// The buffer that holds a value.
struct BufferAssignment {
  enum Kind {
    input,
    output,
    slab,
    constant,
    packed,
    workspace,
    /// That of `of`, a result of a branch or loop: what a loop carries has the
    /// memory of its result from the start.
    carried,
    /// The element of `of` that belongs to a trip of a loop.
    element
  } kind = workspace;
  /// Of an input or output.
  unsigned index = 0;
  /// Of the slab, or the variable that was packed.
  mlir::FlatSymbolRefAttr variable = {};
  mlir::Value of = {};
  /// The loop of an element.
  mlir::Operation *loop = nullptr;

  bool operator==(const BufferAssignment &other) const {
    return kind == other.kind && index == other.index &&
           variable == other.variable && of == other.of && loop == other.loop;
  }
  /// What is read and written as a whole: a variable or a carried value.
  const void *getCell() const {
    return kind == slab ? variable.getAsOpaquePointer()
                        : of.getAsOpaquePointer();
  }
};

/// A launch, a turn to the host, a measure, a branch or loop, a copy of
/// `source` to `target`, or an exchange of both. While steps are put in order,
/// a join is one that does nothing.
struct Step {
  /// A tgx::CallOp, a tgx::MeasureOp, a HostOpInterface or a RegionOpInterface;
  /// null for others.
  mlir::Operation *op = nullptr;
  mlir::Value source;
  BufferAssignment target;
  /// A copy that reads what an earlier one saved in this temporary buffer, a
  /// workspace with this index, and not `source` itself.
  std::optional<unsigned> restored = std::nullopt;
  bool isSwap = false;

  tgx::CallOp getCall() const {
    return mlir::dyn_cast_if_present<tgx::CallOp>(op);
  }
  HostOpInterface getHost() const {
    return mlir::dyn_cast_if_present<HostOpInterface>(op);
  }
  RegionOpInterface getControl() const {
    return mlir::dyn_cast_if_present<RegionOpInterface>(op);
  }
  /// What an op uses, also in its regions, and what it makes; nothing for
  /// others.
  llvm::SmallVector<mlir::Value> getInputs() const;
  llvm::SmallVector<mlir::Value> getOutputs() const;
};

/// Decides where each value lies and in which order a function runs, block by
/// block: regions have graphs of their own.
///
/// A variable that is assigned once, at the end, is written in place by the
/// kernel that computes it, if everything that reads the old content can run
/// before and the kernel itself reads it element by element; else it is copied
/// at the end. What can fail runs before the first write to a variable: kernels
/// that it needs write their results elsewhere. Effects on the host keep the
/// order of the program. What a loop carries is such a variable; where it
/// cannot be written in place, the buffers of the old and the new content are
/// exchanged.
class ScheduleGraph {
public:
  /// `kernels` has those that the function calls, `extents` knows its values.
  ScheduleGraph(mlir::func::FuncOp function, const mlir::SymbolTable &kernels,
                const ExtentAnalysis &extents);

  /// In the order of execution.
  llvm::ArrayRef<Step> getSteps() const { return ordered; }
  BufferAssignment assignmentOf(mlir::Value root) const;
  /// The value whose buffer a value lies in.
  mlir::Value memoryOf(mlir::Value value) const;
  /// The graphs of the regions of a branch or loop in this block.
  llvm::ArrayRef<std::unique_ptr<ScheduleGraph>>
  regionsOf(mlir::Operation *control) const {
    return regions.find(control)->second;
  }
  mlir::Block &getBlock() const { return block; }
  /// Workspaces that copies need beside those of values.
  unsigned getTemporaryCount() const { return temporaries; }

private:
  class ReadySteps;

  /// Of a region of `control`, in the block of `parent`.
  ScheduleGraph(mlir::Block &block, mlir::Operation *control,
                ScheduleGraph &parent);

  /// Whether steps keep the order of the program: memory was fitted to it.
  bool isInOrder() const {
    return mlir::func::FuncOp(function)->hasAttr(kRecomputed);
  }
  void collect();
  void collectOp(mlir::Operation *op);
  void collectControl(mlir::Operation *control);
  void addInit(mlir::Value init, mlir::Value result, unsigned control);
  ScheduleGraph &rootGraph();
  tgx::KernelOp kernelOf(tgx::CallOp call) const;
  mlir::FlatSymbolRefAttr packedVariable(tgx::CallOp call) const;
  void addContent(const BufferAssignment &cell, mlir::Value value);
  void addReturn(const BufferAssignment &target, mlir::Value value);
  bool canLieElsewhere(mlir::Value root) const;
  bool canFail(const Step &step) const;
  /// Whether something that can fail needs what a step makes.
  bool isCheckedLater(unsigned step);
  bool canWriteInPlace(tgx::CallOp call, mlir::Value result,
                       const BufferAssignment &cell) const;
  unsigned addStep(Step step);
  void addReader(mlir::Value value, unsigned step);
  bool orderWriter(unsigned writer, const BufferAssignment &cell);
  unsigned addCopy(mlir::Value source, BufferAssignment target);
  void addSwap(mlir::Value root, const BufferAssignment &cell);
  void orderChecks();
  void orderMeasures();
  int64_t bytesOf(mlir::Value memory) const;
  void sort();

  mlir::func::FuncOp function;
  mlir::Block &block;
  ScheduleGraph *parent = nullptr;
  const mlir::SymbolTable &kernels;
  const ExtentAnalysis &extents;
  llvm::SmallVector<Step> steps, ordered;
  /// Steps by number, and what must run before what.
  OrderedGraph graph;
  llvm::DenseMap<mlir::Operation *, unsigned> stepOf;
  llvm::DenseMap<mlir::Value, BufferAssignment> assignments;
  llvm::DenseMap<mlir::Operation *, std::vector<std::unique_ptr<ScheduleGraph>>>
      regions;
  /// Steps that read what a cell held at first, and that write it.
  llvm::DenseMap<const void *, llvm::SmallVector<unsigned>> readers, writers;
  /// Steps that read a value, and the one that then exchanges it.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<unsigned>> valueReaders;
  llvm::DenseMap<mlir::Value, unsigned> swaps;
  /// Results of the loop whose region this is that are exchanged with others:
  /// they lie in workspaces.
  llvm::DenseSet<mlir::Value> swapped;
  /// All that write variables.
  llvm::SmallVector<unsigned> slabWriters;
  /// All that can fail.
  llvm::SmallVector<unsigned> checks;
  /// Of all blocks, counted by that of the function.
  unsigned temporaries = 0;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_SCHEDULE_SCHEDULEGRAPH_H
