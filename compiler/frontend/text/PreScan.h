//===- PreScan.h - Refuses text that would harm the parser ------*- C++ -* ===//
//
// Scans untrusted MLIR text before MLIR's parser sees it, and refuses text that
// is known to crash, hang or starve the parser.
//
//===----------------------------------------------------------------------===//

#ifndef TG_COMPILER_FRONTEND_TEXT_PRESCAN_H
#define TG_COMPILER_FRONTEND_TEXT_PRESCAN_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tg {

/// Upper bounds for the parts of a text. The defaults are far above the needs
/// of a real model and far below the sizes that harm MLIR's parser.
struct ScanLimits {
  /// Bytes of the whole text.
  size_t bytes = size_t(256) << 20;
  /// Tokens. Parsing one takes up to 0.5 us and 100 bytes, so a text is parsed,
  /// or refused at its last token, within 2 s and 512 MB. Up to a million
  /// numbers of constants can be written out; a larger constant is a single
  /// token, as `dense<"0x...">` or a resource.
  uint64_t tokens = uint64_t(1) << 21;
  /// Distinct words, literals, and names of types and attributes, except
  /// elements of constants. MLIR creates a type or attribute for each, which
  /// takes four times as long as a lookup of an existing one.
  uint64_t differentTokens = uint64_t(1) << 18;
  /// Open brackets, with aliases expanded.
  unsigned nesting = 256;
  /// Digits of an integer literal; MLIR's conversion takes quadratic time or
  /// more.
  unsigned digits = 40;
  /// Characters of a float literal.
  unsigned numberLength = 128;
  /// Characters of a name or keyword.
  unsigned nameLength = 4096;
  /// Dimensions of a tensor, vector or memref type [G1].
  unsigned rank = 16;
  /// Operators in one affine map or set, which MLIR parses recursively.
  unsigned affineOperators = 256;
  /// Values, symbols, blocks and opening braces: an upper bound on the number
  /// of ops in a text.
  uint64_t names = 500'000;
  /// Tokens of all aliases after full expansion.
  uint64_t expandedTokens = uint64_t(1) << 24;
  /// Sum of all result numbers (`%a#3`). The parser allocates a table of that
  /// length for each.
  uint64_t resultNumbers = uint64_t(1) << 24;

  /// Returns limits for trusted text, which may have any length.
  static ScanLimits ofTrusted();
};

/// An error and its position. Line and column count from 1, columns in bytes.
struct ScanError {
  unsigned line;
  unsigned column;
  std::string message;
};

/// Returns the first reason to refuse `text`, or nothing. A text that passes is
/// safe to parse but may still be invalid; MLIR's parser reports the other
/// errors.
///
/// Takes linear time, and memory for distinct tokens only. Pure; may run on any
/// thread.
std::optional<ScanError> preScan(std::string_view text,
                                 const ScanLimits &limits = {});

} // namespace tg

#endif // TG_COMPILER_FRONTEND_TEXT_PRESCAN_H
