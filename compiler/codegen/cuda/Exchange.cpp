//===- Exchange.cpp - values of other threads of a warp -------------------===//
#include "compiler/codegen/cuda/Exchange.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tg;

/// Returns the i32 `number`.
static Value constantWord(OpBuilder &builder, Location loc, int32_t number) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI32IntegerAttr(number));
}

/// Exchanges an i32.
Value Exchange::exchangeWord(Value word, StringRef mode,
                             unsigned operand) const {
  // The last operand says that the whole warp exchanges values.
  Value operands[] = {constantWord(builder, loc, -1), word,
                      constantWord(builder, loc, operand),
                      constantWord(builder, loc, 31)};
  auto name =
      builder.getStringAttr("llvm.nvvm.shfl.sync." + mode.str() + ".i32");
  return LLVM::CallIntrinsicOp::create(builder, loc, builder.getI32Type(), name,
                                       operands)
      .getResult(0);
}

Value Exchange::exchange(Value value, StringRef mode, unsigned operand) const {
  Type type = value.getType(), word = builder.getI32Type();
  unsigned bits = type.getIntOrFloatBitWidth();
  if (isa<FloatType>(type)) {
    Value other =
        exchange(arith::BitcastOp::create(builder, loc,
                                          builder.getIntegerType(bits), value),
                 mode, operand);
    return arith::BitcastOp::create(builder, loc, type, other);
  }
  if (bits == 32)
    return exchangeWord(value, mode, operand);
  if (bits < 32) {
    Value wide = arith::ExtUIOp::create(builder, loc, word, value);
    return arith::TruncIOp::create(builder, loc, type,
                                   exchangeWord(wide, mode, operand));
  }
  Value shift =
      arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(32));
  auto exchangeHalf = [&](Value half) -> Value {
    Value low = arith::TruncIOp::create(builder, loc, word, half);
    return arith::ExtUIOp::create(builder, loc, type,
                                  exchangeWord(low, mode, operand));
  };
  Value low = exchangeHalf(value);
  Value high = exchangeHalf(arith::ShRUIOp::create(builder, loc, value, shift));
  return arith::OrIOp::create(
      builder, loc, arith::ShLIOp::create(builder, loc, high, shift), low);
}

Value Exchange::fromLater(Value value, unsigned distance) const {
  return exchange(value, "down", distance);
}

Value Exchange::fromLane(Value value, unsigned lane) const {
  return exchange(value, "idx", lane);
}

void Exchange::waitForWarp() const {
  LLVM::CallIntrinsicOp::create(
      builder, loc, builder.getStringAttr("llvm.nvvm.bar.warp.sync"),
      ValueRange(constantWord(builder, loc, -1)));
}
