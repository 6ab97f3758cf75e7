//===- ScheduleGraph.h - launches and copies of a function in order -------===//
#ifndef TG_COMPILER_TRANSFORMS_SCHEDULEGRAPH_H
#define TG_COMPILER_TRANSFORMS_SCHEDULEGRAPH_H

#include "compiler/transforms/OrderedGraph.h"
#include "dialects/tg/Extents.h"
#include "dialects/tg/StateOps.h"
#include "dialects/tgx/Tgx.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

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
    workspace
  } kind = workspace;
  /// Of an input or output.
  unsigned index = 0;
  /// Of the slab, or the variable that was packed.
  mlir::FlatSymbolRefAttr variable;

  bool operator==(const BufferAssignment &other) const {
    return kind == other.kind && index == other.index &&
           variable == other.variable;
  }
};

/// A launch, or a copy of `source` to `target`. While steps are put in order, a
/// join is one that does nothing.
struct Step {
  tgx::CallOp call;
  mlir::Value source;
  BufferAssignment target;
  /// A copy that reads what an earlier one saved in this temporary buffer, a
  /// workspace with this index, and not `source` itself.
  std::optional<unsigned> restored = std::nullopt;
};

/// Decides where each value lies and in which order a function runs.
///
/// A variable that is assigned once, at the end, is written in place by the
/// kernel that computes it, if everything that reads the old content can run
/// before and the kernel itself reads it element by element; else it is copied
/// at the end. Kernels that can fail run before the first write to a variable
/// where data allows.
class ScheduleGraph {
public:
  /// `kernels` has those that the function calls, `extents` knows its values.
  ScheduleGraph(mlir::func::FuncOp function, const mlir::SymbolTable &kernels,
                const ExtentAnalysis &extents);

  /// In the order of execution.
  llvm::ArrayRef<Step> getSteps() const { return ordered; }
  BufferAssignment assignmentOf(mlir::Value root) const {
    return assignments.lookup(root);
  }
  /// Workspaces that copies need beside those of values.
  unsigned getTemporaryCount() const { return temporaries; }

private:
  class ReadySteps;

  /// Whether steps keep the order of the program: memory was fitted to it.
  bool isInOrder() const {
    return mlir::func::FuncOp(function)->hasAttr(kRecomputed);
  }
  void collect();
  tgx::KernelOp kernelOf(tgx::CallOp call) const;
  mlir::FlatSymbolRefAttr packedVariable(tgx::CallOp call) const;
  void addAssign(AssignOp assign);
  void addReturn(unsigned index, mlir::Value value);
  bool canWriteInPlace(tgx::CallOp call, mlir::Value result,
                       mlir::FlatSymbolRefAttr variable) const;
  unsigned addStep(Step step);
  void addReader(mlir::Value value, unsigned step);
  bool orderWriter(unsigned writer, mlir::FlatSymbolRefAttr variable);
  void addCopy(mlir::Value source, BufferAssignment target);
  void orderChecks();
  int64_t bytesOf(mlir::Value memory) const;
  void sort();

  mlir::func::FuncOp function;
  const mlir::SymbolTable &kernels;
  const ExtentAnalysis &extents;
  llvm::SmallVector<Step> steps, ordered;
  /// Steps by number, and what must run before what.
  OrderedGraph graph;
  llvm::DenseMap<mlir::Operation *, unsigned> stepOf;
  llvm::DenseMap<mlir::Value, BufferAssignment> assignments;
  /// Steps that read what a variable held on entry, and that write it.
  llvm::DenseMap<mlir::Attribute, llvm::SmallVector<unsigned>> readers, writers;
  /// All that write variables.
  llvm::SmallVector<unsigned> slabWriters;
  unsigned temporaries = 0;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_SCHEDULEGRAPH_H
