/// Summaries: values under tags, which event files show at steps of a training.
#ifndef TG_TRAINING_SUMMARY_HPP
#define TG_TRAINING_SUMMARY_HPP

#include "../data/feature.hpp"

#include <span>
#include <string>
#include <string_view>

namespace tg::training {

/// Scalars, histograms, images and texts under tags: a serialized
/// tensorflow.Summary, to which values are added.
///
/// A tag is a name in UTF-8 such as "train/loss"; TensorBoard groups tags by
/// the part before the first slash. All functions throw data::DataError for an
/// invalid tag or value.
class Summary {
public:
  Summary() = default;
  /// Makes a summary of a serialized tensorflow.Summary. Throws DataError if it
  /// is malformed or has a value without a tag.
  static Summary parse(std::string message);

  /// Adds a number, which event files contain as f32. NaN and infinity are
  /// numbers, too.
  void addScalar(const std::string &tag, double value);

  /// Adds a histogram of numbers, with the limits of buckets of
  /// tensorflow::histogram::Histogram: 0 and +-1.1^k * 1e-12. NaN and infinity
  /// are in no bucket and in no sum. Returns the number of them.
  size_t addHistogram(const std::string &tag, std::span<const float> values);
  size_t addHistogram(const std::string &tag, std::span<const double> values);
  /// The same for all elements of a feature of a type of models.
  size_t addHistogram(const std::string &tag, const data::Feature &values);

  /// Adds an image as PNG: u8 or u16 as they are, or f32 from 0 to 1, of which
  /// other numbers become the nearest and NaN becomes 0. The shape is [height,
  /// width] or [height, width, channels] with 1 (grey), 2 (grey, alpha), 3
  /// (RGB) or 4 (RGB, alpha) channels.
  void addImage(const std::string &tag, const data::Feature &image);

  /// Adds a text in UTF-8, which TensorBoard shows as Markdown.
  void addText(const std::string &tag, std::string_view text);

  /// Appends the values of another summary.
  void merge(const Summary &other) { message += other.message; }

  bool isEmpty() const { return message.empty(); }
  /// Returns the serialized tensorflow.Summary.
  const std::string &bytes() const { return message; }

private:
  std::string message;
};

} // namespace tg::training

#endif // TG_TRAINING_SUMMARY_HPP
