//===- ModuleView.cpp - a function prepared for display -------------------===//
#include "compiler/frontend/body/ModuleView.h"
#include "compiler/library/plan/Locations.h"
#include "dialects/tg/Tg.h"
#include "dialects/tg/elements/ElementTypes.h"

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

FailureOr<FunctionView> FunctionView::create(func::FuncOp function) {
  FailureOr<FunctionSymbols> symbols = FunctionSymbols::create(function);
  if (failed(symbols))
    return failure();
  return FunctionView{function, std::move(*symbols)};
}

std::string FunctionView::layerOf(Operation *op) {
  return SourceLocation::of(op->getLoc(), "").layer;
}

std::string FunctionView::nameOf(unsigned number, bool isResult) {
  return (isResult ? function.getResultAttrOfType<StringAttr>(number, "tg.name")
                   : function.getArgAttrOfType<StringAttr>(number, "tg.name"))
      .str();
}

std::string FunctionView::typeOf(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  std::string text = typeInfoOf(elementOf(type.getElementType())).name;
  text += " [";
  for (auto [axis, extent] :
       llvm::enumerate(symbols.getAnalysis().extentsOf(value)))
    text += (axis ? ", " : "") + toText(extent);
  return text + "]";
}

std::string FunctionView::toText(AffineExpr extent) const {
  return symbols.print(
      simplifyAffineExpr(extent, /*numDims=*/0, symbols.getNames().size()));
}

/// Returns true if an op computes or moves elements.
static bool isShown(Operation *op) {
  if (op->hasTrait<mlir::OpTrait::IsTerminator>() ||
      op->hasTrait<mlir::OpTrait::ConstantLike>())
    return false;
  // Extents, and numbers computed from them, are i64 values of rank 0.
  return llvm::none_of(op->getResults(), [](Value result) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    return !type ||
           (type.getRank() == 0 && type.getElementType().isInteger(64));
  });
}

/// Collects the ops to display. Ops in regions precede the op with the region.
static void collectOps(Block &block, bool all,
                       SmallVectorImpl<Operation *> &ops) {
  for (Operation &op : block) {
    if (isa<RegionOpInterface>(op))
      for (Region &region : op.getRegions())
        collectOps(region.front(), all, ops);
    if (all ? !op.hasTrait<mlir::OpTrait::IsTerminator>() : isShown(&op))
      ops.push_back(&op);
  }
}

SmallVector<Operation *> FunctionView::getOps(bool all) {
  SmallVector<Operation *> ops;
  collectOps(function.getBody().front(), all, ops);
  return ops;
}
