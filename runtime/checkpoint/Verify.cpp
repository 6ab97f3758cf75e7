/// Checks checkpoints without a model, and reads their entries.
#include "Entries.h"
#include "HeaderFile.h"
#include "Safetensors.h"
#include "runtime/messages/Error.h"

using namespace tg;

/// Returns true for the library's own metadata, which are no entries of hosts.
static bool isOwn(const std::string &key) {
  return key == "format" || key.compare(0, 3, "tg.") == 0;
}

/// Compares the hash of the data with the one in the metadata.
static tg_status_t checkData(const HeaderFile &file, const EntryList &entries,
                             const char *name, tg_error_t *error) {
  Sha256 hash;
  const tg_status_t status = file.hashData(0, file.dataBytes, hash, error);
  if (status != TG_OK)
    return status;
  const DigestText digits = formatDigest(hash.finish());
  for (const auto &[key, value] : entries)
    if (key == safetensorsDigestKey)
      return value == digits.data()
                 ? TG_OK
                 : fail(error, TG_ERROR_CORRUPT,
                        "'%s': the hash of the data is wrong", name);
  return fail(error, TG_ERROR_FORMAT, "'%s' has no hash of its data", name);
}

static tg_status_t read(const char *path, tg_entry_fn *visit, void *user,
                        tg_error_t *error) {
  if (!path)
    return fail(error, TG_ERROR_NULL, "path is null");
  const ShortPath name(path);
  HeaderFile file;
  tg_status_t status = file.open(path, error);
  bool hasHash = false;
  if (status == TG_OK)
    status = checkHeaderHash(file.header.get(), file.headerBytes, name.text,
                             hasHash, error);
  if (status == TG_OK && !hasHash)
    status = fail(error, TG_ERROR_FORMAT,
                  "'%s' has no hash of its header, expected a checkpoint of "
                  "this library",
                  name.text);
  EntryList entries;
  if (status == TG_OK)
    status = readEntries(file.header.get(), file.headerBytes, name.text,
                         entries, error);
  if (status == TG_OK)
    status = checkData(file, entries, name.text, error);
  if (status != TG_OK || !visit)
    return status;
  for (const auto &[key, value] : entries)
    if (!isOwn(key))
      visit(user, key.c_str(), value.c_str());
  return TG_OK;
}

tg_status_t tg_checkpoint_read(const char *path, tg_entry_fn *visit, void *user,
                               tg_error_t *error) {
  return read(path, visit, user, error);
}
