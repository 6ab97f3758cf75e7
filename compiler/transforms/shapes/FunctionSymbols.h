//===- FunctionSymbols.h - the dynamic sizes of a function ----------------===//
#ifndef TG_COMPILER_TRANSFORMS_SHAPES_FUNCTIONSYMBOLS_H
#define TG_COMPILER_TRANSFORMS_SHAPES_FUNCTIONSYMBOLS_H

#include "dialects/tg/extents/Extents.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AffineMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

namespace tg {

/// What an unknown extent of an argument is called: what `tg.dims` says, else
/// `<input>.<dim>`.
std::string extentName(mlir::func::FuncOp function, unsigned argument,
                       unsigned axis);

/// The extents that a tensor's type tells; those that are `?` are what
/// `symbolOf` gives for their axis.
llvm::SmallVector<mlir::AffineExpr>
extentsOfType(mlir::Value value,
              llvm::function_ref<mlir::AffineExpr(unsigned)> symbolOf);

/// The number that an expression has when every symbol is 64: what plans that
/// hold for all extents are made for.
int64_t plannedNumber(mlir::AffineExpr expression);

/// One symbol per number that a function learns from its inputs, and the
/// extents of all its values over them. Equal names in `tg.dims` are one
/// symbol; an unnamed `?` of an input is called `<input>.<dim>`.
class FunctionSymbols {
public:
  /// Analyses the body. Fails with a diagnostic wherever a shape rule fails, an
  /// extent is not known at entry and has no bound, or two extents that must be
  /// equal never are.
  static mlir::FailureOr<FunctionSymbols> create(mlir::func::FuncOp function);

  /// Analyses the body of a function without a word, for the analysis manager.
  /// Passes that keep it set the extents of what they make.
  explicit FunctionSymbols(mlir::Operation *function);
  /// Fails, with the diagnostics of `create`, unless that came to its end.
  llvm::LogicalResult verify(mlir::func::FuncOp function) const;

  /// The names of the symbols, in the order in which arguments bind them; then
  /// come those that a run finds and `tgx.measure` binds.
  llvm::ArrayRef<std::string> getNames() const { return names; }
  unsigned getBoundCount() const { return boundCount; }

  /// Extents of all values of the body.
  ExtentAnalysis &getAnalysis() { return analysis; }
  const ExtentAnalysis &getAnalysis() const { return analysis; }

  /// Analyses an op that was put into the body.
  void add(mlir::Operation *op);

  /// What must hold on entry, or when what a run finds is measured: the checks
  /// of the ops, then those of named extents of results, whose op is the
  /// return. Without those that always hold, without duplicates, and without
  /// those of numbers that are not known (the start of a slice that an input
  /// gives): kernels check them.
  llvm::ArrayRef<ExtentCheck> getChecks() const { return checks; }

  /// ()[s...] -> (extents) over all symbols of the function.
  mlir::AffineMap mapOf(llvm::ArrayRef<mlir::AffineExpr> extents) const;

  /// The extents as text over the names, such as "batch * 4".
  std::string print(mlir::AffineExpr extent) const;

private:
  FunctionSymbols(mlir::func::FuncOp function, bool isQuiet);

  void bindArguments(mlir::func::FuncOp function);
  void bindFound(mlir::func::FuncOp function);
  llvm::LogicalResult analyzeBody(mlir::func::FuncOp function);
  llvm::LogicalResult checkKnown(mlir::Operation *op) const;
  /// Fails, saying that an extent of a result is not known at entry.
  llvm::LogicalResult reportUnknown(mlir::OpResult result, size_t axis,
                                    mlir::AffineExpr extent) const;
  llvm::LogicalResult addCheck(const ExtentCheck &check);
  llvm::LogicalResult checkResults(mlir::func::FuncOp function);
  mlir::AffineExpr symbolOf(llvm::StringRef name);
  /// The symbol of a name; null without one.
  mlir::AffineExpr findSymbol(llvm::StringRef name) const;

  mlir::MLIRContext *context;
  bool isQuiet, isValid = true;
  ExtentAnalysis analysis;
  llvm::SmallVector<std::string> names;
  unsigned boundCount = 0;
  llvm::StringMap<unsigned> numbers;
  llvm::SmallVector<ExtentCheck> checks;
  /// Block, found, expected and relation of all checks that were looked at.
  llvm::DenseSet<
      std::tuple<mlir::Block *, mlir::AffineExpr, mlir::AffineExpr, unsigned>>
      known;
};

/// Writes down what must hold on entry, when a region begins, or when a run has
/// found a number, once, as ops at that place: the checks of the ops that are
/// wanted. Kernels do not ask again.
void recordEntryChecks(mlir::func::FuncOp function,
                       const FunctionSymbols &symbols,
                       llvm::function_ref<bool(mlir::Operation *)> isWanted);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_SHAPES_FUNCTIONSYMBOLS_H
