//===- ProductBlocks.cpp - the blocks of a sum of products ----------------===//
#include "compiler/codegen/kernel/sums/ProductBlocks.h"
#include "dialects/tg/Order.h"
#include "dialects/tg/Tg.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tg;

/// No sum has more products than this, which leaves room for a multiplication
/// by a length.
static constexpr int64_t kManyProducts = int64_t(1) << 40;

bool tg::blocksCountLines(const Contraction &contraction) {
  std::optional<GroupedWindows> groups = contraction.findGroupedWindows();
  return groups && contraction.dimensions[groups->windows.outer].kind ==
                       DimensionKind::reduced;
}

SmallVector<int64_t> tg::findProductBlocks(const Contraction &contraction) {
  // Sums of integers depend on no order.
  if (!isa<FloatType>(contraction.accumulator))
    return {};
  SmallVector<AffineExpr> extents;
  for (unsigned dimension : contraction.dimensionsOf(DimensionKind::reduced))
    extents.push_back(contraction.dimensions[dimension].extent);
  if (blocksCountLines(contraction))
    extents.pop_back();
  Value result = contraction.result.value;
  std::optional<int64_t> values =
      staticExtent(productOf(extents, result.getContext()));
  SmallVector<int64_t> blocks;
  for (int64_t length : orderOf(result.getDefiningOp()).getBlocks()) {
    if ((values && *values <= length) || countProducts(blocks) >= kManyProducts)
      break;
    blocks.push_back(length);
    if (values)
      values = llvm::divideCeil(*values, length);
  }
  return blocks;
}

int64_t tg::countProducts(ArrayRef<int64_t> blocks) {
  return llvm::product_of(blocks);
}

Value tg::buildEmptyTotal(OpBuilder &builder, Location loc, Type type) {
  auto element = cast<FloatType>(getElementTypeOrSelf(type));
  APFloat zero = APFloat::getZero(element.getFloatSemantics(),
                                  /*Negative=*/true);
  TypedAttr value = FloatAttr::get(element, zero);
  if (auto vector = dyn_cast<VectorType>(type))
    value = DenseElementsAttr::get(vector, Attribute(value));
  return arith::ConstantOp::create(builder, loc, value);
}
