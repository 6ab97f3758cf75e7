/// Writes and reads the metadata of checkpoints.
#include "Entries.h"

#include "Json.h"
#include "Safetensors.h"
#include "runtime/messages/Error.h"

#include <set>
#include <string_view>

using namespace tg;

/// Appends an entry to `text`.
static tg_status_t writeEntry(const tg_entry_t &entry,
                              std::set<std::string_view> &keys,
                              std::string &text, tg_error_t *error) {
  if (!entry.key || !entry.value)
    return fail(error, TG_ERROR_NULL, "%s is null",
                entry.key ? "the value of an entry" : "the key of an entry");
  const std::string_view key = entry.key;
  if (key.empty() || key == "format" || key.substr(0, 3) == "tg.")
    return fail(error, TG_ERROR_FORMAT,
                "an entry has the key '%.200s', expected none of the library's "
                "own",
                entry.key);
  if (!keys.insert(key).second)
    return fail(error, TG_ERROR_FORMAT, "two entries have the key '%.200s'",
                entry.key);
  text += ',';
  bool isText = appendJson(entry.key, text);
  text += ':';
  isText = isText && appendJson(entry.value, text);
  return isText ? TG_OK
                : fail(error, TG_ERROR_FORMAT,
                       "an entry is not UTF-8, expected a text");
}

tg_status_t tg::writeEntries(const tg_entry_t *entries, uint32_t count,
                             std::string &text, tg_error_t *error) noexcept {
  if (!entries && count)
    return fail(error, TG_ERROR_NULL, "entries is null");
  if (count > entryLimit)
    return failNumber(error, TG_ERROR_SIZE, count, entryLimit,
                      "%u entries, expected at most %u", count, entryLimit);
  // The standard library throws if memory runs out.
  try {
    std::set<std::string_view> keys;
    tg_status_t status = TG_OK;
    for (uint32_t i = 0; status == TG_OK && i < count; ++i)
      status = writeEntry(entries[i], keys, text, error);
    return status;
  } catch (...) {
    return fail(error, TG_ERROR_MEMORY, "no memory for the entries");
  }
}

namespace {

/// Collects the texts of the object __metadata__, and passes over the rest.
class EntryReader : public JsonEvents {
public:
  explicit EntryReader(EntryList &entries) : entries(entries) {}

  bool number(uint64_t) override { return other(); }
  bool other() override { return depth != 0 && !isInMetadata; }
  bool text(std::string &text) override {
    if (!isInMetadata)
      return depth != 0;
    if (depth != 2 || entries.size() == entryLimit ||
        text.find('\0') != text.npos)
      return false;
    entries.emplace_back(std::move(metadataKey), std::move(text));
    return true;
  }
  bool beginObject() override { return ++depth <= 2 || !isInMetadata; }
  bool key(std::string &text) override {
    if (depth == 1)
      isInMetadata = text == "__metadata__";
    else if (isInMetadata)
      metadataKey = text;
    return text.find('\0') == text.npos;
  }
  bool endObject() override {
    --depth;
    return true;
  }
  bool beginArray() override { return other(); }
  bool endArray() override { return true; }
  void syntaxError(uint64_t) override {}

private:
  EntryList &entries;
  uint64_t depth = 0; // of objects
  bool isInMetadata = false;
  std::string metadataKey;
};

} // namespace

tg_status_t tg::readEntries(const char *header, uint64_t bytes,
                            const char *file, EntryList &entries,
                            tg_error_t *error) noexcept {
  try {
    EntryReader reader(entries);
    if (readJson(header, bytes, reader))
      return TG_OK;
  } catch (...) {
    return fail(error, TG_ERROR_MEMORY, "no memory to read the header of '%s'",
                file);
  }
  return fail(error, TG_ERROR_FORMAT,
              "'%s': the header is not one of a checkpoint", file);
}
