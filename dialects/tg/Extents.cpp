//===- Extents.cpp - symbolic extents of tensors --------------------------===//
#include "dialects/tg/Extents.h"
#include "dialects/tg/Tg.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace tg;

std::optional<int64_t> tg::staticExtent(AffineExpr extent) {
  if (auto constant = dyn_cast<AffineConstantExpr>(extent))
    return constant.getValue();
  return std::nullopt;
}

AffineExpr tg::productOf(ArrayRef<AffineExpr> extents, MLIRContext *context) {
  AffineExpr product = getAffineConstantExpr(1, context);
  for (AffineExpr extent : extents)
    product = product * extent;
  return product;
}

unsigned tg::countParts(AffineExpr expression, unsigned most) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
  if (!binary || most <= 1)
    return 1;
  unsigned parts = 1 + countParts(binary.getLHS(), most - 1);
  return parts < most ? parts + countParts(binary.getRHS(), most - parts)
                      : parts;
}

AffineExpr tg::simplifyExtent(AffineExpr expression) {
  unsigned symbols = 0;
  expression.walk([&](AffineExpr part) {
    if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
      symbols = std::max(symbols, symbol.getPosition() + 1);
  });
  return simplifyAffineExpr(expression, /*numDims=*/0, symbols);
}

bool tg::holds(ExtentRelation relation, int64_t found, int64_t expected) {
  switch (relation) {
  case ExtentRelation::equal:
    return found == expected;
  case ExtentRelation::atMost:
    return found <= expected;
  case ExtentRelation::atLeast:
    return found >= expected;
  }
  llvm_unreachable("all relations are above");
}

StringRef tg::boundPhrase(ExtentRelation relation) {
  switch (relation) {
  case ExtentRelation::equal:
    return "";
  case ExtentRelation::atMost:
    return "at most ";
  case ExtentRelation::atLeast:
    return "at least ";
  }
  llvm_unreachable("all relations are above");
}

std::string tg::printExtent(AffineExpr extent) {
  std::optional<int64_t> number = staticExtent(extent);
  return number ? std::to_string(*number) : "?";
}

RankedTensorType TensorExtents::getType() const {
  SmallVector<int64_t> shape;
  for (AffineExpr dim : dims)
    shape.push_back(staticExtent(dim).value_or(ShapedType::kDynamic));
  return RankedTensorType::get(shape, elementType);
}

//===----------------------------------------------------------------------===//
// ShapeInference
//===----------------------------------------------------------------------===//

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

/// What was divided and put together again: (n floordiv 3) * 3 + n mod 3 is n,
/// which sums of affine expressions do not see themselves.
static AffineExpr joinParts(AffineExpr extent, unsigned parts) {
  bool isJoined = extent.getKind() == AffineExprKind::Add;
  bool hasRemainder = false;
  if (isJoined)
    extent.walk([&](AffineExpr part) {
      hasRemainder |= part.getKind() == AffineExprKind::Mod;
    });
  if (!hasRemainder)
    return extent;
  AffineExpr simplified = simplifyExtent(extent);
  return countParts(simplified, parts) < parts ? simplified : extent;
}

AffineExpr ShapeInference::keep(AffineExpr extent) {
  unsigned parts = countParts(extent, kMaximumParts + 1);
  return parts <= kMaximumParts ? joinParts(extent, parts) : unknown();
}

/// Half of the numbers that are not negative. No i64 is below -2 of them.
static constexpr int64_t kHalfOfRange = int64_t(1) << 62;

/// -1 for a negative number, else 0: expressions have no comparison.
static AffineExpr signOf(AffineExpr number) {
  return number.floorDiv(kHalfOfRange).floorDiv(2);
}

/// Whether `number` is a `signOf`.
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

LogicalResult ShapeInference::fail(const Twine &message) {
  return emitOptionalError(loc, "'", opName, "' op ", message);
}

FailureOr<AffineExpr> ShapeInference::merge(AffineExpr a, AffineExpr b,
                                            const Twine &what,
                                            const Twine &other, StringRef label,
                                            StringRef runTimeLabel) {
  if (a == b)
    return a;
  std::optional<int64_t> first = staticExtent(a), second = staticExtent(b);
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
  // Whole tensors stand for the elements that the body of an update takes.
  bool isTyped = shape.size() == result.dims.size() + dropped;
  for (auto [axis, extent] : llvm::enumerate(result.dims))
    result.broadcasts.push_back(isTyped ? shape[axis] == 1
                                        : staticExtent(extent) == 1);
  return result;
}

FailureOr<BroadcastExtents> ShapeInference::broadcast(const BroadcastExtents &a,
                                                      const BroadcastExtents &b,
                                                      StringRef label) {
  if (a.dims.size() < b.dims.size())
    return broadcast(b, a, label);
  BroadcastExtents result = a;
  unsigned shift = a.dims.size() - b.dims.size();
  for (size_t axis = shift; axis < a.dims.size(); ++axis) {
    AffineExpr &into = result.dims[axis], extent = b.dims[axis - shift];
    if (b.broadcasts[axis - shift])
      continue;
    if (result.broadcasts[axis]) {
      into = extent;
      result.broadcasts[axis] = false;
      continue;
    }
    std::optional<int64_t> first = staticExtent(into);
    std::optional<int64_t> second = staticExtent(extent);
    // A 1 that is not broadcast is a `?`, which is compared at run time.
    if (first && second && *first != *second && *first != 1 && *second != 1)
      return fail("expected extents " + Twine(*first) + " and " +
                  Twine(*second) + " of result dim " + Twine(axis) +
                  " to be equal or 1 [" + label + "]");
    if (into != extent)
      require(extent, ExtentRelation::equal, into, "operand dim " + Twine(axis),
              "R0");
    into = first ? into : second ? extent : into;
  }
  return result;
}

bool ShapeInference::isNeverNegative(AffineExpr number) {
  if (std::optional<int64_t> known = staticExtent(number))
    return *known >= 0;
  if (auto symbol = dyn_cast<AffineSymbolExpr>(number))
    return isExtent(symbol);
  // Sums, products, quotients and remainders of such numbers are such numbers.
  auto parts = dyn_cast<AffineBinaryOpExpr>(number);
  if (parts && isSign(parts.getLHS())) {
    // What picks the greater or the lesser of two numbers: 1 and a sign, or a
    // sign times what is not positive.
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
  for (auto [position, axis] : llvm::enumerate(axes)) {
    if (failed(checkAxis(axis, rank)))
      return failure();
    if (llvm::is_contained(axes.take_front(position), axis))
      return fail("expected axes without duplicates, found " + Twine(axis) +
                  " twice [G3]");
  }
  return success();
}

//===----------------------------------------------------------------------===//
// ExtentAnalysis
//===----------------------------------------------------------------------===//

namespace tg {
/// Answers from what the analysis knows.
class AnalysisInference : public ShapeInference {
public:
  AnalysisInference(ExtentAnalysis &analysis, Operation *op,
                    SymbolTableCollection *tables)
      : ShapeInference(analysis.context, op->getName().getStringRef(),
                       analysis.isQuiet ? std::optional<Location>()
                                        : op->getLoc()),
        analysis(analysis), op(op), tables(tables) {
    nextUnknown = analysis.nextUnknown;
  }
  ~AnalysisInference() override { analysis.nextUnknown = nextUnknown; }

  SmallVector<AffineExpr> extentsOf(Value value) override {
    auto known = analysis.extents.find(value);
    if (known != analysis.extents.end())
      return known->second;
    SmallVector<AffineExpr> dims = ShapeInference::extentsOf(value);
    analysis.extents[value] = dims;
    return dims;
  }

  AffineExpr sizeOf(Value value) override {
    AffineExpr &size = analysis.sizes[value];
    if (!size) {
      size = unknown();
      analysis.numbered[size] = value;
    }
    return size;
  }

  Operation *lookUp(Operation *user, SymbolRefAttr symbol) override {
    return tables ? tables->lookupNearestSymbolFrom(user, symbol)
                  : ShapeInference::lookUp(user, symbol);
  }

  void require(AffineExpr found, ExtentRelation relation, AffineExpr expected,
               const Twine &what, StringRef label) override {
    analysis.checks.push_back({op, block ? block : op->getBlock(), found,
                               relation, expected, what.str(), label.str()});
  }

  FailureOr<SmallVector<TensorExtents>>
  visitBlock(Block &block, ArrayRef<TensorExtents> arguments) override {
    analysis.nextUnknown = nextUnknown;
    for (auto [argument, known] :
         llvm::zip_equal(block.getArguments(), arguments))
      analysis.extents[argument] = known.dims;
    for (Operation &inner : block.without_terminator())
      if (failed(analysis.visit(&inner, tables)))
        return failure();
    nextUnknown = analysis.nextUnknown;
    return llvm::map_to_vector(
        block.getTerminator()->getOperands(), [&](Value value) {
          return TensorExtents{getElementTypeOrSelf(value), extentsOf(value)};
        });
  }

  void setBlock(Block *inside) override { block = inside; }

  LogicalResult repeat(function_ref<LogicalResult()> visit) override {
    if (analysis.loops)
      return visit();
    size_t checks = analysis.checks.size();
    auto &loops = analysis.loops.emplace();
    LogicalResult result = visit();
    while (succeeded(result) && (loops.variesMore || loops.boundsMore)) {
      // Bounds that follow from extents that vary after all say nothing.
      if (loops.variesMore)
        loops.bounds.clear();
      loops.variesMore = loops.boundsMore = false;
      analysis.checks.truncate(checks);
      result = analysis.repeatsLeft && analysis.repeatsLeft--
                   ? visit()
                   : fail("expected fewer loops in loops whose extents differ "
                          "from trip to trip");
    }
    analysis.loops.reset();
    return result;
  }

  bool varies(Value carried, unsigned axis) override {
    return analysis.loops->varying.contains({carried, axis});
  }

  void setVarying(Value carried, unsigned axis) override {
    analysis.loops->variesMore |=
        analysis.loops->varying.insert({carried, axis}).second;
  }

  AffineExpr varyingExtent(Value carried, unsigned axis,
                           const Twine &what) override {
    AffineExpr number = unknown();
    if (AffineExpr most = analysis.loops->bounds.lookup({carried, axis}))
      note(number, {}, most, what, "R0");
    return number;
  }

  void boundVarying(Value carried, unsigned axis, AffineExpr number,
                    AffineExpr most, const Twine &what) override {
    AffineExpr known = analysis.mostOf(most);
    if (!known ||
        !analysis.loops->bounds.try_emplace({carried, axis}, known).second)
      return;
    analysis.loops->boundsMore = true;
    note(number, {}, known, what, "R0");
  }

  AffineExpr keep(AffineExpr extent) override {
    if (!isa<AffineBinaryOpExpr>(extent) || analysis.kept.contains(extent))
      return extent;
    unsigned parts = countParts(extent, kMaximumParts + 1);
    if (parts <= kMaximumParts)
      extent = joinParts(extent, parts);
    if (parts > std::min(kMaximumParts, analysis.partsLeft)) {
      AffineExpr number = unknown();
      analysis.tooLarge.insert(number);
      return number;
    }
    analysis.partsLeft -= parts;
    analysis.kept.insert(extent);
    return extent;
  }

  AffineExpr forget(AffineExpr extent) override { return extent; }

  AffineExpr found(AffineExpr most) override {
    AffineExpr number = unknown();
    note(number, {}, most, "the extent", "R0");
    return number;
  }

  void bound(AffineExpr number, AffineExpr most, const Twine &what,
             StringRef label) override {
    if (isa<AffineSymbolExpr>(number) && !analysis.isKnownAtEntry(number) &&
        !analysis.findFound(number))
      note(number, analysis.numbered.lookup(number), most, what, label);
  }

  AffineExpr restrict(AffineExpr extent, int64_t most, const Twine &what,
                      StringRef label) override {
    if (analysis.isKnownAtEntry(extent)) {
      require(extent, ExtentRelation::atMost, constant(most), what, label);
      return extent;
    }
    bound(extent, constant(most), what, label);
    AffineExpr known = analysis.mostOf(extent);
    if (known && staticExtent(known).value_or(most + 1) <= most)
      return extent;
    AffineExpr number = unknown();
    note(number, {}, constant(most), what, label);
    return number;
  }

  AffineExpr mostOf(AffineExpr number) override {
    return analysis.mostOf(number);
  }

  bool isExtent(AffineSymbolExpr symbol) override {
    return analysis.isKnownAtEntry(symbol) || analysis.findFound(symbol);
  }

private:
  void note(AffineExpr number, Value value, AffineExpr most, const Twine &what,
            StringRef label) {
    if (AffineExpr known = analysis.mostOf(most))
      analysis.found[number] = {number, op,         value,
                                known,  what.str(), label.str()};
  }

  ExtentAnalysis &analysis;
  Operation *op;
  Block *block = nullptr;
  SymbolTableCollection *tables;
};
} // namespace tg

void ExtentAnalysis::setExtents(Value value, ArrayRef<AffineExpr> dims) {
  extents[value] = SmallVector<AffineExpr>(dims);
}

void ExtentAnalysis::setSize(Value value, AffineExpr size) {
  sizes[value] = size;
}

LogicalResult ExtentAnalysis::run(Block &block, unsigned firstUnknownSymbol) {
  firstUnknown = nextUnknown = firstUnknownSymbol;
  known.clear();
  for (Operation &op : block)
    if (failed(visit(&op)))
      return failure();
  return success();
}

LogicalResult ExtentAnalysis::visit(Operation *op,
                                    SymbolTableCollection *tables) {
  AnalysisInference inference(*this, op, tables);
  // An op that was erased may have had its place in memory.
  for (Value result : op->getResults())
    sizes.erase(result);
  auto shaped = dyn_cast<ExtentsOpInterface>(op);
  if (!shaped) {
    // The ops that state their result types: extents as stated.
    for (Value result : op->getResults())
      if (isa<RankedTensorType>(result.getType()))
        (void)inference.extentsOf(result);
    return success();
  }
  SmallVector<TensorExtents> results;
  if (failed(shaped.inferExtents(inference, results)))
    return failure();
  for (auto [value, result] : llvm::zip_equal(op->getResults(), results)) {
    for (AffineExpr &extent : result.dims)
      extent = inference.keep(extent);
    extents[value] = result.dims;
  }
  if (AffineExpr size = shaped.inferSize(inference))
    sizes[op->getResult(0)] = inference.keep(size);
  return success();
}

void ExtentAnalysis::setFromTypes(Operation *op) {
  AnalysisInference inference(*this, op, /*tables=*/nullptr);
  for (Value result : op->getResults()) {
    extents.erase(result);
    if (isa<RankedTensorType>(result.getType()))
      (void)inference.extentsOf(result);
  }
}

ArrayRef<AffineExpr> ExtentAnalysis::extentsOf(Value value) const {
  auto known = extents.find(value);
  assert(known != extents.end() && "value was not visited");
  return known->second;
}

AffineExpr ExtentAnalysis::countElements(Value value) const {
  return productOf(extentsOf(value), context);
}

AffineExpr ExtentAnalysis::countBytes(Value value) const {
  AffineExpr bytes =
      countElements(value) * elementBytes(getElementTypeOrSelf(value));
  AffineExpr most = mostOf(bytes);
  return most ? most : bytes;
}

bool ExtentAnalysis::isKnownAtEntry(AffineExpr number) const {
  if (auto symbol = dyn_cast<AffineSymbolExpr>(number))
    return symbol.getPosition() < firstUnknown;
  auto parts = dyn_cast<AffineBinaryOpExpr>(number);
  if (!parts)
    return true;
  auto found = known.find(number);
  if (found != known.end())
    return found->second;
  return known[number] =
             isKnownAtEntry(parts.getLHS()) && isKnownAtEntry(parts.getRHS());
}

bool ExtentAnalysis::isTooLarge(AffineExpr number) const {
  bool result = false;
  number.walk([&](AffineExpr part) { result |= tooLarge.contains(part); });
  return result;
}

bool ExtentAnalysis::isKnownAtEntry(Value value) const {
  return !hasExtents(value) ||
         llvm::all_of(extentsOf(value), [&](AffineExpr extent) {
           return isKnownAtEntry(extent);
         });
}

AffineExpr ExtentAnalysis::sizeOf(Value value) const {
  return sizes.lookup(value);
}
