//===- Npz.cpp - arrays in .npz files, which are archives -----------------===//
#include "FixedRecords.h"
#include "Npy.h"
#include "runtime/files/AtomicFile.h"

#include <algorithm>
#include <archive.h>
#include <archive_entry.h>
#include <cstring>

using namespace tg;
using namespace tg::data;

namespace {
struct ReadCloser {
  void operator()(archive *opened) const { archive_read_free(opened); }
};
struct WriteCloser {
  void operator()(archive *opened) const { archive_write_free(opened); }
};
struct EntryCloser {
  void operator()(archive_entry *entry) const { archive_entry_free(entry); }
};
} // namespace

/// Throws DataError with the message of libarchive.
[[noreturn]] static void fail(const std::string &path, archive *opened) {
  const char *message = archive_error_string(opened);
  throw DataError(path + ": expected a .npz archive, found: " +
                  (message ? message : "an unknown error"));
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Reads up to `count` bytes of an entry. Returns their number.
static size_t readPart(const std::string &path, archive *opened, void *into,
                       size_t count) {
  size_t done = 0;
  while (done < count) {
    const la_ssize_t part = archive_read_data(
        opened, static_cast<std::byte *>(into) + done, count - done);
    if (part < 0)
      fail(path, opened);
    if (part == 0)
      break;
    done += static_cast<size_t>(part);
  }
  return done;
}

/// Reads the array of an entry, which has `bytes` bytes. Its memory is
/// allocated after the header agrees with that size, and the size with what the
/// file can contain.
static Feature readArray(const std::string &path, archive *opened,
                         uint64_t bytes) {
  std::vector<char> first(std::min<uint64_t>(bytes, npy::frontLimit));
  first.resize(readPart(path, opened, first.data(), first.size()));
  npy::Front front;
  std::string reason;
  if (!npy::parseFront(first, bytes, front, reason))
    throw DataError(reason);
  Feature array(front.dtype, front.shape);
  const size_t begun =
      std::min(first.size() - front.dataOffset, array.byteCount());
  if (begun)
    std::memcpy(array.data(), first.data() + front.dataOffset, begun);
  const size_t rest = array.byteCount() - begun;
  if (readPart(path, opened, array.data() + begun, rest) != rest)
    throw DataError("expected " + std::to_string(bytes) +
                    " bytes, found the end of the entry");
  // The archive is checked when its end is read.
  char more = 0;
  if (readPart(path, opened, &more, 1))
    throw DataError("expected " + std::to_string(bytes) + " bytes, found more");
  return array;
}

std::vector<NamedFeature> tg::data::readNpz(const std::string &path) {
  FileIdentity identity;
  openRegular(path, identity);
  // Deflate makes at most 1032 bytes of one.
  const uint64_t limit = identity.size * 1032;
  std::unique_ptr<archive, ReadCloser> opened(archive_read_new());
  archive_read_support_format_zip_seekable(opened.get());
  if (archive_read_open_filename(opened.get(), path.c_str(), 1 << 16))
    fail(path, opened.get());
  std::vector<NamedFeature> arrays;
  archive_entry *entry = nullptr;
  int status = 0;
  while ((status = archive_read_next_header(opened.get(), &entry)) ==
         ARCHIVE_OK) {
    const char *name = archive_entry_pathname(entry);
    const std::string member = name ? name : "";
    const la_int64_t bytes = archive_entry_size(entry);
    try {
      if (!archive_entry_size_is_set(entry) || bytes < 0 ||
          static_cast<uint64_t>(bytes) > limit)
        throw DataError("expected a size that the file can contain, found " +
                        std::to_string(bytes));
      arrays.push_back(
          {stemOf(member, ".npy"),
           readArray(path, opened.get(), static_cast<uint64_t>(bytes))});
    } catch (const DataError &error) {
      throw DataError(path + ": array '" + npy::printable(member) +
                      "': " + error.what());
    }
  }
  if (status != ARCHIVE_EOF)
    fail(path, opened.get());
  return arrays;
}

Dataset tg::data::openNpz(const std::string &path) {
  std::vector<std::string> names;
  std::vector<Feature> arrays;
  for (NamedFeature &read : readNpz(path)) {
    names.push_back(std::move(read.name));
    arrays.push_back(std::move(read.array));
  }
  return namingFile(path, [&] {
    return Dataset::fromArrays(std::move(names), std::move(arrays));
  });
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Writes the bytes of the archive to the temporary file. `user` is an
/// AtomicFile.
static la_ssize_t writeBytes(archive *opened, void *user, const void *bytes,
                             size_t count) {
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  if (static_cast<AtomicFile *>(user)->write(bytes, count, &error) == TG_OK)
    return static_cast<la_ssize_t>(count);
  archive_set_error(opened, EIO, "%s", error.message);
  return -1;
}

static void check(const std::string &path, archive *opened, bool isDone) {
  if (isDone)
    return;
  const char *message = archive_error_string(opened);
  throw DataError(message ? message : path + ": the file cannot be written");
}

static void writeArray(const std::string &path, archive *opened,
                       const NamedFeature &written) {
  const std::string header = npyHeader(written.array);
  const std::span<const std::byte> elements = written.array.bytes();
  std::unique_ptr<archive_entry, EntryCloser> entry(archive_entry_new());
  archive_entry_set_pathname(entry.get(), (written.name + ".npy").c_str());
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_perm(entry.get(), 0644);
  archive_entry_set_mtime(entry.get(), 315532800, 0); // the first of the format
  archive_entry_set_size(
      entry.get(), static_cast<la_int64_t>(header.size() + elements.size()));
  check(path, opened, archive_write_header(opened, entry.get()) == ARCHIVE_OK);
  const auto write = [&](const void *bytes, size_t count) {
    check(path, opened,
          archive_write_data(opened, bytes, count) ==
              static_cast<la_ssize_t>(count));
  };
  write(header.data(), header.size());
  if (!elements.empty())
    write(elements.data(), elements.size());
}

void tg::data::writeNpz(const std::string &path,
                        const std::vector<NamedFeature> &arrays) {
  tg_error_t error = {};
  error.struct_size = sizeof(error);
  AtomicFile file(path.c_str());
  if (file.open(&error) != TG_OK)
    throw DataError(error.message);
  {
    std::unique_ptr<archive, WriteCloser> opened(archive_write_new());
    archive_write_set_format_zip(opened.get());
    archive_write_zip_set_compression_store(opened.get());
    archive_write_set_bytes_per_block(opened.get(), 1 << 20);
    archive_write_set_bytes_in_last_block(opened.get(), 1);
    check(path, opened.get(),
          archive_write_open(opened.get(), &file, nullptr, writeBytes,
                             nullptr) == ARCHIVE_OK);
    for (const NamedFeature &written : arrays)
      writeArray(path, opened.get(), written);
    check(path, opened.get(), archive_write_close(opened.get()) == ARCHIVE_OK);
  }
  if (file.commit(&error) != TG_OK)
    throw DataError(error.message);
}
