//===- SafetensorsHeader.cpp - parser of safetensors headers --------------===//
#include "compiler/transforms/module/SafetensorsHeader.h"
#include "llvm/ADT/StringSwitch.h"
#include <nlohmann/json.hpp>
#include <utility>

using namespace tg;
using Json = nlohmann::json;

namespace {
/// A streaming parser. Without a tree of the JSON text, parsing takes little
/// more memory than the text, however deeply it is nested, and duplicate names
/// are noticed.
class HeaderReader : public nlohmann::json_sax<Json> {
public:
  explicit HeaderReader(SafetensorsHeader &header) : header(header) {}

  /// Returns the error message; "" if the header is valid. Call after parsing.
  std::string finish() {
    if (state != State::end)
      refuse();
    return error;
  }

  bool null() override { return refuse(); }
  bool boolean(bool) override { return refuse(); }
  bool number_integer(number_integer_t) override { return refuse(); }
  bool number_unsigned(number_unsigned_t number) override;
  bool number_float(number_float_t, const string_t &) override {
    return refuse();
  }
  bool binary(binary_t &) override { return refuse(); }
  bool string(string_t &text) override;
  bool start_object(std::size_t) override;
  bool key(string_t &name) override;
  bool end_object() override;
  bool start_array(std::size_t) override;
  bool end_array() override;
  bool parse_error(std::size_t, const std::string &,
                   const nlohmann::detail::exception &) override {
    return refuse("has a header that is not JSON");
  }

private:
  /// The state of the parser: the part of the header that comes next.
  enum class State {
    start,
    top,
    beforeMetadata,
    metadata,
    metadataValue,
    beforeTensor,
    tensor,
    dtype,
    beforeShape,
    shape,
    beforeOffsets,
    offsets,
    end
  };
  /// The fields of a tensor.
  enum Field : unsigned { dtype = 1, shape = 2, offsets = 4, all = 7 };

  /// Sets the next state.
  bool enter(State next) {
    state = next;
    return true;
  }
  /// Records an error, unless there already is one.
  bool refuse(
      const std::string &sentence = "has a header that is not of safetensors") {
    if (error.empty())
      error = sentence;
    return false;
  }
  bool refuseTensor() {
    return refuse("has tensor '" + name +
                  "' without exactly a dtype, a shape and two data_offsets");
  }
  bool beginTensor();
  bool beginField(const string_t &text);

  SafetensorsHeader &header;
  std::string error;
  State state = State::start;
  bool hasMetadata = false;
  /// The name of the metadata entry or the tensor that is being read.
  std::string name;
  StoredTensor *tensor = nullptr;
  unsigned fields = 0, offsetCount = 0;
};
} // namespace

bool HeaderReader::start_object(std::size_t) {
  if (state == State::start)
    return enter(State::top);
  if (state == State::beforeMetadata)
    return enter(State::metadata);
  if (state == State::beforeTensor)
    return enter(State::tensor);
  return refuse();
}

bool HeaderReader::end_object() {
  if (state == State::top)
    return enter(State::end);
  if (state == State::metadata)
    return enter(State::top);
  if (state == State::tensor && fields == Field::all)
    return enter(State::top);
  return refuseTensor();
}

bool HeaderReader::start_array(std::size_t) {
  if (state == State::beforeShape)
    return enter(State::shape);
  if (state == State::beforeOffsets)
    return enter(State::offsets);
  return refuse();
}

bool HeaderReader::end_array() {
  if (state == State::shape || (state == State::offsets && offsetCount == 2))
    return enter(State::tensor);
  return refuseTensor();
}

bool HeaderReader::key(string_t &text) {
  if (state == State::tensor)
    return beginField(text);
  name = text;
  if (state == State::metadata)
    return enter(State::metadataValue);
  if (name != "__metadata__")
    return beginTensor();
  if (std::exchange(hasMetadata, true))
    return refuse("has __metadata__ twice");
  return enter(State::beforeMetadata);
}

bool HeaderReader::beginTensor() {
  auto [entry, isNew] = header.tensors.try_emplace(name);
  if (!isNew)
    return refuse("has tensor '" + name + "' twice");
  tensor = &entry->second;
  fields = offsetCount = 0;
  return enter(State::beforeTensor);
}

bool HeaderReader::beginField(const string_t &text) {
  auto [field, next] =
      llvm::StringSwitch<std::pair<unsigned, State>>(text)
          .Case("dtype", {Field::dtype, State::dtype})
          .Case("shape", {Field::shape, State::beforeShape})
          .Case("data_offsets", {Field::offsets, State::beforeOffsets})
          .Default({0, State::end});
  if (field == 0 || fields & field)
    return refuseTensor();
  fields |= field;
  return enter(next);
}

bool HeaderReader::number_unsigned(number_unsigned_t number) {
  if (state == State::shape) {
    tensor->shape.push_back(number);
    return true;
  }
  if (state != State::offsets || offsetCount == 2)
    return refuse();
  (offsetCount++ == 0 ? tensor->begin : tensor->end) = number;
  return true;
}

bool HeaderReader::string(string_t &text) {
  if (state == State::metadataValue) {
    if (!header.metadata.insert_or_assign(name, text).second &&
        name == kDataHash)
      return refuse("has " + name + " twice");
    return enter(State::metadata);
  }
  if (state != State::dtype)
    return refuse();
  tensor->dtype = text;
  return enter(State::tensor);
}

std::string tg::readSafetensorsHeader(llvm::StringRef text,
                                      SafetensorsHeader &header) {
  // The parser would treat a zero byte as the end and skip a byte order mark.
  if (!text.starts_with("{") || text.contains('\0'))
    return "has a header that does not begin with '{', or holds a zero byte";
  HeaderReader reader(header);
  Json::sax_parse(text.begin(), text.end(), &reader);
  return reader.finish();
}
