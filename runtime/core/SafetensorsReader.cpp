/// Reads safetensors headers.
#include "Safetensors.h"

#include "Error.h"
#include "NameList.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

using namespace tg;
using Json = nlohmann::json;

namespace {

/// Follows the header event by event: no tree is built, so a hostile header
/// costs little more memory than its own length, and a repeated variable is
/// noticed.
class HeaderReader : public nlohmann::json_sax<Json> {
public:
  HeaderReader(const LoadSubject &subject, uint64_t dataBytes,
               SafetensorsInfo &info, tg_error_t *error)
      : subject(subject), model(subject.model), dataBytes(dataBytes),
        info(info), error(error), isSeen(model.variable_count) {}

  /// TG_OK until an event was refused.
  tg_status_t status = TG_OK;

  bool null() override { return refuse(); }
  bool boolean(bool) override { return refuse(); }
  bool number_integer(number_integer_t) override { return refuse(); }
  bool number_float(number_float_t, const string_t &) override {
    return refuse();
  }
  bool binary(binary_t &) override { return refuse(); }
  bool number_unsigned(number_unsigned_t number) override;
  bool string(string_t &text) override;
  bool start_object(std::size_t) override;
  bool key(string_t &text) override;
  bool end_object() override;
  bool start_array(std::size_t) override;
  bool end_array() override;
  bool parse_error(std::size_t position, const std::string &,
                   const nlohmann::detail::exception &) override {
    return refuse(TG_ERROR_FORMAT,
                  "the header is not JSON at byte " + std::to_string(position),
                  position);
  }

  /// Fails unless the header was complete and named every variable, and, unless
  /// others are ignored, nothing else.
  void finish();

private:
  /// Where in the header the next event stands.
  enum class Place {
    Start,
    Top,
    BeforeMetadata,
    Metadata,
    MetadataValue,
    BeforeTensor,
    Tensor,
    Dtype,
    BeforeShape,
    Shape,
    BeforeOffsets,
    Offsets,
    End
  };

  /// Goes on at another place.
  bool enter(Place next) {
    place = next;
    return true;
  }

  /// Refuses the file.
  bool refuse(tg_status_t code, const std::string &sentence, uint64_t found = 0,
              uint64_t expected = 0);
  /// Refuses an event where the format has none.
  bool refuse() {
    return refuse(TG_ERROR_FORMAT,
                  "the header is JSON, but not of safetensors");
  }

  bool beginTensor(const string_t &name);
  bool beginField(const string_t &name);
  bool readMetadata(const string_t &text);
  bool readDigest(const string_t &text);
  bool endTensor();
  bool checkType(const TensorTarget &target);
  bool checkSpan();
  bool isOfOtherModel() const {
    return !writer.empty() && writer != model.name;
  }
  std::string describeMismatch(const NameList &missing) const;

  const LoadSubject &subject;
  const tg_model_t &model;
  const uint64_t dataBytes;
  SafetensorsInfo &info;
  tg_error_t *error;
  std::vector<bool> isSeen; // by variable
  NameList others;          // tensors that are no variable
  std::string writer;       // the model that wrote the file; "" if unknown

  Place place = Place::Start;
  bool hasMetadata = false;
  std::string metadataKey; // of the string that comes

  // The tensor that is being read.
  std::string name;
  TensorSpan span;
  bool hasDtype = false, hasShape = false, hasOffsets = false;
  std::string dtype;
  std::vector<uint64_t> dims;
  uint64_t offsets[2] = {};
  uint64_t offsetCount = 0;
};

} // namespace

bool HeaderReader::start_object(std::size_t) {
  switch (place) {
  case Place::Start:
    return enter(Place::Top);
  case Place::BeforeMetadata:
    return enter(Place::Metadata);
  case Place::BeforeTensor:
    return enter(Place::Tensor);
  default:
    return refuse();
  }
}

bool HeaderReader::end_object() {
  switch (place) {
  case Place::Top:
    return enter(Place::End);
  case Place::Metadata:
    return enter(Place::Top);
  case Place::Tensor:
    return endTensor();
  default:
    return refuse();
  }
}

bool HeaderReader::start_array(std::size_t) {
  if (place == Place::BeforeShape)
    return enter(Place::Shape);
  if (place == Place::BeforeOffsets)
    return enter(Place::Offsets);
  return refuse();
}

bool HeaderReader::end_array() {
  if (place == Place::Shape)
    return enter(Place::Tensor);
  if (place == Place::Offsets && offsetCount == 2)
    return enter(Place::Tensor);
  return refuse();
}

bool HeaderReader::refuse(tg_status_t code, const std::string &sentence,
                          uint64_t found, uint64_t expected) {
  std::string whole = std::string("'") + subject.file + "': " + sentence;
  if (isOfOtherModel())
    whole += "; a checkpoint of model '" + writer.substr(0, 64) +
             "', expected '" + model.name + "'";
  status = failNumber(error, code, static_cast<int64_t>(found),
                      static_cast<int64_t>(expected), "%s", whole.c_str());
  return false;
}

bool HeaderReader::key(string_t &text) {
  if (place == Place::Tensor)
    return beginField(text);
  if (place == Place::Metadata) {
    metadataKey = text;
    return enter(Place::MetadataValue);
  }
  if (text != "__metadata__")
    return beginTensor(text);
  if (hasMetadata)
    return refuse(TG_ERROR_FORMAT, "__metadata__ occurs twice");
  hasMetadata = true;
  return enter(Place::BeforeMetadata);
}

bool HeaderReader::beginTensor(const string_t &text) {
  name = text;
  span = {};
  span.first = static_cast<uint32_t>(info.targets.size());
  subject.names.find(name, info.targets);
  span.last = static_cast<uint32_t>(info.targets.size());
  if (span.first == span.last)
    others.add(name);
  for (uint32_t i = span.first; i < span.last; ++i) {
    const uint32_t variable = info.targets[i].variable;
    if (isSeen[variable])
      return refuse(TG_ERROR_FORMAT,
                    "tensor " + quote(name) + " is the second of variable " +
                        quote(model.variables[variable]->name));
    isSeen[variable] = true;
  }
  hasDtype = hasShape = hasOffsets = false;
  dims.clear();
  offsetCount = 0;
  return enter(Place::BeforeTensor);
}

bool HeaderReader::beginField(const string_t &text) {
  if (text == "dtype" && !hasDtype) {
    hasDtype = true;
    return enter(Place::Dtype);
  }
  if (text == "shape" && !hasShape) {
    hasShape = true;
    return enter(Place::BeforeShape);
  }
  if (text == "data_offsets" && !hasOffsets) {
    hasOffsets = true;
    return enter(Place::BeforeOffsets);
  }
  return refuse();
}

bool HeaderReader::number_unsigned(number_unsigned_t number) {
  if (place == Place::Offsets && offsetCount < 2) {
    offsets[offsetCount++] = number;
    return true;
  }
  if (place != Place::Shape)
    return refuse();
  dims.push_back(number);
  return true;
}

bool HeaderReader::string(string_t &text) {
  if (place == Place::MetadataValue)
    return readMetadata(text);
  if (place != Place::Dtype)
    return refuse();
  dtype = text.substr(0, 16);
  return enter(Place::Tensor);
}

bool HeaderReader::readMetadata(const string_t &text) {
  if (metadataKey == safetensorsDigestKey)
    return readDigest(text);
  if (metadataKey == safetensorsModelKey)
    writer = text;
  return enter(Place::Metadata);
}

bool HeaderReader::readDigest(const string_t &text) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : -1;
  };
  bool isRight = text.size() == 2 * info.digest.size() && !info.hasDigest;
  for (size_t i = 0; isRight && i < info.digest.size(); ++i) {
    const int high = digit(text[2 * i]), low = digit(text[2 * i + 1]);
    isRight = high >= 0 && low >= 0;
    info.digest[i] = static_cast<uint8_t>(high << 4 | low);
  }
  if (!isRight)
    return refuse(TG_ERROR_FORMAT,
                  std::string(safetensorsDigestKey) + " is not a SHA-256 hash");
  info.hasDigest = true;
  return enter(Place::Metadata);
}

bool HeaderReader::endTensor() {
  if (!hasDtype || !hasShape || !hasOffsets)
    return refuse(TG_ERROR_FORMAT, "tensor " + quote(name) +
                                       " lacks dtype, shape or data_offsets");
  for (uint32_t i = span.first; i < span.last; ++i)
    if (!checkType(info.targets[i]))
      return false;
  return checkSpan();
}

bool HeaderReader::checkType(const TensorTarget &target) {
  const tg_variable_t &variable = *model.variables[target.variable];
  const std::string tensor = "tensor " + quote(name);
  const char *expected = safetensorsDtype(variable.dtype);
  if (!expected || dtype != expected)
    return refuse(TG_ERROR_DTYPE,
                  tensor + " has dtype " + dtype + ", expected " +
                      (expected ? expected : "none of safetensors"));
  if (dims.size() != variable.rank)
    return refuse(TG_ERROR_DIM,
                  tensor + " has rank " + std::to_string(dims.size()) +
                      ", expected " + std::to_string(variable.rank),
                  dims.size(), variable.rank);
  for (uint32_t i = 0; i < variable.rank; ++i) {
    const uint32_t at = target.isTransposed ? 1 - i : i;
    const auto dim = static_cast<uint64_t>(variable.dims[at]);
    if (dims[i] != dim)
      return refuse(TG_ERROR_DIM,
                    tensor + ": dim " + std::to_string(i) + " is " +
                        std::to_string(dims[i]) + ", expected " +
                        std::to_string(dim),
                    dims[i], dim);
  }
  return true;
}

bool HeaderReader::checkSpan() {
  span.begin = offsets[0];
  span.end = offsets[1];
  const bool isOther = span.first == span.last;
  const uint64_t bytes = span.end - span.begin;
  const uint64_t expected =
      isOther ? bytes
              : model.variables[info.targets[span.first].variable]->bytes;
  if (span.begin > span.end || span.end > dataBytes || bytes != expected)
    return refuse(TG_ERROR_FORMAT,
                  "tensor " + quote(name) + " is at bytes " +
                      std::to_string(span.begin) + " to " +
                      std::to_string(span.end) + " of " +
                      std::to_string(dataBytes) + ", expected " +
                      std::to_string(expected) + " bytes",
                  bytes, expected);
  info.spans.push_back(span);
  return enter(Place::Top);
}

/// Which files and models do not fit, and in which tensors.
std::string HeaderReader::describeMismatch(const NameList &missing) const {
  std::string text = std::string("'") + subject.file + "' ";
  text += isOfOtherModel() ? "is a checkpoint of model '" +
                                 writer.substr(0, 32) + "', expected '"
                           : "does not fit model '";
  text += std::string(model.name).substr(0, 32) + "'";
  if (*subject.library)
    text += std::string(" of '") + subject.library + "'";
  // What is left is for the names: half for each list where there are two.
  const size_t used = text.size() + sizeof(": missing ; too many ");
  const size_t room = used < 255 ? 255 - used : 0;
  const bool both = !missing.isEmpty() && !others.isEmpty();
  std::string lists;
  if (!missing.isEmpty())
    lists = "missing " + missing.describe(both ? room / 2 : room);
  if (!subject.names.ignoresOthers() && !others.isEmpty())
    lists += (lists.empty() ? "too many " : "; too many ") +
             others.describe(both ? room / 2 : room);
  return text + ": " + lists;
}

void HeaderReader::finish() {
  if (place != Place::End) {
    refuse();
    return;
  }
  NameList missing;
  for (uint32_t i = 0; i < model.variable_count; ++i) {
    if (isSeen[i])
      continue;
    const char *tensor = subject.names.renamed(i);
    missing.add(tensor ? tensor : model.variables[i]->name);
  }
  if (missing.isEmpty() && (others.isEmpty() || subject.names.ignoresOthers()))
    return;
  status =
      fail(error, TG_ERROR_NOT_FOUND, "%s", describeMismatch(missing).c_str());
}

/// Sorts the spans, and checks that they cover the data without gap or overlap.
static tg_status_t checkCover(std::vector<TensorSpan> &spans,
                              uint64_t dataBytes, const char *file,
                              tg_error_t *error) {
  std::sort(spans.begin(), spans.end(),
            [](const TensorSpan &a, const TensorSpan &b) {
              return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
            });
  uint64_t covered = 0;
  for (const TensorSpan &span : spans) {
    if (span.begin != covered)
      return failNumber(error, TG_ERROR_FORMAT,
                        static_cast<int64_t>(span.begin),
                        static_cast<int64_t>(covered),
                        "'%s': a tensor begins at byte %llu, expected %llu",
                        file, static_cast<unsigned long long>(span.begin),
                        static_cast<unsigned long long>(covered));
    covered = span.end;
  }
  if (covered != dataBytes)
    return failNumber(error, TG_ERROR_FORMAT, static_cast<int64_t>(dataBytes),
                      static_cast<int64_t>(covered),
                      "'%s' has %llu bytes of data, expected %llu", file,
                      static_cast<unsigned long long>(dataBytes),
                      static_cast<unsigned long long>(covered));
  return TG_OK;
}

tg_status_t tg::readSafetensorsHeader(const char *header, uint64_t headerBytes,
                                      uint64_t dataBytes,
                                      const LoadSubject &subject,
                                      SafetensorsInfo &info,
                                      tg_error_t *error) noexcept {
  // The parser takes a zero byte for the end and skips a byte order mark.
  if (headerBytes == 0 || header[0] != '{' ||
      std::memchr(header, 0, headerBytes))
    return fail(error, TG_ERROR_FORMAT,
                "'%s': the header does not begin with '{', or holds a zero "
                "byte",
                subject.file);
  // The standard library throws for want of memory.
  try {
    HeaderReader reader(subject, dataBytes, info, error);
    if (Json::sax_parse(header, header + headerBytes, &reader))
      reader.finish();
    if (reader.status != TG_OK)
      return reader.status;
  } catch (...) {
    return fail(error, TG_ERROR_MEMORY, "no memory to read the header of '%s'",
                subject.file);
  }
  return checkCover(info.spans, dataBytes, subject.file, error);
}
