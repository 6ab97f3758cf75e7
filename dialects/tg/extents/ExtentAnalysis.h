//===- ExtentAnalysis.h - extents of all values of a region ---------------===//
#ifndef TG_DIALECTS_TG_EXTENTS_EXTENTANALYSIS_H
#define TG_DIALECTS_TG_EXTENTS_EXTENTANALYSIS_H

#include "dialects/tg/extents/Extents.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir {
class SymbolTableCollection;
} // namespace mlir

namespace tg {

/// A rank-0 operand whose value must lie in [0, bound) when its op runs, so
/// that nothing outside of a tensor is accessed.
struct SizeBound {
  unsigned operand;
  mlir::AffineExpr bound;
};

/// A requirement that must hold when a function runs.
struct ExtentCheck {
  mlir::Operation *op;
  /// The block in which the requirement must hold: the block of the op, or of
  /// one of its regions.
  mlir::Block *block;
  mlir::AffineExpr found;
  ExtentRelation relation;
  mlir::AffineExpr expected;
  std::string what;
  std::string label;
};

/// A data-dependent number, and its upper bound.
struct DataDependentSize {
  /// The symbol.
  mlir::AffineExpr number;
  /// The op that bounds the number; its message reports a run that exceeds the
  /// bound.
  mlir::Operation *op;
  /// The rank-0 value of the number; null for an extent of the op itself.
  mlir::Value value;
  /// The upper bound, over the numbers known at entry.
  mlir::AffineExpr most;
  std::string what;
  std::string label;
};

/// The extents of all values of a function-like region, over the symbols of its
/// arguments, and the checks that its ops require.
class ExtentAnalysis {
public:
  /// A quiet analysis fails without emitting the messages of the rules.
  explicit ExtentAnalysis(mlir::MLIRContext *context, bool isQuiet = false)
      : context(context), isQuiet(isQuiet) {}

  /// Sets the extents of an argument, or of any other value, in place of a
  /// shape rule.
  void setExtents(mlir::Value value, llvm::ArrayRef<mlir::AffineExpr> dims);
  void setSize(mlir::Value value, mlir::AffineExpr size);
  /// Sets the extents of the results of an op whose rule failed from their
  /// types, and their sizes to unknown numbers.
  void setFromTypes(mlir::Operation *op);

  /// Visits the ops of a block in order. Fails where a shape rule fails, with
  /// the rule's message. Unknown sizes become symbols from
  /// `firstUnknownSymbol` on: extents that are not known at entry.
  llvm::LogicalResult run(mlir::Block &block, unsigned firstUnknownSymbol);
  /// Visits one op. Callers that visit many ops pass tables, so that symbols
  /// are found without a walk over all of them. The tables keep the symbols of
  /// their first use.
  llvm::LogicalResult visit(mlir::Operation *op,
                            mlir::SymbolTableCollection *tables = nullptr);

  llvm::ArrayRef<mlir::AffineExpr> extentsOf(mlir::Value value) const;
  /// Return the number of elements of a tensor, and the upper bound of its size
  /// in bytes.
  mlir::AffineExpr countElements(mlir::Value value) const;
  mlir::AffineExpr countBytes(mlir::Value value) const;
  /// Returns the value of a size, or null if it is not known.
  mlir::AffineExpr sizeOf(mlir::Value value) const;
  /// Returns the upper bound of a data-dependent symbol, and null for other
  /// symbols.
  const DataDependentSize *findFound(mlir::AffineExpr symbol) const;
  /// Declares that a symbol is data-dependent and at most `most`, an expression
  /// over the numbers known at entry.
  void setUpperBound(mlir::AffineExpr symbol, mlir::AffineExpr most);
  /// Returns the upper bound of a number over the numbers known at entry.
  /// Returns the number itself if it is made only of these, and null without a
  /// bound.
  mlir::AffineExpr upperBoundOf(mlir::AffineExpr number) const;
  bool hasExtents(mlir::Value value) const { return extents.count(value); }
  llvm::ArrayRef<ExtentCheck> getChecks() const { return checks; }
  /// Returns true if a number, or all extents of a value, follow from the
  /// numbers known at entry.
  bool isKnownAtEntry(mlir::AffineExpr number) const;
  bool isKnownAtEntry(mlir::Value value) const;
  /// Returns true if a number is unknown because its expression had too many
  /// parts.
  bool isTooLarge(mlir::AffineExpr number) const;

private:
  friend class AnalysisInference;
  /// The lower and the upper bound of a number; null without a bound.
  struct Range {
    mlir::AffineExpr least, most;
  };
  Range rangeOf(mlir::AffineExpr number) const;
  Range rangeOfProduct(const Range &lhs, const Range &rhs) const;
  Range rangeOfQuotient(mlir::AffineExprKind kind, const Range &lhs,
                        const Range &rhs) const;
  bool areEqual(mlir::AffineExpr a, mlir::AffineExpr b,
                const mlir::Block &block) const;

  mlir::MLIRContext *context;
  bool isQuiet;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::AffineExpr>> extents;
  llvm::DenseMap<mlir::Value, mlir::AffineExpr> sizes;
  llvm::SmallVector<ExtentCheck> checks;
  /// Two numbers that are checked to be equal, and the block of the check.
  struct Equality {
    mlir::Block *block;
    mlir::AffineExpr first, second;
  };
  llvm::SmallVector<Equality> equalities;
  unsigned firstUnknown = 0, nextUnknown = 0;
  using VaryingAxis = std::pair<mlir::Value, unsigned>;
  /// An extent that varies and has no bound yet.
  struct OpenBound {
    VaryingAxis axis;
    mlir::Operation *loop;
    mlir::AffineExpr number, first, next;
    std::string what;
  };
  /// The state of the outermost loop that is visited: the carried extents that
  /// vary, their bounds, and whether the visit found more of either. The bounds
  /// are right once nothing more varies.
  struct VisitedLoops {
    llvm::DenseSet<VaryingAxis> varying;
    llvm::DenseMap<VaryingAxis, mlir::AffineExpr> bounds;
    llvm::SmallVector<OpenBound> open;
    bool variesMore = false, boundsMore = false;
  };
  std::optional<VisitedLoops> loops;
  /// The numbers that replace expressions with too many parts.
  llvm::DenseSet<mlir::AffineExpr> tooLarge;
  /// The expressions that were accepted, and the budget of parts for further
  /// expressions. The budget is more than any model needs; it bounds the time
  /// for hostile input.
  llvm::DenseSet<mlir::AffineExpr> kept;
  unsigned partsLeft = 1u << 21;
  /// The budget of repeated visits of loops, for the same reason.
  unsigned repeatsLeft = 1u << 12;
  /// The values that symbols in `sizes` were made for.
  llvm::DenseMap<mlir::AffineExpr, mlir::Value> numbered;
  /// The upper bounds of data-dependent symbols.
  llvm::DenseMap<mlir::AffineExpr, DataDependentSize> found;
  /// Caches whether expressions with many parts are known at entry.
  mutable llvm::DenseMap<mlir::AffineExpr, bool> known;
};

} // namespace tg

#endif // TG_DIALECTS_TG_EXTENTS_EXTENTANALYSIS_H
