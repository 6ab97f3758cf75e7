/// Opens and reads plain files of records.
#include "RecordFile.h"

#include <sys/stat.h>

using namespace tg;
using namespace tg::data;

static constexpr const char *changed =
    "expected the file as it was when the data set was made, found another or "
    "a changed one";

/// Returns an error struct to fill.
static tg_error_t emptyError() {
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  return error;
}

/// Returns the properties of an open file.
static FileIdentity identityOf(const Descriptor &file) {
  struct stat status;
  if (::fstat(file.get(), &status) != 0)
    throw DataError("expected the properties of the file, found an error");
  return {static_cast<uint64_t>(status.st_size), status.st_ino,
          status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

Descriptor tg::data::openRegular(const std::string &path,
                                 FileIdentity &identity) {
  Descriptor file;
  tg_error_t error = emptyError();
  if (openFile(path.c_str(), file, identity.size, &error) != TG_OK)
    throw DataError(error.message);
  identity = identityOf(file);
  return file;
}

void tg::data::readBytes(const Descriptor &file, uint64_t size, void *into,
                         uint64_t bytes, uint64_t offset) {
  tg_error_t error = emptyError();
  if (readFully(file, into, bytes, offset, "", &error) == TG_OK)
    return;
  if (error.expected == 0) // an error of the system
    throw DataError(error.message);
  throw DataError("expected " + std::to_string(size) +
                  " bytes in the file, as when it was opened, found " +
                  std::to_string(error.found));
}

void tg::data::expectUnchanged(const std::string &path,
                               const FileIdentity &opened) {
  FileIdentity found;
  openRegular(path, found);
  if (found != opened)
    throw DataError(path + ": " + changed);
}

RecordFile::RecordFile(std::string path) : name(std::move(path)) {
  file = openRegular(name, opened);
}

void tg::data::expectUnchanged(const Descriptor &file,
                               const FileIdentity &opened) {
  if (identityOf(file) != opened)
    throw DataError(changed);
}

void RecordFile::read(void *into, uint64_t bytes, uint64_t offset,
                      const RecordPlace &place) const {
  Descriptor again;
  if (!file.isOpen()) {
    FileIdentity found;
    again = openRegular(name, found);
    if (found != opened)
      place.fail(changed);
  }
  try {
    readBytes(file.isOpen() ? file : again, size(), into, bytes, offset);
  } catch (const DataError &error) {
    place.fail(error.what());
  }
}

void RecordFile::expectUnchanged(const RecordPlace &place) const {
  // A file that is closed between reads was compared when it was opened again.
  if (file.isOpen() && identityOf(file) != opened)
    place.fail(changed);
}
