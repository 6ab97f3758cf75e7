//===- ShapeInference.cpp - inference of the extents of results -----------===//
#include "dialects/tg/extents/ShapeInference.h"
#include "dialects/tg/Tg.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tg;

SmallVector<AffineExpr> ShapeInference::extentsOf(Value value) {
  SmallVector<AffineExpr> dims;
  for (int64_t extent : cast<RankedTensorType>(value.getType()).getShape())
    dims.push_back(ShapedType::isDynamic(extent) ? unknown()
                                                 : constant(extent));
  return dims;
}

AffineExpr ShapeInference::sizeOf(Value value) { return unknown(); }

Operation *ShapeInference::lookUp(Operation *user, SymbolRefAttr symbol) {
  return SymbolTable::lookupNearestSymbolFrom(user, symbol);
}

AffineExpr ShapeInference::countTrue(Value value) {
  return found(productOf(extentsOf(value), context));
}

AffineExpr ShapeInference::constant(int64_t number) const {
  return getAffineConstantExpr(number, context);
}

AffineExpr ShapeInference::unknown() {
  return getAffineSymbolExpr(nextUnknown++, context);
}

AffineExpr ShapeInference::keep(AffineExpr extent) {
  unsigned parts = countParts(extent, kMaximumParts + 1);
  return parts <= kMaximumParts ? joinParts(extent, parts) : unknown();
}

/// Half of the number of non-negative i64 values. No i64 is below -2 times
/// this.
static constexpr int64_t kHalfOfRange = int64_t(1) << 62;

/// Returns -1 for a negative number, else 0, since expressions have no
/// comparison.
static AffineExpr signOf(AffineExpr number) {
  return number.floorDiv(kHalfOfRange).floorDiv(2);
}

/// Returns true if `number` is a result of signOf().
static bool isSign(AffineExpr number) {
  auto half = dyn_cast<AffineBinaryOpExpr>(number);
  if (!half || half.getKind() != AffineExprKind::FloorDiv ||
      staticExtent(half.getRHS()) != 2)
    return false;
  auto sign = dyn_cast<AffineBinaryOpExpr>(half.getLHS());
  return sign && sign.getKind() == AffineExprKind::FloorDiv &&
         staticExtent(sign.getRHS()) == kHalfOfRange;
}

AffineExpr ShapeInference::greaterOf(AffineExpr a, AffineExpr b) {
  if (staticExtent(a) && staticExtent(b))
    return *staticExtent(a) > *staticExtent(b) ? a : b;
  AffineExpr distance = simplifyExtent(a - b);
  if (isNeverNegative(distance))
    return a;
  if (staticExtent(distance))
    return b;
  AffineExpr isLess = signOf(distance);
  return a * (isLess + 1) + b * -isLess;
}

AffineExpr ShapeInference::lesserOf(AffineExpr a, AffineExpr b) {
  if (staticExtent(a) && staticExtent(b))
    return *staticExtent(a) < *staticExtent(b) ? a : b;
  AffineExpr distance = simplifyExtent(a - b);
  if (isNeverNegative(distance))
    return b;
  if (staticExtent(distance))
    return a;
  AffineExpr isLess = signOf(distance);
  return a * -isLess + b * (isLess + 1);
}

/// Returns true if `number` is greaterOf(`other`, part) for one of its own
/// subexpressions `part`.
static bool isGreaterOfPart(ShapeInference &inference, AffineExpr number,
                            AffineExpr other) {
  bool isGreater = false;
  number.walk([&](AffineExpr part) {
    isGreater = isGreater || (part != number &&
                              (inference.greaterOf(part, other) == number ||
                               inference.greaterOf(other, part) == number));
  });
  return isGreater;
}

AffineExpr ShapeInference::greaterMost(AffineExpr a, AffineExpr b) {
  AffineExpr first = upperBoundOf(a);
  AffineExpr second = upperBoundOf(b);
  if (!first || !second)
    return {};
  if (isGreaterOfPart(*this, first, second))
    return first;
  if (isGreaterOfPart(*this, second, first))
    return second;
  return greaterOf(first, second);
}

LogicalResult ShapeInference::fail(const Twine &message) {
  return emitOptionalError(loc, "'", opName, "' op ", message);
}

FailureOr<AffineExpr> ShapeInference::merge(AffineExpr a, AffineExpr b,
                                            const Twine &what,
                                            const Twine &other, StringRef label,
                                            StringRef runTimeLabel) {
  if (a == b)
    return a;
  std::optional<int64_t> first = staticExtent(a);
  std::optional<int64_t> second = staticExtent(b);
  if (first && second)
    return fail("expected " + what + " (" + Twine(*first) + ") to equal " +
                other + " (" + Twine(*second) + ") [" + label + "]");
  require(a, ExtentRelation::equal, b, what, runTimeLabel);
  return first ? a : second ? b : a;
}

BroadcastExtents ShapeInference::broadcastExtentsOf(Value value,
                                                    unsigned dropped) {
  BroadcastExtents result{extentsOf(value), {}};
  result.dims.pop_back_n(dropped);
  ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
  // The interpreter runs the body of tg.update, whose values have rank 0, on
  // whole tensors. The type then does not have the rank of the extents.
  bool hasRankOfType = shape.size() == result.dims.size() + dropped;
  for (auto [axis, extent] : llvm::enumerate(result.dims))
    result.broadcasts.push_back(hasRankOfType ? shape[axis] == 1
                                              : staticExtent(extent) == 1);
  return result;
}

/// Prints extents for messages: "[?, 64]".
static std::string printShape(ArrayRef<AffineExpr> dims) {
  return "[" + llvm::join(llvm::map_range(dims, printExtent), ", ") + "]";
}

FailureOr<BroadcastExtents> ShapeInference::broadcast(const BroadcastExtents &a,
                                                      const BroadcastExtents &b,
                                                      StringRef label) {
  bool isFirstLonger = a.dims.size() >= b.dims.size();
  const BroadcastExtents &shorter = isFirstLonger ? b : a;
  BroadcastExtents result = isFirstLonger ? a : b;
  unsigned shift = result.dims.size() - shorter.dims.size();
  for (size_t axis = shift; axis < result.dims.size(); ++axis) {
    AffineExpr &dim = result.dims[axis], extent = shorter.dims[axis - shift];
    if (shorter.broadcasts[axis - shift])
      continue;
    if (result.broadcasts[axis]) {
      dim = extent;
      result.broadcasts[axis] = false;
      continue;
    }
    std::optional<int64_t> first = staticExtent(dim);
    std::optional<int64_t> second = staticExtent(extent);
    // A known 1 that does not broadcast is a `?` in the type and is compared at
    // run time.
    if (first && second && *first != *second && *first != 1 && *second != 1)
      return fail("expected extents " + Twine(*first) + " and " +
                  Twine(*second) + " of result dim " + Twine(axis) +
                  " to be equal or 1, found shapes " + printShape(a.dims) +
                  " and " + printShape(b.dims) + " [" + label + "]");
    if (dim != extent)
      require(extent, ExtentRelation::equal, dim, "operand dim " + Twine(axis),
              "R0");
    dim = first ? dim : second ? extent : dim;
  }
  return result;
}

bool ShapeInference::isNeverNegative(AffineExpr number) {
  if (std::optional<int64_t> known = staticExtent(number))
    return *known >= 0;
  if (auto symbol = dyn_cast<AffineSymbolExpr>(number))
    return isExtent(symbol);
  // Sums, products, quotients and remainders of non-negative numbers are not
  // negative.
  auto parts = dyn_cast<AffineBinaryOpExpr>(number);
  if (parts && isSign(parts.getLHS())) {
    // The factors that select the greater or the lesser of two numbers are not
    // negative: 1 plus a sign, or a sign times a number that is not positive.
    int64_t rhs = staticExtent(parts.getRHS()).value_or(0);
    if (parts.getKind() == AffineExprKind::Add && rhs >= 1)
      return true;
    if (parts.getKind() == AffineExprKind::Mul && rhs < 0)
      return true;
  }
  return parts && isNeverNegative(parts.getLHS()) &&
         isNeverNegative(parts.getRHS());
}

LogicalResult ShapeInference::requireNotNegative(AffineExpr number,
                                                 const Twine &what) {
  if (isNeverNegative(number))
    return success();
  if (std::optional<int64_t> known = staticExtent(number))
    return fail("expected " + what + " to be at least 0, found " +
                Twine(*known) + " [R0]");
  require(number, ExtentRelation::atLeast, constant(0), what, "R0");
  return success();
}

FailureOr<SmallVector<AffineExpr>>
ShapeInference::fillList(ArrayRef<int64_t> list, ValueRange dynamic,
                         StringRef listName) {
  if (llvm::count(list, -1) != int64_t(dynamic.size()))
    return fail("expected as many dynamic operands as -1 entries of " +
                listName + " (" + Twine(llvm::count(list, -1)) + "), found " +
                Twine(dynamic.size()) + " [G4]");
  SmallVector<AffineExpr> result;
  for (int64_t entry : list) {
    if (entry < -1)
      return fail("expected entries of " + listName +
                  " to be at least -1, found " + Twine(entry) + " [G4]");
    if (entry >= 0) {
      result.push_back(constant(entry));
      continue;
    }
    result.push_back(sizeOf(dynamic.front()));
    dynamic = dynamic.drop_front();
    if (failed(requireNotNegative(result.back(), "an entry of " + listName)))
      return failure();
  }
  return result;
}

LogicalResult ShapeInference::checkAxis(int64_t axis, int64_t rank) {
  if (axis >= 0 && axis < rank)
    return success();
  return fail("expected axis " + Twine(axis) + " to be in [0, " + Twine(rank) +
              ") [G3]");
}

LogicalResult ShapeInference::checkAxes(ArrayRef<int64_t> axes, int64_t rank) {
  for (auto [index, axis] : llvm::enumerate(axes)) {
    if (failed(checkAxis(axis, rank)))
      return failure();
    if (llvm::is_contained(axes.take_front(index), axis))
      return fail("expected axes without duplicates, found " + Twine(axis) +
                  " twice [G3]");
  }
  return success();
}
