//===- ArchiveWriter.cpp - writes archives by libarchive ------------------===//
#include "ArchiveWriter.h"

#include <cerrno>

using namespace tg;
using namespace tg::data;

/// Writes bytes of the archive to the temporary file. `user` is an AtomicFile.
static la_ssize_t writeBytes(archive *opened, void *user, const void *bytes,
                             size_t count) {
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  if (static_cast<AtomicFile *>(user)->write(bytes, count, &error) == TG_OK)
    return static_cast<la_ssize_t>(count);
  archive_set_error(opened, EIO, "%s", error.message);
  return -1;
}

ArchiveWriter::ArchiveWriter(const std::string &name,
                             void (*prepare)(archive *), int64_t entryTime)
    : path(name), file(path.c_str()), time(entryTime),
      opened(archive_write_new()) {
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  if (file.open(&error) != TG_OK)
    throw DataError(error.message);
  prepare(opened.get());
  archive_write_set_bytes_per_block(opened.get(), 1 << 20);
  archive_write_set_bytes_in_last_block(opened.get(), 1);
  check(archive_write_open(opened.get(), &file, nullptr, writeBytes, nullptr) ==
        ARCHIVE_OK);
}

void ArchiveWriter::check(bool isDone) const {
  if (isDone)
    return;
  const char *message = archive_error_string(opened.get());
  throw DataError(message ? message : path + ": the file cannot be written");
}

void ArchiveWriter::add(
    const std::string &name,
    std::initializer_list<std::span<const std::byte>> parts) {
  size_t bytes = 0;
  for (std::span<const std::byte> part : parts)
    bytes += part.size();
  std::unique_ptr<archive_entry, ArchiveEntryCloser> entry(archive_entry_new());
  archive_entry_set_pathname(entry.get(), name.c_str());
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_perm(entry.get(), 0644);
  archive_entry_set_mtime(entry.get(), time, 0);
  archive_entry_set_size(entry.get(), static_cast<la_int64_t>(bytes));
  check(archive_write_header(opened.get(), entry.get()) == ARCHIVE_OK);
  for (std::span<const std::byte> part : parts)
    check(part.empty() ||
          archive_write_data(opened.get(), part.data(), part.size()) ==
              static_cast<la_ssize_t>(part.size()));
}

void ArchiveWriter::close() {
  check(archive_write_close(opened.get()) == ARCHIVE_OK);
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  if (file.commit(&error) != TG_OK)
    throw DataError(error.message);
}
