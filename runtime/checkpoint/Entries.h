/// Texts of hosts in the metadata of checkpoints.
#ifndef TG_RUNTIME_CHECKPOINT_ENTRIES_H
#define TG_RUNTIME_CHECKPOINT_ENTRIES_H

#include "tg/runtime.h"

#include <string>
#include <utility>
#include <vector>

namespace tg {

/// The upper bound of the number of entries.
constexpr uint32_t entryLimit = 65536;

/// Entries in the order of the file: keys and values.
using EntryList = std::vector<std::pair<std::string, std::string>>;

/// Writes entries as members of a JSON object, each with a comma before it.
/// Fails with TG_ERROR_NULL, TG_ERROR_FORMAT or TG_ERROR_MEMORY.
tg_status_t writeEntries(const tg_entry_t *entries, uint32_t count,
                         std::string &text, tg_error_t *error) noexcept;

/// Reads all metadata of a header, tg's own included, without checking the
/// rest of it. Fails with TG_ERROR_FORMAT or TG_ERROR_MEMORY.
tg_status_t readEntries(const char *header, uint64_t bytes, const char *file,
                        EntryList &entries, tg_error_t *error) noexcept;

} // namespace tg

#endif // TG_RUNTIME_CHECKPOINT_ENTRIES_H
