/// Variables that contexts of several modules share.
#ifndef TG_RUNTIME_CORE_SHAREDVARIABLES_H
#define TG_RUNTIME_CORE_SHAREDVARIABLES_H

#include "SharedMemory.h"

#include <atomic>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

namespace tg {

struct PackedWeights;

/// A variable of a list, with its own copies of the name and the dims.
struct ListedVariable {
  explicit ListedVariable(const tg_variable_t &other);
  ListedVariable(const ListedVariable &) = delete;

  std::string name;
  std::vector<int64_t> dims;
  tg_variable_t table;
};

} // namespace tg

struct tg_variables_t {
  ~tg_variables_t();

  tg_hooks_t hooks = {};
  tg::SharedMemory memory{hooks};
  bool startAtZero = false;
  std::atomic<uint32_t> contexts = 0;

  /// Guards `list`, `packed` and the growth of the memory.
  mutable std::mutex lock;
  /// The longest list so far. Its elements do not move.
  std::deque<tg::ListedVariable> list;
  tg::PackedWeights *packed = nullptr; // of the modules of the contexts

  /// A header, and the variables. A call uses them between begin() and end().
  char *slab = nullptr;
  uint64_t bytes = 0;
  tg_slab_header_t deviceHeader = {}; // of memory of a device
  uint64_t valuedBytes = 0; // the first bytes whose variables were set
  std::vector<const tg_variable_t *> savedVariables; // the snapshot
  char *saved = nullptr;
  uint64_t savedBytes = 0;

  /// Returns the header, in memory of the host.
  tg_slab_header_t &header() {
    return memory.get().isHost() ? *reinterpret_cast<tg_slab_header_t *>(slab)
                                 : deviceHeader;
  }
  /// Returns true if the variables in the first `leading` bytes have values.
  bool hasValues(uint64_t leading) const {
    return startAtZero || leading <= valuedBytes;
  }
  /// Marks data derived from the variables, such as packed weights, as out of
  /// date.
  void markChanged() { ++header().generation; }
  /// Marks the variables in the first `leading` bytes as set.
  void markSet(uint64_t leading) {
    valuedBytes = leading > valuedBytes ? leading : valuedBytes;
  }
  /// Sets the variables in the first `leading` bytes that have no values to 0.
  tg_status_t setOthersToZero(uint64_t leading, tg_error_t *error);

  /// Begins a call that reads or writes the variables. Returns false if another
  /// call excludes it. Writes a layout id to the header, if `layoutId` is not
  /// null; readers that have another id exclude the call. The memory must
  /// exist.
  bool begin(bool writes, const uint8_t *layoutId);
  void end(bool writes);

  /// Adds the variables of a longer list. Fails with TG_ERROR_SLAB if neither
  /// list begins with the other.
  tg_status_t extend(const tg_variable_t *const *longer, uint32_t count,
                     tg_error_t *error);
  /// Grows the memory to at least `leading` bytes; new variables are 0. Fails
  /// with TG_ERROR_BUSY if the memory must grow while a call uses it.
  tg_status_t reserve(uint64_t leading, tg_error_t *error);
  /// Grows the memory of the snapshot; its contents are lost.
  tg_status_t reserveSaved(uint64_t needed, tg_error_t *error);
  /// Returns the number of leading bytes that hold all variables of the list.
  uint64_t listBytes() const;
  /// Returns the variable of an index, null if there is none.
  const tg_variable_t *find(uint32_t index) const;

private:
  /// Moves the variables to a new block of `needed` bytes; new ones are 0.
  tg_status_t moveTo(char *block, uint64_t needed, tg_error_t *error);

  // The calls that use the variables, guarded by isChanging, which is held for
  // a few instructions.
  std::atomic<bool> isChanging = false;
  uint32_t readers = 0;
  bool isWritten = false;

  void enter() {
    while (isChanging.exchange(true, std::memory_order_acquire))
      __builtin_ia32_pause();
  }
  void leave() { isChanging.store(false, std::memory_order_release); }
};

namespace tg {

/// Fails with TG_ERROR_BUSY because another call excludes one on the variables.
tg_status_t failVariablesBusy(tg_error_t *error);

/// Makes a context use shared variables, which get the list and the memory that
/// its module needs.
tg_status_t attachVariables(tg_context_t &context, tg_variables_t &variables,
                            tg_error_t *error);

} // namespace tg

#endif // TG_RUNTIME_CORE_SHAREDVARIABLES_H
