//===- SafetensorsHeader.cpp - parser of safetensors headers --------------===//
#include "compiler/transforms/module/SafetensorsHeader.h"
#include "llvm/ADT/StringSwitch.h"
#include <nlohmann/json.hpp>
#include <utility>

using namespace tg;
using Json = nlohmann::json;

namespace {
/// A nonTemporal parser. It builds no tree, so a header costs little more than
/// its length, however deeply it is nested, and duplicate names are noticed.
class HeaderReader : public nlohmann::json_sax<Json> {
public:
  explicit HeaderReader(SafetensorsHeader &header) : header(header) {}

  /// Returns the error, "" if there is none.
  std::string finish() {
    if (place != Place::end)
      refuse();
    return mistake;
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
  /// The state of the parser: the position of the next event in the header.
  enum class Place {
    start,
    top,
    beforeMetadata,
    metadata,
    word,
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
  bool enter(Place next) {
    place = next;
    return true;
  }
  /// Records an error. The first one counts.
  bool refuse(
      const std::string &sentence = "has a header that is not of safetensors") {
    if (mistake.empty())
      mistake = sentence;
    return false;
  }
  bool refuseTensor() {
    return refuse("does not tell type, shape and place of tensor '" + name +
                  "' as safetensors do");
  }
  bool beginTensor();
  bool beginField(const string_t &text);

  SafetensorsHeader &header;
  std::string mistake;
  Place place = Place::start;
  bool hasMetadata = false;
  /// The name of the metadata or tensor that is being read.
  std::string name;
  StoredTensor *tensor = nullptr;
  unsigned fields = 0, offsetCount = 0;
};
} // namespace

bool HeaderReader::start_object(std::size_t) {
  if (place == Place::start)
    return enter(Place::top);
  if (place == Place::beforeMetadata)
    return enter(Place::metadata);
  if (place == Place::beforeTensor)
    return enter(Place::tensor);
  return refuse();
}

bool HeaderReader::end_object() {
  if (place == Place::top)
    return enter(Place::end);
  if (place == Place::metadata)
    return enter(Place::top);
  if (place == Place::tensor && fields == Field::all)
    return enter(Place::top);
  return refuseTensor();
}

bool HeaderReader::start_array(std::size_t) {
  if (place == Place::beforeShape)
    return enter(Place::shape);
  if (place == Place::beforeOffsets)
    return enter(Place::offsets);
  return refuse();
}

bool HeaderReader::end_array() {
  if (place == Place::shape || (place == Place::offsets && offsetCount == 2))
    return enter(Place::tensor);
  return refuseTensor();
}

bool HeaderReader::key(string_t &text) {
  if (place == Place::tensor)
    return beginField(text);
  name = text;
  if (place == Place::metadata)
    return enter(Place::word);
  if (name != "__metadata__")
    return beginTensor();
  if (std::exchange(hasMetadata, true))
    return refuse("has __metadata__ twice");
  return enter(Place::beforeMetadata);
}

bool HeaderReader::beginTensor() {
  auto [entry, isNew] = header.tensors.try_emplace(name);
  if (!isNew)
    return refuse("has tensor '" + name + "' twice");
  tensor = &entry->second;
  fields = offsetCount = 0;
  return enter(Place::beforeTensor);
}

bool HeaderReader::beginField(const string_t &text) {
  auto [field, next] =
      llvm::StringSwitch<std::pair<unsigned, Place>>(text)
          .Case("dtype", {Field::dtype, Place::dtype})
          .Case("shape", {Field::shape, Place::beforeShape})
          .Case("data_offsets", {Field::offsets, Place::beforeOffsets})
          .Default({0, Place::end});
  if (field == 0 || fields & field)
    return refuseTensor();
  fields |= field;
  return enter(next);
}

bool HeaderReader::number_unsigned(number_unsigned_t number) {
  if (place == Place::shape) {
    tensor->shape.push_back(number);
    return true;
  }
  if (place != Place::offsets || offsetCount == 2)
    return refuse();
  (offsetCount++ == 0 ? tensor->begin : tensor->end) = number;
  return true;
}

bool HeaderReader::string(string_t &text) {
  if (place == Place::word) {
    if (!header.metadata.insert_or_assign(name, text).second &&
        name == kDataHash)
      return refuse("has " + name + " twice");
    return enter(Place::metadata);
  }
  if (place != Place::dtype)
    return refuse();
  tensor->dtype = text;
  return enter(Place::tensor);
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
