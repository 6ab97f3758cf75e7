//===- PreScan.h - Refuses text that would harm the parser ------*- C++ -*-===//
//
// Looks over untrusted MLIR text before MLIR's parser sees it, and refuses
// what is known to crash, hang or starve the parser.
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

/// The upper bounds of a text's parts. The defaults are far above the needs of
/// a real model and far below the size that harms MLIR's parser.
struct ScanLimits {
  /// Bytes of the whole text.
  size_t bytes = size_t(256) << 20;
  /// Tokens: parsing one takes up to half a microsecond and a hundred bytes, so
  /// that all are parsed, and the last refused, within 2 s and 512 MB. A
  /// million numbers of constants can be written out; larger ones stand in one
  /// token, as `dense<"0x...">` or a resource.
  uint64_t tokens = uint64_t(1) << 21;
  /// Words, literals and names of types and attributes that differ, but for the
  /// elements of constants: MLIR keeps a type or an attribute for each, which
  /// takes four times as long.
  uint64_t differentTokens = uint64_t(1) << 18;
  /// Open brackets, aliases replaced by what they stand for.
  unsigned nesting = 256;
  /// Digits of an integer literal; MLIR's conversion is quadratic and worse.
  unsigned digits = 40;
  /// Characters of a float literal.
  unsigned numberLength = 128;
  /// Characters of a name or keyword.
  unsigned nameLength = 4096;
  /// Dimensions of a tensor, vector or memref type [G1].
  unsigned rank = 16;
  /// Operators in one affine map or set, which MLIR parses by recursion.
  unsigned affineOperators = 256;
  /// Values, symbols, blocks and opening braces: a measure of how many ops a
  /// text of given size can hold.
  uint64_t names = 500'000;
  /// Tokens that all aliases stand for, nested ones multiplied out.
  uint64_t expandedTokens = uint64_t(1) << 24;
  /// Sum of all result numbers (`%a#3`), for each of which the parser keeps a
  /// table of that length.
  uint64_t resultNumbers = uint64_t(1) << 24;

  /// For text that is trusted: it is as long as it is.
  static ScanLimits ofTrusted();
};

/// An error with its place. Line and column count from 1, columns in bytes.
struct ScanError {
  unsigned line;
  unsigned column;
  std::string message;
};

/// Returns the first reason to refuse `text`, or nothing. Passing means only
/// that MLIR's parser may be called: it finds the remaining mistakes itself.
///
/// Takes time linear in the text, and memory for its different tokens alone.
/// Pure; may run on any thread.
std::optional<ScanError> preScan(std::string_view text,
                                 const ScanLimits &limits = {});

} // namespace tg

#endif // TG_COMPILER_FRONTEND_TEXT_PRESCAN_H
