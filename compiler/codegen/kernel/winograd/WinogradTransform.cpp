//===- WinogradTransform.cpp - transforms of tiles and filters ------------===//
#include "compiler/codegen/kernel/winograd/WinogradTransform.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tg;
using namespace tg::winograd;

namespace {
/// Arithmetic on scalars or vectors, and constants.
struct Arithmetic {
  OpBuilder &builder;
  Location loc;

  Value constant(double value, Type type) const {
    auto element = cast<FloatType>(getElementTypeOrSelf(type));
    TypedAttr number = builder.getFloatAttr(element, value);
    if (auto vector = dyn_cast<VectorType>(type))
      number = DenseElementsAttr::get(vector, Attribute(number));
    return arith::ConstantOp::create(builder, loc, number);
  }
  Value add(Value a, Value b) const {
    return arith::AddFOp::create(builder, loc, a, b);
  }
  Value sub(Value a, Value b) const {
    return arith::SubFOp::create(builder, loc, a, b);
  }
  Value scale(double factor, Value a) const {
    return arith::MulFOp::create(builder, loc, constant(factor, a.getType()),
                                 a);
  }
  /// Returns factor * a + b.
  Value addScaled(double factor, Value a, Value b) const {
    return LLVM::FMulAddOp::create(builder, loc, constant(factor, a.getType()),
                                   a, b);
  }
};
} // namespace

/// A transform along one axis.
using LineTransform =
    function_ref<SmallVector<Value>(const Arithmetic &, ValueRange)>;

/// Transforms the columns of a square matrix, then its rows.
static SmallVector<Value> transformSquare(const Arithmetic &math,
                                          ValueRange square, int64_t size,
                                          LineTransform transform) {
  SmallVector<SmallVector<Value>> columns;
  for (int64_t column = 0; column < size; ++column) {
    SmallVector<Value> line;
    for (int64_t row = 0; row < size; ++row)
      line.push_back(square[row * size + column]);
    columns.push_back(transform(math, line));
  }
  SmallVector<Value> result;
  for (size_t row = 0; row < columns.front().size(); ++row) {
    SmallVector<Value> line;
    for (const SmallVector<Value> &column : columns)
      line.push_back(column[row]);
    llvm::append_range(result, transform(math, line));
  }
  return result;
}

// F(4, 3): the rows for points ±1 and ±2 share their even and odd parts.

/// Multiplies a line of the input by B'.
static SmallVector<Value> inputLineOf4(const Arithmetic &math, ValueRange x) {
  Value even = math.addScaled(-4, x[2], x[4]);
  Value odd = math.addScaled(-4, x[1], x[3]);
  Value evenOfTwo = math.sub(x[4], x[2]);
  Value oddOfTwo = math.sub(x[3], x[1]);
  return {math.addScaled(4, x[0], math.addScaled(-5, x[2], x[4])),
          math.add(even, odd),
          math.sub(even, odd),
          math.addScaled(2, oddOfTwo, evenOfTwo),
          math.addScaled(-2, oddOfTwo, evenOfTwo),
          math.addScaled(4, x[1], math.addScaled(-5, x[3], x[5]))};
}

/// Multiplies a line of the filter by G.
static SmallVector<Value> filterLineOf4(const Arithmetic &math, ValueRange w) {
  Value even = math.add(w[0], w[2]);
  Value evenOfTwo = math.addScaled(4, w[2], w[0]);
  Value oddOfTwo = math.scale(2, w[1]);
  return {math.scale(0.25, w[0]),
          math.scale(-1.0 / 6, math.add(even, w[1])),
          math.scale(-1.0 / 6, math.sub(even, w[1])),
          math.scale(1.0 / 24, math.add(evenOfTwo, oddOfTwo)),
          math.scale(1.0 / 24, math.sub(evenOfTwo, oddOfTwo)),
          w[2]};
}

/// Multiplies a line of the products' sums by A'.
static SmallVector<Value> outputLineOf4(const Arithmetic &math, ValueRange m) {
  Value even = math.add(m[1], m[2]);
  Value odd = math.sub(m[1], m[2]);
  Value evenOfTwo = math.add(m[3], m[4]);
  Value oddOfTwo = math.sub(m[3], m[4]);
  return {math.add(m[0], math.add(even, evenOfTwo)),
          math.addScaled(2, oddOfTwo, odd), math.addScaled(4, evenOfTwo, even),
          math.addScaled(8, oddOfTwo, math.add(odd, m[5]))};
}

/// Multiplies a line of the result's gradient by A.
static SmallVector<Value> gradientLineOf4(const Arithmetic &math,
                                          ValueRange y) {
  Value even = math.add(y[0], y[2]);
  Value odd = math.add(y[1], y[3]);
  Value evenOfTwo = math.addScaled(4, y[2], y[0]);
  Value halfOdd = math.addScaled(4, y[3], y[1]);
  return {y[0],
          math.add(even, odd),
          math.sub(even, odd),
          math.addScaled(2, halfOdd, evenOfTwo),
          math.addScaled(-2, halfOdd, evenOfTwo),
          y[3]};
}

/// Multiplies a line of the products' sums by G'.
static SmallVector<Value> windowLineOf4(const Arithmetic &math, ValueRange m) {
  Value even = math.scale(-1.0 / 6, math.add(m[1], m[2]));
  Value odd = math.scale(-1.0 / 6, math.sub(m[1], m[2]));
  Value evenOfTwo = math.add(m[3], m[4]);
  Value oddOfTwo = math.sub(m[3], m[4]);
  return {math.addScaled(0.25, m[0], math.addScaled(1.0 / 24, evenOfTwo, even)),
          math.addScaled(1.0 / 12, oddOfTwo, odd),
          math.add(math.addScaled(1.0 / 6, evenOfTwo, even), m[5])};
}

// F(2, 3).

/// Multiplies a line of the input by B'.
static SmallVector<Value> inputLineOf2(const Arithmetic &math, ValueRange x) {
  return {math.sub(x[0], x[2]), math.add(x[1], x[2]), math.sub(x[2], x[1]),
          math.sub(x[1], x[3])};
}

/// Multiplies a line of the filter by G.
static SmallVector<Value> filterLineOf2(const Arithmetic &math, ValueRange w) {
  Value half = math.scale(0.5, math.add(w[0], w[2]));
  return {w[0], math.addScaled(0.5, w[1], half),
          math.addScaled(-0.5, w[1], half), w[2]};
}

/// Multiplies a line of the products' sums by A'.
static SmallVector<Value> outputLineOf2(const Arithmetic &math, ValueRange m) {
  return {math.add(m[0], math.add(m[1], m[2])),
          math.sub(math.sub(m[1], m[2]), m[3])};
}

/// Multiplies a line of the result's gradient by A.
static SmallVector<Value> gradientLineOf2(const Arithmetic &math,
                                          ValueRange y) {
  return {y[0], math.add(y[0], y[1]), math.sub(y[0], y[1]),
          math.scale(-1, y[1])};
}

/// Multiplies a line of the products' sums by G'.
static SmallVector<Value> windowLineOf2(const Arithmetic &math, ValueRange m) {
  Value even = math.add(m[1], m[2]);
  return {math.addScaled(0.5, even, m[0]),
          math.scale(0.5, math.sub(m[1], m[2])),
          math.addScaled(0.5, even, m[3])};
}

SmallVector<Value> Tile::transformInput(OpBuilder &builder, Location loc,
                                        ValueRange elements) const {
  return transformSquare({builder, loc}, elements, inputs(),
                         positions == 2 ? inputLineOf2 : inputLineOf4);
}

SmallVector<Value> Tile::transformFilter(OpBuilder &builder, Location loc,
                                         ValueRange taps) const {
  return transformSquare({builder, loc}, taps, kTaps,
                         positions == 2 ? filterLineOf2 : filterLineOf4);
}

SmallVector<Value> Tile::transformGradient(OpBuilder &builder, Location loc,
                                           ValueRange elements) const {
  return transformSquare({builder, loc}, elements, positions,
                         positions == 2 ? gradientLineOf2 : gradientLineOf4);
}

SmallVector<Value> Tile::transformWindow(OpBuilder &builder, Location loc,
                                         ValueRange sums) const {
  return transformSquare({builder, loc}, sums, inputs(),
                         positions == 2 ? windowLineOf2 : windowLineOf4);
}

SmallVector<Value> Tile::transformOutput(OpBuilder &builder, Location loc,
                                         ValueRange sums) const {
  return transformSquare({builder, loc}, sums, inputs(),
                         positions == 2 ? outputLineOf2 : outputLineOf4);
}
