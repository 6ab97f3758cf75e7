//===- ResourceRule.cpp - The pre-scan's rule on resources ----------------===//
//
// MLIR reads the alignment of a blob from its first four bytes and allocates
// with it unchecked. It also accepts uses of resources without a blob.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontend/text/ScanRules.h"

using namespace tg;

/// The largest alignment of a blob [C1].
static constexpr uint32_t maxAlignment = 4096;

/// Returns `text` without the enclosing quotes.
static std::string_view unquoted(std::string_view text) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"')
    return text;
  return text.substr(1, text.size() - 2);
}

/// Checks the alignment in the first four bytes of the blob "0x...". Leaves any
/// other value to MLIR's parser.
static Refusal checkBlob(std::string_view key, std::string_view value) {
  std::string_view digits = unquoted(value);
  if (digits.substr(0, 2) != "0x")
    return std::nullopt;
  digits.remove_prefix(2);
  std::string subject = "blob of resource '" + std::string(key) + "' has ";
  if (digits.size() < 8)
    return subject + std::to_string(digits.size()) +
           " hexadecimal digits, expected at least 8 for its alignment [C1]";
  uint32_t alignment = 0;
  for (unsigned i = 0; i < 8; ++i) {
    int digit = hexDigitValue(digits[i]);
    if (digit < 0)
      return std::nullopt;
    // The bytes are little-endian; each has its high digit first.
    alignment |= uint32_t(digit) << (4 * (i ^ 1));
  }
  bool powerOfTwo = alignment != 0 && (alignment & (alignment - 1)) == 0;
  if (!powerOfTwo || alignment > maxAlignment)
    return subject + "alignment " + std::to_string(alignment) +
           ", expected a power of two of at most 4096 [C1]";
  return std::nullopt;
}

Refusal ResourceRule::takeEntry(const Token &token, unsigned depth) {
  if (token.is(':')) {
    if (depth == *sectionDepth)
      dialectSection = previous == "dialect_resources";
    key = unquoted(previous);
    return std::nullopt;
  }
  // dialect_resources: { dialect: { key: "0x..." } }
  bool isValue = token.kind == TokenKind::String && previous == ":" &&
                 dialectSection && depth == *sectionDepth + 2;
  if (!isValue)
    return std::nullopt;
  if (!blobs.insert(key).second)
    return "resource '" + std::string(key) +
           "' has a second blob, expected one [C1]";
  return checkBlob(key, token.text);
}

Refusal ResourceRule::take(const Token &token, unsigned depth, size_t offset) {
  Refusal refusal;
  if (token.kind == TokenKind::MetaBegin)
    sectionDepth = depth;
  else if (token.kind == TokenKind::MetaEnd)
    sectionDepth.reset();
  else if (sectionDepth)
    refusal = takeEntry(token, depth);

  if (beforePrevious == "dense_resource" && previous == "<") {
    std::string_view name = unquoted(token.text);
    if (used.insert(name).second)
      uses.emplace_back(name, offset);
  }
  beforePrevious = previous;
  previous = token.text;
  return refusal;
}

std::optional<PlacedRefusal> ResourceRule::finish() const {
  for (auto [name, offset] : uses)
    if (!blobs.count(name))
      return PlacedRefusal{offset, "resource '" + std::string(name) +
                                       "' has no blob in the text [C1]"};
  return std::nullopt;
}
