//===- Npz.cpp - arrays in .npz files, which are archives -----------------===//
#include "FixedRecords.h"
#include "Npy.h"
#include "runtime/data/archives/ArchiveWriter.h"

#include <algorithm>
#include <cstring>

using namespace tg;
using namespace tg::data;

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
  uint64_t left = contentsLimit(identity.size);
  std::unique_ptr<archive, ArchiveReadCloser> opened(archive_read_new());
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
          static_cast<uint64_t>(bytes) > left)
        throw DataError("expected at most " + std::to_string(left) +
                        " bytes, found " + std::to_string(bytes));
      left -= static_cast<uint64_t>(bytes);
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

static void prepare(archive *opened) {
  archive_write_set_format_zip(opened);
  archive_write_zip_set_compression_store(opened);
}

void tg::data::writeNpz(const std::string &path,
                        const std::vector<NamedFeature> &arrays) {
  constexpr int64_t time = 315532800; // the first of the format
  ArchiveWriter archive(path, prepare, time);
  for (const NamedFeature &written : arrays) {
    const std::string header = npyHeader(written.array);
    archive.add(written.name + ".npy",
                {std::as_bytes(std::span(header)), written.array.bytes()});
  }
  archive.close();
}
