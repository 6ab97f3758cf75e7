//===- TarEntries.cpp - the entries of a tar archive ----------------------===//
#include "TarEntries.h"

#include <algorithm>
#include <cerrno>

using namespace tg;
using namespace tg::data;

la_ssize_t TarEntries::readInput(archive *opened, void *user,
                                 const void **bytes) {
  auto *entries = static_cast<TarEntries *>(user);
  try {
    *bytes = entries->buffer.get();
    return static_cast<la_ssize_t>(entries->fill());
  } catch (const std::exception &error) {
    entries->inputError = error.what();
    archive_set_error(opened, EIO, "%s", error.what());
    return -1;
  }
}

la_int64_t TarEntries::skipInput(archive *, void *user, la_int64_t count) {
  auto *entries = static_cast<TarEntries *>(user);
  const uint64_t done = entries->input->skip(static_cast<uint64_t>(count));
  entries->position += done;
  if (done)
    entries->bufferSize = leastBuffer;
  return static_cast<la_int64_t>(done);
}

size_t TarEntries::fill() {
  // A whole buffer, unless the input ends.
  size_t count = 0;
  for (size_t part = 1; part && count < bufferSize; count += part)
    part = input->read(buffer.get() + count, bufferSize - count);
  // Short reads after a skip, since another one often follows the header.
  bufferSize = std::min(2 * bufferSize, mostBuffer);
  for (size_t last = count; last; --last)
    if (buffer[last - 1] != std::byte(0)) {
      used = position + last;
      break;
    }
  position += count;
  return count;
}

TarEntries::TarEntries(std::unique_ptr<ByteInput> bytes)
    : input(std::move(bytes)), opened(archive_read_new()) {
  if (!opened)
    throw std::bad_alloc();
  archive_read_support_format_tar(opened.get());
  archive_read_set_skip_callback(opened.get(), skipInput);
  archive_read_set_read_callback(opened.get(), readInput);
  archive_read_set_callback_data(opened.get(), this);
  if (archive_read_open1(opened.get()) != ARCHIVE_OK)
    fail();
}

void TarEntries::fail() const {
  const char *message = archive_error_string(opened.get());
  if (!inputError.empty())
    throw DataError(inputError);
  throw DataError(std::string("expected a tar archive, found: ") +
                  (message ? message : "an unknown error"));
}

/// Divides a name at the first dot of its last part, which is not its first
/// character. Returns false if there is none.
static bool splitName(const std::string &name, TarEntry &entry) {
  const size_t slash = name.rfind('/');
  const size_t file = slash == std::string::npos ? 0 : slash + 1;
  const size_t dot = name.find('.', file);
  if (dot == std::string::npos || dot == file || dot + 1 == name.size())
    return false;
  entry.base = name.substr(0, dot);
  entry.extension = name.substr(dot + 1);
  for (char &c : entry.extension)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  return true;
}

/// Returns the name of an entry. Throws DataError if it has none.
static std::string nameOf(archive_entry *entry) {
  const char *name = archive_entry_pathname(entry);
  // Names in UTF-8 may have no form in the locale of the process.
  if (!name)
    name = archive_entry_pathname_utf8(entry);
  if (!name || !*name)
    throw DataError("expected a name of an entry, found none");
  return name;
}

/// Returns true for a regular file, and false for a directory. Throws DataError
/// for others.
static bool isFile(archive_entry *entry) {
  const auto type = archive_entry_filetype(entry);
  const bool isLink = archive_entry_hardlink(entry) || type == AE_IFLNK;
  const bool isSparse = archive_entry_sparse_count(entry) > 0;
  if (!isLink && type == AE_IFDIR)
    return false;
  if (!isLink && !isSparse && type == AE_IFREG)
    return true;
  throw DataError(std::string("expected a regular file in the archive, "
                              "found ") +
                  (isLink     ? "a link"
                   : isSparse ? "a sparse file"
                              : "a device or pipe"));
}

bool TarEntries::next(TarEntry &entry, uint64_t limit) {
  for (uint64_t left = limit;;) {
    archive_entry *read = nullptr;
    const int status = archive_read_next_header(opened.get(), &read);
    if (status == ARCHIVE_EOF) {
      checkEnd();
      return false;
    }
    // A warning is that of a name which the locale does not have.
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN)
      fail();
    const la_int64_t size = archive_entry_size(read);
    entry.byte = header;
    entry.data = static_cast<uint64_t>(archive_filter_bytes(opened.get(), 0));
    if (size < 0 || static_cast<uint64_t>(size) > left)
      throw DataError("expected at most " + std::to_string(limit) +
                      " bytes, the limit of the reader, found an entry of " +
                      std::to_string(size));
    entry.size = static_cast<uint64_t>(size);
    left -= entry.size;
    // The bytes that follow the buffer.
    const std::optional<uint64_t> rest = input->left();
    if (rest && entry.size > position + *rest - entry.data)
      throw DataError("expected " + std::to_string(entry.size) +
                      " bytes of an entry, found " +
                      std::to_string(position + *rest - entry.data) +
                      " bytes to the end of the file");
    header =
        entry.data + (entry.size + blockBytes - 1) / blockBytes * blockBytes;
    if (isFile(read) && splitName(nameOf(read), entry))
      return true;
  }
}

void TarEntries::read(const TarEntry &entry, std::byte *into) {
  uint64_t done = 0;
  while (done < entry.size) {
    const la_ssize_t part =
        archive_read_data(opened.get(), into + done, entry.size - done);
    if (part < 0)
      fail();
    if (part == 0)
      throw DataError("expected " + std::to_string(entry.size) +
                      " bytes of an entry, found " + std::to_string(done));
    done += static_cast<uint64_t>(part);
  }
}

void TarEntries::checkEnd() {
  constexpr uint64_t endBytes = 2 * blockBytes, limit = 1 << 20;
  // Reads what libarchive has left.
  while (position - header <= limit && used <= header && fill())
    ;
  if (used > header || position - header > limit)
    throw DataError(
        "expected nothing behind the end of the archive, found " +
        std::string(used > header ? "more bytes" : "more than 1 MiB of zeros"));
  if (position - header < endBytes)
    throw DataError("expected two blocks of zeros at the end of the archive, "
                    "found " +
                    std::to_string(position - header) +
                    " bytes to the end of the file");
}
