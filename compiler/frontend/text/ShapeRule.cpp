//===- ShapeRule.cpp - the rule on shapes of the scan before parsing ------===//
//
// Reads the dimensions of a shaped type character by character, because a shape
// such as `4x5xf32` has other token boundaries than the rest of the text.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontend/text/ScanRules.h"

using namespace tg;

/// The largest number of bytes of a tensor, 2^63 - 1.
static constexpr uint64_t maxBytes = ~uint64_t(0) >> 1;

/// A product with a flag that is set once it exceeds `maxBytes`.
struct CheckedProduct {
  uint64_t value = 1;
  bool overflow = false;

  void multiply(uint64_t factor) {
    overflow |= __builtin_mul_overflow(value, factor, &value);
    overflow |= value > maxBytes;
  }
};

/// Reads a number and sets `digits` to the number of its digits, 0 if there is
/// none. A number above 2^64 - 1 becomes 2^64 - 1.
static uint64_t readExtent(Tokenizer &tokens, unsigned &digits) {
  uint64_t extent = 0;
  bool overflow = false;
  for (digits = 0; isDigit(tokens.peek()); ++digits) {
    overflow |= __builtin_mul_overflow(extent, 10, &extent);
    overflow |= __builtin_add_overflow(extent, tokens.peek() - '0', &extent);
    tokens.advance(1);
  }
  return overflow ? ~uint64_t(0) : extent;
}

/// Returns the number of bytes of an element of the type at the position,
/// rounded up to whole bytes (3 for i20); 1 for an unknown type.
static uint64_t elementBytes(const Tokenizer &tokens) {
  size_t offset = 0;
  if (tokens.peek() == 's' || tokens.peek() == 'u')
    offset = 1;
  char letter = tokens.peek(offset);
  if (letter == 'b' && tokens.peek(offset + 1) == 'f')
    letter = tokens.peek(++offset);
  if (letter != 'i' && letter != 'f')
    return 1;
  uint64_t bits = 0;
  // MLIR limits the width of a type to 2^24 - 1 bits, so 9 digits are enough.
  for (size_t i = 1; i <= 9 && isDigit(tokens.peek(offset + i)); ++i)
    bits = 10 * bits + (tokens.peek(offset + i) - '0');
  return bits == 0 ? 1 : (bits + 7) / 8;
}

/// Reads one dimension with its trailing `x`: `4x`, `?x`, `*x` or `[4]x`. If
/// there is none, consumes nothing and returns false.
static bool readDimension(Tokenizer &tokens, const ScanLimits &limits,
                          uint64_t &extent, Refusal &refusal) {
  tokens.skipTrivia();
  Tokenizer start = tokens;
  bool scalable = tokens.peek() == '[';
  if (scalable) {
    tokens.advance(1);
    tokens.skipTrivia();
  }
  unsigned digits = 0;
  extent = 1;
  if (tokens.peek() == '?' || tokens.peek() == '*')
    tokens.advance(1);
  else
    extent = readExtent(tokens, digits);
  bool any = tokens.offset() != start.offset();
  if (digits > limits.digits)
    refusal = "integer literal has " + std::to_string(digits) +
              " digits, expected at most " + std::to_string(limits.digits);
  tokens.skipTrivia();
  if (scalable && tokens.peek() == ']') {
    tokens.advance(1);
    tokens.skipTrivia();
  }
  if (any && tokens.peek() == 'x') {
    tokens.advance(1);
    return true;
  }
  tokens = start;
  return false;
}

Refusal tg::checkShape(Tokenizer &tokens, std::string_view kind,
                       const ScanLimits &limits) {
  Refusal refusal;
  CheckedProduct bytes;
  uint64_t extent = 1;
  unsigned rank = 0;
  while (readDimension(tokens, limits, extent, refusal)) {
    if (refusal)
      return refusal;
    ++rank;
    // A zero extent counts as 1, so that the product of the others is checked.
    bytes.multiply(extent == 0 ? 1 : extent);
  }
  if (refusal)
    return refusal;
  std::string type(kind);
  if (rank > limits.rank)
    return type + " type has rank " + std::to_string(rank) +
           ", expected at most " + std::to_string(limits.rank) + " [G1]";
  tokens.skipTrivia();
  bytes.multiply(elementBytes(tokens));
  if (bytes.overflow)
    return type + " type has 2^63 bytes or more, expected fewer [G1]";
  return std::nullopt;
}
