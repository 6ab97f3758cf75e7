//===- SafetensorsFile.cpp - tensors that a file holds by name ------------===//
#include "compiler/transforms/SafetensorsFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SHA256.h"
#include <unistd.h>

using namespace tg;
using llvm::Error;
using llvm::StringRef;
namespace json = llvm::json;

/// A longer header is refused before it is read, as by libtgrt.
static constexpr uint64_t kMaximumHeaderBytes = 32u << 20;
/// Values of a header, commas and what stands before them: some hundred
/// thousand tensors. The tree of JSON is made of no more.
static constexpr size_t kMaximumHeaderValues = 1u << 21;
/// The header, a tensor, its shape.
static constexpr unsigned kMaximumHeaderDepth = 3;

/// Whether the text can become a small tree: the parser of JSON calls itself
/// for what is nested.
static bool isFlat(StringRef text) {
  unsigned depth = 0;
  size_t values = 0;
  bool inString = false;
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (inString) {
      at += c == '\\';
      inString = c != '"';
    } else if (c == '{' || c == '[') {
      if (++depth > kMaximumHeaderDepth)
        return false;
    } else if (c == '}' || c == ']') {
      depth -= depth > 0;
    } else if (c == ',' && ++values > kMaximumHeaderValues) {
      return false;
    } else {
      inString = c == '"';
    }
  }
  return true;
}

/// A list of whole numbers that are not negative.
static bool readNumbers(const json::Array *list,
                        llvm::SmallVectorImpl<int64_t> &numbers) {
  if (!list)
    return false;
  for (const json::Value &entry : *list) {
    std::optional<int64_t> number = entry.getAsInteger();
    if (!number || *number < 0)
      return false;
    numbers.push_back(*number);
  }
  return true;
}

SafetensorsFile::SafetensorsFile(SafetensorsFile &&other)
    : path(std::move(other.path)),
      descriptor(std::exchange(other.descriptor, -1)), dataAt(other.dataAt),
      dataBytes(other.dataBytes), tensors(std::move(other.tensors)),
      metadata(std::move(other.metadata)),
      hash(std::move(other.hash)) {}

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
  char word[8];
  if (size < sizeof(word))
    return fail("has " + llvm::Twine(size) + " bytes, too few for safetensors");
  if (Error error = readAt(0, word))
    return error;
  uint64_t length = llvm::support::endian::read64le(word);
  uint64_t most = std::min(size - sizeof(word), kMaximumHeaderBytes);
  if (length > most)
    return fail("is no safetensors file, or is cut short: a header of " +
                llvm::Twine(length) + " bytes, expected at most " +
                llvm::Twine(most));
  std::string text(length, '\0');
  if (Error error = readAt(sizeof(word), text))
    return error;
  dataAt = sizeof(word) + length;
  dataBytes = size - dataAt;
  llvm::Expected<json::Value> header =
      isFlat(text) ? json::parse(text) : json::Value(nullptr);
  if (!header) {
    llvm::consumeError(header.takeError());
    return fail("has a header that is not JSON");
  }
  if (!header->getAsObject())
    return fail("has a header that is not of safetensors");
  return takeHeader(*header->getAsObject());
}

Error SafetensorsFile::takeHeader(const json::Object &header) {
  // The first mistake does not depend on the order of hashes.
  std::map<StringRef, const json::Value *> entries;
  for (const auto &[name, value] : header)
    entries[name] = &value;
  for (auto [name, value] : entries)
    if (Error error = name == "__metadata__" ? takeMetadata(*value)
                                             : takeTensor(name, *value))
      return error;
  return checkCover();
}

Error SafetensorsFile::takeMetadata(const json::Value &value) {
  const json::Object *entries = value.getAsObject();
  if (!entries)
    return fail("has metadata that is not of safetensors");
  for (const auto &[name, word] : *entries)
    if (std::optional<StringRef> text = word.getAsString())
      metadata[name.str()] = text->str();
  if (auto found = metadata.find("tg.data_sha256"); found != metadata.end())
    hash = found->second;
  return Error::success();
}

Error SafetensorsFile::takeTensor(StringRef name, const json::Value &value) {
  StoredTensor tensor;
  const json::Object *entry = value.getAsObject();
  llvm::SmallVector<int64_t> offsets;
  std::optional<StringRef> dtype;
  if (entry)
    dtype = entry->getString("dtype");
  if (!dtype || !readNumbers(entry->getArray("shape"), tensor.shape) ||
      !readNumbers(entry->getArray("data_offsets"), offsets) ||
      offsets.size() != 2)
    return fail("does not tell type, shape and place of tensor '" + name +
                "' as safetensors do");
  tensor.dtype = dtype->str();
  tensor.begin = offsets[0], tensor.end = offsets[1];
  if (tensor.begin > tensor.end || tensor.end > dataBytes)
    return fail("has tensor '" + name + "' at bytes " +
                llvm::Twine(tensor.begin) + " to " + llvm::Twine(tensor.end) +
                " of " + llvm::Twine(dataBytes));
  tensors[name.str()] = std::move(tensor);
  return Error::success();
}

Error SafetensorsFile::checkCover() const {
  std::vector<std::pair<uint64_t, uint64_t>> spans;
  for (const auto &[name, tensor] : tensors)
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
  auto found = tensors.find(name);
  return found == tensors.end() ? nullptr : &found->second;
}

Error SafetensorsFile::read(const StoredTensor &tensor,
                            llvm::MutableArrayRef<char> bytes) const {
  assert(bytes.size() == tensor.end - tensor.begin && "size differs");
  return readAt(dataAt + tensor.begin, bytes);
}

Error SafetensorsFile::checkHash() const {
  if (!hash)
    return Error::success();
  llvm::SHA256 sha;
  std::vector<char> chunk(1u << 20);
  for (uint64_t at = 0; at < dataBytes; at += chunk.size()) {
    llvm::MutableArrayRef<char> part(
        chunk.data(), std::min<uint64_t>(chunk.size(), dataBytes - at));
    if (Error error = readAt(dataAt + at, part))
      return error;
    sha.update(StringRef(part.data(), part.size()));
  }
  if (llvm::toHex(sha.final(), /*LowerCase=*/true) == *hash)
    return Error::success();
  return fail("is damaged: the hash of its data is wrong");
}
