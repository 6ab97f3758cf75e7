//===- AliasRule.cpp - The pre-scan's rule on aliases ---------------------===//
//
// `#a1 = [#a0, #a0]`, `#a2 = [#a1, #a1]`, ... doubles with every line. MLIR
// stores such a value compactly but walks and prints all of it recursively.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontend/text/ScanRules.h"

#include <algorithm>
#include <utility>

using namespace tg;

/// Returns true if `token` may name an alias. Names with dots belong to
/// attributes of dialects.
static bool mayBeAlias(const Token &token) {
  return (token.kind == TokenKind::Hash || token.kind == TokenKind::Type) &&
         token.text.find('.') == std::string_view::npos;
}

bool AliasRule::endsBody(const Token &token, unsigned depth) {
  if (depth > 0)
    return false;
  // `:`, `->` and similar tokens expect another operand.
  if (token.kind == TokenKind::Punct || token.kind == TokenKind::Arrow) {
    operandSeen = false;
    return false;
  }
  // Two adjacent operands `a b` never form an attribute or type: b starts the
  // next entity.
  bool complete = std::exchange(operandSeen, true);
  return complete && token.kind != TokenKind::Close;
}

Refusal AliasRule::take(const Token &token, unsigned depth) {
  if (!candidate.empty() && token.is('=')) {
    defined = std::exchange(candidate, {});
    body = Cost();
    operandSeen = false;
    return std::nullopt;
  }
  candidate = {};
  if (!defined.empty() && endsBody(token, depth)) {
    costs[defined] = body;
    defined = {};
  }
  Cost used;
  if (mayBeAlias(token)) {
    if (auto found = costs.find(token.text); found != costs.end())
      used = {found->second.depth + 1, found->second.tokens};
    if (depth == 0)
      candidate = token.text;
  }
  if (depth + used.depth > limits.nesting)
    return "alias nests " + std::to_string(depth + used.depth) +
           " deep, expected at most " + std::to_string(limits.nesting);
  expandedTokens += used.tokens;
  if (expandedTokens > limits.expandedTokens)
    return "aliases stand for " + std::to_string(expandedTokens) +
           " tokens, expected at most " + std::to_string(limits.expandedTokens);
  body.depth = std::max(body.depth, depth + used.depth);
  body.tokens += 1 + used.tokens;
  return std::nullopt;
}
