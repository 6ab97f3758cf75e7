//===- Extents.h - symbolic extents of tensors ----------------------------===//
//
// An extent is an AffineExpr: a constant, or an expression over symbols, the
// numbers that are unknown until run time.
//
//===----------------------------------------------------------------------===//
#ifndef TG_DIALECTS_TG_EXTENTS_EXTENTS_H
#define TG_DIALECTS_TG_EXTENTS_EXTENTS_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "mlir/IR/ValueRange.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace mlir {
class SymbolTableCollection;
} // namespace mlir

namespace tg {

/// Element type and extents of a tensor.
struct TensorExtents {
  mlir::Type elementType;
  llvm::SmallVector<mlir::AffineExpr> dims;

  /// The tensor type: static where an extent is a constant, `?` elsewhere.
  mlir::RankedTensorType getType() const;
};

/// The number of a constant extent.
std::optional<int64_t> staticExtent(mlir::AffineExpr extent);

/// Product of extents; 1 for none.
mlir::AffineExpr productOf(llvm::ArrayRef<mlir::AffineExpr> extents,
                           mlir::MLIRContext *context);

/// The most parts of an extent: numbers, symbols and the operations between
/// them, each as often as it stands there. A few ops can make an expression
/// that doubles with every op.
inline constexpr unsigned kMaximumParts = 512;

/// The parts of an expression; counts to `most` alone.
unsigned countParts(mlir::AffineExpr expression, unsigned most);

/// Simplifies sums of a quotient and its remainder: (n floordiv 3) * 3 + n mod
/// 3 is n. Affine expressions do not simplify these sums themselves.
mlir::AffineExpr joinParts(mlir::AffineExpr extent, unsigned parts);

/// The expression in its shortest form.
mlir::AffineExpr simplifyExtent(mlir::AffineExpr expression);

/// The relation between the two numbers of a check.
enum class ExtentRelation { equal, atMost, atLeast };

/// Returns true if the relation holds between two numbers.
bool holds(ExtentRelation relation, int64_t found, int64_t expected);

/// Returns the words before the second number in a message: "", "at most " or
/// "at least ".
llvm::StringRef boundPhrase(ExtentRelation relation);

/// Returns the text of a found extent in a message: its number, or `?`.
std::string printExtent(mlir::AffineExpr extent);

/// The extents of an operand as broadcasting sees them.
struct BroadcastExtents {
  llvm::SmallVector<mlir::AffineExpr> dims;
  /// Which of them broadcast: the 1s of the type. A `?` never does, also where
  /// its extent turns out to be 1.
  llvm::SmallVector<bool> broadcasts;
};

/// The queries and requirements of a shape rule. This base class answers for
/// type inference: every `?` is a number of its own, and values are not looked
/// through.
class ShapeInference {
public:
  /// `opName` and `loc` are used for messages; without `loc` nothing is said.
  ShapeInference(mlir::MLIRContext *context, llvm::StringRef opName,
                 std::optional<mlir::Location> loc)
      : context(context), opName(opName), loc(loc) {}
  virtual ~ShapeInference() = default;

  mlir::MLIRContext *getContext() const { return context; }

  /// Extents of an operand.
  virtual llvm::SmallVector<mlir::AffineExpr> extentsOf(mlir::Value value);

  /// The value of a rank-0 i64 operand, a fresh unknown when not known.
  virtual mlir::AffineExpr sizeOf(mlir::Value value);

  /// Visits the ops of a block of the op whose rule asks, in order, with these
  /// extents of its arguments; gives those of what it yields. Fails where a
  /// rule does.
  virtual llvm::FailureOr<llvm::SmallVector<TensorExtents>>
  visitBlock(mlir::Block &block, llvm::ArrayRef<TensorExtents> arguments) {
    return mlir::failure();
  }

  /// The block in which what is required from here on must hold; null for that
  /// of the op whose rule asks.
  virtual void setBlock(mlir::Block *block) {}

  /// Calls `visit`, which visits the body of a loop: again until nothing new is
  /// found of what it carries, unless a loop around does so. So the visits of
  /// loops in loops add up, and do not multiply.
  virtual llvm::LogicalResult
  repeat(llvm::function_ref<llvm::LogicalResult()> visit) {
    return visit();
  }
  /// A carried value whose extent along an axis differs from trip to trip:
  /// rules say what a visit found, and ask at the next one.
  virtual bool varies(mlir::Value carried, unsigned axis) { return false; }
  virtual void setVarying(mlir::Value carried, unsigned axis) {}
  /// The number that such an extent is in this visit, and what bounds it;
  /// `what` is its name in messages.
  virtual mlir::AffineExpr varyingExtent(mlir::Value carried, unsigned axis,
                                         const llvm::Twine &what) {
    return unknown();
  }
  /// It is at most the greater one of what it is at first and at next.
  virtual void boundVarying(mlir::Value carried, unsigned axis,
                            mlir::AffineExpr number, mlir::AffineExpr first,
                            mlir::AffineExpr next, const llvm::Twine &what) {}

  /// A number that a run finds, of an op whose extents depend on data: at most
  /// `most`.
  virtual mlir::AffineExpr found(mlir::AffineExpr most) { return unknown(); }
  /// The elements of an operand that are true: such a number.
  virtual mlir::AffineExpr countTrue(mlir::Value value);
  /// Says that a number that is not known at entry is at most `most`, or the
  /// run fails; `what` and `label` are those of the message then.
  virtual void bound(mlir::AffineExpr number, mlir::AffineExpr most,
                     const llvm::Twine &what, llvm::StringRef label) {}
  /// The same of any extent: gives it, or a number in its place that has the
  /// bound where the extent has another one.
  virtual mlir::AffineExpr restrict(mlir::AffineExpr extent, int64_t most,
                                    const llvm::Twine &what,
                                    llvm::StringRef label) {
    return extent;
  }
  /// The most that a number can be, over what is known at entry; null without a
  /// bound.
  virtual mlir::AffineExpr mostOf(mlir::AffineExpr number) { return number; }

  /// The greater of the most that two extents can be; null where one has no
  /// bound. What is that already stays as it is: bounds of loops in loops would
  /// grow else.
  mlir::AffineExpr greaterMost(mlir::AffineExpr a, mlir::AffineExpr b);

  /// Says that two numbers are equal where the op stands: something checks it.
  virtual void assume(mlir::AffineExpr a, mlir::AffineExpr b) {}
  /// Returns true if two extents are equal where a block has run, because they
  /// always are or because the block or one around it checks that they are.
  virtual bool areEqual(mlir::AffineExpr a, mlir::AffineExpr b,
                        mlir::Block &block) {
    return a == b;
  }

  /// The op that a symbol means where `user` stands; null without one.
  virtual mlir::Operation *lookUp(mlir::Operation *user,
                                  mlir::SymbolRefAttr symbol);

  /// Says what must hold when the function runs; `what` names the first
  /// number: "lhs dim 1". `label` ends the message where it does not.
  virtual void require(mlir::AffineExpr found, ExtentRelation relation,
                       mlir::AffineExpr expected, const llvm::Twine &what,
                       llvm::StringRef label) {}

  /// Returns true if a number is certainly not negative, whatever the extents
  /// are.
  bool isNeverNegative(mlir::AffineExpr number);

  /// Says that a number must not be negative, unless that is certain. Fails
  /// where it is.
  llvm::LogicalResult requireNotNegative(mlir::AffineExpr number,
                                         const llvm::Twine &what);

  /// The extent as a result has it that does not tell it in its type: `?` for
  /// type inference, the extent itself for an analysis.
  virtual mlir::AffineExpr forget(mlir::AffineExpr extent) { return unknown(); }

  /// The extent itself, or a number that nothing is known about in place of
  /// one that has too many parts.
  virtual mlir::AffineExpr keep(mlir::AffineExpr extent);

  /// The greater and the lesser of two numbers.
  mlir::AffineExpr greaterOf(mlir::AffineExpr a, mlir::AffineExpr b);
  mlir::AffineExpr lesserOf(mlir::AffineExpr a, mlir::AffineExpr b);

  mlir::AffineExpr constant(int64_t number) const;

  /// A number that nothing is known about.
  mlir::AffineExpr unknown();

  /// The rule a ≈ b with its merge: the static one if there is one, else a.
  /// Fails if both are static and differ, with the message "expected <what>
  /// (a) to equal <other> (b) [label]"; extents known at run time alone are
  /// compared then.
  llvm::FailureOr<mlir::AffineExpr>
  merge(mlir::AffineExpr a, mlir::AffineExpr b, const llvm::Twine &what,
        const llvm::Twine &other, llvm::StringRef label,
        llvm::StringRef runTimeLabel = "R0");

  /// The extents of an operand but for the last `dropped` ones.
  BroadcastExtents broadcastExtentsOf(mlir::Value value, unsigned dropped = 0);

  /// bcast(s, t): fails with "expected ... to be equal or 1 [label]".
  llvm::FailureOr<BroadcastExtents> broadcast(const BroadcastExtents &a,
                                              const BroadcastExtents &b,
                                              llvm::StringRef label);

  /// Replaces the -1 entries of `list` in order by `dynamic` operands; fails
  /// with G4 when the counts differ.
  llvm::FailureOr<llvm::SmallVector<mlir::AffineExpr>>
  fillList(llvm::ArrayRef<int64_t> list, mlir::ValueRange dynamic,
           llvm::StringRef listName);

  /// Checks that the axis is in [0, rank) [G3].
  llvm::LogicalResult checkAxis(int64_t axis, int64_t rank);
  /// The same for a list of axes without duplicates.
  llvm::LogicalResult checkAxes(llvm::ArrayRef<int64_t> axes, int64_t rank);

  /// Reports `'tg.op' op <message>` and fails.
  llvm::LogicalResult fail(const llvm::Twine &message);

protected:
  /// Returns true if a symbol stands for an extent, which is never negative.
  virtual bool isExtent(mlir::AffineSymbolExpr symbol) { return true; }

  mlir::MLIRContext *context;
  std::string opName;
  std::optional<mlir::Location> loc;
  unsigned nextUnknown = 0;
};

/// A rank-0 operand whose value must lie in [0, bound) when its op runs, so
/// that nothing outside of a tensor is touched.
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

/// A number that a run finds, and what bounds it.
struct FoundNumber {
  /// The symbol.
  mlir::AffineExpr number;
  /// The op that bounds it, whose message tells of a run that finds more.
  mlir::Operation *op;
  /// The rank-0 value that it is; null for an extent of the op itself.
  mlir::Value value;
  /// Over what is known at entry.
  mlir::AffineExpr most;
  std::string what;
  std::string label;
};

/// Extents of all values of a function-like region, over the symbols of its
/// arguments, and the checks that the ops in it ask for.
class ExtentAnalysis {
public:
  /// A quiet analysis fails without the messages of the rules.
  explicit ExtentAnalysis(mlir::MLIRContext *context, bool isQuiet = false)
      : context(context), isQuiet(isQuiet) {}

  /// Sets the extents of an argument, or of any value, by hand.
  void setExtents(mlir::Value value, llvm::ArrayRef<mlir::AffineExpr> dims);
  void setSize(mlir::Value value, mlir::AffineExpr size);
  /// Sets the extents of the results of an op whose rule failed: those of the
  /// types, and sizes that nothing is known about.
  void setFromTypes(mlir::Operation *op);

  /// Visits the ops of a block in order. Fails where a shape rule fails, with
  /// the rule's message. Unknown sizes become symbols from
  /// `firstUnknownSymbol` on: extents that are not known at entry.
  llvm::LogicalResult run(mlir::Block &block, unsigned firstUnknownSymbol);
  /// Visits one op. Who visits many hands tables in, so that symbols are found
  /// without a walk over all of them; the tables know those of their first use.
  llvm::LogicalResult visit(mlir::Operation *op,
                            mlir::SymbolTableCollection *tables = nullptr);

  llvm::ArrayRef<mlir::AffineExpr> extentsOf(mlir::Value value) const;
  /// The number of elements of a tensor, and the most bytes that it takes.
  mlir::AffineExpr countElements(mlir::Value value) const;
  mlir::AffineExpr countBytes(mlir::Value value) const;
  /// Null when not known.
  mlir::AffineExpr sizeOf(mlir::Value value) const;
  /// Returns the upper bound of a symbol that a run finds, and null for other
  /// symbols.
  const FoundNumber *findFound(mlir::AffineExpr symbol) const;
  /// Says that a symbol is found by the run, at most `most`, which is known at
  /// entry.
  void setMost(mlir::AffineExpr symbol, mlir::AffineExpr most);
  /// The most that a number can be, over what is known at entry: the number
  /// itself where that is all that it is made of. Null without a bound.
  mlir::AffineExpr mostOf(mlir::AffineExpr number) const;
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
  /// The least and the most that a number can be; null where there is no bound.
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
  /// The expressions that were kept, and the parts that others may have: more
  /// than any model needs, so that a hostile one takes no minutes.
  llvm::DenseSet<mlir::AffineExpr> kept;
  unsigned partsLeft = 1u << 21;
  /// The repeated visits of loops that are left, for the same reason.
  unsigned repeatsLeft = 1u << 12;
  /// The values that symbols in `sizes` were made for.
  llvm::DenseMap<mlir::AffineExpr, mlir::Value> numbered;
  /// The upper bounds of symbols that a run finds.
  llvm::DenseMap<mlir::AffineExpr, FoundNumber> found;
  /// Caches whether expressions with many parts are known at entry.
  mutable llvm::DenseMap<mlir::AffineExpr, bool> known;
};

/// G1: whether ops take a type: a ranked tensor without encoding, of an element
/// type that there are kernels for.
bool isAdmittedTensor(mlir::Type type);

/// G2, and G1 for what was inferred: `types` are those that the op has.
llvm::LogicalResult checkResultTypes(llvm::StringRef opName,
                                     std::optional<mlir::Location> loc,
                                     mlir::TypeRange inferred,
                                     mlir::TypeRange types);

/// Implements InferTypeOpInterface by an op's `inferResults`.
template <typename ConcreteOp>
llvm::LogicalResult inferTypesFromExtents(
    mlir::MLIRContext *context, std::optional<mlir::Location> loc,
    mlir::ValueRange operands, mlir::DictionaryAttr attributes,
    mlir::OpaqueProperties properties, mlir::RegionRange regions,
    llvm::SmallVectorImpl<mlir::Type> &types) {
  ShapeInference inference(context, ConcreteOp::getOperationName(), loc);
  typename ConcreteOp::Adaptor adaptor(operands, attributes, properties,
                                       regions);
  llvm::SmallVector<TensorExtents> results;
  if (failed(ConcreteOp::inferResults(adaptor, inference, results)))
    return mlir::failure();
  for (const TensorExtents &result : results)
    types.push_back(result.getType());
  return mlir::success();
}

} // namespace tg

#endif // TG_DIALECTS_TG_EXTENTS_EXTENTS_H
