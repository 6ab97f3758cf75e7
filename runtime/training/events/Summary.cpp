//===- Summary.cpp - values of summaries ----------------------------------===//
#include "tg/training/summary.hpp"

#include "Histogram.h"
#include "Messages.h"

#include "runtime/data/Dtypes.h"
#include "runtime/data/records/Wire.h"

#include <algorithm>

using namespace tg;
using namespace tg::training;
using data::DataError;

/// Throws DataError unless the fields of a value are well-formed, with a tag.
static void checkValue(std::string_view value) {
  std::string_view tag;
  for (data::WireReader field(value); field.next();)
    if (ValueField(field.number()) == ValueField::tag)
      tag = field.bytesOf("the tag of a value");
  expectTag(tag);
}

Summary Summary::parse(std::string message) {
  expectMessageSize(message.size());
  for (data::WireReader field(message); field.next();)
    if (SummaryField(field.number()) == SummaryField::value)
      checkValue(field.bytesOf("a value of a summary"));
  Summary summary;
  summary.message = std::move(message);
  return summary;
}

void Summary::addScalar(const std::string &tag, double value) {
  std::string fields;
  Builder<ValueField>(fields).add_float(ValueField::simple_value,
                                        static_cast<float>(value));
  appendValue(message, tag, fields);
}

/// Appends a histogram of numbers. Returns the number of those that are not
/// finite.
template <typename Number>
static size_t appendHistogram(std::string &summary, const std::string &tag,
                              std::span<const Number> values) {
  Histogram histogram;
  double block[1024];
  for (size_t at = 0; at < values.size(); at += std::size(block)) {
    const auto part =
        values.subspan(at, std::min(std::size(block), values.size() - at));
    std::copy(part.begin(), part.end(), block);
    histogram.add({block, part.size()});
  }
  std::string fields;
  Builder<ValueField>(fields).add_message(ValueField::histo,
                                          histogram.message());
  appendValue(summary, tag, fields);
  return histogram.notFinite();
}

size_t Summary::addHistogram(const std::string &tag,
                             std::span<const float> values) {
  return appendHistogram(message, tag, values);
}

size_t Summary::addHistogram(const std::string &tag,
                             std::span<const double> values) {
  return appendHistogram(message, tag, values);
}

size_t Summary::addHistogram(const std::string &tag,
                             const data::Feature &values) {
  size_t notFinite = 0;
  data::visitDtype(values.dtype(), [&]<typename Number>(Number) {
    notFinite = appendHistogram(message, tag, values.values<Number>());
  });
  return notFinite;
}

void Summary::addText(const std::string &tag, std::string_view text) {
  expectUtf8(text, "texts of summaries");
  std::string fields;
  Builder<ValueField> value(fields);
  value.add_message(ValueField::metadata, metadataOf("text", "", tensorClass));
  {
    Builder<TensorField> tensor(value, ValueField::tensor);
    tensor.add_enum(TensorField::dtype, int(TensorType::string));
    tensor.add_message(TensorField::tensor_shape, std::string());
    tensor.add_bytes(TensorField::string_val, text.data(), text.size());
  }
  appendValue(message, tag, fields);
}
