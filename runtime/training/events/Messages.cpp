//===- Messages.cpp - parts of messages and their limits ------------------===//
#include "Messages.h"

#include "runtime/data/records/Wire.h"
#include "tg/data/feature.hpp"

#include <limits>

using namespace tg;
using data::DataError;

void training::expectTag(std::string_view tag) {
  if (tag.empty())
    throw DataError("expected a tag of each value of a summary, found an "
                    "empty one");
  expectUtf8(tag, "tags of summaries");
}

void training::appendValue(std::string &summary, const std::string &tag,
                           const std::string &fields) {
  expectTag(tag);
  expectMessageSize(summary.size() + tag.size() + fields.size() + 32);
  std::string value;
  Builder<ValueField>(value).add_string(ValueField::tag, tag);
  value += fields;
  Builder<SummaryField>(summary).add_message(SummaryField::value, value);
}

std::string training::metadataOf(const std::string &plugin,
                                 const std::string &content, int dataClass) {
  std::string metadata;
  Builder<MetadataField> fields(metadata);
  {
    Builder<PluginField> data(fields, MetadataField::plugin_data);
    data.add_string(PluginField::plugin_name, plugin);
    if (!content.empty())
      data.add_bytes(PluginField::content, content);
  }
  if (dataClass)
    fields.add_enum(MetadataField::data_class, dataClass);
  return metadata;
}

void training::expectUtf8(std::string_view text, const char *what) {
  const size_t valid = data::utf8Prefix(text);
  if (valid != text.size())
    throw DataError("expected " + std::string(what) + " in UTF-8, found byte " +
                    std::to_string(static_cast<unsigned char>(text[valid])) +
                    " at " + std::to_string(valid));
}

void training::expectMessageSize(size_t bytes) {
  if (bytes > size_t(std::numeric_limits<int32_t>::max()))
    throw DataError("expected an event of less than 2 GiB, found " +
                    std::to_string(bytes) + " bytes");
}
