//===- SavedTensors.cpp - tensors in files, by name -----------------------===//
#include "compiler/frontend/body/SavedTensors.h"
#include "compiler/frontend/text/OutputFile.h"
#include "compiler/transforms/module/SafetensorsFile.h"
#include "tg/dtypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"
#include <limits>

using namespace tg;
using namespace tg::dsl;
namespace json = llvm::json;

/// The prefix of metadata keys for object-based files. The rest of the key is
/// the name of a tensor; the metadata is the name of its variable.
static constexpr char kObject[] = "tg.object.";
/// The metadata key for the number of a session's runs that took random
/// samples.
static constexpr char kSamples[] = "tg.draws";
/// The prefix of metadata keys for places of iterators. They are no tensors, so
/// that compiled libraries load the file.
static constexpr char kIterator[] = "tg.iterator.";

static const char *formatName(DType dtype) {
  switch (dtype) {
#define TG_NAMED(name, front, code, bits, host, rounding, compute, sum,        \
                 product, safetensors, npy)                                    \
  case DType::front:                                                           \
    return safetensors;
    TG_DTYPES(TG_NAMED)
#undef TG_NAMED
  }
  llvm_unreachable("all element types are above");
}

static std::optional<DType> dtypeOf(llvm::StringRef word) {
#define TG_NAMED(name, front, code, bits, host, rounding, compute, sum,        \
                 product, safetensors, npy)                                    \
  if (word == safetensors)                                                     \
    return DType::front;
  TG_DTYPES(TG_NAMED)
#undef TG_NAMED
  return std::nullopt;
}

/// Returns the size of an element in bytes.
static uint64_t bytesOf(DType dtype) {
  switch (dtype) {
#define TG_SIZED(name, front, code, bits, ...)                                 \
  case DType::front:                                                           \
    return bits / 8;
    TG_DTYPES(TG_SIZED)
#undef TG_SIZED
  }
  llvm_unreachable("all element types are above");
}

/// Returns the JSON header, which precedes the data.
static std::string headerOf(const std::string &model,
                            const SavedTensors &content, llvm::StringRef hash) {
  json::Object metadata{
      {"format", "tg"}, {"tg.model", model}, {"tg.data_sha256", hash}};
  for (const auto &[tensor, variable] : content.objects)
    metadata[kObject + tensor] = variable;
  if (content.sampleCounter)
    metadata[kSamples] = std::to_string(*content.sampleCounter);
  for (const auto &[name, place] : content.iterators)
    metadata[kIterator + json::fixUTF8(name)] = json::fixUTF8(place);
  json::Object header{{"__metadata__", std::move(metadata)}};
  uint64_t begin = 0;
  for (const auto &[name, tensor] : content.tensors) {
    json::Array shape;
    for (const Extent &extent : tensor.type.shape)
      shape.push_back(extent.value);
    uint64_t end = begin + tensor.bytes.size();
    header[name] = json::Object{{"dtype", formatName(tensor.type.dtype)},
                                {"shape", std::move(shape)},
                                {"data_offsets", json::Array{begin, end}}};
    begin = end;
  }
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(std::move(header));
  text.resize(llvm::alignTo(text.size(), 8), ' ');
  return text;
}

Result<Nothing> dsl::writeTensors(const std::string &path,
                                  const std::string &model,
                                  const SavedTensors &content) {
  llvm::SHA256 sha;
  std::vector<llvm::StringRef> pieces(2);
  for (const auto &[name, tensor] : content.tensors) {
    pieces.emplace_back(tensor.bytes.data(), tensor.bytes.size());
    sha.update(pieces.back());
  }
  std::string header =
      headerOf(model, content, llvm::toHex(sha.final(), /*LowerCase=*/true));
  uint64_t length = header.size();
  pieces[0] = {reinterpret_cast<const char *>(&length), sizeof(length)};
  pieces[1] = header;
  if (llvm::Error error = writeFileAtomically(path, pieces, kDataMode))
    return {{}, dsl::Error{llvm::toString(std::move(error)), "", 0, 0}};
  return {};
}

/// Reads a tensor of a file.
static llvm::Expected<SavedTensor> readTensor(const SafetensorsFile &file,
                                              const std::string &name,
                                              const StoredTensor &stored) {
  std::optional<DType> dtype = dtypeOf(stored.dtype);
  if (!dtype)
    return llvm::createStringError(
        "expected tensor '" + name + "' of '" + file.getPath() +
        "' to be of a type that programs have, found " + stored.dtype);
  SavedTensor tensor{.type = {*dtype, {}},
                     .bytes = std::vector<char>(stored.end - stored.begin)};
  uint64_t size = bytesOf(*dtype);
  bool fits = true;
  for (uint64_t extent : stored.shape) {
    tensor.type.shape.push_back(static_cast<int64_t>(extent));
    fits &= extent <= uint64_t(std::numeric_limits<int64_t>::max()) &&
            !__builtin_mul_overflow(size, extent, &size);
  }
  if (!fits || size != tensor.bytes.size())
    return llvm::createStringError(
        "expected tensor '" + name + "' of '" + file.getPath() +
        "' to have as many bytes as its shape " + toString(tensor.type.shape) +
        ", found " + std::to_string(tensor.bytes.size()));
  if (llvm::Error error = file.read(stored, tensor.bytes))
    return std::move(error);
  return tensor;
}

static llvm::Expected<SavedTensors> readAll(const std::string &path) {
  llvm::Expected<SafetensorsFile> file = SafetensorsFile::open(path);
  if (!file)
    return file.takeError();
  if (llvm::Error error = file->checkHash())
    return std::move(error);
  SavedTensors content;
  for (const auto &[name, stored] : file->getTensors()) {
    llvm::Expected<SavedTensor> tensor = readTensor(*file, name, stored);
    if (!tensor)
      return tensor.takeError();
    content.tensors[name] = std::move(*tensor);
  }
  for (const auto &[key, word] : file->getMetadata()) {
    if (llvm::StringRef name = key; name.consume_front(kObject))
      content.objects[name.str()] = word;
    if (llvm::StringRef name = key; name.consume_front(kIterator))
      content.iterators[name.str()] = word;
    if (key != kSamples)
      continue;
    int64_t sampleCounter = 0;
    if (llvm::StringRef(word).getAsInteger(10, sampleCounter) ||
        sampleCounter < 0)
      return llvm::createStringError(
          "expected '" + std::string(kSamples) + "' of '" + path +
          "' to be a number of runs, found '" + word + "'");
    content.sampleCounter = sampleCounter;
  }
  return content;
}

Result<SavedTensors> dsl::readTensors(const std::string &path) {
  llvm::Expected<SavedTensors> content = readAll(path);
  if (!content)
    return {{}, dsl::Error{llvm::toString(content.takeError()), "", 0, 0}};
  return {std::move(*content)};
}
