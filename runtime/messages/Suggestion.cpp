/// Compares names by their edit distance.
#include "Suggestion.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

using namespace tg;

// The same rule as in Suggestions.cpp of the compiler: a third of the
// characters, rounded up, may differ, but none of a name of one or two.
Suggestion::Suggestion(const char *wanted)
    : wanted(wanted), length(std::strlen(wanted)),
      most(length <= 2 ? 0 : (length + 2) / 3) {}

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
      const size_t replaced = last[j - 1] + (wanted[i - 1] != known[j - 1]);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && wanted[i - 1] == known[j - 2] &&
          wanted[i - 2] == known[j - 1])
        row[j] = std::min(row[j], beforeLast[j - 2] + 1);
    }
  }
  return row[knownLength];
}

/// Returns true if the last components of the path `name` are `part`.
static bool endsWithPart(const char *name, size_t length, const char *part,
                         size_t partLength) {
  return length > partLength && name[length - partLength - 1] == '/' &&
         std::strcmp(name + (length - partLength), part) == 0;
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
  // The list has a prefix of the names: none follows one that did not fit.
  if (listed == count++)
    list(known);
  const size_t knownLength = std::strlen(known);
  if (length > longest || knownLength > longest)
    return;
  if (nearest && most == 0)
    return;
  const size_t difference =
      length > knownLength ? length - knownLength : knownLength - length;
  const bool isPart = endsWithPart(known, knownLength, wanted, length) ||
                      endsWithPart(wanted, length, known, knownLength);
  if (difference > most && !isPart)
    return;
  const size_t distance = isPart ? 1 : distanceTo(known, knownLength);
  if (distance > most && !isPart)
    return;
  nearest = known;
  most = distance ? distance - 1 : 0;
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
