//===- DivideReductions.cpp - reductions of what is concatenated ----------===//
#include "compiler/transforms/FunctionSymbols.h"
#include "compiler/transforms/Passes.h"
#include "dialects/tg/DataMovementOps.h"
#include "dialects/tgx/Tgx.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tg {
#define GEN_PASS_DEF_DIVIDEREDUCTIONS
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

/// What is reduced, if it is concatenated along an axis that stays.
static ConcatenationOpInterface findDivided(ReductionOpInterface reduction) {
  auto parts =
      reduction->getOperand(0).getDefiningOp<ConcatenationOpInterface>();
  if (!parts || parts->getNumOperands() < 2 ||
      reduction->getNumOperands() != 1 ||
      llvm::is_contained(reduction.getReducedAxes(),
                         int64_t(parts.getConcatenationAxis())))
    return nullptr;
  return parts;
}

/// The same reduction of a part.
static ReductionOpInterface
reducePart(OpBuilder &builder, ReductionOpInterface reduction, Value part) {
  IRMapping values;
  values.map(reduction->getOperand(0), part);
  Operation *own = builder.clone(*reduction, values);
  SmallVector<Type> types;
  [[maybe_unused]] LogicalResult typed =
      cast<InferTypeOpInterface>(own).inferReturnTypes(
          own->getContext(), own->getLoc(), own->getOperands(),
          own->getAttrDictionary(), own->getPropertiesStorage(), {}, types);
  assert(succeeded(typed) && "a part has the axes of the whole");
  for (auto [result, type] : llvm::zip_equal(own->getResults(), types))
    result.setType(type);
  return cast<ReductionOpInterface>(own);
}

/// The axis of the results along which those of the parts lie.
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
    // What nobody may compute any more is not asked for its checks later.
    recordEntryChecks(function, *symbols, [&](Operation *op) {
      return isa<ConcatenationOpInterface>(op);
    });
    for (size_t number = 0; number < worklist.size(); ++number)
      if (ConcatenationOpInterface parts = findDivided(worklist[number])) {
        divide(worklist[number], parts, worklist);
        ++divided;
      }
  }

  /// Adds the reductions of the parts, which may be concatenated, too.
  static void divide(ReductionOpInterface reduction,
                     ConcatenationOpInterface parts,
                     SmallVectorImpl<ReductionOpInterface> &worklist) {
    OpBuilder builder(reduction);
    SmallVector<SmallVector<Value>> results(reduction->getNumResults());
    for (Value part : parts->getOperands()) {
      ReductionOpInterface own = reducePart(builder, reduction, part);
      worklist.push_back(own);
      for (auto [all, result] : llvm::zip_equal(results, own->getResults()))
        all.push_back(result);
    }
    int64_t axis = axisOfResults(reduction, parts.getConcatenationAxis());
    for (auto [all, result] : llvm::zip_equal(results, reduction->getResults()))
      result.replaceAllUsesWith(ConcatOp::create(builder, reduction.getLoc(),
                                                 result.getType(), all, axis));
    reduction->erase();
  }
};
} // namespace
