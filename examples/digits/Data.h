/// The handwritten digits of digits.csv.
#ifndef TG_EXAMPLES_DIGITS_DATA_H
#define TG_EXAMPLES_DIGITS_DATA_H

#include <cstdint>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace digits {

constexpr size_t pixels = 64;

/// Images of 64 grey values in [0, 1] each, and their labels from 0 to 9.
struct Digits {
  std::vector<float> images;
  std::vector<int32_t> labels;

  size_t size() const { return labels.size(); }
  const float *image(size_t row) const { return images.data() + row * pixels; }

  /// Returns rows [first, end).
  Digits slice(size_t first, size_t end) const {
    return {{image(first), image(end)},
            {labels.begin() + first, labels.begin() + end}};
  }
};

/// Reads 64 grey values from 0 to 16 and a label per line, after a header line.
/// Throws std::runtime_error if the file has another format.
inline Digits readDigits(const std::string &path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line))
    throw std::runtime_error("cannot read '" + path + "'");
  Digits digits;
  while (std::getline(file, line)) {
    std::istringstream numbers(line);
    int number = 0;
    char comma = 0;
    for (size_t i = 0; i < pixels && numbers >> number; ++i, numbers >> comma)
      digits.images.push_back(static_cast<float>(number) / 16);
    if (!(numbers >> number) || number < 0 || number > 9)
      throw std::runtime_error(path +
                               ": expected 64 numbers and a label in "
                               "each line, found '" +
                               line + "'");
    digits.labels.push_back(number);
  }
  return digits;
}

} // namespace digits

#endif // TG_EXAMPLES_DIGITS_DATA_H
