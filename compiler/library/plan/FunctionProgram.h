//===- FunctionProgram.h - a function as the tables that run it -----------===//
#ifndef TG_COMPILER_LIBRARY_PLAN_FUNCTIONPROGRAM_H
#define TG_COMPILER_LIBRARY_PLAN_FUNCTIONPROGRAM_H

#include "compiler/library/embedded/FunctionSteps.h"
#include "compiler/library/plan/ExpressionTable.h"

namespace tg {

/// The parts of tg_embedded_host_step_t.
struct HostStep {
  uint32_t action;
  unsigned location;
  std::string text;
  std::vector<tg_embedded_host_value_t> values;
  uint32_t inputCount, outputCount;
  /// The first word of an expression.
  uint32_t staging;
};

/// The first base of each kind of slots, in the order in which the embedded
/// runtime fills bases. Symbols begin at TG_EMBEDDED_BASE_SYMBOLS.
struct ProgramBases {
  uint32_t inputs = 0, outputs = 0, constants = 0, buffers = 0, registers = 0,
           hosts = 0, numbers = 0;
};

/// The parts of tg_embedded_program_t, and what its pointers point to.
struct FunctionProgram {
  ExpressionTable expressions;
  ProgramBases bases;
  std::vector<uint32_t> computed, exact, belowEnds, numbers;
  std::vector<tg_embedded_relation_t> relations;
  std::vector<tg_embedded_buffer_t> buffers;
  std::vector<tg_embedded_slot_t> slots;
  std::vector<tg_embedded_step_t> steps;
  std::vector<HostStep> hostSteps;
  /// The costs of the steps of tg_function_t.
  std::vector<tg_embedded_cost_t> costs;
  /// Their numbers in the model.
  std::vector<unsigned> constants, checks;
  /// The offsets of the buffers of the workspace that begin at a constant, by
  /// their `id`.
  llvm::DenseMap<int64_t, int64_t> offsets;
  int64_t arenaBytes = 0, headerBytes = 0;
  uint32_t flops = 0, traffic = 0, baseCount = 0, registerCount = 0;
  uint32_t firstFoundNumber = 0;

  /// Returns the program of `function`, verified. Fails with a diagnostic if
  /// the tables have no room for it.
  static llvm::FailureOr<FunctionProgram> create(const FunctionPlan &function,
                                                 const ModelPlan &plan);
};

/// Returns the bytes that the outputs of a call take while the host fills them.
mlir::AffineExpr countStaging(tgx::HostOp host);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_PLAN_FUNCTIONPROGRAM_H
