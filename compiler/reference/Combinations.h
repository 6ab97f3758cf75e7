//===- Combinations.h - the code of a reduction, run on lanes -------------===//
#ifndef TG_COMPILER_REFERENCE_COMBINATIONS_H
#define TG_COMPILER_REFERENCE_COMBINATIONS_H

#include "compiler/reference/lanes/LaneProgram.h"
#include "dialects/tg/Tg.h"

namespace tg {

/// The methods of a reduction that build code, as programs over any number of
/// lanes. Lanes of all values are raw bytes, in arrays of equal length.
class Combinations {
public:
  using Build = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::OpBuilder &builder, mlir::ValueRange arguments)>;

  /// A program that maps arrays to arrays.
  class Program {
  public:
    Program(mlir::Operation *op, llvm::ArrayRef<mlir::Type> arguments,
            Build build);

    /// Computes `count` lanes of all results from those of all arguments. A
    /// result may be an argument.
    void run(llvm::ArrayRef<const void *> arguments,
             llvm::ArrayRef<void *> results, int64_t count);
    llvm::ArrayRef<mlir::Type> getResultTypes() const { return resultTypes; }
    const std::string &getError() const { return program->getError(); }

  private:
    llvm::SmallVector<mlir::Type> argumentTypes, resultTypes;
    std::unique_ptr<LaneProgram> program;
  };

  explicit Combinations(ReductionOpInterface op) : op(op) {}

  /// Return the neutral element in the type of elements, and combinations of
  /// two of them.
  Program makeNeutral(mlir::Type type) const;
  Program makeCombine(mlir::Type type) const;
  /// Returns the terms of an element and its pivot.
  Program makeTerms(mlir::Type type) const;
  /// Returns the total of a part from its terms, its pivot and its number of
  /// elements.
  Program makeTotal(mlir::Type type) const;
  /// Returns the total of two totals of the types, each followed by its number
  /// of elements.
  Program makeMerge(llvm::ArrayRef<mlir::Type> total) const;
  /// Returns the results from a total of the types and its number of elements.
  Program makeResults(llvm::ArrayRef<mlir::Type> total) const;

private:
  mutable ReductionOpInterface op;
};

} // namespace tg

#endif // TG_COMPILER_REFERENCE_COMBINATIONS_H
