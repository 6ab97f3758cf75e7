//===- PreScan.cpp - Refuses text that would harm the parser --------------===//
//
// Passes every token of the text to every rule.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontend/text/PreScan.h"

#include "compiler/frontend/text/ScanRules.h"

#include <algorithm>

using namespace tg;

ScanLimits ScanLimits::ofTrusted() {
  ScanLimits limits;
  limits.tokens = limits.differentTokens = limits.names = ~uint64_t(0);
  return limits;
}

/// Returns true if `word` starts a type with a shape.
static bool isShapedType(std::string_view word) {
  return word == "tensor" || word == "vector" || word == "memref";
}

/// Returns the first refusal of a rule.
static std::optional<PlacedRefusal> checkTokens(std::string_view text,
                                                const ScanLimits &limits) {
  Tokenizer tokens(text);
  NestingRule nesting(limits);
  CountRule counts(limits);
  NameRule names(limits);
  AffineRule affine(limits);
  AliasRule aliases(limits);
  ResourceRule resources;
  std::string_view lastWord;
  for (Token token = tokens.next(); token.kind != TokenKind::End;
       token = tokens.next()) {
    size_t offset = token.text.data() - text.data();
    Refusal refusal = checkTokenLength(token, limits);
    if (!refusal)
      refusal = nesting.take(token);
    if (!refusal)
      refusal = counts.take(token, nesting.depth());
    if (!refusal)
      refusal = names.take(token);
    if (!refusal)
      refusal = affine.take(token, nesting.depth());
    if (!refusal)
      refusal = aliases.take(token, nesting.depth());
    if (!refusal)
      refusal = resources.take(token, nesting.depth(), offset);
    if (!refusal && token.is('<') && isShapedType(lastWord))
      refusal = checkShape(tokens, lastWord, limits);
    if (refusal)
      return PlacedRefusal{offset, std::move(*refusal)};
    lastWord = token.kind == TokenKind::Word ? token.text : "";
  }
  return resources.finish();
}

std::optional<ScanError> tg::preScan(std::string_view text,
                                     const ScanLimits &limits) {
  if (text.size() > limits.bytes)
    return ScanError{1, 1,
                     "input has " + std::to_string(text.size()) +
                         " bytes, expected at most " +
                         std::to_string(limits.bytes)};
  std::optional<PlacedRefusal> refusal = checkBytes(text);
  if (!refusal)
    refusal = checkTokens(text, limits);
  if (!refusal)
    return std::nullopt;

  std::string_view before = text.substr(0, refusal->offset);
  size_t line = 1 + std::count(before.begin(), before.end(), '\n');
  // If no line break precedes it, `rfind` returns npos, and npos + 1 is 0.
  size_t column = refusal->offset - (before.rfind('\n') + 1) + 1;
  return ScanError{unsigned(line), unsigned(column),
                   std::move(refusal->reason)};
}
