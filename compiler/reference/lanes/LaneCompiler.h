//===- LaneCompiler.h - from scalar ops to the steps of a program ---------===//
#ifndef TG_COMPILER_REFERENCE_LANES_LANECOMPILER_H
#define TG_COMPILER_REFERENCE_LANES_LANECOMPILER_H

#include "compiler/reference/lanes/LaneProgram.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tg {

/// Adds the steps of scalar ops to a program. The first op that has no step
/// sets the error of the program.
class LaneCompiler {
public:
  explicit LaneCompiler(LaneProgram &program) : program(program) {}

  /// Adds the arguments, the steps and the results of the body.
  void compileBody(mlir::Block &block);

private:
  using Lanes = LaneProgram::Lanes;
  using Steps = LaneProgram::Steps;

  void compile(mlir::Block &block, Steps &steps);
  void compile(mlir::Operation &op);
  /// Return true if the op belongs to the group and has a step.
  bool compileFloats(mlir::Operation &op);
  bool compileFunctions(mlir::Operation &op);
  bool compileIntegers(mlir::Operation &op);
  bool compileSignedIntegers(mlir::Operation &op);
  bool compileConversion(mlir::Operation &op);
  bool compileOther(mlir::Operation &op);
  void compileConstant(mlir::Operation &op);
  void compileFusedProduct(mlir::Operation &op);
  void compileWideProduct(mlir::Operation &op);
  void compileSelect(mlir::Operation &op);
  void compileExtract(mlir::tensor::ExtractOp op);
  void compileIf(mlir::scf::IfOp op);
  void compileFor(mlir::scf::ForOp op);
  void compileWhile(mlir::scf::WhileOp op);

  /// Returns the lanes of a value; allocates them at the first use.
  char *lanesOf(mlir::Value value);
  template <typename T> T *lanes(mlir::Value value) {
    return reinterpret_cast<T *>(lanesOf(value));
  }
  /// Adds a step that copies the active lanes of each value to a target.
  void copy(mlir::ValueRange from, mlir::ValueRange to, Steps &steps);

  /// Add a step that computes the lanes of the only result from those of one,
  /// two or three operands of one type.
  template <typename T, typename Function>
  void addUnary(mlir::Operation &op, Function function);
  template <typename T, typename Function>
  void addBinary(mlir::Operation &op, Function function);
  template <typename To, typename From, typename Function>
  void addConversion(mlir::Operation &op, Function function);
  /// Call the above with the type of the operands.
  template <typename Function>
  bool floats(mlir::Operation &op, Function function);
  template <typename Function>
  bool integers(mlir::Operation &op, Function function);
  template <typename Function>
  bool signedIntegers(mlir::Operation &op, Function function);
  template <typename Function>
  bool comparison(mlir::Operation &op, Function function);

  LaneProgram &program;
  /// The steps to which compile() appends.
  Steps *steps = nullptr;
  llvm::DenseMap<mlir::Value, char *> lanesByValue;
  /// The numbers of the arguments that are tensors.
  llvm::DenseMap<mlir::Value, unsigned> tensorArguments;
};

} // namespace tg

#endif // TG_COMPILER_REFERENCE_LANES_LANECOMPILER_H
