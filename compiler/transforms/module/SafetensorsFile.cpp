//===- SafetensorsFile.cpp - tensors of a file by name --------------------===//
#include "compiler/transforms/module/SafetensorsFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SHA256.h"
#include <unistd.h>

using namespace tg;
using llvm::Error;
using llvm::StringRef;

/// The upper bound of the header length. A longer header is rejected before it
/// is read, as by libtgrt.
static constexpr uint64_t kMaximumHeaderBytes = 32u << 20;

SafetensorsFile::SafetensorsFile(SafetensorsFile &&other)
    : path(std::move(other.path)),
      descriptor(std::exchange(other.descriptor, -1)),
      dataOffset(other.dataOffset), dataBytes(other.dataBytes),
      header(std::move(other.header)), hash(std::move(other.hash)) {}

SafetensorsFile::~SafetensorsFile() {
  if (descriptor >= 0)
    ::close(descriptor);
}

Error SafetensorsFile::fail(const llvm::Twine &what) const {
  return llvm::createStringError("'" + path + "' " + what);
}

//===----------------------------------------------------------------------===//
// The header
//===----------------------------------------------------------------------===//

llvm::Expected<SafetensorsFile> SafetensorsFile::open(StringRef path) {
  SafetensorsFile file(path);
  if (Error error = file.readHeader())
    return std::move(error);
  return file;
}

Error SafetensorsFile::readHeader() {
  if (std::error_code error = llvm::sys::fs::openFileForRead(path, descriptor))
    return fail("cannot be read: " + error.message());
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(descriptor, status))
    return fail("cannot be read: " + error.message());
  if (status.type() != llvm::sys::fs::file_type::regular_file)
    return fail("is no regular file");
  uint64_t size = status.getSize();
  char lengthBytes[8];
  if (size < sizeof(lengthBytes))
    return fail("has " + llvm::Twine(size) + " bytes, too few for safetensors");
  if (Error error = readAt(0, lengthBytes))
    return error;
  uint64_t length = llvm::support::endian::read64le(lengthBytes);
  uint64_t maximum = std::min(size - sizeof(lengthBytes), kMaximumHeaderBytes);
  if (length > maximum)
    return fail("is no safetensors file, or is cut short: a header of " +
                llvm::Twine(length) + " bytes, expected at most " +
                llvm::Twine(maximum));
  std::string text(length, '\0');
  if (Error error = readAt(sizeof(lengthBytes), text))
    return error;
  dataOffset = sizeof(lengthBytes) + length;
  dataBytes = size - dataOffset;
  if (std::string error = readSafetensorsHeader(text, header); !error.empty())
    return fail(error);
  return checkHeader();
}

/// Returns true if the text is a SHA-256 in the form that libtgrt writes.
static bool isHash(StringRef text) {
  return text.size() == 64 && llvm::all_of(text, [](char c) {
           return llvm::isDigit(c) || (c >= 'a' && c <= 'f');
         });
}

Error SafetensorsFile::checkHeader() {
  if (auto found = header.metadata.find(kDataHash);
      found != header.metadata.end()) {
    hash = found->second;
    if (!isHash(*hash))
      return fail("has a " + llvm::Twine(kDataHash) +
                  " that is not a SHA-256 hash");
  }
  for (const auto &[name, tensor] : header.tensors)
    if (tensor.begin > tensor.end || tensor.end > dataBytes)
      return fail("has tensor '" + name + "' at bytes " +
                  llvm::Twine(tensor.begin) + " to " + llvm::Twine(tensor.end) +
                  " of " + llvm::Twine(dataBytes));
  return checkCover();
}

Error SafetensorsFile::checkCover() const {
  std::vector<std::pair<uint64_t, uint64_t>> spans;
  for (const auto &[name, tensor] : header.tensors)
    spans.push_back({tensor.begin, tensor.end});
  llvm::sort(spans);
  uint64_t covered = 0;
  for (auto [begin, end] : spans) {
    if (begin != covered)
      return fail("has a tensor at byte " + llvm::Twine(begin) +
                  ", expected one at byte " + llvm::Twine(covered));
    covered = end;
  }
  if (covered != dataBytes)
    return fail("has " + llvm::Twine(dataBytes) + " bytes of data, expected " +
                llvm::Twine(covered));
  return Error::success();
}

//===----------------------------------------------------------------------===//
// The data
//===----------------------------------------------------------------------===//

Error SafetensorsFile::readAt(uint64_t offset,
                              llvm::MutableArrayRef<char> bytes) const {
  while (!bytes.empty()) {
    llvm::Expected<size_t> count = llvm::sys::fs::readNativeFileSlice(
        llvm::sys::fs::file_t(descriptor), bytes, offset);
    if (!count)
      return fail("cannot be read: " + llvm::toString(count.takeError()));
    if (*count == 0)
      return fail("became shorter while it was read");
    offset += *count;
    bytes = bytes.drop_front(*count);
  }
  return Error::success();
}

const StoredTensor *SafetensorsFile::find(StringRef name) const {
  auto found = header.tensors.find(name);
  return found == header.tensors.end() ? nullptr : &found->second;
}

Error SafetensorsFile::read(const StoredTensor &tensor,
                            llvm::MutableArrayRef<char> bytes) const {
  assert(bytes.size() == tensor.end - tensor.begin && "size differs");
  return readAt(dataOffset + tensor.begin, bytes);
}

Error SafetensorsFile::checkHash() const {
  if (!hash)
    return Error::success();
  llvm::SHA256 sha;
  std::vector<char> chunk(1u << 20);
  for (uint64_t offset = 0; offset < dataBytes; offset += chunk.size()) {
    llvm::MutableArrayRef<char> bytes(
        chunk.data(), std::min<uint64_t>(chunk.size(), dataBytes - offset));
    if (Error error = readAt(dataOffset + offset, bytes))
      return error;
    sha.update(StringRef(bytes.data(), bytes.size()));
  }
  if (llvm::toHex(sha.final(), /*LowerCase=*/true) == *hash)
    return Error::success();
  return fail("is damaged: the hash of its data is wrong");
}
