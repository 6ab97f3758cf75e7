//===- ExpressionTable.cpp - expressions as words -------------------------===//
#include "compiler/library/plan/ExpressionTable.h"
#include "compiler/library/embedded/FunctionSteps.h"

using namespace mlir;
using namespace tg;

/// Returns the opcode of a binary expression.
static int64_t opcodeOf(AffineExprKind kind) {
  switch (kind) {
  case AffineExprKind::Add:
    return TG_EMBEDDED_ADD;
  case AffineExprKind::Mul:
    return TG_EMBEDDED_MULTIPLY;
  case AffineExprKind::FloorDiv:
    return TG_EMBEDDED_FLOOR_DIVIDE;
  case AffineExprKind::CeilDiv:
    return TG_EMBEDDED_CEIL_DIVIDE;
  default:
    return TG_EMBEDDED_MODULO;
  }
}

static bool isCommutative(AffineExpr expr) {
  return expr.getKind() == AffineExprKind::Add ||
         expr.getKind() == AffineExprKind::Mul;
}

unsigned ExpressionTable::depthOf(AffineExpr expr) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return 1;
  if (unsigned depth = depths.lookup(expr))
    return depth;
  unsigned lhs = depthOf(binary.getLHS());
  unsigned rhs = depthOf(binary.getRHS());
  // The deeper operand of a sum or product comes first.
  if (isCommutative(expr) && rhs > lhs)
    std::swap(lhs, rhs);
  return depths[expr] = std::max(lhs, rhs + 1);
}

void ExpressionTable::append(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    words.insert(words.end(), {TG_EMBEDDED_CONSTANT, constant.getValue()});
    return;
  }
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    words.push_back(int64_t(symbol.getPosition()) << 3 | TG_EMBEDDED_SYMBOL);
    return;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  AffineExpr lhs = binary.getLHS();
  AffineExpr rhs = binary.getRHS();
  if (isCommutative(expr) && depthOf(rhs) > depthOf(lhs))
    std::swap(lhs, rhs);
  append(lhs);
  append(rhs);
  words.push_back(opcodeOf(expr.getKind()));
}

uint32_t ExpressionTable::add(AffineExpr expr) {
  auto [entry, isNew] = known.try_emplace(expr, words.size());
  if (!isNew)
    return entry->second;
  tooDeep |= depthOf(expr) > TG_EMBEDDED_MAX_DEPTH;
  uint32_t first = words.size();
  append(expr);
  words.push_back(TG_EMBEDDED_END);
  return first;
}

LogicalResult tg::checkDepth(const ExpressionTable &expressions,
                             const FunctionPlan &function) {
  tgx::FunctionOp op = function.op;
  if (!expressions.isTooDeep())
    return success();
  return op.emitOpError() << "expected extents whose evaluation stores at most "
                          << unsigned(TG_EMBEDDED_MAX_DEPTH)
                          << " numbers on the stack";
}
