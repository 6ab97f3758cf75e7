//===- ScanRules.h - The rules of the pre-scan ------------------*- C++ -*-===//
//
// One class per rule of the pre-scan. A rule is shown every token in order and
// answers with the reason to refuse it, if there is one.
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

/// The reason to refuse, without a position; nothing if there is none.
using Refusal = std::optional<std::string>;

/// A refusal and the byte of the text it is about.
struct PlacedRefusal {
  size_t offset;
  std::string reason;
};

/// Refuses what is not text: bytecode, invalid UTF-8, control characters.
std::optional<PlacedRefusal> checkBytes(std::string_view text);

/// Refuses overlong literals and names; needs the one token only.
Refusal checkTokenLength(const Token &token, const ScanLimits &limits);

/// Reads the shape that follows `tensor<` (`kind` is "tensor", "vector" or
/// "memref") and stops before its element type. Refuses a rank or a number of
/// bytes that is too great [G1].
Refusal checkShape(Tokenizer &tokens, std::string_view kind,
                   const ScanLimits &limits);

/// Counts open brackets.
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

/// Counts tokens, and those that differ.
class CountRule {
public:
  explicit CountRule(const ScanLimits &limits) : limits(limits) {}
  /// `depth` counts the open brackets after `token`.
  Refusal take(const Token &token, unsigned depth);

private:
  /// Returns true if `token` is an element of a constant.
  bool isElement(const Token &token, unsigned depth);

  const ScanLimits &limits;
  uint64_t tokens = 0;
  std::unordered_set<std::string_view> different;
  bool afterDense = false;
  /// The depth inside the brackets of a constant; none outside.
  std::optional<unsigned> constant;
};

/// Counts names and adds up result numbers.
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

/// Counts the operators of each affine map and set.
class AffineRule {
public:
  explicit AffineRule(const ScanLimits &limits) : limits(limits) {}
  /// `depth` counts the open brackets after `token`.
  Refusal take(const Token &token, unsigned depth);

private:
  const ScanLimits &limits;
  /// The depth at which the keyword of the map stood; none outside a map.
  std::optional<unsigned> outside;
  unsigned operators = 0;
};

/// Follows attribute, type and location aliases: a chain of them nests, and a
/// few lines of them can stand for a tree of any size.
class AliasRule {
public:
  explicit AliasRule(const ScanLimits &limits) : limits(limits) {}
  /// `depth` counts the open brackets after `token`.
  Refusal take(const Token &token, unsigned depth);

private:
  /// The contents of an alias, with all aliases in it replaced.
  struct Cost {
    /// Brackets and aliases around its innermost part.
    unsigned depth = 0;
    uint64_t tokens = 0;
  };

  /// Returns true if `token` starts what follows the alias that is being
  /// defined.
  bool endsBody(const Token &token, unsigned depth);

  const ScanLimits &limits;
  std::unordered_map<std::string_view, Cost> costs;
  uint64_t expandedTokens = 0;
  /// The last token, if it may turn out to be the name of a new alias.
  std::string_view candidate;
  /// The alias that is being defined; empty if none is.
  std::string_view defined;
  Cost body;
  bool operandSeen = false;
};

/// Checks the header of every resource blob, and that every resource that is
/// used has a blob [C1].
class ResourceRule {
public:
  /// `depth` counts the open brackets after `token`; `offset` is its place.
  Refusal take(const Token &token, unsigned depth, size_t offset);
  /// The use of a resource that turned out to have no blob.
  std::optional<PlacedRefusal> finish() const;

private:
  /// A token of the resource section.
  Refusal takeEntry(const Token &token, unsigned depth);

  std::unordered_set<std::string_view> blobs;
  /// Resource names in the order of their first use.
  std::vector<std::pair<std::string_view, size_t>> uses;
  std::unordered_set<std::string_view> used;
  /// The depth at which the resource section stands; none outside.
  std::optional<unsigned> section;
  bool dialectSection = false;
  std::string_view key;
  /// The last two tokens.
  std::string_view previous;
  std::string_view beforePrevious;
};

} // namespace tg

#endif // TG_COMPILER_FRONTEND_TEXT_SCANRULES_H
