//===- KernelExtents.cpp - extents of kernels that calls may pass ---------===//
#include "compiler/transforms/fusion/KernelExtents.h"
#include "compiler/transforms/shapes/SizeEntries.h"
#include "dialects/tg/ops/movement/ConstantOps.h"

using namespace mlir;
using namespace tg;

void tg::setSymbolCount(tgx::KernelOp kernel, unsigned count) {
  auto resize = [&](AffineMap map) {
    return AffineMapAttr::get(
        AffineMap::get(0, count, map.getResults(), kernel.getContext()));
  };
  auto resizeAll = [&](ArrayAttr list) {
    SmallVector<Attribute> result(list.getValue());
    for (Attribute &attribute : result)
      if (auto map = dyn_cast<AffineMapAttr>(attribute))
        attribute = resize(map.getValue());
    return ArrayAttr::get(kernel.getContext(), result);
  };
  kernel.setSymbolCount(count);
  kernel.setArgumentExtentsAttr(resizeAll(kernel.getArgumentExtents()));
  kernel.setArgumentSizesAttr(resizeAll(kernel.getArgumentSizes()));
  for (auto size : kernel.getBlock().getOps<tgx::SizeOp>())
    size.setValueAttr(resize(size.getValue()));
  for (auto check : kernel.getBlock().getOps<tgx::CheckIndexOp>())
    check.setBoundAttr(resize(check.getBound()));
}

/// Returns the arguments of a kernel and the results of its ops.
static SmallVector<Value> valuesOf(tgx::KernelOp kernel) {
  SmallVector<Value> values(kernel.getBlock().getArguments());
  for (Operation &op : kernel.getBlock().without_terminator())
    llvm::append_range(values, op.getResults());
  return values;
}

bool KernelExtents::findExtents() {
  // The extent of each dimension, counted from the last. 0: no extent found
  // yet. -1: the extent is dynamic.
  SmallVector<int64_t> found;
  for (Value value : valuesOf(own))
    for (auto [fromLast, extent] : llvm::enumerate(llvm::reverse(
             cast<RankedTensorType>(value.getType()).getShape()))) {
      if (fromLast == found.size())
        found.push_back(0);
      int64_t known = ShapedType::isDynamic(extent) ? -1 : extent;
      if (known == 0 ||
          (known > 1 && found[fromLast] > 0 && found[fromLast] != known))
        return false;
      if (known != 1 && found[fromLast] != -1)
        found[fromLast] = known;
    }
  // Symbols are numbered from the outermost dimension inwards, which is the
  // order of their first use, as for other symbols.
  extentIndices.resize(found.size());
  for (unsigned fromLast = found.size(); fromLast-- > 0;)
    if (found[fromLast] > 1) {
      extentIndices[fromLast] = extents.size();
      extents.push_back(found[fromLast]);
    }
  return !extents.empty();
}

std::optional<unsigned> KernelExtents::symbolOf(RankedTensorType type,
                                                unsigned fromLast) {
  int64_t extent = type.getDimSize(type.getRank() - 1 - fromLast);
  if (extent == 1 || !extentIndices[fromLast])
    return std::nullopt;
  return own.getSymbolCount() + *extentIndices[fromLast];
}

Type KernelExtents::makeDynamic(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape(tensor.getShape());
  for (unsigned axis = 0; axis < shape.size(); ++axis)
    if (symbolOf(tensor, shape.size() - 1 - axis))
      shape[axis] = ShapedType::kDynamic;
  return tensor.clone(shape);
}

void KernelExtents::makeArgumentsDynamic() {
  MLIRContext *context = shared.getContext();
  SmallVector<Attribute> maps;
  for (auto [argument, map] : llvm::zip_equal(
           shared.getBlock().getArguments(),
           shared.getArgumentExtents().getAsValueRange<AffineMapAttr>())) {
    auto type = cast<RankedTensorType>(argument.getType());
    SmallVector<AffineExpr> dims(map.getResults());
    for (unsigned axis = 0; axis < dims.size(); ++axis)
      if (auto symbol = symbolOf(type, dims.size() - 1 - axis))
        dims[axis] = getAffineSymbolExpr(*symbol, context);
    maps.push_back(AffineMapAttr::get(
        AffineMap::get(0, map.getNumSymbols(), dims, context)));
    argument.setType(makeDynamic(type));
  }
  shared.setArgumentExtentsAttr(ArrayAttr::get(context, maps));
}

/// Returns true if each -1 in the size attributes stands for an operand. In
/// some ops -1 means something else, such as the extent of the input.
static bool areAllOperands(DynamicSizesOpInterface op) {
  size_t unknown = 0;
  for (StringRef name : op.getSizeAttributes())
    unknown += llvm::count(entriesOf(op, name), -1);
  return unknown == op.getDynamicSizes().size();
}

bool KernelExtents::makeResultsDynamic(Operation &op) {
  auto inferable = dyn_cast<InferTypeOpInterface>(op);
  if (!inferable || isa<tgx::SizeOp>(op))
    return bool(isa<tgx::SizeOp>(op));
  SmallVector<Type> expected = llvm::map_to_vector(
      op.getResultTypes(), [&](Type type) { return makeDynamic(type); });
  StringAttr shape = StringAttr::get(op.getContext(), "shape");
  auto sized = dyn_cast<DynamicSizesOpInterface>(op);
  if (sized && !areAllOperands(sized))
    return false;
  if (sized && llvm::is_contained(sized.getSizeAttributes(), shape)) {
    auto type = cast<RankedTensorType>(op.getResult(0).getType());
    OpBuilder builder(op.getBlock(), op.getBlock()->begin());
    for (unsigned axis = 0; axis < type.getRank(); ++axis) {
      auto symbol = symbolOf(type, type.getRank() - 1 - axis);
      if (!symbol || type.isDynamicDim(axis))
        continue;
      auto size = tgx::SizeOp::create(
          builder, op.getLoc(), RankedTensorType::get({}, builder.getI64Type()),
          AffineMapAttr::get(
              AffineMap::get(0, shared.getSymbolCount(),
                             builder.getAffineSymbolExpr(*symbol))));
      fillEntry(sized, shape, axis, size.getResult());
    }
  }
  SmallVector<Type> types;
  if (failed(inferable.inferReturnTypes(
          op.getContext(), op.getLoc(), op.getOperands(),
          op.getRawDictionaryAttrs(), op.getPropertiesStorage(),
          op.getRegions(), types)) ||
      types != expected)
    return false;
  for (auto [result, type] : llvm::zip_equal(op.getResults(), types))
    result.setType(type);
  return true;
}

/// Returns true if the extents in `shared` equal the extents in `own`, apart
/// from the symbols that replace static extents.
bool KernelExtents::extentsMatch() {
  ExtentAnalysis before(own.getContext()), after(own.getContext());
  if (failed(own.analyzeExtents(before)) ||
      failed(shared.analyzeExtents(after)))
    return false;
  auto isValue = [](Value value) {
    return !value.getDefiningOp<tgx::SizeOp>();
  };
  auto all = valuesOf(own);
  auto dynamicValues = valuesOf(shared);
  for (auto [value, dynamic] :
       llvm::zip_equal(llvm::make_filter_range(all, isValue),
                       llvm::make_filter_range(dynamicValues, isValue))) {
    auto type = cast<RankedTensorType>(value.getType());
    for (unsigned axis = 0; axis < type.getRank(); ++axis) {
      auto symbol = symbolOf(type, type.getRank() - 1 - axis);
      AffineExpr expected = symbol
                                ? getAffineSymbolExpr(*symbol, own.getContext())
                                : before.extentsOf(value)[axis];
      if (after.extentsOf(dynamic)[axis] != expected)
        return false;
    }
  }
  return true;
}

KernelExtents::KernelExtents(tgx::KernelOp kernel, bool canShare)
    : own(kernel) {
  if (!canShare || own.getStrategy() != tgx::Strategy::loop || !findExtents()) {
    extents.clear();
    return;
  }
  shared = cast<tgx::KernelOp>(own->clone());
  setSymbolCount(shared, own.getSymbolCount() + extents.size());
  makeArgumentsDynamic();
  ScopedDiagnosticHandler quiet(own.getContext(),
                                [](Diagnostic &) { return success(); });
  SmallVector<Operation *> ops =
      llvm::map_to_vector(shared.getBlock().without_terminator(),
                          [](Operation &op) { return &op; });
  if (llvm::all_of(ops,
                   [&](Operation *op) { return makeResultsDynamic(*op); }) &&
      extentsMatch())
    return;
  shared->erase();
  shared = {};
  extents.clear();
}

void KernelExtents::erase() const {
  if (shared)
    tgx::KernelOp(shared)->erase();
  tgx::KernelOp(own)->erase();
}

tgx::KernelOp KernelExtents::takeOwn() {
  if (shared)
    shared->erase();
  return own;
}

tgx::KernelOp KernelExtents::takeShared() {
  own->erase();
  return shared;
}
