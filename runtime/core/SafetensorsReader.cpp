/// Reads safetensors headers.
#include "Safetensors.h"

#include "Error.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>

using namespace tg;
using Json = nlohmann::json;

namespace {

/// Follows the header event by event: no tree is built, so a hostile header
/// costs no more memory than its own length, and a repeated key is noticed.
class HeaderReader : public nlohmann::json_sax<Json> {
public:
  HeaderReader(const tg_model_t &model, uint64_t dataBytes, TensorSpan *spans,
               SafetensorsInfo &info, tg_error_t *error)
      : model(model), dataBytes(dataBytes), spans(spans), info(info),
        error(error) {}

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
    status = failNumber(error, TG_ERROR_FORMAT, int64_t(position), 0,
                        "the header is not JSON at byte %zu", position);
    return false;
  }

  /// Fails unless the header was complete and named every variable.
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

  /// Refuses an event where the format has none.
  bool refuse() {
    status = fail(error, TG_ERROR_FORMAT,
                  "the header is JSON, but not of safetensors");
    return false;
  }

  bool beginTensor(const string_t &name);
  bool beginField(const string_t &name);
  bool readDigest(const string_t &text);
  bool endTensor();
  bool checkSpan(const tg_variable_t &variable);

  const tg_model_t &model;
  const uint64_t dataBytes;
  TensorSpan *spans;
  SafetensorsInfo &info;
  tg_error_t *error;

  Place place = Place::Start;
  bool hasMetadata = false;
  bool isDigest = false; // the metadata string that comes is the digest

  // The tensor that is being read.
  uint32_t tensor = 0; // index of its variable
  bool hasDtype = false, hasShape = false, hasOffsets = false;
  char dtype[16] = {};   // as found, cut
  uint64_t rank = 0;     // dimensions seen
  uint64_t wrongDim = 0; // the first that differs, if isDimWrong
  uint32_t wrongAt = 0;  // and its place
  bool isDimWrong = false;
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

bool HeaderReader::key(string_t &text) {
  if (place == Place::Tensor)
    return beginField(text);
  if (place == Place::Metadata) {
    isDigest = text == safetensorsDigestKey;
    return enter(Place::MetadataValue);
  }
  if (text != "__metadata__")
    return beginTensor(text);
  if (hasMetadata) {
    status = fail(error, TG_ERROR_FORMAT, "__metadata__ occurs twice");
    return false;
  }
  hasMetadata = true;
  return enter(Place::BeforeMetadata);
}

bool HeaderReader::beginTensor(const string_t &name) {
  tensor = 0;
  while (tensor < model.variable_count && name != model.variables[tensor]->name)
    ++tensor;
  if (tensor == model.variable_count) {
    status = fail(error, TG_ERROR_NOT_FOUND,
                  "the file has a tensor '%.128s', which is no variable of "
                  "model '%.64s'",
                  name.c_str(), model.name);
    return false;
  }
  if (spans[tensor].seen) {
    status = fail(error, TG_ERROR_FORMAT, "tensor '%.200s' occurs twice",
                  name.c_str());
    return false;
  }
  hasDtype = hasShape = hasOffsets = isDimWrong = false;
  rank = offsetCount = 0;
  return enter(Place::BeforeTensor);
}

bool HeaderReader::beginField(const string_t &name) {
  if (name == "dtype" && !hasDtype) {
    hasDtype = true;
    return enter(Place::Dtype);
  }
  if (name == "shape" && !hasShape) {
    hasShape = true;
    return enter(Place::BeforeShape);
  }
  if (name == "data_offsets" && !hasOffsets) {
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
  const tg_variable_t &variable = *model.variables[tensor];
  // Dimensions beyond the variable's are counted: the rank will be wrong.
  if (rank < variable.rank && !isDimWrong &&
      number != static_cast<uint64_t>(variable.dims[rank])) {
    isDimWrong = true;
    wrongDim = number;
    wrongAt = static_cast<uint32_t>(rank);
  }
  ++rank;
  return true;
}

bool HeaderReader::string(string_t &text) {
  if (place == Place::MetadataValue)
    return isDigest ? readDigest(text) : enter(Place::Metadata);
  if (place != Place::Dtype)
    return refuse();
  std::snprintf(dtype, sizeof(dtype), "%s", text.c_str());
  return enter(Place::Tensor);
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
  if (!isRight) {
    status = fail(error, TG_ERROR_FORMAT, "%s is not a SHA-256 hash",
                  safetensorsDigestKey);
    return false;
  }
  info.hasDigest = true;
  return enter(Place::Metadata);
}

bool HeaderReader::endTensor() {
  const tg_variable_t &variable = *model.variables[tensor];
  if (!hasDtype || !hasShape || !hasOffsets) {
    status = fail(error, TG_ERROR_FORMAT,
                  "tensor '%.128s' lacks dtype, shape or data_offsets",
                  variable.name);
    return false;
  }
  const char *expected = safetensorsDtype(variable.dtype);
  if (!expected || std::strcmp(dtype, expected) != 0) {
    status =
        fail(error, TG_ERROR_DTYPE, "tensor '%.128s' has dtype %s, expected %s",
             variable.name, dtype, expected ? expected : "none of safetensors");
    return false;
  }
  if (rank != variable.rank) {
    status = failNumber(
        error, TG_ERROR_DIM, static_cast<int64_t>(rank), variable.rank,
        "tensor '%.128s' has rank %llu, expected %u", variable.name,
        static_cast<unsigned long long>(rank), variable.rank);
    return false;
  }
  if (isDimWrong) {
    const int64_t expectedDim = variable.dims[wrongAt];
    status = failNumber(
        error, TG_ERROR_DIM, static_cast<int64_t>(wrongDim), expectedDim,
        "tensor '%.128s': dim %u is %llu, expected %lld", variable.name,
        wrongAt, static_cast<unsigned long long>(wrongDim),
        static_cast<long long>(expectedDim));
    return false;
  }
  return checkSpan(variable);
}

bool HeaderReader::checkSpan(const tg_variable_t &variable) {
  const auto [begin, end] = offsets;
  if (begin > end || end > dataBytes || end - begin != variable.bytes) {
    status = failNumber(
        error, TG_ERROR_FORMAT, static_cast<int64_t>(end - begin),
        static_cast<int64_t>(variable.bytes),
        "tensor '%.100s' is at bytes %llu to %llu of %llu, expected %llu bytes",
        variable.name, static_cast<unsigned long long>(begin),
        static_cast<unsigned long long>(end),
        static_cast<unsigned long long>(dataBytes),
        static_cast<unsigned long long>(variable.bytes));
    return false;
  }
  spans[tensor] = {begin, end, true};
  return enter(Place::Top);
}

void HeaderReader::finish() {
  if (place != Place::End) {
    refuse();
    return;
  }
  for (uint32_t i = 0; i < model.variable_count; ++i)
    if (!spans[i].seen) {
      status =
          fail(error, TG_ERROR_NOT_FOUND, "the file has no tensor '%.200s'",
               model.variables[i]->name);
      return;
    }
}

/// Checks that the spans cover the data without gap or overlap.
static tg_status_t checkCover(const TensorSpan *spans, uint32_t count,
                              uint64_t dataBytes, tg_error_t *error) {
  std::unique_ptr<uint32_t[]> order(new (std::nothrow) uint32_t[count + 1]);
  if (!order)
    return fail(error, TG_ERROR_MEMORY, "no memory to read a header");
  for (uint32_t i = 0; i < count; ++i)
    order[i] = i;
  std::sort(order.get(), order.get() + count, [&](uint32_t a, uint32_t b) {
    return spans[a].begin != spans[b].begin ? spans[a].begin < spans[b].begin
                                            : spans[a].end < spans[b].end;
  });
  uint64_t covered = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const TensorSpan &span = spans[order[i]];
    if (span.begin != covered)
      return failNumber(error, TG_ERROR_FORMAT,
                        static_cast<int64_t>(span.begin),
                        static_cast<int64_t>(covered),
                        "a tensor begins at byte %llu, expected %llu",
                        static_cast<unsigned long long>(span.begin),
                        static_cast<unsigned long long>(covered));
    covered = span.end;
  }
  if (covered != dataBytes)
    return failNumber(error, TG_ERROR_FORMAT, static_cast<int64_t>(dataBytes),
                      static_cast<int64_t>(covered),
                      "the file has %llu bytes of data, expected %llu",
                      static_cast<unsigned long long>(dataBytes),
                      static_cast<unsigned long long>(covered));
  return TG_OK;
}

tg_status_t tg::readSafetensorsHeader(const char *header, uint64_t headerBytes,
                                      uint64_t dataBytes,
                                      const tg_model_t &model,
                                      TensorSpan *spans, SafetensorsInfo &info,
                                      tg_error_t *error) noexcept {
  // The parser takes a zero byte for the end and skips a byte order mark.
  if (headerBytes == 0 || header[0] != '{' ||
      std::memchr(header, 0, headerBytes))
    return fail(error, TG_ERROR_FORMAT,
                "the header does not begin with '{', or holds a zero byte");
  // The one place where the standard library may throw: for want of memory.
  try {
    HeaderReader reader(model, dataBytes, spans, info, error);
    if (Json::sax_parse(header, header + headerBytes, &reader))
      reader.finish();
    if (reader.status != TG_OK)
      return reader.status;
  } catch (...) {
    return fail(error, TG_ERROR_MEMORY, "no memory to read a header");
  }
  return checkCover(spans, model.variable_count, dataBytes, error);
}
