//===- ScanRules.cpp - Rules on bytes, tokens, names and nesting ----------===//
//
// The rules of the pre-scan that need little or no state.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontend/text/ScanRules.h"

#include <algorithm>
#include <charconv>

using namespace tg;

/// Returns "<what> <found> <unit>, expected at most <limit>".
static std::string tooMany(std::string_view what, uint64_t found,
                           std::string_view unit, uint64_t limit) {
  return std::string(what) + " " + std::to_string(found) + " " +
         std::string(unit) + ", expected at most " + std::to_string(limit);
}

/// Returns `byte` as 0x and two digits.
static std::string hexByte(unsigned char byte) {
  const char *digits = "0123456789abcdef";
  return std::string("0x") + digits[byte >> 4] + digits[byte & 15];
}

/// Returns the length of the UTF-8 sequence at the start of `rest`, or 0 if it
/// is invalid: truncated, overlong, a surrogate, or above U+10FFFF.
static size_t utf8Length(std::string_view rest) {
  auto byte = [&](size_t i) {
    return i < rest.size() ? (unsigned char)rest[i] : 0;
  };
  unsigned first = byte(0);
  size_t length = first < 0x80   ? 1
                  : first < 0xc2 ? 0
                  : first < 0xe0 ? 2
                  : first < 0xf0 ? 3
                  : first < 0xf5 ? 4
                                 : 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80)
      return 0;
  unsigned second = byte(1);
  if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
      (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f))
    return 0;
  return length;
}

std::optional<PlacedRefusal> tg::checkBytes(std::string_view text) {
  if (text.substr(0, 4) == "ML\xefR")
    return PlacedRefusal{0, "bytecode input is not accepted, expected MLIR "
                            "text"};
  if (text.substr(0, 4) == "\177ELF")
    return PlacedRefusal{0, "a compiled library or program, expected a model "
                            "as text"};
  for (size_t i = 0; i < text.size();) {
    unsigned char c = text[i];
    if ((c >= 0x20 && c < 0x7f) || c == '\n' || c == '\t' || c == '\r') {
      ++i;
      continue;
    }
    if (c < 0x80)
      return PlacedRefusal{i, "control character " + hexByte(c) +
                                  ", expected printable text"};
    size_t length = utf8Length(text.substr(i, 4));
    if (length == 0)
      return PlacedRefusal{i, "byte " + hexByte(c) +
                                  " starts no valid character, expected UTF-8 "
                                  "text"};
    i += length;
  }
  return std::nullopt;
}

/// Returns true if the float literal `text` is too large for f64. MLIR would
/// silently read it as infinity.
static bool isBeyondDouble(std::string_view text) {
  double value = 0;
  auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  // from_chars also returns result_out_of_range for a number that is too small,
  // which is a valid 0.
  return result.ec == std::errc::result_out_of_range &&
         text.find("e-") == std::string_view::npos &&
         text.find("E-") == std::string_view::npos;
}

/// Returns the length of the longest run of decimal digits in `word`.
static size_t longestDigitRun(std::string_view word) {
  size_t longest = 0;
  size_t run = 0;
  for (char c : word) {
    run = isDigit(c) ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

Refusal tg::checkTokenLength(const Token &token, const ScanLimits &limits) {
  if (token.kind == TokenKind::String)
    return std::nullopt;
  if (token.kind == TokenKind::Number) {
    bool hex = token.text.substr(0, 2) == "0x";
    size_t digits = hex ? token.text.size() - 2
                        : std::min(token.text.find('.'), token.text.size());
    if (digits > limits.digits)
      return tooMany("integer literal has", digits, "digits", limits.digits);
    if (token.text.size() > limits.numberLength)
      return tooMany("float literal has", token.text.size(), "characters",
                     limits.numberLength);
    if (!hex && digits < token.text.size() && isBeyondDouble(token.text))
      return "float literal " + std::string(token.text) +
             " is infinite, expected a value of f64";
    return std::nullopt;
  }
  // MLIR reads the digits of a shape from words such as `x4xf32`.
  if (token.kind == TokenKind::Word) {
    size_t digits = longestDigitRun(token.text);
    if (digits > limits.digits)
      return tooMany("integer literal has", digits, "digits", limits.digits);
  }
  if (token.text.size() > limits.nameLength)
    return tooMany("name has", token.text.size(), "characters",
                   limits.nameLength);
  return std::nullopt;
}

Refusal NestingRule::take(const Token &token) {
  if (token.kind == TokenKind::Close && open > 0)
    --open;
  if (token.kind == TokenKind::Open && ++open > limits.nesting)
    return tooMany("nesting of", open, "brackets", limits.nesting);
  return std::nullopt;
}

bool CountRule::isElement(const Token &token, unsigned depth) {
  if (constantDepth && depth < *constantDepth)
    constantDepth.reset();
  if (!constantDepth && afterDense && token.is('<'))
    constantDepth = depth;
  afterDense = token.text == "dense";
  return constantDepth && token.kind == TokenKind::Number;
}

Refusal CountRule::take(const Token &token, unsigned depth) {
  bool element = isElement(token, depth);
  if (++tokens > limits.tokens)
    return tooMany("model has", tokens, "words, numbers and signs",
                   limits.tokens) +
           "; a large constant counts as one token in the form "
           "dense<\"0x...\"> or "
           "dense_resource";
  bool counts = token.kind == TokenKind::Word ||
                token.kind == TokenKind::Number ||
                token.kind == TokenKind::String ||
                token.kind == TokenKind::Hash || token.kind == TokenKind::Type;
  if (!element && counts && distinctTokens.insert(token.text).second &&
      distinctTokens.size() > limits.differentTokens)
    return tooMany("model has", distinctTokens.size(),
                   "different words and numbers", limits.differentTokens);
  return std::nullopt;
}

Refusal NameRule::take(const Token &token) {
  bool isResultNumber = token.kind == TokenKind::Hash && afterValue &&
                        longestDigitRun(token.text) + 1 == token.text.size();
  afterValue = token.kind == TokenKind::Value;
  if (isResultNumber) {
    // At most 16 digits are read, so neither the number nor the sum overflows.
    uint64_t number = 0;
    for (char digit : token.text.substr(1, 16))
      number = 10 * number + (digit - '0');
    resultNumbers += number;
    if (resultNumbers > limits.resultNumbers)
      return "the result numbers N of all '%value#N' add up to " +
             std::to_string(resultNumbers) + ", expected at most " +
             std::to_string(limits.resultNumbers);
    return std::nullopt;
  }
  bool counted = token.kind == TokenKind::Value ||
                 token.kind == TokenKind::Symbol ||
                 token.kind == TokenKind::Block || token.is('{');
  if (counted && ++names > limits.names)
    return tooMany("model uses", names, "names and regions", limits.names);
  return std::nullopt;
}

Refusal AffineRule::take(const Token &token, unsigned depth) {
  if (token.text == "affine_map" || token.text == "affine_set") {
    // A map cannot contain another one, so a nested keyword does not reset the
    // count.
    if (!mapDepth || depth <= *mapDepth) {
      mapDepth = depth;
      operators = 0;
    }
    return std::nullopt;
  }
  if (!mapDepth)
    return std::nullopt;
  if (token.kind == TokenKind::Close && depth <= *mapDepth) {
    mapDepth.reset();
    return std::nullopt;
  }
  bool isOperator = token.is('+') || token.is('-') || token.is('*') ||
                    token.text == "mod" || token.text == "floordiv" ||
                    token.text == "ceildiv";
  if (isOperator && ++operators > limits.affineOperators)
    return tooMany("affine map has", operators, "operators",
                   limits.affineOperators);
  return std::nullopt;
}
