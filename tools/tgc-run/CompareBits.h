/// Compares two files of digests of steps.
#ifndef TG_TOOLS_TGCRUN_COMPAREBITS_H
#define TG_TOOLS_TGCRUN_COMPAREBITS_H

#include <string>

namespace tg {

/// The result of a comparison, as a line for people.
struct BitsComparison {
  bool areEqual;
  std::string text;
};

/// Compares two files that BitsTrace wrote and describes the first step whose
/// results differ. Throws RuntimeError if a file cannot be read or is no such
/// file, or if the files are of other functions or steps.
BitsComparison compareBits(const std::string &first, const std::string &second);

} // namespace tg

#endif // TG_TOOLS_TGCRUN_COMPAREBITS_H
