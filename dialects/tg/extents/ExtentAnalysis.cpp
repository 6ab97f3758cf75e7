//===- ExtentAnalysis.cpp - extents of all values of a region -------------===//
#include "dialects/tg/extents/ExtentAnalysis.h"
#include "dialects/tg/Tg.h"
#include "dialects/tg/extents/ShapeInference.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace tg;

namespace tg {
/// Answers shape rules from the state of the analysis.
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
    Block *checkBlock = block ? block : op->getBlock();
    analysis.checks.push_back(
        {op, checkBlock, found, relation, expected, what.str(), label.str()});
    if (relation == ExtentRelation::equal)
      analysis.equalities.push_back({checkBlock, found, expected});
  }

  void assume(AffineExpr a, AffineExpr b) override {
    analysis.equalities.push_back({op->getBlock(), a, b});
  }

  bool areEqual(AffineExpr a, AffineExpr b, Block &block) override {
    return analysis.areEqual(a, b, block);
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
    size_t equalities = analysis.equalities.size();
    auto &loops = analysis.loops.emplace();
    LogicalResult result = visit();
    closeBounds();
    while (succeeded(result) && (loops.variesMore || loops.boundsMore)) {
      // Bounds that follow from extents which turn out to vary are invalid.
      if (loops.variesMore)
        loops.bounds.clear();
      loops.variesMore = loops.boundsMore = false;
      analysis.checks.truncate(checks);
      analysis.equalities.truncate(equalities);
      result = analysis.repeatsLeft && analysis.repeatsLeft--
                   ? visit()
                   : fail("expected fewer loops whose extents differ from "
                          "iteration to iteration, found too many");
      closeBounds();
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
      recordBound(number, {}, most, what, "R0");
    return number;
  }

  void boundVarying(Value carried, unsigned axis, AffineExpr number,
                    AffineExpr first, AffineExpr next,
                    const Twine &what) override {
    VaryingAxis varyingAxis = {carried, axis};
    OpenBound bound = {varyingAxis, op, number, first, next, what.str()};
    if (!analysis.loops->bounds.contains(varyingAxis) && !close(bound))
      analysis.loops->open.push_back(std::move(bound));
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
    recordBound(number, {}, most, "the extent", "R0");
    return number;
  }

  void bound(AffineExpr number, AffineExpr most, const Twine &what,
             StringRef label) override {
    if (isa<AffineSymbolExpr>(number) && !analysis.isKnownAtEntry(number) &&
        !analysis.findFound(number))
      recordBound(number, analysis.numbered.lookup(number), most, what, label);
  }

  AffineExpr restrict(AffineExpr extent, int64_t most, const Twine &what,
                      StringRef label) override {
    if (analysis.isKnownAtEntry(extent)) {
      require(extent, ExtentRelation::atMost, constant(most), what, label);
      return extent;
    }
    bound(extent, constant(most), what, label);
    AffineExpr known = analysis.upperBoundOf(extent);
    if (known && staticExtent(known).value_or(most + 1) <= most)
      return extent;
    AffineExpr number = unknown();
    recordBound(number, {}, constant(most), what, label);
    return number;
  }

  AffineExpr upperBoundOf(AffineExpr number) override {
    return analysis.upperBoundOf(number);
  }

  bool isExtent(AffineSymbolExpr symbol) override {
    return analysis.isKnownAtEntry(symbol) || analysis.findFound(symbol);
  }

private:
  using OpenBound = ExtentAnalysis::OpenBound;
  using VaryingAxis = ExtentAnalysis::VaryingAxis;

  void recordBound(AffineExpr number, Value value, AffineExpr most,
                   const Twine &what, StringRef label) {
    if (AffineExpr known = analysis.upperBoundOf(most))
      analysis.found[number] = {number, op,         value,
                                known,  what.str(), label.str()};
  }

  /// Records the upper bound of an extent that varies between iterations.
  /// Returns false if the extent of the init, or of the yielded value, has no
  /// bound yet.
  bool close(const OpenBound &bound) {
    AffineExpr most = greaterMost(bound.first, bound.next);
    if (!most)
      return false;
    analysis.loops->bounds[bound.axis] = most;
    analysis.loops->boundsMore = true;
    analysis.found[bound.number] = {bound.number, bound.loop, {},
                                    most,         bound.what, "R0"};
    return true;
  }

  /// Tries to close all open bounds after a visit. The bounds of an inner loop
  /// depend on those of the loops that contain it, which are recorded later. So
  /// the order is from the last to the first, and one visit is enough for all
  /// nested loops.
  void closeBounds() {
    SmallVector<OpenBound> open = std::exchange(analysis.loops->open, {});
    for (const OpenBound &bound : llvm::reverse(open))
      (void)close(bound);
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
  // An erased op may have had the same address in memory.
  for (Value result : op->getResults())
    sizes.erase(result);
  auto shaped = dyn_cast<ExtentsOpInterface>(op);
  if (!shaped) {
    // An op without a shape rule has the extents of its result types.
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
  AffineExpr most = upperBoundOf(bytes);
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
