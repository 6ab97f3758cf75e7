/// The needs of PTX code: the drivers that read its version, and its compute
/// capability.
#ifndef TG_RUNTIME_CUDA_PTXVERSION_H
#define TG_RUNTIME_CUDA_PTXVERSION_H

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace tg {

/// A version, as 9 and 0 of PTX 9.0.
struct Version {
  int major, minor;

  bool operator>(const Version &other) const {
    return major != other.major ? major > other.major : minor > other.minor;
  }
};

/// Returns the text after a directive in the first line of a PTX text that
/// begins with it; "" if there is none.
inline const char *findDirective(const char *text, const char *directive) {
  const size_t length = std::strlen(directive);
  for (const char *line = text; line; line = std::strchr(line, '\n')) {
    line += std::strspn(line, " \t\r\n");
    if (std::strncmp(line, directive, length) == 0)
      return line + length;
  }
  return "";
}

/// Returns the version that a PTX text states; 0.0 if it states none.
inline Version ptxVersionOf(const char *text) {
  char *end = nullptr;
  const char *version = findDirective(text, ".version");
  const long major = std::strtol(version, &end, 10);
  const long minor = *end == '.' ? std::strtol(end + 1, nullptr, 10) : 0;
  return {static_cast<int>(major), static_cast<int>(minor)};
}

/// Returns the compute capability that a PTX text is for, 80 for 8.0; 0 if it
/// states none.
inline uint32_t capabilityOf(const char *text) {
  const char *target = findDirective(text, ".target");
  target += std::strspn(target, " \t");
  return std::strncmp(target, "sm_", 3) == 0
             ? static_cast<uint32_t>(std::strtoul(target + 3, nullptr, 10))
             : 0;
}

/// Returns the version of CUDA whose driver is the first that reads a version
/// of PTX, from 7.0 on. CUDA 12.6 had no new PTX.
inline Version driverForPtx(Version ptx) {
  const bool isAfterGap = ptx.major == 8 && ptx.minor > 5;
  return {ptx.major + 4, ptx.minor + isAfterGap};
}

} // namespace tg

#endif // TG_RUNTIME_CUDA_PTXVERSION_H
