//===- ProgramBuilder.h - fills the tables of a function ------------------===//
#ifndef TG_COMPILER_LIBRARY_PLAN_PROGRAMBUILDER_H
#define TG_COMPILER_LIBRARY_PLAN_PROGRAMBUILDER_H

#include "compiler/library/plan/ArenaLayout.h"

namespace tg {

/// Translates the ops of a scheduled function to the tables of a program.
class ProgramBuilder {
public:
  ProgramBuilder(const FunctionPlan &function, const ModelPlan &plan,
                 FunctionProgram &program)
      : function(function), plan(plan), program(program),
        arena(function.op, program) {}

  void build();

private:
  void addEntry();
  void addBases();
  /// Returns the slot of a buffer.
  tg_embedded_slot_t slotOf(mlir::Value buffer);
  tg_embedded_slot_t slotOfMemory(mlir::Operation *op);
  /// Returns the slot of the value of an expression over symbols.
  tg_embedded_slot_t slotOf(mlir::AffineExpr number);
  void addBlock(mlir::Block &block);
  void add(tgx::LaunchOp launch);
  void addChecks(tgx::LaunchOp launch, llvm::ArrayRef<KernelCheckPlan> checks);
  void add(tgx::CopyOp copy);
  void add(tgx::HostOp host);
  /// Appends the launch of a kernel of the user.
  void addGrid(tgx::HostOp host);
  /// Appends the slots of the operands of a step, then those of their extents.
  void addOperands(tgx::HostOp host);
  /// Records the results of a host step or of a kernel of the user, whose
  /// operands begin at a slot.
  void addResults(tgx::HostOp host, unsigned firstSlot);
  /// Record the results of the step that was added last, for traces.
  void addResults(tgx::LaunchOp launch);
  void addResult(unsigned slot, mlir::Type elementType, const ResultRows &rows);
  void add(tgx::MeasureOp measure);
  /// If `op` is the first op that touches the slab of a function that
  /// initializes it, adds a step before `op` that clears the slab.
  void clearBefore(mlir::Operation &op);
  void clear();
  void add(tgx::SwapOp swap);
  void add(tgx::ForOp loop);
  void add(tgx::WhileOp loop);
  void add(tgx::IfOp branch);
  void addAddress(tgx::ElementOp element);
  /// Appends a control step, which continues at its target or at the next step.
  /// Returns the index of the step.
  uint32_t addControl(uint32_t kind, uint32_t base,
                      llvm::ArrayRef<tg_embedded_slot_t> slots,
                      uint32_t target = 0);
  void setTarget(uint32_t step) {
    program.steps[step].target = program.steps.size();
  }
  uint32_t registerOf(mlir::Operation *op) const {
    return registers.lookup(op);
  }
  /// Moves the numbers that depend on data-dependent sizes to the end of the
  /// list.
  void sortNumbers();
  void addStep(uint32_t kind, uint32_t number, size_t firstSlot);
  /// Records that a step may change a variable if `buffer` belongs to one.
  void noteWrite(mlir::Value buffer) {
    wroteVariable |= bool(tgx::rootOf(buffer).getDefiningOp<tgx::SlabOp>());
  }

  const FunctionPlan &function;
  const ModelPlan &plan;
  FunctionProgram &program;
  ArenaLayout arena;
  /// The indices of the bases that hold the counters of loops and the addresses
  /// of loop elements.
  llvm::DenseMap<mlir::Operation *, uint32_t> registers;
  llvm::DenseMap<unsigned, uint32_t> constantOf;
  llvm::DenseMap<mlir::AffineExpr, uint32_t> numberOf;
  uint32_t argumentSlots = 0;
  /// True if the slab still has to be cleared.
  bool mustClear = false;
  /// True if a step so far may have changed a variable.
  bool wroteVariable = false;
  /// The number of loops and branches around the current op, and the number of
  /// steps added so far that tg_function_t.steps lists.
  unsigned depth = 0, timed = 0;
};

} // namespace tg

#endif // TG_COMPILER_LIBRARY_PLAN_PROGRAMBUILDER_H
