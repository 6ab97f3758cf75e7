//===- Suggestions.cpp - suggestions for misspelt names -------------------===//
#include "dialects/tg/Suggestions.h"
#include "llvm/ADT/StringExtras.h"

using llvm::ArrayRef;
using llvm::StringRef;

static constexpr size_t kLongestName = 64;
static constexpr size_t kMaxNames = 1000;
/// The upper bound on listed names.
static constexpr size_t kListedNames = 8;

/// Returns true if the last components of the path `name` are `part`.
static bool endsWithPart(StringRef name, StringRef part) {
  return name.consume_back(part) && name.ends_with("/");
}

StringRef tg::nearestName(StringRef name, ArrayRef<StringRef> known) {
  if (name.size() > kLongestName)
    return "";
  // If one of two characters could differ, too many names would be near.
  unsigned maxDistance = name.size() <= 2 ? 0 : (name.size() + 2) / 3;
  StringRef nearest;
  for (StringRef candidate : known.take_front(kMaxNames)) {
    if (candidate.size() > kLongestName)
      continue;
    bool isPart =
        endsWithPart(candidate, name) || endsWithPart(name, candidate);
    unsigned distance = isPart ? 1
                               : name.edit_distance_insensitive(
                                     candidate, /*AllowReplacements=*/true,
                                     /*MaxEditDistance=*/maxDistance);
    if (distance > maxDistance)
      continue;
    nearest = candidate;
    if (distance == 0)
      break;
    maxDistance = distance - 1;
  }
  return nearest;
}

/// Returns "'a', 'b' and 'c'", or "'a', 'b' and 7 more" of many.
static std::string listNames(ArrayRef<StringRef> names) {
  size_t shown = std::min(names.size(), kListedNames);
  std::string list;
  for (size_t i = 0; i < shown; ++i) {
    bool isLast = i + 1 == names.size();
    list += i == 0 ? "'" : isLast ? " and '" : ", '";
    list += names[i].take_front(kLongestName).str() + "'";
  }
  if (shown < names.size())
    list += " and " + std::to_string(names.size() - shown) + " more";
  return list;
}

std::string tg::suggestName(StringRef name, ArrayRef<StringRef> known) {
  if (known.empty())
    return "; there is none";
  if (StringRef nearest = nearestName(name, known); !nearest.empty())
    return "; did you mean '" + nearest.str() + "'?";
  return (known.size() == 1 ? "; there is " : "; there are ") +
         listNames(known);
}
