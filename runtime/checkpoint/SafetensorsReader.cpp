/// Reads safetensors headers.
#include "Safetensors.h"

#include "Json.h"
#include "SafetensorsContent.h"
#include "runtime/messages/Error.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

using namespace tg;

namespace {

/// Reads the header event by event. No tree is built, so a hostile header takes
/// little more memory than its own length, and a repeated variable is detected.
class HeaderReader : public JsonEvents {
public:
  explicit HeaderReader(SafetensorsContent &content) : content(content) {}

  bool beginObject() override;
  bool key(std::string &text) override;
  bool endObject() override;
  bool beginArray() override;
  bool endArray() override;
  bool text(std::string &text) override;
  bool number(uint64_t number) override;
  bool other() override { return refuse(); }
  void syntaxError(uint64_t position) override {
    content.refuse(TG_ERROR_FORMAT,
                   "the header is not JSON at byte " + std::to_string(position),
                   position);
  }

  /// Fails unless the header is complete and has everything that the model
  /// needs.
  void finish();

private:
  /// The state of the reader: the part of the header to which the next event
  /// belongs.
  enum class State {
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

  /// Enters another state.
  bool enter(State next) {
    state = next;
    return true;
  }

  /// Refuses an event that the format does not allow here.
  bool refuse() {
    return content.refuse(TG_ERROR_FORMAT,
                          "the header is JSON, but not of safetensors");
  }

  bool beginTensor(const std::string &name);
  bool beginField(const std::string &name);
  bool endTensor();

  SafetensorsContent &content;
  State state = State::Start;
  bool hasMetadata = false;
  std::string metadataKey; // of the next string

  // The current tensor.
  TensorFields fields;
  bool hasDtype = false, hasShape = false, hasOffsets = false;
  uint64_t offsetCount = 0;
};

} // namespace

bool HeaderReader::beginObject() {
  switch (state) {
  case State::Start:
    return enter(State::Top);
  case State::BeforeMetadata:
    return enter(State::Metadata);
  case State::BeforeTensor:
    return enter(State::Tensor);
  default:
    return refuse();
  }
}

bool HeaderReader::endObject() {
  switch (state) {
  case State::Top:
    return enter(State::End);
  case State::Metadata:
    return enter(State::Top);
  case State::Tensor:
    return endTensor();
  default:
    return refuse();
  }
}

bool HeaderReader::beginArray() {
  if (state == State::BeforeShape)
    return enter(State::Shape);
  if (state == State::BeforeOffsets)
    return enter(State::Offsets);
  return refuse();
}

bool HeaderReader::endArray() {
  if (state == State::Shape)
    return enter(State::Tensor);
  if (state == State::Offsets && offsetCount == 2)
    return enter(State::Tensor);
  return refuse();
}

bool HeaderReader::key(std::string &text) {
  if (state == State::Tensor)
    return beginField(text);
  if (state == State::Metadata) {
    metadataKey = text;
    return enter(State::MetadataValue);
  }
  if (text != "__metadata__")
    return beginTensor(text);
  if (hasMetadata)
    return content.refuse(TG_ERROR_FORMAT, "__metadata__ occurs twice");
  hasMetadata = true;
  return enter(State::BeforeMetadata);
}

bool HeaderReader::beginTensor(const std::string &name) {
  hasDtype = hasShape = hasOffsets = false;
  fields.dims.clear();
  offsetCount = 0;
  return content.beginTensor(name) && enter(State::BeforeTensor);
}

bool HeaderReader::beginField(const std::string &text) {
  if (text == "dtype" && !hasDtype) {
    hasDtype = true;
    return enter(State::Dtype);
  }
  if (text == "shape" && !hasShape) {
    hasShape = true;
    return enter(State::BeforeShape);
  }
  if (text == "data_offsets" && !hasOffsets) {
    hasOffsets = true;
    return enter(State::BeforeOffsets);
  }
  return refuse();
}

bool HeaderReader::number(uint64_t number) {
  if (state == State::Offsets && offsetCount < 2) {
    (offsetCount++ == 0 ? fields.begin : fields.end) = number;
    return true;
  }
  if (state != State::Shape)
    return refuse();
  fields.dims.push_back(number);
  return true;
}

bool HeaderReader::text(std::string &text) {
  if (state == State::MetadataValue)
    return content.addMetadata(metadataKey, text) && enter(State::Metadata);
  if (state != State::Dtype)
    return refuse();
  fields.dtype = text.substr(0, 16);
  return enter(State::Tensor);
}

bool HeaderReader::endTensor() {
  const bool isComplete = hasDtype && hasShape && hasOffsets;
  return content.endTensor(isComplete ? &fields : nullptr) && enter(State::Top);
}

void HeaderReader::finish() {
  if (state != State::End)
    refuse();
  else
    content.finish();
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
  // The parser would end at a zero byte, and skip a byte order mark.
  if (headerBytes == 0 || header[0] != '{' ||
      std::memchr(header, 0, headerBytes))
    return fail(error, TG_ERROR_FORMAT,
                "'%s': the header does not begin with '{', or holds a zero "
                "byte",
                subject.file);
  // The standard library throws if memory runs out.
  try {
    SafetensorsContent content(subject, dataBytes, info, error);
    HeaderReader reader(content);
    if (readJson(header, headerBytes, reader))
      reader.finish();
    if (content.getStatus() != TG_OK)
      return content.getStatus();
  } catch (...) {
    return fail(error, TG_ERROR_MEMORY, "no memory to read the header of '%s'",
                subject.file);
  }
  return checkCover(info.spans, dataBytes, subject.file, error);
}
