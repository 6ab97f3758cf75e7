//===- DivideReductions.cpp - reductions of concatenations ----------------===//
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/shapes/FunctionSymbols.h"
#include "dialects/tg/ops/movement/DataMovementOps.h"
#include "dialects/tgx/Tgx.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tg {
#define GEN_PASS_DEF_DIVIDEREDUCTIONS
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

/// Returns the concatenation that is reduced, if it is along an axis that is
/// not reduced; null otherwise.
static ConcatenationOpInterface findDivided(ReductionOpInterface reduction) {
  auto concatenation =
      reduction->getOperand(0).getDefiningOp<ConcatenationOpInterface>();
  if (!concatenation || concatenation->getNumOperands() < 2 ||
      reduction->getNumOperands() != 1 ||
      llvm::is_contained(reduction.getReducedAxes(),
                         int64_t(concatenation.getConcatenationAxis())))
    return nullptr;
  return concatenation;
}

/// Builds the same reduction of a part.
static ReductionOpInterface
reducePart(OpBuilder &builder, ReductionOpInterface reduction, Value part) {
  IRMapping values;
  values.map(reduction->getOperand(0), part);
  Operation *copy = builder.clone(*reduction, values);
  SmallVector<Type> types;
  [[maybe_unused]] LogicalResult typed =
      cast<InferTypeOpInterface>(copy).inferReturnTypes(
          copy->getContext(), copy->getLoc(), copy->getOperands(),
          copy->getAttrDictionary(), copy->getPropertiesStorage(), {}, types);
  assert(succeeded(typed) && "a part has the axes of the whole");
  for (auto [result, type] : llvm::zip_equal(copy->getResults(), types))
    result.setType(type);
  return cast<ReductionOpInterface>(copy);
}

/// Returns true if this reduction would have to be decomposed into simpler ops.
/// This pass runs after decomposition, so no later pass would do that.
static bool isComposed(ReductionOpInterface reduction) {
  auto composed = dyn_cast<DecomposableOpInterface>(reduction.getOperation());
  return composed && composed.isComposed();
}

/// Builds the reductions of the parts. Returns none if one of them would be a
/// composed op.
static SmallVector<ReductionOpInterface>
reduceParts(ReductionOpInterface reduction,
            ConcatenationOpInterface concatenation) {
  OpBuilder builder(reduction);
  SmallVector<ReductionOpInterface> reductions;
  for (Value part : concatenation->getOperands())
    reductions.push_back(reducePart(builder, reduction, part));
  if (llvm::none_of(reductions, isComposed))
    return reductions;
  for (ReductionOpInterface each : reductions)
    each->erase();
  return {};
}

/// Returns the axis along which the results of the parts are concatenated.
static int64_t axisOfResults(ReductionOpInterface reduction, unsigned axis) {
  if (reduction.keepsReducedAxes())
    return axis;
  return axis - llvm::count_if(reduction.getReducedAxes(),
                               [&](int64_t each) { return each < axis; });
}

namespace {
struct DivideReductions : tg::impl::DivideReductionsBase<DivideReductions> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    SmallVector<ReductionOpInterface> worklist = llvm::to_vector(
        function.getBody().front().getOps<ReductionOpInterface>());
    if (llvm::none_of(worklist, findDivided))
      return markAllAnalysesPreserved();
    FailureOr<FunctionSymbols> symbols = FunctionSymbols::create(function);
    if (failed(symbols))
      return signalPassFailure();
    // Records the checks of concatenations now, because this pass may remove
    // them.
    recordEntryChecks(function, *symbols, [&](Operation *op) {
      return isa<ConcatenationOpInterface>(op);
    });
    for (size_t index = 0; index < worklist.size(); ++index)
      if (ConcatenationOpInterface concatenation = findDivided(worklist[index]))
        divide(worklist[index], concatenation, worklist);
  }

  /// Replaces a reduction of a concatenation by a concatenation of reductions
  /// of the parts. Adds these to the worklist, because a part may itself be a
  /// concatenation.
  void divide(ReductionOpInterface reduction,
              ConcatenationOpInterface concatenation,
              SmallVectorImpl<ReductionOpInterface> &worklist) {
    SmallVector<ReductionOpInterface> reductions =
        reduceParts(reduction, concatenation);
    if (reductions.empty())
      return;
    ++divided;
    llvm::append_range(worklist, reductions);
    SmallVector<SmallVector<Value>> results(reduction->getNumResults());
    for (ReductionOpInterface each : reductions)
      for (auto [all, result] : llvm::zip_equal(results, each->getResults()))
        all.push_back(result);
    OpBuilder builder(reduction);
    int64_t axis =
        axisOfResults(reduction, concatenation.getConcatenationAxis());
    for (auto [all, result] : llvm::zip_equal(results, reduction->getResults()))
      result.replaceAllUsesWith(ConcatOp::create(builder, reduction.getLoc(),
                                                 result.getType(), all, axis));
    reduction->erase();
  }
};
} // namespace
