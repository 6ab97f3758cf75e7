//===- FunctionSymbols.h - the symbols of a function ----------------------===//
#ifndef TG_COMPILER_TRANSFORMS_SHAPES_FUNCTIONSYMBOLS_H
#define TG_COMPILER_TRANSFORMS_SHAPES_FUNCTIONSYMBOLS_H

#include "dialects/tg/extents/ExtentAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AffineMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

namespace tg {

/// Returns the name of a dynamic extent of an argument: the name in `tg.dims`,
/// else `<input>.<dim>`.
std::string extentName(mlir::func::FuncOp function, unsigned argument,
                       unsigned axis);

/// Returns the extents of a tensor's type. `symbolOf` gives the extents of `?`
/// axes.
llvm::SmallVector<mlir::AffineExpr>
extentsOfType(mlir::Value value,
              llvm::function_ref<mlir::AffineExpr(unsigned)> symbolOf);

/// Returns the value of an expression with every symbol equal to 64. Plans that
/// hold for all extents are made for this value.
int64_t plannedNumber(mlir::AffineExpr expression);

/// The symbols of a function, which stand for the dynamic extents of its inputs
/// and for data-dependent sizes, and the extents of all its values over these
/// symbols. Extents with equal names in `tg.dims` are one symbol. An unnamed
/// `?` of an input is called `<input>.<dim>`.
class FunctionSymbols {
public:
  /// Analyzes the body. Fails with a diagnostic for each shape rule that fails,
  /// for each extent that is unknown at entry and has no bound, and for two
  /// extents that must be equal but never are.
  static mlir::FailureOr<FunctionSymbols> create(mlir::func::FuncOp function);

  /// Analyzes the body of a function without diagnostics, for the analysis
  /// manager. Passes that preserve the analysis set the extents of their new
  /// values.
  explicit FunctionSymbols(mlir::Operation *function);
  /// Fails, with the diagnostics of `create`, if the analysis failed.
  llvm::LogicalResult verify(mlir::func::FuncOp function) const;

  /// Returns the names of the symbols, in the order in which arguments bind
  /// them. The names of data-dependent sizes, bound by `tgx.measure`, follow.
  llvm::ArrayRef<std::string> getNames() const { return names; }
  unsigned getBoundCount() const { return boundCount; }

  /// Returns the extents of all values of the body.
  ExtentAnalysis &getAnalysis() { return analysis; }
  const ExtentAnalysis &getAnalysis() const { return analysis; }

  /// Analyzes an op that was inserted into the body.
  void add(mlir::Operation *op);

  /// Returns the conditions to check on entry, or when a data-dependent size is
  /// measured: the checks of the ops, then the checks of named extents of
  /// results, whose op is the return. Omits checks that always hold,
  /// duplicates, and checks of numbers that are not known then, such as the
  /// start of a slice that an input gives; kernels check these.
  llvm::ArrayRef<ExtentCheck> getChecks() const { return checks; }

  /// Returns ()[s...] -> (extents) over all symbols of the function.
  mlir::AffineMap mapOf(llvm::ArrayRef<mlir::AffineExpr> extents) const;

  /// Returns the extent as text over the names, such as "batch * 4".
  std::string print(mlir::AffineExpr extent) const;

private:
  FunctionSymbols(mlir::func::FuncOp function, bool isQuiet);

  void bindArguments(mlir::func::FuncOp function);
  void bindDataDependent(mlir::func::FuncOp function);
  llvm::LogicalResult analyzeBody(mlir::func::FuncOp function);
  llvm::LogicalResult checkKnown(mlir::Operation *op) const;
  /// Fails with the diagnostic that an extent of a result is unknown at entry.
  llvm::LogicalResult reportUnknown(mlir::OpResult result, size_t axis,
                                    mlir::AffineExpr extent) const;
  llvm::LogicalResult addCheck(const ExtentCheck &check);
  llvm::LogicalResult checkResults(mlir::func::FuncOp function);
  mlir::AffineExpr symbolOf(llvm::StringRef name);
  /// Returns the symbol of a name; null if there is none.
  mlir::AffineExpr findSymbol(llvm::StringRef name) const;

  mlir::MLIRContext *context;
  bool isQuiet, isValid = true;
  ExtentAnalysis analysis;
  llvm::SmallVector<std::string> names;
  unsigned boundCount = 0;
  llvm::StringMap<unsigned> symbolIndices;
  llvm::SmallVector<ExtentCheck> checks;
  /// Block, found, expected and relation of all visited checks.
  llvm::DenseSet<
      std::tuple<mlir::Block *, mlir::AffineExpr, mlir::AffineExpr, unsigned>>
      visitedChecks;
};

/// Records the checks of the ops for which `shouldRecord` is true as ops, each
/// once: at the function's entry, at the beginning of a region, or after a
/// measure. Kernels do not repeat these checks.
void recordEntryChecks(
    mlir::func::FuncOp function, const FunctionSymbols &symbols,
    llvm::function_ref<bool(mlir::Operation *)> shouldRecord);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_SHAPES_FUNCTIONSYMBOLS_H
