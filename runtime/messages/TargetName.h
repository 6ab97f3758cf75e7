/// The names of targets in messages.
#ifndef TG_RUNTIME_MESSAGES_TARGETNAME_H
#define TG_RUNTIME_MESSAGES_TARGETNAME_H

#include "tg/abi.h"

#include <cstdio>
#include <cstring>

namespace tg {

/// The name of a target, as in the options and outputs of tgc: "x86-64-v3",
/// "cuda-80", or "target 7" for a number without a name.
class TargetName {
public:
  explicit TargetName(uint32_t target) {
    const bool isCpu =
        target >= TG_TARGET_X86_64_V2 && target <= TG_TARGET_X86_64_V4;
    if (target == TG_TARGET_CUDA_80)
      std::snprintf(name, sizeof(name), "cuda-80");
    else
      std::snprintf(name, sizeof(name), isCpu ? "x86-64-v%u" : "target %u",
                    target);
  }

  /// Returns the name, which lives as long as the object.
  const char *text() const { return name; }

private:
  char name[24];
};

/// The names of the targets of a mask like tg_model_t.targets, with commas:
/// "x86-64-v2, cuda-80". "none" for an empty mask.
class TargetNames {
public:
  explicit TargetNames(uint32_t targets) {
    std::strcpy(names, targets ? "" : "none");
    for (uint32_t target = 0; target < 32; ++target) {
      if (!(targets >> target & 1))
        continue;
      const size_t length = std::strlen(names);
      std::snprintf(names + length, sizeof(names) - length, "%s%s",
                    length ? ", " : "", TargetName(target).text());
    }
  }

  /// Returns the names, which live as long as the object.
  const char *text() const { return names; }

private:
  char names[96];
};

} // namespace tg

#endif // TG_RUNTIME_MESSAGES_TARGETNAME_H
