//===- WinogradTransforms.cpp - the transforms of Winograd tiles ----------===//
#include "compiler/reference/WinogradTransforms.h"
#include <cmath>

using namespace tg;

using Line = llvm::SmallVector<float, 6>;
using Values = llvm::ArrayRef<float>;

/// Returns a * b + c, rounded once.
static float fused(double a, float b, float c) {
  return std::fma(float(a), b, c);
}
/// Returns the product, where the constant is rounded first.
static float scale(double constant, float x) { return float(constant) * x; }

//===----------------------------------------------------------------------===//
// Tiles of 4x4
//===----------------------------------------------------------------------===//

static Line inputLineOf4(Values x) {
  float e = fused(-4, x[2], x[4]), o = fused(-4, x[1], x[3]);
  float f = x[4] - x[2], p = x[3] - x[1];
  return {fused(4, x[0], fused(-5, x[2], x[4])),
          e + o,
          e - o,
          fused(2, p, f),
          fused(-2, p, f),
          fused(4, x[1], fused(-5, x[3], x[5]))};
}

static Line filterLineOf4(Values w) {
  float e = w[0] + w[2], f = fused(4, w[2], w[0]), p = scale(2, w[1]);
  return {scale(0.25, w[0]),         scale(-1.0 / 6, e + w[1]),
          scale(-1.0 / 6, e - w[1]), scale(1.0 / 24, f + p),
          scale(1.0 / 24, f - p),    w[2]};
}

static Line outputLineOf4(Values m) {
  float e = m[1] + m[2], o = m[1] - m[2], f = m[3] + m[4], p = m[3] - m[4];
  return {m[0] + (e + f), fused(2, p, o), fused(4, f, e),
          fused(8, p, o + m[5])};
}

static Line gradientLineOf4(Values y) {
  float e = y[0] + y[2], o = y[1] + y[3];
  float f = fused(4, y[2], y[0]), h = fused(4, y[3], y[1]);
  return {y[0], e + o, e - o, fused(2, h, f), fused(-2, h, f), y[3]};
}

static Line windowLineOf4(Values m) {
  float e = scale(-1.0 / 6, m[1] + m[2]), o = scale(-1.0 / 6, m[1] - m[2]);
  float f = m[3] + m[4], p = m[3] - m[4];
  return {fused(0.25, m[0], fused(1.0 / 24, f, e)), fused(1.0 / 12, p, o),
          fused(1.0 / 6, f, e) + m[5]};
}

//===----------------------------------------------------------------------===//
// Tiles of 2x2
//===----------------------------------------------------------------------===//

static Line inputLineOf2(Values x) {
  return {x[0] - x[2], x[1] + x[2], x[2] - x[1], x[1] - x[3]};
}

static Line filterLineOf2(Values w) {
  float h = scale(0.5, w[0] + w[2]);
  return {w[0], fused(0.5, w[1], h), fused(-0.5, w[1], h), w[2]};
}

static Line outputLineOf2(Values m) {
  return {m[0] + (m[1] + m[2]), (m[1] - m[2]) - m[3]};
}

static Line gradientLineOf2(Values y) {
  return {y[0], y[0] + y[1], y[0] - y[1], scale(-1, y[1])};
}

static Line windowLineOf2(Values m) {
  float e = m[1] + m[2];
  return {fused(0.5, e, m[0]), scale(0.5, m[1] - m[2]), fused(0.5, e, m[3])};
}

//===----------------------------------------------------------------------===//
// Square matrices
//===----------------------------------------------------------------------===//

WinogradTransforms::WinogradTransforms(int64_t positions)
    : input(positions == 2 ? inputLineOf2 : inputLineOf4),
      filter(positions == 2 ? filterLineOf2 : filterLineOf4),
      output(positions == 2 ? outputLineOf2 : outputLineOf4),
      gradient(positions == 2 ? gradientLineOf2 : gradientLineOf4),
      window(positions == 2 ? windowLineOf2 : windowLineOf4) {}

/// Transforms each column, and then each row of the results.
WinogradTransforms::Matrix
WinogradTransforms::transform(Values square, LineFunction function) {
  size_t size = std::lround(std::sqrt(double(square.size())));
  llvm::SmallVector<Line, 6> columns;
  for (size_t column = 0; column < size; ++column) {
    Line line;
    for (size_t row = 0; row < size; ++row)
      line.push_back(square[row * size + column]);
    columns.push_back(function(line));
  }
  Matrix result;
  for (size_t row = 0; row < columns.front().size(); ++row) {
    Line line;
    for (const Line &column : columns)
      line.push_back(column[row]);
    llvm::append_range(result, function(line));
  }
  return result;
}

WinogradTransforms::Matrix WinogradTransforms::ofInput(Values elements) const {
  return transform(elements, input);
}

WinogradTransforms::Matrix WinogradTransforms::ofFilter(Values taps) const {
  return transform(taps, filter);
}

WinogradTransforms::Matrix WinogradTransforms::ofOutput(Values products) const {
  return transform(products, output);
}

WinogradTransforms::Matrix
WinogradTransforms::ofGradient(Values elements) const {
  return transform(elements, gradient);
}

WinogradTransforms::Matrix WinogradTransforms::ofWindow(Values products) const {
  return transform(products, window);
}
