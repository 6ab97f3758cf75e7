//===- FunctionSymbols.cpp - the symbols of a function --------------------===//
#include "compiler/transforms/shapes/FunctionSymbols.h"
#include "dialects/tg/Tg.h"
#include "dialects/tg/ops/control/GradientOps.h"
#include "dialects/tgx/Checks.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tg;

/// The value of dynamic extents in plans.
static constexpr int64_t kPlannedExtent = 64;

int64_t tg::plannedNumber(AffineExpr expression) {
  AffineExpr planned =
      getAffineConstantExpr(kPlannedExtent, expression.getContext());
  DenseMap<AffineExpr, AffineExpr> extents;
  expression.walk([&](AffineExpr part) {
    if (isa<AffineSymbolExpr>(part))
      extents[part] = planned;
  });
  AffineExpr number = expression.replace(extents);
  return staticExtent(simplifyAffineExpr(number, 0, 0)).value_or(0);
}

/// Returns the name of a dimension, "" if it has none.
static StringRef dimName(ArrayAttr dims, int64_t axis) {
  if (!dims || axis >= int64_t(dims.size()))
    return "";
  auto name = dyn_cast<StringAttr>(dims[axis]);
  return name ? name.getValue() : "";
}

/// Returns the name of an argument or result, else its index.
static std::string valueName(StringAttr name, unsigned index) {
  return name ? name.str() : std::to_string(index);
}

FunctionSymbols::FunctionSymbols(func::FuncOp function, bool isQuiet)
    : context(function.getContext()), isQuiet(isQuiet),
      analysis(context, isQuiet) {
  bindArguments(function);
  bindDataDependent(function);
  isValid = succeeded(analyzeBody(function));
  for (const ExtentCheck &check : analysis.getChecks())
    isValid &= succeeded(addCheck(check));
  isValid &= succeeded(checkResults(function));
}

FunctionSymbols::FunctionSymbols(Operation *function)
    : FunctionSymbols(cast<func::FuncOp>(function), /*isQuiet=*/true) {}

FailureOr<FunctionSymbols> FunctionSymbols::create(func::FuncOp function) {
  FunctionSymbols symbols(function, /*isQuiet=*/false);
  if (!symbols.isValid)
    return failure();
  return symbols;
}

LogicalResult FunctionSymbols::verify(func::FuncOp function) const {
  return success(isValid || succeeded(create(function)));
}

AffineExpr FunctionSymbols::symbolOf(StringRef name) {
  auto [entry, isNew] = symbolIndices.try_emplace(name, names.size());
  if (isNew)
    names.push_back(name.str());
  return getAffineSymbolExpr(entry->second, context);
}

AffineExpr FunctionSymbols::findSymbol(StringRef name) const {
  auto found = symbolIndices.find(name);
  return found == symbolIndices.end()
             ? AffineExpr()
             : getAffineSymbolExpr(found->second, context);
}

std::string tg::extentName(func::FuncOp function, unsigned argument,
                           unsigned axis) {
  auto dims = function.getArgAttrOfType<ArrayAttr>(argument, "tg.dims");
  StringRef declared = dimName(dims, axis);
  if (!declared.empty())
    return declared.str();
  auto name = function.getArgAttrOfType<StringAttr>(argument, "tg.name");
  return valueName(name, argument) + "." + std::to_string(axis);
}

SmallVector<AffineExpr>
tg::extentsOfType(Value value, function_ref<AffineExpr(unsigned)> symbolOf) {
  SmallVector<AffineExpr> extents;
  for (auto [axis, extent] :
       llvm::enumerate(cast<RankedTensorType>(value.getType()).getShape()))
    extents.push_back(ShapedType::isDynamic(extent)
                          ? symbolOf(axis)
                          : getAffineConstantExpr(extent, value.getContext()));
  return extents;
}

void FunctionSymbols::bindArguments(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments())
    if (isa<RankedTensorType>(argument.getType()))
      analysis.setExtents(argument, extentsOfType(argument, [&](unsigned axis) {
                            return symbolOf(extentName(
                                function, argument.getArgNumber(), axis));
                          }));
}

void FunctionSymbols::bindDataDependent(func::FuncOp function) {
  boundCount = names.size();
  function.walk([&](tgx::MeasureOp measure) {
    unsigned symbol = measure.getSymbol();
    for (unsigned next = names.size(); next <= symbol; ++next)
      names.push_back("found extent " + std::to_string(next - boundCount));
    analysis.setUpperBound(getAffineSymbolExpr(symbol, context),
                           measure.getMost().getResult(0));
  });
}

LogicalResult FunctionSymbols::analyzeBody(func::FuncOp function) {
  // Unknown numbers are counted after the symbols. The ops are visited below.
  Block empty;
  LogicalResult result = analysis.run(empty, names.size());
  SymbolTableCollection tables;
  llvm::DenseSet<Operation *> failedOps;
  for (Operation &op : function.getBody().front()) {
    // A gradient has the extents of its value. Gradients of variables are
    // static.
    if (auto gradient = dyn_cast<GradientOp>(op))
      for (auto [value, result] :
           llvm::zip(gradient.getValues(), gradient.getGradients()))
        analysis.setExtents(result,
                            SmallVector<AffineExpr>(analysis.extentsOf(value)));
    if (failed(analysis.visit(&op, &tables))) {
      result = failure();
      analysis.setFromTypes(&op);
      failedOps.insert(&op);
    }
  }
  // Checked after all ops, because an op that bounds a number may come after
  // its first use.
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (failedOps.contains(op))
      return WalkResult::skip();
    if (op != function && failed(checkKnown(op)))
      result = failure();
    return WalkResult::advance();
  });
  return result;
}

void FunctionSymbols::add(Operation *op) {
  [[maybe_unused]] LogicalResult visited = analysis.visit(op);
  assert(succeeded(visited) && "passes build ops that keep the shape rules");
}

LogicalResult FunctionSymbols::reportUnknown(OpResult result, size_t axis,
                                             AffineExpr extent) const {
  InFlightDiagnostic diagnostic = result.getOwner()->emitOpError();
  diagnostic << "expected the extent of result " << result.getResultNumber()
             << " on dim " << axis
             << " to follow from those of the inputs or to have a bound";
  if (analysis.isTooLarge(extent))
    return diagnostic << ", by an expression of at most " << kMaximumParts
                      << " parts, found a larger one [R0]";
  return diagnostic << ", found a number that is not known at entry: "
                       "tg.ensure_shape (ensureShape in C++) with bounds gives "
                       "one [R0]";
}

LogicalResult FunctionSymbols::checkKnown(Operation *op) const {
  auto isBounded = [&](AffineExpr extent) {
    return analysis.isKnownAtEntry(extent) || analysis.upperBoundOf(extent);
  };
  auto areBounded = [&](Value value) {
    return !analysis.hasExtents(value) ||
           llvm::all_of(analysis.extentsOf(value), isBounded);
  };
  // An op that only propagates an unknown extent is not reported.
  bool isOrigin = llvm::all_of(op->getOperands(), areBounded);
  for (OpResult result : op->getResults()) {
    if (areBounded(result))
      continue;
    if (!isOrigin || isQuiet)
      return failure();
    for (auto [axis, extent] : llvm::enumerate(analysis.extentsOf(result)))
      if (!isBounded(extent))
        return reportUnknown(result, axis, extent);
  }
  return success();
}

LogicalResult FunctionSymbols::addCheck(const ExtentCheck &check) {
  auto key = std::tuple(check.block, check.found, check.expected,
                        unsigned(check.relation));
  if (visitedChecks.contains(key))
    return success();
  AffineExpr difference = check.found - check.expected;
  bool isUnknown = !analysis.isKnownAtEntry(difference);
  std::optional<int64_t> distance;
  if (!isUnknown)
    distance = staticExtent(
        simplifyAffineExpr(difference, /*numDims=*/0, names.size()));
  if (distance && !holds(check.relation, *distance, 0)) {
    if (isQuiet)
      return failure();
    bool isEquality = check.relation == ExtentRelation::equal;
    return check.op->emitOpError()
           << "expected " << check.what << " (" << print(check.found) << ") to "
           << (isEquality ? "equal " : "be ") << boundPhrase(check.relation)
           << print(check.expected) << " [" << check.label << "]";
  }
  visitedChecks.insert(key);
  if (!isUnknown && !distance)
    checks.push_back(check);
  return success();
}

LogicalResult FunctionSymbols::checkResults(func::FuncOp function) {
  Operation *terminator = function.getBody().front().getTerminator();
  LogicalResult result = success();
  for (auto [index, value] : llvm::enumerate(terminator->getOperands())) {
    auto dims = function.getResultAttrOfType<ArrayAttr>(index, "tg.dims");
    if (!dims)
      continue;
    std::string name = valueName(
        function.getResultAttrOfType<StringAttr>(index, "tg.name"), index);
    for (auto [axis, extent] : llvm::enumerate(analysis.extentsOf(value))) {
      StringRef declared = dimName(dims, axis);
      AffineExpr symbol = findSymbol(declared);
      if (declared.empty() || !symbol)
        continue;
      std::string what = "result '" + name + "' dim " + std::to_string(axis);
      if (failed(addCheck({terminator, terminator->getBlock(), extent,
                           ExtentRelation::equal, symbol, what, "R0"})))
        result = failure();
    }
  }
  return result;
}

AffineMap FunctionSymbols::mapOf(ArrayRef<AffineExpr> extents) const {
  assert(llvm::all_of(extents,
                      [&](AffineExpr extent) {
                        return analysis.isKnownAtEntry(extent);
                      }) &&
         "extents that are not known at entry have no map");
  return AffineMap::get(/*dimCount=*/0, names.size(), extents, context);
}

std::string FunctionSymbols::print(AffineExpr extent) const {
  std::string text, result;
  llvm::raw_string_ostream(text) << extent;
  for (size_t i = 0; i < text.size();) {
    size_t end = i + 1;
    while (end < text.size() && llvm::isDigit(text[end]))
      ++end;
    unsigned number = 0;
    bool symbol = text[i] == 's' && end > i + 1 &&
                  !StringRef(text).slice(i + 1, end).getAsInteger(10, number) &&
                  number < names.size();
    result += symbol ? names[number] : text.substr(i, end - i);
    i = end;
  }
  return result;
}

namespace {
/// Records the checks of a block as ops at its beginning, each once.
class CheckRecorder {
public:
  CheckRecorder(func::FuncOp function, const FunctionSymbols &symbols)
      : entry(&function.getBody().front()), symbols(symbols) {
    function.walk([&](tgx::ExtentCheckOpInterface check) {
      recorded.insert({check->getBlock(), check.getFound(), check.getExpected(),
                       unsigned(check.getRelation())});
      lastOfBlock[check->getBlock()] = check;
    });
  }

  void record(const ExtentCheck &check);

private:
  using Key = std::tuple<Block *, AffineMap, AffineMap, unsigned>;

  /// Returns the op after which a check of its block is inserted.
  Operation *&insertionPointOf(const ExtentCheck &check);

  Block *entry;
  const FunctionSymbols &symbols;
  llvm::DenseSet<Key> recorded;
  /// The last check of each block, and of each measure.
  llvm::DenseMap<Block *, Operation *> lastOfBlock;
  llvm::DenseMap<Operation *, Operation *> lastOfMeasure;
};
} // namespace

Operation *&CheckRecorder::insertionPointOf(const ExtentCheck &check) {
  llvm::DenseSet<int64_t> needed;
  for (AffineExpr number : {check.found, check.expected})
    number.walk([&](AffineExpr part) {
      if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
        needed.insert(symbol.getPosition());
    });
  Operation *measure = nullptr;
  for (auto op : check.block->getOps<tgx::MeasureOp>())
    if (needed.contains(op.getSymbol()))
      measure = op;
  if (!measure)
    return lastOfBlock[check.block];
  return lastOfMeasure.try_emplace(measure, measure).first->second;
}

void CheckRecorder::record(const ExtentCheck &check) {
  AffineMap found = symbols.mapOf({check.found});
  AffineMap expected = symbols.mapOf({check.expected});
  unsigned relation = unsigned(check.relation);
  // Checks that hold on entry hold everywhere.
  if (recorded.contains({entry, found, expected, relation}) ||
      !recorded.insert({check.block, found, expected, relation}).second)
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(check.block);
  Operation *&anchor = insertionPointOf(check);
  if (anchor)
    builder.setInsertionPointAfter(anchor);
  anchor = tgx::checkExtents(builder, check, found, expected);
}

void tg::recordEntryChecks(func::FuncOp function,
                           const FunctionSymbols &symbols,
                           function_ref<bool(Operation *)> shouldRecord) {
  CheckRecorder recorder(function, symbols);
  for (const ExtentCheck &check : symbols.getChecks())
    if (shouldRecord(check.op))
      recorder.record(check);
}
