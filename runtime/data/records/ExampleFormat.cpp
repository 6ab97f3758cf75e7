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

/// Throws DataError unless a name is UTF-8, as protobuf requires.
static void checkName(std::string_view name) {
  if (name.empty())
    throw DataError("expected a name of each feature, found an empty one");
  const size_t valid = utf8Prefix(name);
  if (valid != name.size())
    throw DataError("expected names of features in UTF-8, found byte " +
                    std::to_string(static_cast<unsigned char>(name[valid])) +
                    " at " + std::to_string(valid) + " of a name");
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
