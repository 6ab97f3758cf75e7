/// The version of PTX code, and the drivers that read it.
#ifndef TG_RUNTIME_CUDA_PTXVERSION_H
#define TG_RUNTIME_CUDA_PTXVERSION_H

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

/// Returns the version that a PTX text states in the first line that begins
/// with the directive; 0.0 if there is none.
inline Version ptxVersionOf(const char *text) {
  constexpr char directive[] = ".version";
  for (const char *line = text; line; line = std::strchr(line, '\n')) {
    line += std::strspn(line, " \t\r\n");
    if (std::strncmp(line, directive, sizeof(directive) - 1) != 0)
      continue;
    char *end = nullptr;
    const long major = std::strtol(line + sizeof(directive) - 1, &end, 10);
    const long minor = *end == '.' ? std::strtol(end + 1, nullptr, 10) : 0;
    return {static_cast<int>(major), static_cast<int>(minor)};
  }
  return {0, 0};
}

/// Returns the version of CUDA whose driver is the first that reads a version
/// of PTX, from 7.0 on. CUDA 12.6 had no new PTX.
inline Version driverForPtx(Version ptx) {
  const bool isAfterGap = ptx.major == 8 && ptx.minor > 5;
  return {ptx.major + 4, ptx.minor + isAfterGap};
}

} // namespace tg

#endif // TG_RUNTIME_CUDA_PTXVERSION_H
