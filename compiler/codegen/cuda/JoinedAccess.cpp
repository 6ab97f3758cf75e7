//===- JoinedAccess.cpp - neighbouring elements in one access -------------===//
#include "compiler/codegen/cuda/JoinedAccess.h"
#include "dialects/tg/elements/ElementTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tg;

/// Returns the number of a lane of a vector as a value.
static Value laneNumber(OpBuilder &builder, Location loc, unsigned lane) {
  return arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), lane);
}

SmallVector<Value> tg::loadJoined(OpBuilder &builder, Location loc,
                                  const Elements &elements, Value offset,
                                  unsigned count) {
  Type element = memoryType(elements.elementType);
  Value all = LLVM::LoadOp::create(
      builder, loc, VectorType::get({int64_t(count)}, element),
      addressOf(builder, loc, elements, offset),
      /*alignment=*/count * elementBytes(elements.elementType));
  SmallVector<Value> values;
  for (unsigned lane = 0; lane < count; ++lane) {
    Value value = LLVM::ExtractElementOp::create(
        builder, loc, all, laneNumber(builder, loc, lane));
    if (computeType(elements.elementType).isInteger(1))
      value = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::ne, value,
          arith::ConstantIntOp::create(builder, loc, element, 0));
    values.push_back(value);
  }
  return values;
}

void tg::storeJoined(OpBuilder &builder, Location loc, const Elements &elements,
                     Value offset, ArrayRef<Value> values) {
  Type element = memoryType(elements.elementType);
  auto type = VectorType::get({int64_t(values.size())}, element);
  Value all = LLVM::PoisonOp::create(builder, loc, type);
  for (auto [lane, value] : llvm::enumerate(values)) {
    Value stored = value;
    if (value.getType() != element)
      stored = arith::ExtUIOp::create(builder, loc, element, value);
    all = LLVM::InsertElementOp::create(builder, loc, all, stored,
                                        laneNumber(builder, loc, lane));
  }
  LLVM::StoreOp::create(
      builder, loc, all, addressOf(builder, loc, elements, offset),
      /*alignment=*/values.size() * elementBytes(elements.elementType));
}
