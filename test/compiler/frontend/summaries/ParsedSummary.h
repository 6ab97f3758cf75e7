/// The values of a serialized tensorflow.Summary, for tests.
#ifndef TG_TEST_COMPILER_FRONTEND_SUMMARIES_PARSEDSUMMARY_H
#define TG_TEST_COMPILER_FRONTEND_SUMMARIES_PARSEDSUMMARY_H

#include "tg/data/images.hpp"
#include "tg/training/summary.hpp"

#include <protozero/pbf_reader.hpp>

#include <map>
#include <vector>

namespace tg::test {

/// One value of a summary: a scalar, an image, or a histogram.
struct ParsedValue {
  float scalar = 0;
  data::Feature image = {};
  /// The minimum, maximum, number, sum and sum of squares.
  std::vector<double> histogram = {};
};

inline data::Feature parseImage(protozero::pbf_reader image) {
  while (image.next())
    if (image.tag() == 4) {
      protozero::data_view png = image.get_view();
      return data::decodePng(std::as_bytes(std::span(png.data(), png.size())));
    } else {
      image.skip();
    }
  return {};
}

inline std::vector<double> parseHistogram(protozero::pbf_reader histogram) {
  std::vector<double> numbers(5);
  while (histogram.next())
    if (size_t field = histogram.tag(); field >= 1 && field <= 5)
      numbers[field - 1] = histogram.get_double();
    else
      histogram.skip();
  return numbers;
}

/// Returns the values by tag.
inline std::map<std::string, ParsedValue>
parseSummary(const training::Summary &summary) {
  std::map<std::string, ParsedValue> values;
  protozero::pbf_reader message(summary.bytes());
  while (message.next(1)) {
    protozero::pbf_reader field = message.get_message();
    std::string tag;
    ParsedValue value;
    while (field.next())
      switch (field.tag()) {
      case 1:
        tag = field.get_string();
        break;
      case 2:
        value.scalar = field.get_float();
        break;
      case 4:
        value.image = parseImage(field.get_message());
        break;
      case 5:
        value.histogram = parseHistogram(field.get_message());
        break;
      default:
        field.skip();
      }
    values[tag] = value;
  }
  return values;
}

/// Returns the elements of an image.
inline std::vector<int> pixelsOf(const data::Feature &image) {
  std::span<const uint8_t> bytes = image.values<uint8_t>();
  return {bytes.begin(), bytes.end()};
}

} // namespace tg::test

#endif // TG_TEST_COMPILER_FRONTEND_SUMMARIES_PARSEDSUMMARY_H
