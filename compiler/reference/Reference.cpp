//===- Reference.cpp - the exact bits of a model --------------------------===//
#include "compiler/reference/Reference.h"
#include "compiler/reference/ElementRule.h"
#include "compiler/reference/Sums.h"
#include "compiler/transforms/shapes/FunctionSymbols.h"
#include "dialects/tg/evaluation/DefaultModesGuard.h"
#include "dialects/tg/evaluation/OpEvaluation.h"
#include "dialects/tg/ops/movement/IndexingOps.h"
#include "dialects/tg/ops/structured/ReductionOps.h"
#include "dialects/tgx/Tgx.h"
#include "mlir/IR/AffineMap.h"
#include <map>

using namespace mlir;
using namespace tg;

/// Evaluates single ops, and keeps the code of their rules.
class Reference::Evaluation {
public:
  explicit Evaluation(ModuleOp module);

  /// Binds the symbols of the function to the extents of its inputs.
  std::string begin(func::FuncOp function, ArrayRef<HostTensor> inputs);
  /// Computes the results of an op. Returns none if the interpreter runs it.
  std::optional<std::string> evaluate(Operation *op,
                                      ArrayRef<HostTensor> operands,
                                      SmallVectorImpl<HostTensor> &results);

private:
  std::string evaluateRule(ElementOpInterface op, ArrayRef<HostTensor> operands,
                           MutableArrayRef<HostTensor> results);
  std::string compute(Operation *op, ArrayRef<HostTensor> operands,
                      MutableArrayRef<HostTensor> results);
  int64_t valueOf(AffineExpr expression) const;

  /// The rules by op and by the extents of its operands and results.
  std::map<std::pair<Operation *, std::vector<int64_t>>, ElementRule> rules;
  /// The values of the function's symbols so far.
  std::vector<int64_t> symbols;
};

//===----------------------------------------------------------------------===//
// Composed ops
//===----------------------------------------------------------------------===//

static bool isComposed(Operation *op) {
  auto composed = dyn_cast<DecomposableOpInterface>(op);
  return composed && composed.isComposed();
}

/// Replaces the results of composed ops by values that simpler ops compute. The
/// composed ops stay, because some of them can fail.
static void decomposeAll(ModuleOp module) {
  SmallVector<Operation *> worklist;
  llvm::DenseSet<Operation *> done;
  do {
    worklist.clear();
    module.walk([&](Operation *op) {
      if (isComposed(op) && done.insert(op).second)
        worklist.push_back(op);
    });
    for (Operation *op : worklist) {
      OpBuilder builder(op);
      op->replaceAllUsesWith(
          cast<DecomposableOpInterface>(op).decompose(builder));
    }
  } while (!worklist.empty());
}

Reference::Evaluation::Evaluation(ModuleOp module) {
  loadScalarDialects(module.getContext());
  decomposeAll(module);
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

std::string Reference::Evaluation::begin(func::FuncOp function,
                                         ArrayRef<HostTensor> inputs) {
  symbols.clear();
  FailureOr<FunctionSymbols> analysis = FunctionSymbols::create(function);
  if (failed(analysis))
    return "expected extents that follow from inputs, found others";
  symbols.resize(analysis->getNames().size());
  for (auto [argument, input] : llvm::zip(function.getArguments(), inputs))
    for (auto [extent, value] : llvm::zip(
             analysis->getAnalysis().extentsOf(argument), input.getShape()))
      if (auto symbol = dyn_cast<AffineSymbolExpr>(extent))
        if (symbol.getPosition() < symbols.size())
          symbols[symbol.getPosition()] = value;
  return {};
}

int64_t Reference::Evaluation::valueOf(AffineExpr expression) const {
  Builder builder(expression.getContext());
  SmallVector<Attribute> values;
  for (int64_t symbol : symbols)
    values.push_back(builder.getIndexAttr(symbol));
  SmallVector<Attribute> result;
  AffineMap map = AffineMap::get(0, symbols.size(), expression);
  // All symbols are bound, so that the map folds to a number.
  (void)map.constantFold(values, result);
  return cast<IntegerAttr>(result.front()).getInt();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

std::string
Reference::Evaluation::evaluateRule(ElementOpInterface op,
                                    ArrayRef<HostTensor> operands,
                                    MutableArrayRef<HostTensor> results) {
  std::vector<int64_t> extents;
  for (ArrayRef<HostTensor> tensors : {operands, ArrayRef<HostTensor>(results)})
    for (const HostTensor &tensor : tensors)
      llvm::append_range(extents, tensor.getShape());
  auto rule = rules.find({op, extents});
  if (rule == rules.end())
    rule = rules
               .emplace(std::pair(op.getOperation(), std::move(extents)),
                        ElementRule(op, operands, results))
               .first;
  return rule->second.run(operands, results, [&](AffineExpr expression) {
    return valueOf(expression);
  });
}

/// Returns true if a result has floats, so that computing it may round.
static bool hasFloats(ArrayRef<HostTensor> results) {
  return llvm::any_of(results, [](const HostTensor &result) {
    return isa<FloatType>(result.getElementType());
  });
}

/// Computes the results of an op that rounds or cannot evaluate itself.
std::string
Reference::Evaluation::compute(Operation *op, ArrayRef<HostTensor> operands,
                               MutableArrayRef<HostTensor> results) {
  if (auto reduction = dyn_cast<ReductionOpInterface>(op))
    return reduce(reduction, operands[0], results);
  if (auto contraction = dyn_cast<ContractionOpInterface>(op))
    return multiply(contraction, operands, results[0]);
  if (isa<CumsumOp>(op))
    return sumAlongAxis(op, operands[0], results[0]);
  if (auto scatter = dyn_cast<ScatterOp>(op); scatter && scatter.isSum())
    return addUpdates(op, operands, results[0]);
  if (auto rule = dyn_cast<ElementOpInterface>(op))
    return evaluateRule(rule, operands, results);
  return cast<EvaluableOpInterface>(op).evaluate(operands, results);
}

std::optional<std::string>
Reference::Evaluation::evaluate(Operation *op, ArrayRef<HostTensor> operands,
                                SmallVectorImpl<HostTensor> &results) {
  if (auto measure = dyn_cast<tgx::MeasureOp>(op)) {
    if (measure.getSymbol() < symbols.size())
      symbols[measure.getSymbol()] = operands[0].integerAt(0);
    return "";
  }
  if (auto check = dyn_cast<tgx::EntryCheckOp>(op)) {
    int64_t found = valueOf(check.getFound().getResult(0));
    int64_t expected = valueOf(check.getExpected().getResult(0));
    if (holds(check.getRelation(), found, expected))
      return "";
    return ("expected " + check.getWhat() + " to be " +
            boundPhrase(check.getRelation()) + Twine(expected) + ", found " +
            Twine(found) + " [" + check.getLabel() + "]")
        .str();
  }
  auto shaped = dyn_cast<ExtentsOpInterface>(op);
  auto evaluable = dyn_cast<EvaluableOpInterface>(op);
  if (!shaped || (!evaluable && !isa<ElementOpInterface>(op)) ||
      isa<RegionOpInterface>(op))
    return std::nullopt;
  RunExtents extents;
  std::string error = inferRunExtents(op, operands, extents);
  for (const TensorExtents &result : extents.results)
    if (error.empty())
      results.emplace_back(result.elementType, result.getType().getShape());
  if (!error.empty())
    return error;
  // The evaluation of an op also checks its operands.
  bool isExact = evaluable && (!hasFloats(results) ||
                               op->hasTrait<mlir::OpTrait::ConstantLike>());
  auto checked = dyn_cast<CheckedOpInterface>(op);
  if (isExact || (checked && checked.getCheckedOperand()))
    error = evaluable.evaluate(operands, results);
  if (error.empty() && !isExact && !isComposed(op))
    error = compute(op, operands, results);
  return error;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

Reference::Reference(ModuleOp module)
    : evaluation(std::make_unique<Evaluation>(module)) {
  interpreter.replace = [this](Operation *op, ArrayRef<HostTensor> operands,
                               SmallVectorImpl<HostTensor> &results) {
    return evaluation->evaluate(op, operands, results);
  };
}

Reference::~Reference() = default;

std::string Reference::run(func::FuncOp function, ArrayRef<HostTensor> inputs,
                           SmallVectorImpl<HostTensor> &results) {
  DefaultModesGuard guard;
  std::string error = evaluation->begin(function, inputs);
  return error.empty() ? interpreter.run(function, inputs, results) : error;
}
