//===- ScanRules.h - The rules of the pre-scan ------------------*- C++ -* ===//
//
// One class per rule of the pre-scan. A rule takes every token in order and
// returns the reason to refuse it, if there is one.
//
//===----------------------------------------------------------------------===//

#ifndef TG_COMPILER_FRONTEND_TEXT_SCANRULES_H
#define TG_COMPILER_FRONTEND_TEXT_SCANRULES_H

#include "compiler/frontend/text/PreScan.h"
#include "compiler/frontend/text/Tokens.h"

#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace tg {

/// The reason to refuse a token, without a position; nothing to accept it.
using Refusal = std::optional<std::string>;

/// A reason to refuse a text, with its byte offset in the text.
struct PlacedRefusal {
  size_t offset;
  std::string reason;
};

/// Refuses bytes that are not text: bytecode, invalid UTF-8, control
/// characters.
std::optional<PlacedRefusal> checkBytes(std::string_view text);

/// Refuses overlong literals and names. Depends on the token only.
Refusal checkTokenLength(const Token &token, const ScanLimits &limits);

/// Reads the shape after `tensor<` (`kind` is "tensor", "vector" or "memref"),
/// up to its element type. Refuses a rank or a number of bytes that is too
/// large [G1].
Refusal checkShape(Tokenizer &tokens, std::string_view kind,
                   const ScanLimits &limits);

/// A limit on the number of open brackets.
class NestingRule {
public:
  explicit NestingRule(const ScanLimits &limits) : limits(limits) {}
  Refusal take(const Token &token);
  /// The number of open brackets after the last token.
  unsigned depth() const { return open; }

private:
  const ScanLimits &limits;
  unsigned open = 0;
};

/// Limits on the number of tokens, and of distinct tokens.
class CountRule {
public:
  explicit CountRule(const ScanLimits &limits) : limits(limits) {}
  /// `depth` is the number of open brackets after `token`.
  Refusal take(const Token &token, unsigned depth);

private:
  /// Returns true if `token` is an element of a constant.
  bool isElement(const Token &token, unsigned depth);

  const ScanLimits &limits;
  uint64_t tokens = 0;
  std::unordered_set<std::string_view> distinctTokens;
  bool afterDense = false;
  /// The depth inside the brackets of a constant; none outside.
  std::optional<unsigned> constantDepth;
};

/// Limits on the number of names and on the sum of result numbers.
class NameRule {
public:
  explicit NameRule(const ScanLimits &limits) : limits(limits) {}
  Refusal take(const Token &token);

private:
  const ScanLimits &limits;
  uint64_t names = 0;
  uint64_t resultNumbers = 0;
  bool afterValue = false;
};

/// A limit on the number of operators in each affine map and set.
class AffineRule {
public:
  explicit AffineRule(const ScanLimits &limits) : limits(limits) {}
  /// `depth` is the number of open brackets after `token`.
  Refusal take(const Token &token, unsigned depth);

private:
  const ScanLimits &limits;
  /// The depth at the keyword of the map; none outside a map.
  std::optional<unsigned> mapDepth;
  unsigned operators = 0;
};

/// Limits on the nesting and the size of expanded attribute, type and location
/// aliases. A chain of aliases nests, and a few lines of aliases can expand to
/// a tree of any size.
class AliasRule {
public:
  explicit AliasRule(const ScanLimits &limits) : limits(limits) {}
  /// `depth` is the number of open brackets after `token`.
  Refusal take(const Token &token, unsigned depth);

private:
  /// The size of an alias after full expansion.
  struct Cost {
    /// Brackets and aliases around the innermost part.
    unsigned depth = 0;
    uint64_t tokens = 0;
  };

  /// Returns true if `token` is the first one after the definition of the
  /// current alias.
  bool endsBody(const Token &token, unsigned depth);

  const ScanLimits &limits;
  std::unordered_map<std::string_view, Cost> costs;
  uint64_t expandedTokens = 0;
  /// The last token, if it can be the name of a new alias.
  std::string_view candidate;
  /// The alias whose definition is being read; empty if none.
  std::string_view defined;
  Cost body;
  bool operandSeen = false;
};

/// A check of the header of every resource blob, and that every resource in use
/// has a blob [C1].
class ResourceRule {
public:
  /// `depth` is the number of open brackets after `token`; `offset` is its byte
  /// offset.
  Refusal take(const Token &token, unsigned depth, size_t offset);
  /// Returns the first use of a resource without a blob, at the end of the
  /// text.
  std::optional<PlacedRefusal> finish() const;

private:
  /// Takes a token of the resource section.
  Refusal takeEntry(const Token &token, unsigned depth);

  std::unordered_set<std::string_view> blobs;
  /// Resource names in the order of their first use.
  std::vector<std::pair<std::string_view, size_t>> uses;
  std::unordered_set<std::string_view> used;
  /// The depth at the start of the resource section; none outside.
  std::optional<unsigned> sectionDepth;
  bool dialectSection = false;
  std::string_view key;
  /// The last two tokens.
  std::string_view previous;
  std::string_view beforePrevious;
};

} // namespace tg

#endif // TG_COMPILER_FRONTEND_TEXT_SCANRULES_H
