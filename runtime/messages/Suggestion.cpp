/// Compares names by their edit distance.
#include "Suggestion.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

using namespace tg;

// The same rule as in Suggestions.cpp of the compiler: a third of the
// characters, rounded up, may differ, but no character of a name with one or
// two.
Suggestion::Suggestion(const char *given)
    : given(given), length(std::strlen(given)),
      maxDistance(length <= 2 ? 0 : (length + 2) / 3) {}

size_t Suggestion::distanceTo(const char *known, size_t knownLength) const {
  // Rows i - 2, i - 1 and i of the table of Wagner and Fischer. Column j is the
  // distance between prefixes of i and j characters.
  size_t rows[3][longest + 1];
  size_t *beforeLast = rows[0], *last = rows[1], *row = rows[2];
  for (size_t j = 0; j <= knownLength; ++j)
    row[j] = j;
  for (size_t i = 1; i <= length; ++i) {
    std::swap(beforeLast, last);
    std::swap(last, row);
    row[0] = i;
    for (size_t j = 1; j <= knownLength; ++j) {
      const size_t replaced = last[j - 1] + (given[i - 1] != known[j - 1]);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && given[i - 1] == known[j - 2] &&
          given[i - 2] == known[j - 1])
        row[j] = std::min(row[j], beforeLast[j - 2] + 1);
    }
  }
  return row[knownLength];
}

/// Returns true if the path `name` has more components than the path `end`, and
/// ends with them.
static bool endsWithPath(const char *name, size_t length, const char *end,
                         size_t endLength) {
  return length > endLength && name[length - endLength - 1] == '/' &&
         std::strcmp(name + (length - endLength), end) == 0;
}

void Suggestion::list(const char *known) {
  const size_t used = std::strlen(names);
  const int more = std::snprintf(names + used, sizeof(names) - used, "%s'%s'",
                                 used ? ", " : "", known);
  if (more >= 0 && static_cast<size_t>(more) < sizeof(names) - used)
    ++listed;
  else
    names[used] = '\0';
}

void Suggestion::add(const char *known) {
  // The list has the first names only: after a name that did not fit, no other
  // name is added.
  if (listed == count++)
    list(known);
  const size_t knownLength = std::strlen(known);
  if (length > longest || knownLength > longest)
    return;
  if (nearest && maxDistance == 0)
    return;
  const size_t difference =
      length > knownLength ? length - knownLength : knownLength - length;
  const bool isPathEnd = endsWithPath(known, knownLength, given, length) ||
                         endsWithPath(given, length, known, knownLength);
  if (difference > maxDistance && !isPathEnd)
    return;
  const size_t distance = isPathEnd ? 1 : distanceTo(known, knownLength);
  if (distance > maxDistance && !isPathEnd)
    return;
  nearest = known;
  maxDistance = distance ? distance - 1 : 0;
}

const char *Suggestion::describe() {
  if (nearest)
    std::snprintf(text, sizeof(text), "; did you mean '%s'?", nearest);
  else if (count == 0)
    std::snprintf(text, sizeof(text), "; there is none");
  else if (listed == count)
    std::snprintf(text, sizeof(text), "; there %s %s",
                  count == 1 ? "is" : "are", names);
  else if (listed)
    std::snprintf(text, sizeof(text), "; there are %s and %llu more", names,
                  static_cast<unsigned long long>(count - listed));
  return text;
}
