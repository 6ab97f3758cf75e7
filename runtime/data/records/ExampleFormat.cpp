/// Reads the messages of tf.train.Example.
#include "ExampleFormat.h"

#include <algorithm>
#include <cstring>

using namespace tg::data;
using protozero::pbf_wire_type;

std::string tg::data::quoteName(std::string_view name) {
  constexpr size_t most = 64;
  std::string text = "'";
  for (char c : name.substr(0, most))
    text += static_cast<unsigned char>(c) < ' ' || c == 0x7f ? '?' : c;
  return text + (name.size() > most ? "...'" : "'");
}

void tg::data::failFeature(std::string_view name, const DataError &error) {
  throw DataError("feature " + quoteName(name) + ": " + error.what());
}

/// Returns the number of bytes of the character of UTF-8 at the begin of a
/// text, or 0 if it is none.
static size_t characterBytes(std::string_view text) {
  const auto byte = [&](size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80)
    return 1;
  const size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  uint32_t code = lead & (0x7f >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80)
      return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  static constexpr uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool isSurrogate = code >= 0xd800 && code < 0xe000;
  return lead < 0xc0 || lead > 0xf4 || code < least[bytes] || isSurrogate ||
                 code > 0x10ffff
             ? 0
             : bytes;
}

/// Throws DataError unless a name is UTF-8, as protobuf requires.
static void checkName(std::string_view name) {
  if (name.empty())
    throw DataError("expected a name of each feature, found an empty one");
  for (size_t at = 0; at < name.size();) {
    const size_t bytes = characterBytes(name.substr(at));
    if (!bytes)
      throw DataError("expected names of features in UTF-8, found byte " +
                      std::to_string(static_cast<unsigned char>(name[at])) +
                      " at " + std::to_string(at) + " of a name");
    at += bytes;
  }
}

FeatureEntry::FeatureEntry(std::string_view entry) {
  bool hasMessage = false;
  for (WireReader field(entry); field.next();) {
    if (field.number() == 1)
      name = field.bytesOf("the name of a feature");
    if (field.number() != 2)
      continue;
    if (hasMessage)
      throw DataError("expected one value in the entry of a feature, found "
                      "another");
    hasMessage = true;
    message = field.bytesOf("the value of a feature");
  }
  checkName(name);
}

ValueList::ValueList(std::string_view feature) {
  for (WireReader field(feature); field.next();)
    for (ExampleKind each :
         {ExampleKind::bytes, ExampleKind::floats, ExampleKind::int64s}) {
      if (field.number() != listField(each))
        continue;
      if (kind != each)
        parts.clear();
      kind = each;
      parts.push_back(field.bytesOf(listName(each)));
    }
}

std::string_view ValueList::integersOf(const WireReader &list) {
  if (list.type() != pbf_wire_type::varint &&
      list.type() != pbf_wire_type::length_delimited)
    list.failType("the value of an int64_list", "wire type 0 or 2");
  return list.bytes();
}

std::string_view ValueList::floatsOf(const WireReader &list) {
  if (list.type() != pbf_wire_type::fixed32 &&
      list.type() != pbf_wire_type::length_delimited)
    list.failType("the value of a float_list", "wire type 2 or 5");
  if (list.bytes().size() % sizeof(float))
    throw DataError("expected floats of 4 bytes, found " +
                    std::to_string(list.bytes().size()) + " bytes");
  return list.bytes();
}

uint64_t ValueList::count() const {
  uint64_t count = 0;
  for (std::string_view part : parts)
    for (WireReader list(part); list.next();) {
      if (list.number() != 1)
        continue;
      if (kind == ExampleKind::bytes) {
        list.bytesOf("the value of a bytes_list");
        ++count;
      } else if (kind == ExampleKind::floats) {
        count += floatsOf(list).size() / sizeof(float);
      } else {
        const std::string_view numbers = integersOf(list);
        count += static_cast<uint64_t>(
            std::count_if(numbers.begin(), numbers.end(),
                          [](char c) { return !(c & 0x80); }));
      }
    }
  return count;
}

void ValueList::copyFloats(float *into) const {
  for (std::string_view part : parts)
    for (WireReader list(part); list.next();) {
      if (list.number() != 1)
        continue;
      const std::string_view numbers = floatsOf(list);
      std::memcpy(into, numbers.data(), numbers.size());
      into += numbers.size() / sizeof(float);
    }
}

std::vector<std::string_view> ValueList::strings() const {
  std::vector<std::string_view> strings;
  for (std::string_view part : parts)
    for (WireReader list(part); list.next();)
      if (list.number() == 1)
        strings.push_back(list.bytesOf("the value of a bytes_list"));
  return strings;
}
