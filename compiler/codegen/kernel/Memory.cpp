//===- Memory.cpp - elements in memory and in registers -------------------===//
#include "compiler/codegen/kernel/Memory.h"
#include "dialects/tg/elements/ElementTypes.h"
#include "dialects/tg/elements/IntegerOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tg;

// Elements have the same type in memory and in registers, except for i1.
#define TG_ELEMENT(name, front, code, bits, host, rounding, compute, ...)      \
  static_assert(ElementType::compute == ElementType::name);
TG_DTYPES(TG_ELEMENT)
#undef TG_ELEMENT

Type tg::memoryType(Type elementType) {
  Type type = computeType(elementType);
  if (type.isInteger(1))
    return IntegerType::get(type.getContext(), 8);
  return type;
}

/// Returns `type` if `lanes` is 1, otherwise a vector of it.
static Type widen(Type type, unsigned lanes) {
  if (lanes == 1)
    return type;
  return VectorType::get({int64_t(lanes)}, type);
}

Value tg::addressOf(OpBuilder &builder, Location loc, const Elements &elements,
                    Value offset) {
  auto advance = [&](Value from, Value distance) -> Value {
    return LLVM::GEPOp::create(builder, loc, from.getType(),
                               memoryType(elements.elementType), from,
                               ArrayRef<LLVM::GEPArg>{distance});
  };
  // Addresses that differ by a constant share the variable part.
  if (std::optional<ConstantSum> sum = splitConstant(offset)) {
    IntegerOps ops(builder, loc);
    return advance(advance(elements.pointer, ops.extend(sum->variable)),
                   ops.constant(sum->constant));
  }
  return advance(elements.pointer, offset);
}

Value tg::loadElements(OpBuilder &builder, Location loc,
                       const Elements &elements, Value offset,
                       const Lanes &lanes) {
  Value address = addressOf(builder, loc, elements, offset);
  Type type = widen(memoryType(elements.elementType), lanes.count);
  unsigned alignment = elementBytes(elements.elementType);
  Value value;
  if (lanes.mask) {
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    value = LLVM::MaskedLoadOp::create(builder, loc, type, address, lanes.mask,
                                       zero, alignment);
  } else {
    value = LLVM::LoadOp::create(builder, loc, type, address, alignment);
  }
  if (!computeType(elements.elementType).isInteger(1))
    return value;
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, value,
                               zero);
}

/// Returns true if a mask is a constant in which only the first lane is active.
static bool isFirstLaneAlone(Value mask) {
  DenseElementsAttr lanes;
  if (!mask || !matchPattern(mask, m_Constant(&lanes)))
    return false;
  auto active = lanes.getValues<bool>();
  return active[0] && llvm::count(active, true) == 1;
}

void tg::storeElements(OpBuilder &builder, Location loc,
                       const Elements &elements, Value offset, Value value,
                       const Lanes &lanes, unsigned nonTemporalAlignment) {
  Value address = addressOf(builder, loc, elements, offset);
  Type type = widen(memoryType(elements.elementType), lanes.count);
  if (computeType(elements.elementType).isInteger(1))
    value = arith::ExtUIOp::create(builder, loc, type, value);
  unsigned alignment = elementBytes(elements.elementType);
  // LLVM 22 writes four bytes for a masked store of one lane if the value was
  // truncated from four bytes.
  if (isFirstLaneAlone(lanes.mask)) {
    Value first =
        vector::ExtractOp::create(builder, loc, value, ArrayRef<int64_t>{0});
    LLVM::StoreOp::create(builder, loc, first, address, alignment);
    return;
  }
  if (lanes.mask) {
    LLVM::MaskedStoreOp::create(builder, loc, value, address, lanes.mask,
                                alignment);
    return;
  }
  LLVM::StoreOp::create(
      builder, loc, value, address, std::max(alignment, nonTemporalAlignment),
      /*isVolatile=*/false, /*isNonTemporal=*/nonTemporalAlignment != 0);
}

void tg::prefetchElement(OpBuilder &builder, Location loc,
                         const Elements &elements, Value offset,
                         bool isWritten) {
  LLVM::Prefetch::create(builder, loc,
                         addressOf(builder, loc, elements, offset),
                         /*rw=*/isWritten, /*hint=*/2, /*cache=*/1);
}

Value tg::buildMask(OpBuilder &builder, Location loc, Value first, Value end,
                    unsigned lanes) {
  Value remaining = IntegerOps(builder, loc).sub(end, first);
  if (std::optional<int64_t> count = constantNumber(remaining)) {
    SmallVector<bool> active;
    for (unsigned lane = 0; lane < lanes; ++lane)
      active.push_back(lane < *count);
    auto type = VectorType::get({int64_t(lanes)}, builder.getI1Type());
    return arith::ConstantOp::create(builder, loc,
                                     DenseElementsAttr::get(type, active));
  }
  // A remainder has fewer than 2^31 lanes, so a cheaper 32-bit comparison is
  // enough.
  Value remaining32 =
      arith::TruncIOp::create(builder, loc, builder.getI32Type(), remaining);
  Value limit = splatTo(builder, loc, remaining32, lanes);
  auto laneIndices = llvm::to_vector(llvm::seq<int32_t>(0, lanes));
  auto type = cast<VectorType>(limit.getType());
  Value lane = arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(type, ArrayRef<int32_t>(laneIndices)));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, lane,
                               limit);
}

Value tg::splatTo(OpBuilder &builder, Location loc, Value value,
                  unsigned lanes) {
  if (lanes == 1)
    return value;
  return vector::BroadcastOp::create(
      builder, loc, VectorType::get({int64_t(lanes)}, value.getType()), value);
}
