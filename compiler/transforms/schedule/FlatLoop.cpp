//===- FlatLoop.cpp - loops over one dimension ----------------------------===//
#include "compiler/transforms/schedule/FlatLoop.h"
#include "compiler/transforms/fusion/KernelExtents.h"

using namespace mlir;
using namespace tg;

SmallVector<AffineExpr> tg::outputExtentsOf(tgx::KernelOp kernel) {
  ExtentAnalysis extents(kernel.getContext());
  // The verifier of the kernel has checked that this succeeds.
  (void)kernel.analyzeExtents(extents);
  return SmallVector<AffineExpr>(extents.extentsOf(kernel.getOutputs()[0]));
}

RankedTensorType tg::flatType(Type elementType, int64_t count) {
  return RankedTensorType::get({count}, elementType);
}

static bool isNumber(Value value) {
  return cast<RankedTensorType>(value.getType()).getRank() == 0;
}

/// Returns true if no op of a kernel depends on its symbols.
static bool ignoresSymbols(tgx::KernelOp kernel) {
  return llvm::all_of(kernel.getArgumentSizes(), llvm::IsaPred<UnitAttr>) &&
         llvm::all_of(kernel.getBlock(), [](Operation &op) {
           return llvm::none_of(op.getAttrs(), [](NamedAttribute attribute) {
             return isa<AffineMapAttr>(attribute.getValue());
           });
         });
}

/// Returns true if all values of a kernel are numbers or have the extents of
/// the outputs, and all ops are elementwise.
static bool hasFlatForm(tgx::KernelOp kernel) {
  ExtentAnalysis analysis(kernel.getContext());
  if (failed(kernel.analyzeExtents(analysis)) || !ignoresSymbols(kernel))
    return false;
  ArrayRef<AffineExpr> extents = analysis.extentsOf(kernel.getOutputs()[0]);
  auto fits = [&](Value value) {
    return isNumber(value) || analysis.extentsOf(value) == extents;
  };
  auto isFlat = [&](Operation &op) {
    bool isConstant = op.hasTrait<mlir::OpTrait::ConstantLike>();
    return isElementwise(&op) && !isa<DynamicSizesOpInterface>(op) &&
           llvm::all_of(op.getResults(), [&](Value result) {
             return isConstant ? isNumber(result) : fits(result);
           });
  };
  return llvm::none_of(kernel.getOutputs(), isNumber) &&
         llvm::all_of(kernel.getBlock().getArguments(), fits) &&
         llvm::all_of(kernel.getBlock().without_terminator(), isFlat);
}

/// Makes the type of a value, unless it is a number, flat and dynamic.
static void makeFlat(Value value) {
  if (!isNumber(value))
    value.setType(flatType(getElementTypeOrSelf(value), ShapedType::kDynamic));
}

static OwningOpRef<tgx::KernelOp> flattened(tgx::KernelOp kernel) {
  OwningOpRef<tgx::KernelOp> flat = kernel.clone();
  llvm::for_each(flat->getBlock().getArguments(), makeFlat);
  for (Operation &op : flat->getBlock().without_terminator())
    llvm::for_each(op.getResults(), makeFlat);
  Builder builder(kernel.getContext());
  SmallVector<Attribute> extents;
  for (Value argument : flat->getBlock().getArguments()) {
    SmallVector<AffineExpr> dims;
    if (!isNumber(argument))
      dims.push_back(builder.getAffineSymbolExpr(0));
    extents.push_back(
        AffineMapAttr::get(AffineMap::get(0, 1, dims, kernel.getContext())));
  }
  flat->setArgumentExtentsAttr(builder.getArrayAttr(extents));
  flat->setSymName("flat");
  setSymbolCount(*flat, 1);
  return flat;
}

const FlatLoop *FlatLoops::find(tgx::KernelOp kernel) {
  auto [entry, isNew] = loops.try_emplace(kernel);
  std::unique_ptr<FlatLoop> &loop = entry->second;
  if (!isNew || !hasFlatForm(kernel))
    return loop.get();
  loop = std::make_unique<FlatLoop>();
  loop->kernel = flattened(kernel);
  llvm::raw_string_ostream stream(loop->key);
  loop->kernel.get()->print(
      stream,
      OpPrintingFlags().printGenericOpForm().assumeVerified().enableDebugInfo(
          false));
  return loop.get();
}
