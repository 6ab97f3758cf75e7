/// The copies to shared memory of a thread that have not arrived.
#ifndef TG_TEST_SIMULATOR_PTX_WARP_PENDINGCOPIES_H
#define TG_TEST_SIMULATOR_PTX_WARP_PENDINGCOPIES_H

#include <cstdint>
#include <cstring>
#include <vector>

namespace tg::ptx {

/// A copy of `read` bytes and of zeros behind them, `bytes` in all.
struct PendingCopy {
  uint8_t *to = nullptr;
  const uint8_t *from = nullptr;
  uint32_t bytes = 0;
  uint32_t read = 0;
  /// The address in shared memory.
  uint64_t address = 0;
};

/// Copies in groups: those before a commit are older than those behind it.
class PendingCopies {
public:
  void add(const PendingCopy &copy) { open.push_back(copy); }
  /// Ends a group, which may be empty.
  void commit() {
    groups.push_back(std::move(open));
    open.clear();
  }
  /// Lets all groups arrive but the last ones of a number, and calls a function
  /// with each copy.
  template <class Function> void wait(uint32_t last, Function arrive) {
    if (groups.size() <= last)
      return;
    size_t count = groups.size() - last;
    for (size_t i = 0; i < count; ++i)
      for (const PendingCopy &copy : groups[i]) {
        std::memcpy(copy.to, copy.from, copy.read);
        std::memset(copy.to + copy.read, 0, copy.bytes - copy.read);
        arrive(copy);
      }
    groups.erase(groups.begin(), groups.begin() + count);
  }

private:
  std::vector<PendingCopy> open;
  std::vector<std::vector<PendingCopy>> groups;
};

} // namespace tg::ptx

#endif
