//===- FunctionProgram.h - a function as the tables that run it -----------===//
#ifndef TG_COMPILER_LIBRARY_PLAN_FUNCTIONPROGRAM_H
#define TG_COMPILER_LIBRARY_PLAN_FUNCTIONPROGRAM_H

#include "compiler/library/embedded/FunctionSteps.h"
#include "compiler/library/plan/ExpressionTable.h"

namespace tg {

/// The contents of a tg_embedded_host_step_t.
struct HostStep {
  uint32_t action;
  unsigned location;
  std::string text;
  std::vector<tg_embedded_host_value_t> values;
  uint32_t inputCount, outputCount;
  /// The first word of the expression for the staging bytes: see countStaging.
  uint32_t staging;
};

/// A check of elements: its index in the model, and its error cells.
struct ProgramCheck {
  unsigned index;
  uint32_t firstCell, cellCount;
};

/// The first base of each kind of slot, in the order in which the embedded
/// runtime fills the bases. Symbols begin at TG_EMBEDDED_BASE_SYMBOLS.
struct ProgramBases {
  uint32_t inputs = 0, outputs = 0, constants = 0, buffers = 0, registers = 0,
           hosts = 0, numbers = 0;
};

/// The contents of a tg_embedded_program_t and of the arrays that it points to.
struct FunctionProgram {
  ExpressionTable expressions;
  ProgramBases bases;
  std::vector<uint32_t> computed, exact, belowEnds, numbers;
  std::vector<tg_embedded_relation_t> relations;
  std::vector<tg_embedded_buffer_t> buffers;
  std::vector<tg_embedded_slot_t> slots;
  std::vector<tg_embedded_step_t> steps;
  std::vector<HostStep> hostSteps;
  std::vector<tg_embedded_grid_t> grids;
  /// The costs of the steps in tg_function_t.steps.
  std::vector<tg_embedded_cost_t> costs;
  /// The results of all steps of tg_function_t.steps, and the index of the
  /// first result of each step, followed by the number of results.
  std::vector<tg_embedded_result_t> results;
  std::vector<uint32_t> firstResults;
  std::vector<ProgramCheck> checks;
  /// The indices of constants and checks in the model.
  std::vector<unsigned> constants;
  /// The constant offsets of workspace buffers, by the `id` of the buffer.
  llvm::DenseMap<int64_t, int64_t> offsets;
  int64_t arenaBytes = 0, headerBytes = 0;
  /// The bytes of the host block of a device, without the staging bytes of host
  /// steps; 0 for a CPU.
  int64_t hostBlockBytes = 0;
  /// The alignment of the buffers of the arena, in bytes.
  uint32_t alignment = tgx::kAlignment;
  uint32_t flops = 0, traffic = 0, baseCount = 0, registerCount = 0;
  uint32_t firstDataDependentNumber = 0;
  /// Error cells of a run.
  uint32_t cellCount = TG_EMBEDDED_LEAST_CELLS;

  /// Returns the verified program of `function`. Emits a diagnostic and fails
  /// if it exceeds a limit of the tables.
  static llvm::FailureOr<FunctionProgram> create(const FunctionPlan &function,
                                                 const ModelPlan &plan);
};

/// Returns the number of staging bytes of a host step: its outputs until the
/// host function has filled them, and on a device copies of its inputs.
mlir::AffineExpr countStaging(tgx::HostOp host, bool isForDevice);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_PLAN_FUNCTIONPROGRAM_H
