//===- ScheduleGraph.h - launches and copies of a function in order -------===//
#ifndef TG_COMPILER_TRANSFORMS_SCHEDULE_SCHEDULEGRAPH_H
#define TG_COMPILER_TRANSFORMS_SCHEDULE_SCHEDULEGRAPH_H

#include "compiler/transforms/fusion/OrderedGraph.h"
#include "dialects/tg/extents/ExtentAnalysis.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "dialects/tgx/Tgx.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <memory>

namespace tg {

/// The attribute of a function in which rematerialization has repeated calls to
/// save memory. It becomes the attribute `recomputed` of the tgx.function.
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
    /// The buffer of `owner`, a result of a branch or loop. The value that a
    /// loop carries from iteration to iteration is in the buffer of the loop's
    /// result already in the first iteration.
    carried,
    /// The element of `owner`, along axis 0, that belongs to the current
    /// iteration of `loop`.
    element
  } kind = workspace;
  /// The index of an input or output.
  unsigned index = 0;
  /// The variable of a slab, or the variable that was packed.
  mlir::FlatSymbolRefAttr variable = {};
  mlir::Value owner = {};
  /// The loop of an element.
  mlir::Operation *loop = nullptr;

  bool operator==(const BufferAssignment &other) const {
    return kind == other.kind && index == other.index &&
           variable == other.variable && owner == other.owner &&
           loop == other.loop;
  }
  /// Returns the key of a cell, which is read and written as a whole: a
  /// variable or a carried value.
  const void *getCell() const {
    return kind == slab ? variable.getAsOpaquePointer()
                        : owner.getAsOpaquePointer();
  }
};

/// A launch, a host call, a measure, a branch or loop, a copy of `source` to
/// `target`, or an exchange of the buffers of `source` and `target`. While
/// steps are ordered, a join is a step that does nothing.
struct Step {
  /// A tgx::CallOp, a tgx::MeasureOp, a HostOpInterface or a RegionOpInterface;
  /// null for other steps.
  mlir::Operation *op = nullptr;
  mlir::Value source;
  BufferAssignment target;
  /// For a copy that restores a saved value: the index of the workspace in
  /// which an earlier copy saved it. The copy reads this workspace instead of
  /// `source`.
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
  /// getInputs() returns the values that the op uses, also in its regions, and
  /// getOutputs() its results. Both are empty for steps without an op.
  llvm::SmallVector<mlir::Value> getInputs() const;
  llvm::SmallVector<mlir::Value> getOutputs() const;
};

/// Decides where each value is stored and in which order a function runs, block
/// by block. Regions have graphs of their own.
///
/// A variable that is assigned once, at the end, is written in place by the
/// kernel that computes the new content, if all readers of the old content can
/// run before and the kernel itself reads it element by element. Otherwise the
/// new content is copied to the variable at the end. Steps that can fail run
/// before the first write to a variable; kernels that they depend on write
/// their results elsewhere. Host ops with effects keep the order of the
/// program. Carried values of loops are treated as variables. If a carried
/// value cannot be written in place, the buffers of the old and the new content
/// are exchanged.
class ScheduleGraph {
public:
  /// `kernels` has the called kernels, `extents` the extents of the function's
  /// values.
  ScheduleGraph(mlir::func::FuncOp function, const mlir::SymbolTable &kernels,
                const ExtentAnalysis &extents);

  /// Returns the steps in the order of execution.
  llvm::ArrayRef<Step> getSteps() const { return ordered; }
  BufferAssignment assignmentOf(mlir::Value root) const;
  /// Returns the value that owns the buffer of a value.
  mlir::Value memoryOf(mlir::Value value) const;
  /// Returns the graphs of the regions of a branch or loop in this block.
  llvm::ArrayRef<std::unique_ptr<ScheduleGraph>>
  regionsOf(mlir::Operation *control) const {
    return regions.find(control)->second;
  }
  mlir::Block &getBlock() const { return block; }
  /// Returns the number of workspaces for copies, in addition to the buffers of
  /// values.
  unsigned getTemporaryCount() const { return temporaryCount; }

private:
  class ReadySteps;

  /// Constructs the graph of a region of `control`, an op in the block of
  /// `parent`.
  ScheduleGraph(mlir::Block &block, mlir::Operation *control,
                ScheduleGraph &parent);

  /// Returns true if steps keep the order of the program, because
  /// rematerialization has planned the memory for this order.
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
  bool canBeWrittenDirectly(mlir::Value root) const;
  bool canFail(const Step &step) const;
  /// Returns true if the step, or a step that depends on it, can fail.
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
  /// The order constraints between steps, by index.
  OrderedGraph graph;
  llvm::DenseMap<mlir::Operation *, unsigned> stepOf;
  llvm::DenseMap<mlir::Value, BufferAssignment> assignments;
  llvm::DenseMap<mlir::Operation *, std::vector<std::unique_ptr<ScheduleGraph>>>
      regions;
  /// Steps that read the initial content of a cell, and steps that write it.
  llvm::DenseMap<const void *, llvm::SmallVector<unsigned>> readers, writers;
  /// For each value: the steps that read it, and the step after them that
  /// exchanges its buffer, if any.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<unsigned>> valueReaders;
  llvm::DenseMap<mlir::Value, unsigned> swaps;
  /// Results of the loop around this region whose buffers are exchanged with
  /// the buffers of new contents. Exchanged buffers are workspaces.
  llvm::DenseSet<mlir::Value> swapped;
  /// All steps that write variables.
  llvm::SmallVector<unsigned> slabWriters;
  /// All steps that can fail.
  llvm::SmallVector<unsigned> checks;
  /// The number of workspaces for copies in all blocks of the function. Only
  /// the root graph counts them.
  unsigned temporaryCount = 0;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_SCHEDULE_SCHEDULEGRAPH_H
